"""How allauth speaks and acts here: its adapters, with the site's sentences, guests and languages."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from ipaddress import ip_address, ip_network
from typing import Any, cast

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.forms import default_token_generator
from allauth.account.internal.flows.email_verification import send_verification_email_to_address
from allauth.account.models import EmailAddress
from allauth.account.utils import user_pk_to_url_str
from allauth.core import context as door
from allauth.core import ratelimit
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation
from django.utils.functional import lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.errors import PersonRefusal
from clubs.models import User
from clubs.rules.zones import TIME_ZONE_COOKIE
from clubs.selectors import device_of
from clubs.services import join_guest, sign_up

NOT_KNOWN = _("The name or address and the password do not go together.")


def shown_name(user: User) -> str:
    """What allauth calls a person in mails and on passkeys."""
    return user.shown_name


def guest_behind(request: HttpRequest) -> User | None:
    """Return the guest who stands at a door (``views.doors`` hides whoever is signed in), if it is one."""
    person = getattr(request, "behind", None)
    return person if isinstance(person, User) and person.is_guest else None


def slow_down_newcomers(request: HttpRequest) -> None:
    """Count one more newcomer from this network, who is about to become a guest.

    Raises ``ImmediateHttpResponse`` (a page with the status 429) when there were too many of late.
    """
    if not ratelimit.consume(request, action="guest"):
        raise ImmediateHttpResponse(render(request, "429.html", status=429))


def network_of(request: HttpRequest) -> str:
    """Return the address from which a request comes, or the network of an IPv6 one, as the limits at the doors count it.

    Behind proxies it is what they tell (``TRUSTED_PROXIES``): the nearest proxy's own address is everybody's.
    """
    address = ip_address(PeopleAdapter(request).get_client_ip(request))
    return str(address if address.version == 4 else ip_network((address, 64), strict=False))


def confirm_again(request: HttpRequest, user: User) -> bool:
    """Write to a person's address once more, if it is not confirmed; returns whether a mail was written."""
    row = EmailAddress.objects.filter(user=user, verified=False).order_by("-pk").first()
    return row is not None and send_verification_email_to_address(request, row)


def link_for_new_password(request: HttpRequest, user: User) -> str:
    """Return a link by which a person can choose a new password once, for a keeper to hand over."""
    key = f"{user_pk_to_url_str(user)}-{default_token_generator.make_token(user)}"
    link: str = PeopleAdapter(request).get_reset_password_from_key_url(key)
    return link


class PeopleAdapter(DefaultAccountAdapter):
    """Signing up and in: a guest who does either keeps what was played."""

    error_messages: Mapping[str, Any] = {
        **DefaultAccountAdapter.error_messages,
        "account_inactive": _("This account is closed."),
        "duplicate_email": _("That is your address already."),
        "email_password_mismatch": NOT_KNOWN,
        "username_password_mismatch": NOT_KNOWN,
        "invalid_login": NOT_KNOWN,
        "enter_current_password": _("That is not your password."),
        "incorrect_password": _("That is not your password."),
        "incorrect_code": _("That code is not right, or no longer."),
        "invalid_or_expired_key": _("That link is not valid, or no longer."),
        "invalid_password_reset": _("That link is not valid, or no longer."),
        "too_many_login_attempts": _("Too many attempts did not succeed. Try again in a few minutes."),
        "rate_limited": _("Not so fast, please: try again in a minute."),
        "same_as_current": _("That is what it is already."),
    }

    def new_user(self, request: HttpRequest) -> User:
        """Begin with the guest who signs up, or with a newcomer."""
        return guest_behind(request) or User()

    def save_user(
        self, request: HttpRequest, user: AbstractBaseUser, form: BaseForm, commit: bool = True
    ) -> AbstractBaseUser:
        """Make the member out of a filled-in form."""
        data = form.cleaned_data
        language = translation.get_language() or settings.LANGUAGE_CODE
        try:
            return sign_up(
                guest=guest_behind(request),
                name=data["name"],
                email=data["email"],
                password=data["password1"],
                language=language,
            )
        except PersonRefusal as refusal:
            # Somebody took the name between the check and now.
            raise ValidationError({"name": refusal.message}) from refusal

    def login(self, request: HttpRequest, user: AbstractBaseUser) -> None:
        """Sign a person in under a new session key; a guest's games become theirs."""
        guest = guest_behind(request)
        super().login(request, user)
        if guest is not None and guest.pk != user.pk:
            join_guest(guest=guest, member=cast(User, user))

    def post_login(self, request: HttpRequest, user: AbstractBaseUser, **more: Any) -> HttpResponse:
        """Let the browser speak the person's language and tell the person's time from here on."""
        response: HttpResponse = super().post_login(request, user, **more)
        language = cast(User, user).language
        if language in dict(settings.LANGUAGES):
            keep_language(response, language)
        keep_time_zone(response, cast(User, user).time_zone)
        return response

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Write a mail in the language of whom it is for, if that is known."""
        person = context.get("user") or getattr(door.request, "user", None)
        language = getattr(person, "language", "") or translation.get_language()
        with translation.override(language):
            super().send_mail(template_prefix, email, context)

    def send_notification_mail(
        self,
        template_prefix: str,
        user: AbstractBaseUser,
        context: dict[str, Any] | None = None,
        email: str | None = None,
    ) -> None:
        """Tell people in their own language of a change in their account: on which device, and what to do if it was not they."""
        agent = self.get_http_user_agent(self.request)
        more = {
            "user": user,
            "device": lazy(device_of, str)(agent),  # in words when the mail's language is known
            "new_password": settings.SITE_URL + reverse("account_reset_password"),
            "sessions": settings.SITE_URL + reverse("sessions"),
        }
        super().send_notification_mail(template_prefix, user, more | (context or {}), email)

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        """Go back to the settings after a new password."""
        return reverse("settings")

    def get_reauthentication_methods(self, user: AbstractBaseUser | AnonymousUser) -> list[dict[str, Any]]:
        """Say in the site's words in which ways a person can show who they are."""
        words = {
            "reauthenticate": gettext("With the password"),
            "mfa_reauthenticate": gettext("With the app or a spare code"),
            "mfa_reauthenticate:webauthn": gettext("With a passkey"),
        }
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        return [{**method, "description": words[method["id"]]} for method in methods]


def keep_language(response: HttpResponse, language: str) -> None:
    """Write the language cookie, as Django's own switch does."""
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        path=settings.LANGUAGE_COOKIE_PATH,
        domain=settings.LANGUAGE_COOKIE_DOMAIN,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
        samesite=cast(Any, settings.LANGUAGE_COOKIE_SAMESITE),
    )


def keep_time_zone(response: HttpResponse, zone: str) -> None:
    """Write the cookie that says in which time zone pages tell times; none for the site's own."""
    if zone:
        response.set_cookie(
            TIME_ZONE_COOKIE,
            zone,
            max_age=365 * 86_400,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite=cast(Any, settings.SESSION_COOKIE_SAMESITE),
        )
    else:
        response.delete_cookie(TIME_ZONE_COOKIE)


def _key_of(secret: str) -> bytes:
    derived = HKDF(SHA256(), length=32, salt=None, info=b"second factor").derive(secret.encode())
    return base64.urlsafe_b64encode(derived)


class SecondFactorAdapter(DefaultMFAAdapter):
    """The second factor: secrets lie in the database under the site's key, names are the site's."""

    error_messages: Mapping[str, Any] = {
        **DefaultMFAAdapter.error_messages,
        "cannot_generate_recovery_codes": _("Spare codes come with an app or a passkey: add one first."),
        "incorrect_code": _("That code is not right, or no longer."),
    }

    def _box(self) -> MultiFernet:
        secrets = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
        return MultiFernet([Fernet(_key_of(secret)) for secret in secrets])

    def encrypt(self, text: str) -> str:
        """Return a secret as it is kept."""
        return self._box().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Return a kept secret; one that was kept under a forgotten key fits no code."""
        try:
            return self._box().decrypt(encrypted_text.encode()).decode()
        except InvalidToken:
            return ""

    def get_totp_label(self, user: AbstractBaseUser) -> str:
        """What the app calls the account: the user name."""
        return cast(User, user).username

    def _get_user_identifier(self, user: AbstractBaseUser) -> str:
        return cast(User, user).username

    def generate_authenticator_name(self, user: AbstractBaseUser, type: Authenticator.Type) -> str:
        """What a passkey is called unless somebody says otherwise."""
        number = Authenticator.objects.filter(user=user.pk, type=type).count() + 1
        return gettext("Passkey %(number)s") % {"number": number}
