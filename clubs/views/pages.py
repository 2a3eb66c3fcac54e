"""Pages of a club for everybody: the list of clubs, one club, joining and leaving, invitations that are followed."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs import selectors, services
from clubs.adapters import network_of
from clubs.errors import ClubRefusal
from clubs.forms.clubs import JoinForm, NewClubForm
from clubs.models import Club, JoinRequest, User
from clubs.selectors import pages
from clubs.views.asking import KEPT_CLUB, club_of
from clubs.views.settings import for_members


@require_safe
def clubs(request: HttpRequest) -> HttpResponse:
    """The clubs of the site that the visitor may see; with a single one its page."""
    shown = [*selectors.clubs_of(request.user)]
    shown += [club for club in selectors.listed_clubs() if club not in shown]
    seen = [club for club in shown if selectors.may_see_club(request.user, club)]
    if len(seen) == 1 and not selectors.several_clubs():
        return redirect("club", seen[0].slug)
    keeps = isinstance(request.user, User) and request.user.is_superuser
    return render(request, "clubs/clubs.html", {"clubs": seen, "may_found": keeps})


@for_members
@require_http_methods(["GET", "POST"])
def new_club(request: HttpRequest) -> HttpResponse:
    """One more club: keepers of the site make it and are its first owners."""
    user = person(request)
    if not user.is_superuser:
        raise Http404
    form = NewClubForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            made = services.make_club(owner=user, **form.cleaned_data)
        except ClubRefusal as refusal:
            form.add_error(None, refusal.message)
        else:
            request.session[KEPT_CLUB] = made.pk
            return redirect("club", made.slug)
    status = 422 if form.errors else 200
    return render(request, "clubs/new_club.html", {"form": form}, status=status)


@require_safe
def club(request: HttpRequest, club_slug: str) -> HttpResponse:
    """A club's page: what it is, how to join, what is on; who belongs to it is for members."""
    shown = club_of(request)
    roles = selectors.roles_in(request.user, shown.pk)
    asked = (
        isinstance(request.user, User)
        and JoinRequest.objects.filter(
            club=shown.pk, user=request.user, state=JoinRequest.State.WAITING
        ).exists()
    )
    context = {
        "club": shown,
        "own_roles": sorted(roles),
        "joining": Club.Joining,
        "asked": asked,
        "form": JoinForm(),
        "sections": pages.sections_of(shown, request.user),
        "member_count": pages.members_of(shown).count() if roles else None,
    }
    return render(request, "clubs/club.html", context)


@require_POST
def enter_club(request: HttpRequest, club_slug: str) -> HttpResponse:
    """Make this club the one that pages are about."""
    request.session[KEPT_CLUB] = club_of(request).pk
    return redirect("games:home")


@for_members
@require_POST
def join(request: HttpRequest, club_slug: str) -> HttpResponse:
    """Join the club, or ask to be let in."""
    shown = club_of(request)

    def act() -> str:
        if shown.joining == Club.Joining.OPEN:
            services.join_club(club=shown, user=person(request))
            return _("Welcome to the club.")
        services.ask_to_join(club=shown, user=person(request), message=request.POST.get("message", ""))
        return _("Your request is with the club’s organisers.")

    return acted(request, act)


@for_members
@require_POST
def withdraw(request: HttpRequest, club_slug: str) -> HttpResponse:
    """Take one's request to join back."""
    services.withdraw_request(club=club_of(request), user=person(request))
    messages.success(request, _("Your request is taken back."))
    return redirect("club", club_of(request).slug)


@for_members
@require_POST
def leave(request: HttpRequest, club_slug: str) -> HttpResponse:
    """Leave the club."""

    def act() -> str:
        services.leave_club(club=club_of(request), user=person(request))
        return _("You have left the club.")

    shown = club_of(request)
    answer = acted(request, act)
    return answer if selectors.may_see_club(request.user, shown) else redirect("games:home")


@never_cache
@require_http_methods(["GET", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """What an invitation is to, and following it; strangers sign up or in first and come back."""
    network = network_of(request)
    user = request.user if isinstance(request.user, User) and not request.user.is_guest else None
    try:
        found = services.find_invitation(token=token, network=network)
        if request.method == "POST" and user is not None:
            made = services.redeem(token=token, user=user, network=network)
            request.session[KEPT_CLUB] = made.club_id
            messages.success(request, _("Welcome to the club."))
            return redirect("club", made.club.slug)
    except ClubRefusal as refusal:
        status = 429 if refusal.code == "too_many_tries" else 404 if refusal.code == "bad_invitation" else 409
        return render(request, "clubs/no_invitation.html", {"message": refusal.message}, status=status)
    # The address lets people in. SECURE_REFERRER_POLICY keeps it from other sites; a stricter policy would take the
    # origin off the form below, which is then refused as a forgery.
    context = {"invitation": found, "club": found.club, "member": user}
    return render(request, "clubs/invitation.html", context)


def person(request: HttpRequest) -> User:
    """Return who asks; ``for_members`` lets nobody else in."""
    assert isinstance(request.user, User)
    return request.user


def acted(request: HttpRequest, act: Callable[[], str], page: str = "club") -> HttpResponse:
    """Do something and go back to a page of the club, with what was done or why it was refused."""
    try:
        messages.success(request, act())
    except ClubRefusal as refusal:
        messages.error(request, refusal.message)
    return redirect(page, club_of(request).slug)
