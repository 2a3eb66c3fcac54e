"""What the founder of a site's club types."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from clubs.forms.entrance import NO_ADDRESS
from clubs.rules.names import LONGEST

PASSWORD_HELP = _("At least 8 characters; not a common password, and not like your name or address.")


def _languages() -> list[tuple[str, Any]]:
    return list(settings.LANGUAGES)


class FoundingForm(forms.Form):
    """The club, and the account of its owner. The key comes along from the printed address, so that it stands last."""

    club = forms.CharField(label=_("The club’s name"), max_length=60)
    language = forms.ChoiceField(label=_("Language"), choices=_languages)
    name = forms.CharField(
        label=_("Your name"), max_length=LONGEST, widget=forms.TextInput(attrs={"autocomplete": "nickname"})
    )
    email = forms.EmailField(
        label=_("E-mail address"),
        error_messages={"invalid": NO_ADDRESS},
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    password = forms.CharField(
        label=_("Password"),
        help_text=PASSWORD_HELP,
        max_length=200,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )
    key = forms.CharField(
        label=_("Key"), help_text=_("It stands where the server was started."), max_length=80
    )
