"""The forms at the doors: allauth's, in the site's own words."""

from __future__ import annotations

from typing import Any

from allauth.account import forms as doors
from django import forms
from django.utils.translation import gettext_lazy as _

from clubs.errors import PersonRefusal
from clubs.rules.names import LONGEST
from clubs.services import check_name

PASSWORD_HELP = _("At least 8 characters; not a common password, and not like your name or address.")
NO_ADDRESS = _("The address must look like this: name@example.org.")


class Labelled(forms.Form):
    """Fields with labels and help of this site, and without text inside the boxes that vanishes when one types."""

    labels: dict[str, Any] = {}
    helps: dict[str, Any] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.widget.attrs.pop("placeholder", None)
            field.label = self.labels.get(name, field.label)
            field.help_text = self.helps.get(name, "")
            if isinstance(field, forms.EmailField):
                field.error_messages["invalid"] = NO_ADDRESS


class TwicePassword(Labelled):
    """A new password that is typed twice."""

    def clean(self) -> dict[str, Any]:
        """Say in the site's words that the two are not the same."""
        cleaned: dict[str, Any] = super().clean() or {}
        first, again = cleaned.get("password1"), self.data.get("password2")
        if first and again and first != again:
            self.errors["password2"] = self.error_class([str(_("The two passwords are not the same."))])
        return cleaned


class SignInForm(Labelled, doors.LoginForm):
    """Sign in by user name or e-mail address."""

    labels = {"login": _("User name or e-mail address"), "password": _("Password")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].widget.attrs["autocomplete"] = "username webauthn"


class SignUpForm(Labelled, doors.SignupForm):
    """Sign up with the name for the tables, an e-mail address and a password; the user name is made from the name."""

    labels = {"email": _("E-mail address"), "password1": _("Password")}
    helps = {
        "name": _("Everybody at a table reads it."),
        "email": _("For signing in, and for a new password if you forget yours. Nobody else sees it."),
        "password1": PASSWORD_HELP,
    }
    field_order = ["name", "email", "password1"]
    name = forms.CharField(
        label=_("Your name"), max_length=LONGEST, widget=forms.TextInput(attrs={"autocomplete": "nickname"})
    )

    def clean_name(self) -> str:
        """Refuse a name that is not allowed, or looks like somebody else's."""
        try:
            return check_name(name=self.cleaned_data["name"])
        except PersonRefusal as refusal:
            raise forms.ValidationError(refusal.message, code=refusal.code) from refusal


class AskResetForm(Labelled, doors.ResetPasswordForm):
    """Ask for a mail with which a new password can be chosen."""

    labels = {"email": _("E-mail address")}


class ResetForm(TwicePassword, doors.ResetPasswordKeyForm):
    """Choose a new password, with the link out of the mail."""

    labels = {"password1": _("New password"), "password2": _("New password once more")}
    helps = {"password1": PASSWORD_HELP}


class ChangePasswordForm(TwicePassword, doors.ChangePasswordForm):
    """Change one's password."""

    labels = {
        "oldpassword": _("Current password"),
        "password1": _("New password"),
        "password2": _("New password once more"),
    }
    helps = {"password1": PASSWORD_HELP}


class SetPasswordForm(TwicePassword, doors.SetPasswordForm):
    """Choose a first password: for somebody who has signed in with a passkey alone."""

    labels = {"password1": _("New password"), "password2": _("New password once more")}
    helps = {"password1": PASSWORD_HELP}


class ChangeAddressForm(Labelled, doors.AddEmailForm):
    """Name another e-mail address; it counts once it is confirmed."""

    labels = {"email": _("New e-mail address")}


class PasswordAgainForm(Labelled, doors.ReauthenticateForm):
    """Show that it is still the same person, before something that a stranger must not do."""

    labels = {"password": _("Password")}
