"""Seals: Merkle roots over the book, linked and signed."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from .book import Transaction
from .fields import ClockTimestamp, Xid8Field


class Seal(models.Model):
    """A root over every transaction with ``from_xid <= xid < to_xid``; hashes are 32 bytes.

    ``epoch`` counts the restores after which the database began to number its
    transactions anew; the seal that opens one starts at 0 and takes whatever was
    left unsealed. ``totals`` lists, by asset code, ``[code, scale, postings, amount]``.
    ``nodes`` holds the nodes of the tree over all seals that this seal completes,
    level 0 (its own hash) first: with them any proof about that tree reads a
    handful of rows (``ledger.rules.merkle.Frontier``).
    """

    seq = models.BigIntegerField(_("number"), primary_key=True)
    epoch = models.PositiveIntegerField(_("epoch"))
    from_xid = Xid8Field(_("from database transaction"))
    to_xid = Xid8Field(_("to database transaction"))
    n = models.PositiveIntegerField(_("transactions"))
    totals = models.JSONField(_("totals"))
    root = models.BinaryField(_("root"), max_length=32)
    previous = models.BinaryField(_("hash of the previous seal"), max_length=32)
    hash = models.BinaryField(_("hash"), max_length=32)
    log_root = models.BinaryField(_("root over all seals"), max_length=32)
    nodes = models.BinaryField(_("nodes of the tree over all seals"))
    sealed_at = models.DateTimeField(_("sealed"), db_default=ClockTimestamp(), db_index=True)
    key_id = models.CharField(_("key"), max_length=64)
    signature = models.BinaryField(_("signature"), max_length=64)

    class Meta:
        verbose_name = _("seal")
        verbose_name_plural = _("seals")
        constraints = [
            models.UniqueConstraint(fields=["previous"], name="seal_chain_is_a_line"),
            models.CheckConstraint(
                condition=models.Q(seq__gte=1, to_xid__gt=models.F("from_xid")), name="seal_range"
            ),
            # Only the seal that opens an epoch may find nothing to seal.
            models.CheckConstraint(
                condition=models.Q(n__gte=1) | models.Q(epoch__gte=1, from_xid="0"), name="seal_not_empty"
            ),
        ]

    def __str__(self) -> str:
        return str(self.seq)


class Leaf(models.Model):
    """The place of one transaction in its seal; ``index`` counts from 0."""

    transaction = models.OneToOneField(
        Transaction, models.PROTECT, primary_key=True, related_name="leaf", verbose_name=_("transaction")
    )
    seal = models.ForeignKey(
        Seal, models.PROTECT, related_name="leaves", db_index=False, verbose_name=_("seal")
    )
    index = models.PositiveIntegerField(_("index"))
    hash = models.BinaryField(_("hash"), max_length=32)

    class Meta:
        verbose_name = _("leaf")
        verbose_name_plural = _("leaves")
        constraints = [models.UniqueConstraint(fields=["seal", "index"], name="leaf_place_once")]

    def __str__(self) -> str:
        return f"{self.seal_id}/{self.index}"
