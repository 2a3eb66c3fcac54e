"""The book: assets, accounts, transactions and postings.

Everything here is written by the database's own functions (``docs/ledger.md``);
these classes describe the tables so that Django can read them.
"""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from clubs.models import FIRST_CLUB, Club
from ledger.wording import kind_name

from .fields import (
    AccountKindField,
    AmountField,
    ClockTimestamp,
    CurrentXid,
    StateField,
    TotalField,
    Xid8Field,
)

MAX_AMOUNT = 10**12
"""Largest amount of one posting, in the asset's smallest unit."""

MAX_TOTAL = 2**53 - 1
"""Largest total on one side of an account: every balance is exact in JavaScript too."""

HOUSE_IDS_FROM = 10**15 + 1
"""House accounts have ids from here on, so that they are locked after the members' accounts."""


class Asset(models.Model):
    """What is counted: the chips of a club, or the chips of one tournament."""

    club = models.ForeignKey(
        Club,
        models.PROTECT,
        related_name="+",
        default=FIRST_CLUB,
        db_default=FIRST_CLUB,
        verbose_name=_("club"),
    )
    code = models.CharField(
        _("code"),
        max_length=24,
        unique=True,
        help_text=_(
            "2 to 24 capital letters, digits and . _ -, starting with a letter, ending with a letter or digit."
        ),
    )
    scale = models.PositiveSmallIntegerField(
        _("decimal places"), default=0, db_default=0, help_text=_("Decimal places of the smallest unit.")
    )

    class Meta:
        verbose_name = _("kind of chips")
        verbose_name_plural = _("kinds of chips")
        constraints = [
            models.CheckConstraint(
                condition=Q(code__regex=r"^[A-Z][A-Z0-9._-]{0,22}[A-Z0-9]$"), name="asset_code_form"
            ),
            models.CheckConstraint(condition=Q(scale__lte=6), name="asset_scale_range"),
        ]

    def __str__(self) -> str:
        return self.code


class Account(models.Model):
    """Where chips are. ``balance`` is credits less debits; only its totals are ever updated.

    ``owner`` is a random id (``AccountOwner``), never a person. ``ref`` tells
    accounts of one kind apart: a table and seat, a table, a tournament. A
    trigger sees to it that what an account is never changes, that house accounts
    have the highest ids, that only an empty account is closed, and that each kind
    has its own floor (``min_balance``): a wallet 0 or minus its credit line, mint
    and suspense none, all others 0.
    """

    class Kind(models.TextChoices):
        WALLET = "wallet", _("wallet")
        SEAT = "seat", _("seat")
        POT = "pot", _("pot")
        ENTRY = "entry", _("tournament entries")
        POOL = "pool", _("prize pool")
        FEE = "fee", _("fee")
        MINT = "mint", _("mint")
        RAKE = "rake", _("rake")
        SUSPENSE = "suspense", _("suspense")

    kind = AccountKindField(_("kind"), max_length=10, choices=Kind)
    ref = models.CharField(_("reference"), max_length=120, blank=True)
    owner = models.UUIDField(_("owner"), null=True, blank=True)
    asset = models.ForeignKey(Asset, models.PROTECT, related_name="accounts", verbose_name=_("asset"))
    min_balance = models.BigIntegerField(_("lowest balance"), null=True, blank=True)
    debits = TotalField(_("debits"), default=0, db_default=0)
    credits = TotalField(_("credits"), default=0, db_default=0)
    debits_pending = TotalField(_("debits on hold"), default=0, db_default=0)
    credits_pending = TotalField(_("credits on hold"), default=0, db_default=0)
    seq = models.BigIntegerField(_("number of postings"), default=0, db_default=0)
    moved_at = models.DateTimeField(_("last posting"), null=True, blank=True)
    opened_at = models.DateTimeField(_("opened"), db_default=ClockTimestamp())
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)

    class Meta:
        verbose_name = _("account")
        verbose_name_plural = _("accounts")
        permissions = [
            ("treasure", _("May give out, take back and move chips")),
            ("export_book", _("May export the book")),
        ]
        indexes = [models.Index(fields=["owner"], name="account_owner", condition=Q(owner__isnull=False))]
        constraints = [
            models.UniqueConstraint(fields=["kind", "ref", "asset"], name="account_once"),
            # The target of the composite foreign keys by which a posting never mixes assets.
            models.UniqueConstraint(fields=["id", "asset"], name="account_and_asset"),
            # An account without a floor has NULL, which passes.
            models.CheckConstraint(
                condition=Q(min_balance__lte=F("credits") - F("debits") - F("debits_pending")),
                name="account_above_floor",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.ref}".strip()

    @property
    def club_id(self) -> int | None:
        """The club whose chips are counted here."""
        return self.asset.club_id

    @property
    def balance(self) -> int:
        """Chips in the account, in the asset's smallest unit; holds are not subtracted."""
        return self.credits - self.debits

    @property
    def credit_line(self) -> int:
        """How far below zero it may go; nothing for accounts without a floor."""
        return -(self.min_balance or 0)

    @property
    def available(self) -> int:
        """What may still leave the account: balance less holds, down to the floor."""
        return self.balance - self.debits_pending - (self.min_balance or 0)


class Transaction(models.Model):
    """One thing that happened, with its postings; never changed afterwards.

    ``key`` makes a retry safe, ``fingerprint`` (32 bytes) tells a retry from
    another request under the same key. ``salt`` (16 bytes) hides the content of
    its leaf; ``note_hash`` is SHA-256(salt of the note, text in UTF-8).
    """

    class State(models.TextChoices):
        POSTED = "posted", _("posted")
        PENDING = "pending", _("on hold")
        POST = "post", _("hold posted")
        VOID = "void", _("hold voided")

    key = models.CharField(_("key"), max_length=200)
    fingerprint = models.BinaryField(_("fingerprint"), max_length=32)
    kind = models.CharField(_("kind"), max_length=40)
    state = StateField(_("state"), max_length=7, choices=State)
    resolves = models.ForeignKey(
        "self",
        models.PROTECT,
        null=True,
        blank=True,
        db_index=False,
        related_name="resolutions",
        verbose_name=_("resolves the hold"),
    )
    reverses = models.ForeignKey(
        "self",
        models.PROTECT,
        null=True,
        blank=True,
        db_index=False,
        related_name="reversals",
        verbose_name=_("reverses"),
    )
    source = models.CharField(_("source"), max_length=200)
    salt = models.BinaryField(_("salt"), max_length=16)
    note_hash = models.BinaryField(_("hash of the note"), max_length=32, null=True, blank=True)
    at = models.DateTimeField(_("time"), db_default=ClockTimestamp())
    xid = Xid8Field(_("database transaction"), db_default=CurrentXid())

    class Meta:
        verbose_name = _("transaction")
        verbose_name_plural = _("transactions")
        indexes = [
            models.Index(fields=["at"], name="transaction_at"),
            models.Index(fields=["kind", "at"], name="transaction_kind_at"),
            # Also answers "every transaction of this table" by prefix, whatever the collation.
            models.Index(fields=["source"], name="transaction_source", opclasses=["text_pattern_ops"]),
            models.Index(fields=["xid"], name="transaction_xid"),
            models.Index(fields=["at"], name="transaction_holds", condition=Q(state="pending")),
        ]
        constraints = [
            models.UniqueConstraint(fields=["key"], name="transaction_key_once"),
            models.UniqueConstraint(
                fields=["resolves"], name="transaction_resolved_once", condition=Q(resolves__isnull=False)
            ),
            models.UniqueConstraint(
                fields=["reverses"], name="transaction_reversed_once", condition=Q(reverses__isnull=False)
            ),
            models.CheckConstraint(
                condition=Q(state="posted", resolves__isnull=True)
                | Q(state="pending", resolves__isnull=True, reverses__isnull=True)
                | Q(state__in=["post", "void"], resolves__isnull=False, reverses__isnull=True),
                name="transaction_state_links",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pk}: {kind_name(self.kind)}"

    @property
    def club_id(self) -> int | None:
        """The club whose chips were moved: no transaction moves the chips of two."""
        return Asset.objects.values_list("club_id", flat=True).get(
            pk=Posting.objects.filter(transaction=self.pk).order_by("n").values("asset")[:1]
        )


class Posting(models.Model):
    """``amount`` moves from ``debit`` to ``credit``: one row, balanced by construction.

    ``debit_after`` and ``credit_after`` are the posted balances afterwards;
    ``debit_seq`` and ``credit_seq`` count the postings of each account from 1
    without gaps. ``at`` repeats the transaction's time, so that a balance at
    any time is one probe of an index.
    """

    transaction = models.ForeignKey(
        Transaction, models.PROTECT, related_name="postings", db_index=False, verbose_name=_("transaction")
    )
    n = models.SmallIntegerField(_("number"))
    asset = models.ForeignKey(
        Asset,
        models.PROTECT,
        related_name="+",
        db_index=False,
        db_constraint=False,
        verbose_name=_("asset"),
    )
    debit = models.ForeignKey(
        Account,
        models.PROTECT,
        related_name="debit_postings",
        db_index=False,
        db_constraint=False,
        verbose_name=_("from"),
    )
    credit = models.ForeignKey(
        Account,
        models.PROTECT,
        related_name="credit_postings",
        db_index=False,
        db_constraint=False,
        verbose_name=_("to"),
    )
    amount = AmountField(_("amount"))
    debit_after = models.BigIntegerField(_("balance of the payer afterwards"))
    debit_seq = models.BigIntegerField(_("number in the payer's account"))
    credit_after = models.BigIntegerField(_("balance of the payee afterwards"))
    credit_seq = models.BigIntegerField(_("number in the payee's account"))
    at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name = _("posting")
        verbose_name_plural = _("postings")
        indexes = [
            models.Index(fields=["debit", "at", "debit_seq"], name="posting_debit"),
            models.Index(fields=["credit", "at", "credit_seq"], name="posting_credit"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["transaction", "n"], name="posting_once"),
            models.CheckConstraint(condition=~Q(debit=F("credit")), name="posting_two_accounts"),
        ]

    def __str__(self) -> str:
        return f"{self.debit_id} → {self.credit_id}: {self.amount}"


class Note(models.Model):
    """Free text about a transaction; may name people, so it can be erased. Its hash stays in the book."""

    transaction = models.OneToOneField(
        Transaction,
        models.PROTECT,
        primary_key=True,
        related_name="note",
        verbose_name=_("transaction"),
    )
    salt = models.BinaryField(_("salt"), max_length=16)
    text = models.TextField(_("text"), max_length=1000)

    class Meta:
        verbose_name = _("note")
        verbose_name_plural = _("notes")

    def __str__(self) -> str:
        return self.text
