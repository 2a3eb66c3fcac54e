"""The form that makes a token of the API."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from clubs.models import Scope

DAYS = ((30, _("30 days")), (90, _("90 days")), (365, _("a year")))


class TokenForm(forms.Form):
    """What the token is for, what it may do, and for how long."""

    name = forms.CharField(
        label=_("What the token is for"), max_length=60, help_text=_("So that you know it again in the list.")
    )
    scopes = forms.MultipleChoiceField(
        label=_("What it may be used for"),
        choices=Scope.choices,
        widget=forms.CheckboxSelectMultiple,
        initial=[Scope.READ],
        help_text=_("A token never allows more than you may do yourself."),
    )
    days = forms.TypedChoiceField(label=_("Valid for"), choices=DAYS, coerce=int, initial=90)
