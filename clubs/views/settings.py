"""What a person changes about themselves: the page of settings, sessions, the own data, the end of the account."""

from __future__ import annotations

import functools
import io
import json
import zipfile
from collections.abc import Callable

from allauth.account.decorators import reauthentication_required
from allauth.usersessions.models import UserSession
from django.conf import settings as django_settings
from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views import i18n
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from clubs import selectors, services
from clubs.adapters import keep_language, keep_time_zone
from clubs.errors import PersonRefusal
from clubs.forms.settings import EraseForm, SettingsForm
from clubs.models import User
from clubs.services.preferences import speak

View = Callable[..., HttpResponse]


def for_members(view: View) -> View:
    """Let members alone see a page: strangers are asked to sign in, guests to sign up."""

    @functools.wraps(view)
    def guarded(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if not request.user.is_authenticated:
            return redirect(f"{reverse('login')}?next={request.path}")
        if not isinstance(request.user, User) or request.user.is_guest:
            return redirect("account_signup")
        return view(request, *args, **kwargs)

    return guarded


@for_members
@never_cache
@require_http_methods(["GET", "POST"])
def settings(request: HttpRequest) -> HttpResponse:
    """Name, language and privacy; links to everything else."""
    user = _me(request)
    form = SettingsForm(request.POST or None, instance=user)
    if request.method == "POST" and form.is_valid():
        form.save()
        with translation.override(user.language):
            messages.success(request, _("Your settings are kept."))
        response = redirect("settings")
        keep_language(response, user.language)
        keep_time_zone(response, user.time_zone)
        return response
    # A refused name must not be shown as if it were the person's.
    user.refresh_from_db()
    return render(request, "clubs/settings.html", {"form": form, "address": selectors.address_of(user)})


def set_language(request: HttpRequest) -> HttpResponse:
    """Django's switch of the language; whoever is signed in finds the same one on every other device, and in mails."""
    response: HttpResponse = i18n.set_language(request)
    language = request.POST.get("language", "")
    if isinstance(request.user, User) and language in dict(django_settings.LANGUAGES):
        speak(user=request.user, language=language)
    return response


@for_members
@never_cache
@require_http_methods(["GET", "POST"])
def sessions(request: HttpRequest) -> HttpResponse:
    """Where the person is signed in; one of these or all others can be ended. Sockets close at once."""
    user = _me(request)
    if request.method == "POST":
        if request.POST.get("session", "").isascii() and request.POST.get("session", "").isdigit():
            services.end_session(user=user, session_id=int(request.POST["session"][:18]))
            messages.success(request, _("That session is ended."))
        else:
            ended = services.end_sessions(user=user, but=request.session.session_key)
            messages.success(request, _("Other sessions that are ended: %(number)s.") % {"number": ended})
        return redirect("sessions")
    own = request.session.session_key
    rows = sorted(
        UserSession.objects.purge_and_list(user),
        key=lambda row: (row.session_key == own, row.created_at),
        reverse=True,
    )
    shown = [
        {
            "row": row,
            "here": row.session_key == own,
            "device": selectors.device_of(row.user_agent),
        }
        for row in rows
    ]
    return render(request, "clubs/sessions.html", {"sessions": shown})


@for_members
@never_cache
@require_safe
@reauthentication_required
def own_data(request: HttpRequest) -> HttpResponse:
    """All that the site keeps about the person, as JSON files in one archive."""
    user = _me(request)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in services.all_about(user=user).items():
            archive.writestr(f"{name}.json", json.dumps(content, ensure_ascii=False, indent=1))
    response = HttpResponse(packed.getvalue(), content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="{user.username}.zip"'
    return response


@for_members
@never_cache
@require_http_methods(["GET", "POST"])
@reauthentication_required
def erase_me(request: HttpRequest) -> HttpResponse:
    """Erase the account for ever, after the user name was written to confirm it."""
    user = _me(request)
    form = EraseForm(request.POST or None, user=user)
    if request.method == "POST" and form.is_valid():
        try:
            services.erase(user=user, gives_chips=form.cleaned_data["gives_chips"])
        except PersonRefusal as refusal:
            form.add_error(None, refusal.message)
        else:
            logout(request)
            messages.success(request, _("Your account is erased."))
            return redirect("games:home")
    return render(request, "clubs/erase.html", {"form": form})


def _me(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # for_members lets nobody else in
    return request.user
