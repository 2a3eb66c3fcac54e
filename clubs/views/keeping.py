"""Pages of a club for its members and for those who run it: members, requests, invitations, settings, the log."""

from __future__ import annotations

import datetime as dt
import functools
from collections.abc import Callable
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs import selectors, services
from clubs.errors import ClubRefusal
from clubs.forms.clubs import ClubForm, InvitationForm
from clubs.models import OFFICES, Invitation
from clubs.selectors import pages
from clubs.views.asking import club_of, show_club
from clubs.views.pages import acted, person
from clubs.views.qr import qr_code
from clubs.views.settings import for_members
from clubs.wording import roles_in_words

View = Callable[..., HttpResponse]
GOVERN, ADMIT, READ = "clubs.govern", "clubs.admit", "clubs.view_act"


def with_right(right: str) -> Callable[[View], View]:
    """Let only people with a right in the club in; others are told that the page is not theirs."""

    def guard(view: View) -> View:
        @functools.wraps(view)
        def guarded(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
            if not request.user.has_perm(right, club_of(request)):
                raise PermissionDenied
            return view(request, *args, **kwargs)

        return for_members(guarded)

    return guard


@for_members
@require_safe
def members(request: HttpRequest, club_slug: str) -> HttpResponse:
    """Who belongs to the club; with buttons for whoever may give roles, admit and ban."""
    club = club_of(request)
    user = person(request)
    admits = user.has_perm(ADMIT, club)
    if not selectors.roles_in(user, club.pk) and not admits:
        raise PermissionDenied
    belonging = list(pages.members_of(club))
    profiles = selectors.profiles_of(user, club, [each.user_id for each in belonging])
    rows = [(each, roles_in_words(each.roles), profiles.get(each.user_id)) for each in belonging]
    context = {
        "club": club,
        "rows": rows,
        "offices": [(role.value, role.label) for role in OFFICES],
        "admits": admits,
        "governs": user.has_perm(GOVERN, club),
        "banned": pages.banned_from(club) if admits else [],
        "requests": pages.requests_to(club) if admits else [],
    }
    return render(request, "clubs/members.html", context)


@with_right(GOVERN)
@require_POST
def roles(request: HttpRequest, club_slug: str, person_id: int) -> HttpResponse:
    """Give a member the offices that are ticked, and no others."""

    def act() -> str:
        services.set_roles(
            club=club_of(request), by=person(request), user_id=person_id, roles=request.POST.getlist("role")
        )
        return _("The roles are changed.")

    return acted(request, act, "club_members")


@with_right(ADMIT)
@require_POST
def ban(request: HttpRequest, club_slug: str, person_id: int) -> HttpResponse:
    """Send somebody away."""

    def act() -> str:
        why = request.POST.get("why", "")
        services.ban(club=club_of(request), by=person(request), user_id=person_id, why=why)
        return _("That person is banned from the club.")

    return acted(request, act, "club_members")


@with_right(ADMIT)
@require_POST
def lift_ban(request: HttpRequest, club_slug: str, person_id: int) -> HttpResponse:
    """Let somebody come again."""

    def act() -> str:
        services.lift_ban(club=club_of(request), by=person(request), user_id=person_id)
        return _("The ban is lifted.")

    return acted(request, act, "club_members")


@with_right(ADMIT)
@require_POST
def decide(request: HttpRequest, club_slug: str, request_id: int) -> HttpResponse:
    """Accept or refuse a request to join."""

    def act() -> str:
        accept = request.POST.get("accept") == "yes"
        services.decide_request(
            club=club_of(request), by=person(request), request_id=request_id, accept=accept
        )
        return _("The request is accepted.") if accept else _("The request is refused.")

    return acted(request, act, "club_members")


@with_right(ADMIT)
@require_http_methods(["GET", "POST"])
def invitations(request: HttpRequest, club_slug: str) -> HttpResponse:
    """The invitations that hold, and the form of a new one."""
    club = club_of(request)
    governs = request.user.has_perm(GOVERN, club)
    form = InvitationForm(request.POST or None, offices=governs)
    if request.method == "POST" and form.is_valid():
        try:
            made = services.invite(club=club, by=person(request), **form.cleaned_data)
        except ClubRefusal as refusal:
            form.add_error(None, refusal.message)
        else:
            return redirect("club_invitation", club.slug, made.pk)
    context = {"club": club, "form": form, "invitations": pages.open_invitations(club)}
    return render(request, "clubs/invitations.html", context, status=422 if form.errors else 200)


@with_right(ADMIT)
@never_cache
@require_safe
def one_invitation(request: HttpRequest, club_slug: str, invitation_id: UUID) -> HttpResponse:
    """An invitation's link, to be copied, sent, or pointed at with a phone."""
    found = Invitation.objects.filter(club=club_of(request).pk, pk=invitation_id).first()
    if found is None:
        raise Http404
    token = services.token_of(found)
    link = request.build_absolute_uri(reverse("invitation", args=[token])) if token else ""
    holds = found in pages.open_invitations(found.club)
    context = {
        "club": found.club,
        "invitation": found,
        "steps": link.split("/") if holds and link else [],
        "qr": qr_code(link) if link and holds else "",
    }
    return render(request, "clubs/one_invitation.html", context)


@with_right(ADMIT)
@require_POST
def revoke(request: HttpRequest, club_slug: str, invitation_id: UUID) -> HttpResponse:
    """Take an invitation back."""

    def act() -> str:
        services.revoke(club=club_of(request), by=person(request), invitation_id=invitation_id)
        return _("The invitation is taken back.")

    return acted(request, act, "club_invitations")


@with_right(GOVERN)
@require_http_methods(["GET", "POST"])
def club_settings(request: HttpRequest, club_slug: str) -> HttpResponse:
    """Name, address, description, and how open the club is."""
    club = club_of(request)
    form = ClubForm.of(club, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            changed = services.set_terms(club=club, by=person(request), **form.cleaned_data)
        except ClubRefusal as refusal:
            form.add_error(None, refusal.message)
        else:
            show_club(request, changed)
            return acted(request, lambda: _("The club’s settings are kept."))
    return render(
        request, "clubs/club_settings.html", {"club": club, "form": form}, status=422 if form.errors else 200
    )


@with_right(READ)
@require_safe
def log(request: HttpRequest, club_slug: str) -> HttpResponse:
    """Everything that those who run the club did: to members, at tables, at events, at the desk."""
    try:
        before = dt.datetime.fromisoformat(request.GET.get("before", ""))
    except ValueError:
        before = None
    if before is not None and before.tzinfo is None:
        before = None
    entries, older = pages.log_of(club_of(request), before=before)
    more = entries[-1].at.isoformat() if older else ""
    return render(request, "clubs/log.html", {"club": club_of(request), "entries": entries, "more": more})
