"""Forms of the treasurer's desk, of the statement's filters and of the audit desk."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django import forms
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from clubs.models import User
from ledger import selectors
from ledger.models import MAX_AMOUNT, Account, Asset, Export, Transaction
from ledger.services.exported_postings import Wanted
from ledger.services.posting import LARGEST_ID
from ledger.services.sources import prefix_of
from ledger.wording import chips, kind_name

REASON_HELP = _("Both sides read it: a receipt number, an occasion, a mistake that is put right.")


class Amount(forms.DecimalField):
    """A number of chips as people write it; ``DeskForm`` turns it into whole units of the asset."""

    def __init__(self, *, least: int = 1, **kwargs: Any) -> None:
        self.least = least
        widget = forms.NumberInput(attrs={"step": "any", "min": "0"})
        super().__init__(max_digits=19, decimal_places=6, widget=widget, **kwargs)


def members() -> Any:
    """People who can own chips."""
    return User.objects.filter(is_guest=False, is_active=True).order_by("display_name", "username")


class DeskForm(forms.Form):
    """What every act of the treasurer names: the chips, and a key that makes sending it twice safe."""

    key = forms.CharField(widget=forms.HiddenInput, max_length=64)
    asset = forms.ModelChoiceField(
        label=_("Chips"), queryset=Asset.objects.order_by("code"), to_field_name="code"
    )

    def clean(self) -> dict[str, Any]:
        """Turn every amount into whole units of the asset's smallest part; refuse what cannot be one."""
        chosen = super().clean() or {}
        asset = chosen.get("asset")
        for name, field in self.fields.items():
            if asset is not None and isinstance(field, Amount) and chosen.get(name) is not None:
                units = chosen[name].scaleb(asset.scale)
                if not field.least <= units <= MAX_AMOUNT or units != int(units):
                    self.add_error(name, _amount_help(asset, field.least))
                else:
                    chosen[name] = int(units)
        return chosen


def _amount_help(asset: Asset, least: int) -> str:
    words = {
        "least": chips(least, asset),
        "most": chips(MAX_AMOUNT, asset),
        "asset": asset.code,
        "places": asset.scale,
    }
    if asset.scale:
        return (
            gettext("An amount of %(asset)s is from %(least)s to %(most)s, with at most %(places)s decimals.")
            % words
        )
    return gettext("An amount of %(asset)s is a whole number from %(least)s to %(most)s.") % words


class ChipsForm(DeskForm):
    """Give chips to a member, or take them back."""

    member = forms.ModelChoiceField(label=_("Member"), queryset=User.objects.none())
    amount = Amount(label=_("Amount"))
    reference = forms.CharField(label=_("Reference"), max_length=500, help_text=REASON_HELP)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["member"].queryset = members()  # type: ignore[attr-defined]


class MoveForm(DeskForm):
    """Move chips from one member to another."""

    payer = forms.ModelChoiceField(label=_("From"), queryset=User.objects.none())
    payee = forms.ModelChoiceField(label=_("To"), queryset=User.objects.none())
    amount = Amount(label=_("Amount"))
    reason = forms.CharField(label=_("Reason"), max_length=500, help_text=REASON_HELP)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("payer", "payee"):
            self.fields[name].queryset = members()  # type: ignore[attr-defined]


class CreditForm(DeskForm):
    """Let a member's wallet go below zero."""

    member = forms.ModelChoiceField(label=_("Member"), queryset=User.objects.none())
    credit = Amount(label=_("Credit line"), least=0, help_text=_("How far the wallet may go below zero."))
    reason = forms.CharField(label=_("Reason"), max_length=500)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["member"].queryset = members()  # type: ignore[attr-defined]


class ClearForm(DeskForm):
    """Settle with a member what a correction has left in suspense."""

    TO_MEMBER, FROM_MEMBER = "to_member", "from_member"
    direction = forms.ChoiceField(
        label=_("Direction"),
        choices=[
            (TO_MEMBER, _("suspense has chips that are the member's")),
            (FROM_MEMBER, _("the member has chips that suspense lacks")),
        ],
    )
    member = forms.ModelChoiceField(label=_("Member"), queryset=User.objects.none())
    amount = Amount(label=_("Amount"))
    reason = forms.CharField(label=_("Reason"), max_length=500, help_text=REASON_HELP)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["member"].queryset = members()  # type: ignore[attr-defined]


class KindField(forms.ChoiceField):
    """A kind of transaction that the book has, by its name."""

    def __init__(self) -> None:
        super().__init__(label=_("Kind"), required=False, choices=_kinds)


def _kinds() -> list[tuple[str, str]]:
    return [("", gettext("all")), *((kind, kind_name(kind)) for kind in selectors.kinds_in_use())]


class StatementFilter(forms.Form):
    """Which lines of a statement to show."""

    direction = forms.ChoiceField(
        label=_("Direction"),
        required=False,
        choices=[("", _("in and out")), ("in", _("in")), ("out", _("out"))],
    )
    kind = KindField()
    since = forms.DateField(
        label=pgettext_lazy("day", "From"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    until = forms.DateField(
        label=pgettext_lazy("day", "To"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )

    def wanted(self) -> dict[str, Any]:
        """Return the arguments for ``selectors.statement``; a wrong filter is left out."""
        self.is_valid()
        chosen = self.cleaned_data
        since, until = _span(chosen)
        return {
            "direction": chosen.get("direction") or "",
            "kinds": [chosen["kind"]] if chosen.get("kind") else [],
            "since": since,
            "until": until,
        }


class MemberField(forms.CharField):
    """Part of a member's name, or an owner id; becomes the owner ids that fit."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(label=_("Member"), required=False, max_length=80, **kwargs)

    def clean(self, value: Any) -> Any:
        """Owner ids of the people who are called so, ``None`` when nobody is named."""
        text = super().clean(value)
        return selectors.owners_called(text) if text else None


class SourceField(forms.CharField):
    """A table's or tournament's id, or how a source begins; becomes the beginning of sources."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(label=_("Table or tournament"), required=False, max_length=200, **kwargs)

    def clean(self, value: Any) -> str:
        """The beginning that all sources of it share, empty when none is named."""
        text = super().clean(value)
        return prefix_of(text) if text else ""


class DayField(forms.DateField):
    """A day, picked from a calendar."""

    def __init__(self, label: Any) -> None:
        super().__init__(label=label, required=False, widget=forms.DateInput(attrs={"type": "date"}))


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
        since, until = _span(chosen)
        conditions = [
            Q(kind=chosen["kind"]) if chosen["kind"] else None,
            self.KINDS_OF_STATE.get(chosen["state"]),
            Q(source__startswith=chosen["source"]) if chosen["source"] else None,
            Q(at__gte=since) if since else None,
            Q(at__lt=until) if until else None,
        ]
        if chosen["member"] is not None:
            conditions.append(selectors.touching(selectors.accounts_owned(chosen["member"])))
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


class ReasonForm(forms.Form):
    """Why something is asked for."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Whoever approves it reads this, and so does everybody who reads the book later."),
    )


class ExportForm(forms.Form):
    """What to take out of the book. Of the whole book for Beancount only the last day can be chosen."""

    format = forms.ChoiceField(label=_("Format"), choices=Export.Format.choices)
    account = forms.IntegerField(label=_("Account"), required=False, min_value=1, max_value=LARGEST_ID)
    member = MemberField(help_text=_("Part of the name; it must fit one member only."))
    source = SourceField()
    kind = KindField()
    asset = forms.ModelChoiceField(
        label=_("Chips"),
        queryset=Asset.objects.order_by("code"),
        to_field_name="code",
        required=False,
        empty_label=_("all"),
    )
    since = DayField(pgettext_lazy("day", "From"))
    until = DayField(pgettext_lazy("day", "To"))

    def clean_member(self) -> Any:
        """The one owner id that is meant."""
        found = self.cleaned_data["member"]
        if found is None:
            return None
        if len(found) != 1:
            raise forms.ValidationError(
                _("%(count)s members fit. Write more of the name.") % {"count": len(found)}
            )
        return found[0]

    def clean(self) -> dict[str, Any]:
        """A whole book has no filter but its last day; days are in their order."""
        chosen = super().clean() or {}
        filters = ("account", "member", "source", "kind", "asset", "since")
        if chosen.get("format") == Export.Format.BEANCOUNT and any(chosen.get(name) for name in filters):
            raise forms.ValidationError(
                _("The book for Beancount is always whole: leave everything empty except the last day.")
            )
        if chosen.get("since") and chosen.get("until") and chosen["since"] > chosen["until"]:
            raise forms.ValidationError(_("The first day is after the last."))
        return chosen

    def wanted(self) -> Wanted:
        """What was chosen."""
        chosen = self.cleaned_data
        return Wanted(
            account=chosen["account"],
            owner=chosen["member"],
            asset=chosen["asset"].code if chosen["asset"] else "",
            kind=chosen["kind"],
            source_prefix=chosen["source"],
            since=chosen["since"],
            until=chosen["until"],
        )


def _span(chosen: dict[str, Any]) -> tuple[dt.datetime | None, dt.datetime | None]:
    """The moments between which the days ``since`` and ``until`` lie, both included."""
    until = chosen.get("until")
    return _midnight(chosen.get("since")), _midnight(until + dt.timedelta(days=1) if until else None)


def _midnight(day: dt.date | None) -> dt.datetime | None:
    return None if day is None else timezone.make_aware(dt.datetime.combine(day, dt.time.min))
