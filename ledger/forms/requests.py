"""What is asked for at the audit desk: a reversal, an export."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from ledger import selectors
from ledger.errors import UnknownAccount
from ledger.forms.fields import DayField, KindField, MemberField, SourceField
from ledger.models import Asset, Export
from ledger.services.exported_postings import Wanted
from ledger.services.posting import LARGEST_ID


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
    account = forms.IntegerField(
        label=_("Account"),
        required=False,
        min_value=1,
        max_value=LARGEST_ID,
        help_text=_("The number of the account."),
    )
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

    def __init__(self, *args: Any, club: int | None = None, **kwargs: Any) -> None:
        """``club`` is the one whose chips alone may be exported, ``None`` for the whole book."""
        super().__init__(*args, **kwargs)
        self.club = club
        if club is not None:
            self.fields["asset"].queryset = selectors.assets_of([club])  # type: ignore[attr-defined]
            self.fields["member"].clubs = [club]  # type: ignore[attr-defined]

    def clean_account(self) -> int | None:
        """The number of an account that there is."""
        number: int | None = self.cleaned_data["account"]
        if number is not None:
            try:
                selectors.get_account(number)
            except UnknownAccount as refusal:
                raise forms.ValidationError(selectors.told(refusal)) from refusal
        return number

    def clean_member(self) -> Any:
        """The one owner id that is meant."""
        found = self.cleaned_data["member"]
        if found is None:
            return None
        if not found:
            raise forms.ValidationError(_("Nobody by that name."))
        if len(found) > 1:
            raise forms.ValidationError(
                _("%(count)s members fit. Write more of the name.") % {"count": len(found)}
            )
        return found[0]

    def clean(self) -> dict[str, Any]:
        """A whole book has no filter but its last day; days are in their order."""
        chosen = super().clean() or {}
        if chosen.get("format") == Export.Format.BEANCOUNT and self.club is not None:
            raise forms.ValidationError(
                _("The book for Beancount is that of all clubs: a keeper of the site can export it.")
            )
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
            club=self.club,
        )
