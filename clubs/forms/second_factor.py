"""Forms of the second factor: codes of an app, passkeys."""

from __future__ import annotations

from typing import Any

from allauth.mfa.base import forms as codes
from allauth.mfa.totp import forms as app
from allauth.mfa.webauthn import forms as keys
from django.utils.translation import gettext_lazy as _

from clubs.forms.entrance import Labelled


class _Code(Labelled):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].widget.attrs |= {"inputmode": "numeric", "autocapitalize": "none"}


class CodeForm(_Code, codes.AuthenticateForm):
    """The code that a sign-in asks for: the app's, or one of the spare codes."""

    labels = {"code": _("Code")}
    helps = {"code": _("The six digits that your app shows now, or one of your spare codes.")}


class CodeAgainForm(_Code, codes.ReauthenticateForm):
    """The same code, before something that a stranger must not do."""

    labels = CodeForm.labels
    helps = CodeForm.helps


class ActivateAppForm(_Code, app.ActivateTOTPForm):
    """The first code of the app, which shows that it has the secret."""

    labels = {"code": _("Code that the app shows")}


class AddPasskeyForm(Labelled, keys.AddWebAuthnForm):
    """Keep a passkey. It can always sign in by itself: a key that may only follow a password helps few people."""

    labels = {"name": _("What you call it")}
    helps = {"name": _("So that you can tell it from others: the telephone, the key on the ring.")}
    passwordless = None


class RenamePasskeyForm(Labelled, keys.EditWebAuthnForm):
    """Call a passkey something else."""

    labels = {"name": _("What you call it")}
