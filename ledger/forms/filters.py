"""Filters of statements and of the audit desk's lists."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django import forms
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from ledger import selectors
from ledger.forms.fields import DayField, KindField, MemberField, SourceField, span
from ledger.models import Account, Asset, Transaction


class StatementFilter(forms.Form):
    """Which lines of a statement to show."""

    direction = forms.ChoiceField(
        label=_("Direction"),
        required=False,
        choices=[("", _("in and out")), ("in", _("in")), ("out", _("out"))],
    )
    kind = KindField()
    since = DayField(pgettext_lazy("day", "From"))
    until = DayField(pgettext_lazy("day", "To"))

    def wanted(self) -> dict[str, Any]:
        """Return the arguments for ``selectors.statement``; a wrong filter is left out."""
        self.is_valid()
        chosen = self.cleaned_data
        since, until = span(chosen)
        return {
            "direction": chosen.get("direction") or "",
            "kinds": [chosen["kind"]] if chosen.get("kind") else [],
            "since": since,
            "until": until,
        }


class LinesFilter(StatementFilter):
    """Which lines of an account's statement the auditor sees."""

    member = MemberField()
    source = SourceField()

    def wanted(self) -> dict[str, Any]:
        """Return the arguments for ``selectors.statement``; a wrong filter is left out."""
        wanted = super().wanted()
        members = self.cleaned_data.get("member")
        others = None if members is None else selectors.accounts_owned(members)
        return {**wanted, "source_prefix": self.cleaned_data.get("source") or "", "others": others}


class TransactionFilter(forms.Form):
    """Which transactions the list shows."""

    KINDS_OF_STATE = {
        "hold": Q(state="pending"),
        "resolved": Q(resolves__isnull=False),
        "reversal": Q(reverses__isnull=False),
    }
    looked_to: dt.datetime | None = None
    """How far back was looked for a member or a source, if not to the beginning of the book."""

    kind = KindField()
    state = forms.ChoiceField(
        label=_("State"),
        required=False,
        choices=[
            ("", _("all")),
            ("hold", _("holds")),
            ("resolved", _("ends of holds")),
            ("reversal", _("reversals")),
        ],
    )
    member = MemberField()
    source = SourceField()
    since = DayField(pgettext_lazy("day", "From"))
    until = DayField(pgettext_lazy("day", "To"))

    def narrow(self, queryset: QuerySet[Transaction]) -> QuerySet[Transaction]:
        """The transactions that fit."""
        chosen = self.cleaned_data
        since, until = span(chosen)
        conditions = [
            Q(kind=chosen["kind"]) if chosen["kind"] else None,
            self.KINDS_OF_STATE.get(chosen["state"]),
            Q(at__gte=since) if since else None,
            Q(at__lt=until) if until else None,
        ]
        looks = []
        if chosen["source"]:
            looks.append(selectors.of_source(chosen["source"], since=since, until=until))
        if chosen["member"] is not None:
            accounts = selectors.accounts_owned(chosen["member"])
            looks.append(selectors.touching(accounts, since=since, until=until))
        self.looked_to = max((look.looked_to for look in looks if look.looked_to), default=None)
        conditions += [look.condition for look in looks]
        return queryset.filter(*[condition for condition in conditions if condition is not None])


class AccountFilter(forms.Form):
    """Which accounts the list shows."""

    STANDINGS = {
        "open": Q(closed_at__isnull=True),
        "closed": Q(closed_at__isnull=False),
        "chips": ~Q(debits=F("credits")),
        "hold": Q(debits_pending__gt=0) | Q(credits_pending__gt=0),
    }
    kind = forms.ChoiceField(label=_("Kind"), required=False, choices=[("", _("all")), *Account.Kind.choices])
    asset = forms.ModelChoiceField(
        label=_("Chips"),
        queryset=Asset.objects.order_by("code"),
        to_field_name="code",
        required=False,
        empty_label=_("all"),
    )
    member = MemberField()
    ref = forms.CharField(label=_("Table or tournament"), required=False, max_length=120)
    standing = forms.ChoiceField(
        label=_("Standing"),
        required=False,
        choices=[
            ("", _("all")),
            ("chips", _("with chips")),
            ("hold", _("with chips on hold")),
            ("open", _("open")),
            ("closed", _("closed")),
        ],
    )

    def narrow(self, queryset: QuerySet[Account]) -> QuerySet[Account]:
        """The accounts that fit."""
        chosen = self.cleaned_data
        conditions = [
            Q(kind=chosen["kind"]) if chosen["kind"] else None,
            Q(asset=chosen["asset"]) if chosen["asset"] else None,
            Q(owner__in=chosen["member"]) if chosen["member"] is not None else None,
            Q(ref__startswith=chosen["ref"]) if chosen["ref"] else None,
            self.STANDINGS.get(chosen["standing"]),
        ]
        return queryset.filter(*[condition for condition in conditions if condition is not None])
