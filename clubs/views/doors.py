"""The doors: allauth's views, at which whoever is signed in (a guest, mostly) counts as a stranger.

allauth sends people away who are signed in. Here a guest is, and may sign up or
in all the same; so the person is hidden from these views, and known to
``clubs.adapters`` as ``request.behind``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

from allauth.account import views as account
from allauth.mfa.base import views as second_factor
from allauth.mfa.webauthn import views as passkeys
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse

View = Callable[..., HttpResponse]


def as_stranger(view: View) -> View:
    """Hide from a view who is signed in."""

    @functools.wraps(view)
    def hidden(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if request.user.is_authenticated:
            request.behind = request.user  # type: ignore[attr-defined]
            request.user = AnonymousUser()
        return view(request, *args, **kwargs)

    return hidden


sign_in = as_stranger(account.login)
sign_up = as_stranger(account.signup)
second_step = as_stranger(second_factor.authenticate)
sign_in_by_passkey = as_stranger(passkeys.login_webauthn)
