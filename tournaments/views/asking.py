"""What all pages of events have in common: which event, who asks, whether anything changed, how a refusal is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

from clubs.models import User
from clubs.views.asking import club_of
from tournaments import selectors
from tournaments.errors import EventRefusal, message_for
from tournaments.forms.terms import TITLES
from tournaments.models import Entry, Round, Tournament

EventView = Callable[..., HttpResponseBase]
"""A view of one event: it takes the request, the event, and what else the address names."""

WITH_A_NAME = (
    "no_such_member",
    "already_entered",
    "name_taken",
    "account_needed",
    "bots_not_allowed",
    "bad_file",
)
ABOUT_A_TERM = ("bad_term", "terms_fixed")
NOTHING_NEW = 204
"""A page that asks whether anything changed since the version it shows gets this and stays as it is."""


@dataclass(frozen=True)
class Refused:
    """An act that was refused: its name, the sentence, and what was typed, to be shown again."""

    act: str
    message: str
    said: Mapping[str, str] = field(default_factory=dict)


def of_event(view: EventView) -> EventView:
    """Hand the view its event; drafts are there for organisers only. A page that knows all (``since``) gets nothing new."""

    @wraps(view)
    def answer(request: HttpRequest, event_id: UUID, **kwargs: Any) -> HttpResponseBase:
        tournament = selectors.get_event(event_id)
        hidden = tournament is not None and tournament.state == Tournament.State.DRAFT
        if tournament is None or (hidden and not organises(request)):
            raise Http404(message_for("no_such_event"))
        if request.GET.get("since") == str(tournament.version):
            return HttpResponse(status=NOTHING_NEW)
        return view(request, tournament, **kwargs)

    return answer


def for_organisers(view: EventView) -> EventView:
    """Let only organisers in; others are told what they lack."""

    @wraps(view)
    def answer(request: HttpRequest, tournament: Tournament, **kwargs: Any) -> HttpResponseBase:
        check_organiser(request)
        return view(request, tournament, **kwargs)

    return answer


def check_organiser(request: HttpRequest) -> None:
    """Raise ``PermissionDenied`` unless the person may organise."""
    if not organises(request):
        raise PermissionDenied(message_for("not_organiser"))


def organises(request: HttpRequest) -> bool:
    """Whether the person who asks may organise the events of the club that the page is about."""
    return request.user.is_authenticated and request.user.has_perm("tournaments.organise", club_of(request))


def person_of(request: HttpRequest) -> User:
    """Return who asks; a view that needs a person lets nobody else in."""
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user


def own_entry(request: HttpRequest, tournament: Tournament) -> Entry | None:
    """Return the entry of whoever asks, ``None`` without one."""
    return selectors.entry_for(tournament, request.user) if isinstance(request.user, User) else None


def round_of(tournament: Tournament, number: int, *, drafts: bool) -> Round:
    """Return a round; one that is not released is there for organisers only. Raises ``Http404``."""
    row = Round.objects.filter(tournament=tournament, number=number).select_related("draw").first()
    if row is None or (row.current is None and not drafts):
        raise Http404(message_for("no_such_round"))
    row.tournament = tournament
    return row


def refused(request: HttpRequest, act: str, refusal: EventRefusal) -> Refused:
    """Return a refusal with everything that was typed; a detail that names a line or a number is told too."""
    return Refused(act, told(refusal), request.POST.dict())


def told(refusal: EventRefusal) -> str:
    """Return the sentence of a refusal, with the name of what it is about."""
    message, named = refusal.message, _named(refusal)
    return f"{message} ({named})" if named and named != message else message


def _named(refusal: EventRefusal) -> str:
    """Return what a refusal is about, if that is a name: other details are English phrases, for programs and logs."""
    if refusal.code in WITH_A_NAME:
        return refusal.detail
    if refusal.code in ABOUT_A_TERM:
        term = refusal.detail.partition(" ")[0]
        columns = {
            field.name: str(getattr(field, "verbose_name", "")) for field in Tournament._meta.get_fields()
        }
        return str(TITLES.get(term, columns.get(term, "")))
    return ""


def poll_address(request: HttpRequest, tournament: Tournament) -> str:
    """Return where the page asks whether anything changed, empty where nothing will or something was refused."""
    if request.method != "GET" or tournament.is_over:
        return ""
    asked = request.GET.copy()
    asked["since"] = str(tournament.version)
    return f"{request.path}?{asked.urlencode()}"


def page(
    request: HttpRequest,
    template: str,
    tournament: Tournament,
    context: Mapping[str, Any],
    *,
    refusal: Refused | None = None,
    status: int = 200,
) -> HttpResponse:
    """Draw a page of an event: the event, whether its visitor organises and plays, and what was refused."""
    shown = {
        "event": tournament,
        "organises": organises(request),
        # The way to the own seat stands on every page of the event; most pages know the own entry already.
        "mine": context["mine"] if "mine" in context else own_entry(request, tournament),
        "refused": refusal,
        "poll": poll_address(request, tournament),
        **context,
    }
    return render(request, template, shown, status=422 if refusal else status)
