"""The treasurer's acts: who, which chips, how many, and why."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, User
from ledger import selectors
from ledger.models import MAX_AMOUNT, Asset
from ledger.wording import chips

KEYS = "desk:"
"""How the desk's keys begin, so that none of them can take the key of a table's or a tournament's transaction."""

REASON_HELP = _("Both sides read it: a receipt number, an occasion, a mistake that is put right.")


class Amount(forms.DecimalField):
    """A number of chips as people write it; ``DeskForm`` turns it into whole units of the asset."""

    def __init__(self, *, least: int = 1, **kwargs: Any) -> None:
        self.least = least
        widget = forms.NumberInput(attrs={"step": "any", "min": "0"})
        super().__init__(decimal_places=6, widget=widget, **kwargs)


def members(club: Club) -> Any:
    """People who can own chips of a club: its members, and those who have some of its chips already."""
    return selectors.members_with_wallets(club)


class DeskForm(forms.Form):
    """What every act of the treasurer names: the chips, and a key that makes sending it twice safe."""

    key = forms.CharField(widget=forms.HiddenInput, max_length=64)
    asset = forms.ModelChoiceField(label=_("Chips"), queryset=Asset.objects.none(), to_field_name="code")

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        """Chips and people are those of ``club``."""
        super().__init__(*args, **kwargs)
        assets = Asset.objects.filter(club=club).order_by("code")
        for name, field in self.fields.items():
            if isinstance(field, forms.ModelChoiceField):
                field.queryset = assets if name == "asset" else members(club)
                field.empty_label = _("Choose…")
        codes = list(assets.values_list("code", flat=True)[:2])
        if len(codes) == 1:
            self.initial.setdefault("asset", codes[0])
        if not codes and isinstance(self.fields["asset"], forms.ModelChoiceField):
            self.fields["asset"].help_text = _(
                "There are no chips yet. Make a kind of chips at the desk first."
            )

    def clean_key(self) -> str:
        """Only a key that this desk gave out."""
        key: str = self.cleaned_data["key"]
        if not key.startswith(KEYS):
            raise forms.ValidationError(
                _("This form is not from this desk. Go back to the desk and open it anew.")
            )
        return key

    def clean(self) -> dict[str, Any]:
        """Turn every amount into whole units of the asset's smallest part; refuse what cannot be one."""
        chosen = super().clean() or {}
        asset = chosen.get("asset")
        for name, field in self.fields.items():
            if asset is not None and isinstance(field, Amount) and chosen.get(name) is not None:
                units = _whole_units(chosen[name], asset)
                if units is None or not field.least <= units <= MAX_AMOUNT:
                    self.add_error(name, _amount_help(asset, field.least))
                else:
                    chosen[name] = units
        return chosen


def _whole_units(amount: Decimal, asset: Asset) -> int | None:
    """The amount in the asset's smallest unit; None for what is too large to be reckoned with, or has a fraction."""
    if not -MAX_AMOUNT <= amount <= MAX_AMOUNT:
        return None
    units = amount.scaleb(asset.scale)
    return int(units) if units == int(units) else None


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


class MoveForm(DeskForm):
    """Move chips from one member to another."""

    payer = forms.ModelChoiceField(label=_("From"), queryset=User.objects.none())
    payee = forms.ModelChoiceField(label=_("To"), queryset=User.objects.none())
    amount = Amount(label=_("Amount"))
    reason = forms.CharField(label=_("Reason"), max_length=500, help_text=REASON_HELP)


class CreditForm(DeskForm):
    """Let a member's wallet go below zero."""

    member = forms.ModelChoiceField(label=_("Member"), queryset=User.objects.none())
    credit = Amount(label=_("Credit line"), least=0, help_text=_("How far the wallet may go below zero."))
    reason = forms.CharField(label=_("Reason"), max_length=500)


class KindForm(DeskForm):
    """Make a kind of chips: on a new site there is none, and nothing can be given out."""

    asset = forms.CharField(  # type: ignore[assignment]
        label=_("Short name"),
        max_length=24,
        help_text=_(
            "2 to 24 capital letters and digits, such as CHIPS. It stays for ever: the book never forgets."
        ),
    )

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, club=club, **kwargs)
        self.initial["asset"] = "" if Asset.objects.exists() else "CHIPS"

    def clean_asset(self) -> str:
        """Only a name that no chips have yet."""
        code: str = self.cleaned_data["asset"].upper()
        if Asset.objects.filter(code=code).exists():
            raise forms.ValidationError(_("There are chips of that name already."))
        return code


class ClearForm(DeskForm):
    """Settle with a member what a correction has left in suspense."""

    TO_MEMBER, FROM_MEMBER = "to_member", "from_member"
    direction = forms.ChoiceField(
        label=_("Direction"),
        choices=[
            (TO_MEMBER, _("to the member")),
            (FROM_MEMBER, _("from the member")),
        ],
        help_text=_(
            "To the member when suspense is above 0 and the chips are the member’s; from the member when it is"
            " below 0 and the member has what it lacks."
        ),
    )
    member = forms.ModelChoiceField(label=_("Member"), queryset=User.objects.none())
    amount = Amount(label=_("Amount"))
    reason = forms.CharField(label=_("Reason"), max_length=500, help_text=REASON_HELP)
