"""What the checks of the book said, and when."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext_lazy as _

from .fields import ClockTimestamp


class Verification(models.Model):
    """One finished run of ``ledger.services.verifying.verify``.

    ``passed`` false means that the book is not what it says it is; then ``code``
    and ``detail`` tell why, and ``seal``, ``transaction`` and ``account`` where, as
    plain numbers: the row they name may be the one that is missing.
    """

    class Scope(models.TextChoices):
        FULL = "full", _("full")
        SINCE = "since", _("since a seal")
        ACCOUNT = "account", _("one account")

    scope = models.CharField(_("scope"), max_length=7, choices=Scope)
    since = models.BigIntegerField(_("since seal"), null=True, blank=True)
    started_at = models.DateTimeField(_("started"), db_index=True)
    finished_at = models.DateTimeField(_("finished"), db_default=ClockTimestamp())
    transactions = models.BigIntegerField(_("transactions checked"))
    last_seal = models.BigIntegerField(_("last seal"), null=True, blank=True)
    passed = models.BooleanField(_("passed"))
    code = models.CharField(_("fault"), max_length=40, blank=True)
    detail = models.TextField(_("what is wrong"), blank=True)
    seal = models.BigIntegerField(_("seal"), null=True, blank=True)
    transaction = models.BigIntegerField(_("transaction"), null=True, blank=True)
    account = models.BigIntegerField(_("account"), null=True, blank=True)

    class Meta:
        verbose_name = _("verification")
        verbose_name_plural = _("verifications")
        constraints = [
            models.CheckConstraint(
                condition=Q(passed=True, code="") | (Q(passed=False) & ~Q(code="")),
                name="verification_fault_has_code",
            )
        ]

    def __str__(self) -> str:
        started = date_format(localtime(self.started_at), "SHORT_DATETIME_FORMAT")
        return f"{self.get_scope_display()}, {started}"
