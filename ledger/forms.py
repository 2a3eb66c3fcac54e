"""Forms of the treasurer's desk and of the statement's filters."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.models import User
from ledger.models import MAX_AMOUNT, Asset

REASON_HELP = _("Both sides read it: a receipt number, an occasion, a mistake that is put right.")


class Amount(forms.IntegerField):
    """A whole number of chips."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_value=kwargs.pop("min_value", 1), max_value=MAX_AMOUNT, **kwargs)


def members() -> Any:
    """People who can own chips."""
    return User.objects.filter(is_guest=False, is_active=True).order_by("display_name", "username")


class DeskForm(forms.Form):
    """What every act of the treasurer names: the chips, and a key that makes sending it twice safe."""

    key = forms.CharField(widget=forms.HiddenInput, max_length=64)
    asset = forms.ModelChoiceField(
        label=_("Chips"), queryset=Asset.objects.order_by("code"), to_field_name="code"
    )


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
    credit = Amount(label=_("Credit line"), min_value=0, help_text=_("How far the wallet may go below zero."))
    reason = forms.CharField(label=_("Reason"), max_length=500)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["member"].queryset = members()  # type: ignore[attr-defined]


class StatementFilter(forms.Form):
    """Which lines of a statement to show."""

    direction = forms.ChoiceField(
        label=_("Direction"),
        required=False,
        choices=[("", _("in and out")), ("in", _("in")), ("out", _("out"))],
    )
    kind = forms.RegexField(label=_("Kind"), regex=r"^[a-z_]{1,40}$", required=False)
    since = forms.DateField(label=_("From"), required=False, widget=forms.DateInput(attrs={"type": "date"}))
    until = forms.DateField(label=_("To"), required=False, widget=forms.DateInput(attrs={"type": "date"}))

    def wanted(self) -> dict[str, Any]:
        """Return the arguments for ``selectors.statement``; a wrong filter is left out."""
        self.is_valid()
        chosen = self.cleaned_data
        until = chosen.get("until")
        return {
            "direction": chosen.get("direction") or "",
            "kinds": [chosen["kind"]] if chosen.get("kind") else [],
            "since": _midnight(chosen.get("since")),
            "until": _midnight(until + dt.timedelta(days=1)) if until else None,
        }


def _midnight(day: dt.date | None) -> dt.datetime | None:
    return None if day is None else timezone.make_aware(dt.datetime.combine(day, dt.time.min))
