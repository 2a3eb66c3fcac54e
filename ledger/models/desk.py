"""Around the book: who owns an account, who changed a credit line, who asked for a correction.

People appear here as random owner ids only; ``AccountOwner`` alone maps an id
to a person, and dropping its row makes the id anonymous for ever.
"""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from .book import Account, Transaction
from .fields import ClockTimestamp


class AccountOwner(models.Model):
    """The random id under which a person owns accounts and signs requests."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="account_owner", verbose_name=_("person")
    )

    class Meta:
        verbose_name = _("account owner")
        verbose_name_plural = _("account owners")

    def __str__(self) -> str:
        return str(self.id)


class CreditLine(models.Model):
    """A change of a wallet's lowest balance: how far below zero it may go from now on."""

    account = models.ForeignKey(
        Account, models.PROTECT, related_name="credit_lines", verbose_name=_("account")
    )
    credit = models.BigIntegerField(_("credit line"))
    previous = models.BigIntegerField(_("previous credit line"))
    set_by = models.UUIDField(_("set by"))
    reason = models.CharField(_("reason"), max_length=500)
    at = models.DateTimeField(_("time"), db_default=ClockTimestamp())

    class Meta:
        verbose_name = _("credit line")
        verbose_name_plural = _("credit lines")
        constraints = [
            models.CheckConstraint(condition=Q(credit__gte=0, previous__gte=0), name="credit_line_positive")
        ]

    def __str__(self) -> str:
        return f"{self.account_id}: {self.credit}"


class Adjustment(models.Model):
    """A request to reverse a transaction: asked by one person, approved by another."""

    class State(models.TextChoices):
        REQUESTED = "requested", _("requested")
        APPROVED = "approved", _("approved")
        REJECTED = "rejected", _("rejected")

    transaction = models.ForeignKey(
        Transaction, models.PROTECT, related_name="adjustments", verbose_name=_("transaction")
    )
    reason = models.CharField(_("reason"), max_length=500, blank=True)
    state = models.CharField(
        _("state"),
        max_length=9,
        choices=State,
        default=State.REQUESTED,
        db_default="requested",
    )
    requested_by = models.UUIDField(_("requested by"))
    requested_at = models.DateTimeField(_("requested"), db_default=ClockTimestamp())
    approved_by = models.UUIDField(_("approved by"), null=True, blank=True)
    rejected_by = models.UUIDField(_("rejected by"), null=True, blank=True)
    decided_at = models.DateTimeField(_("decided"), null=True, blank=True)
    reversal = models.OneToOneField(
        Transaction,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="adjustment",
        verbose_name=_("reversal"),
    )

    class Meta:
        verbose_name = _("request for a reversal")
        verbose_name_plural = _("requests for reversals")
        permissions = [
            ("request_adjustment", _("May ask for a reversal")),
            ("approve_adjustment", _("May approve or reject a reversal that somebody else asked for")),
        ]
        indexes = [models.Index(fields=["state", "requested_at"], name="adjustment_state")]
        constraints = [
            models.UniqueConstraint(
                fields=["transaction"], name="adjustment_one_open", condition=Q(state="requested")
            ),
            models.CheckConstraint(
                condition=Q(approved_by__isnull=True) | ~Q(approved_by=F("requested_by")),
                name="adjustment_two_people",
            ),
            models.CheckConstraint(
                condition=Q(
                    state="requested",
                    approved_by__isnull=True,
                    rejected_by__isnull=True,
                    decided_at__isnull=True,
                    reversal__isnull=True,
                )
                | Q(
                    state="approved",
                    approved_by__isnull=False,
                    rejected_by__isnull=True,
                    decided_at__isnull=False,
                    reversal__isnull=False,
                )
                | Q(
                    state="rejected",
                    approved_by__isnull=True,
                    rejected_by__isnull=False,
                    decided_at__isnull=False,
                    reversal__isnull=True,
                ),
                name="adjustment_state_fields",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.state} {self.transaction_id}"

    @property
    def club_id(self) -> int | None:
        """The club whose chips were moved."""
        return self.transaction.club_id
