"""Who takes part: the list for everybody, and for organisers all that can be done about it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from clubs.models import User
from clubs.selectors import people_at
from clubs.views.asking import club_of
from games.bots import BOTS
from games.forms import LEVELS
from games.views.addresses import whole
from tournaments import selectors, services
from tournaments.errors import EventRefusal
from tournaments.models import Entry, KeptApart, Tournament
from tournaments.views.asking import (
    Refused,
    for_organisers,
    of_event,
    organises,
    own_entry,
    page,
    person_of,
    refused,
    told,
)
from tournaments.views.steps import next_step, situation_of

STATE = Tournament.State
STATUS = Entry.Status
ON_A_PAGE = 100
MOST_FILE = 200_000
MOST_SUGGESTED = 500


@require_safe
@of_event
def entries(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Everybody who is entered, with the state of each entry; ``?find=`` and ``?show=`` narrow the list."""
    return entries_page(request, tournament)


def entries_page(
    request: HttpRequest,
    tournament: Tournament,
    refusal: Refused | None = None,
    preview: Any = None,
) -> HttpResponse:
    """Draw the page of the entries."""
    organiser = organises(request)
    every = selectors.entries_of(tournament)
    order = {entry.pk: n for n, entry in enumerate(selectors.waiting_list(tournament), 1)}
    find, show = request.GET.get("find", "").strip(), request.GET.get("show", "")
    shown = [entry for entry in every if _wanted(entry, find, show)]
    rows = Paginator(shown, ON_A_PAGE).get_page(request.GET.get("page"))
    context: dict[str, Any] = {
        "page": rows,
        "lines": [(entry, order.get(entry.pk), _said(refusal, entry)) for entry in rows],
        "keep": f"{urlencode({'find': find, 'show': show})}&",
        "find": find,
        "show": show,
        "counts": _counts(every),
        "mine": own_entry(request, tournament),
        "every_entry": len(every),
        "preview": preview,
    }
    if organiser:
        rounds = selectors.rounds_of(tournament)
        context |= {
            "every": every,
            "apart": KeptApart.objects.filter(tournament=tournament).select_related(
                "first__user", "second__user"
            ),
            "levels": [(name, LEVELS.get(name, name)) for name in BOTS[tournament.game]],
            "members": _others(request, every),
            "checking_in": checking_in(tournament),
            "open": tournament.state in (STATE.DRAFT, STATE.REGISTRATION, STATE.CHECK_IN, STATE.RUNNING),
            "before": tournament.state in (STATE.DRAFT, STATE.REGISTRATION, STATE.CHECK_IN),
            "step": next_step(tournament, situation_of(tournament, rounds)),
        }
    return page(request, "tournaments/entries.html", tournament, context, refusal=refusal)


def _wanted(entry: Entry, find: str, show: str) -> bool:
    if find and find.casefold() not in f"{entry.shown_name} {entry.played_by}".casefold():
        return False
    return {
        "missing": entry.counts and not entry.present,
        "in": entry.counts,
        "waiting": entry.status == STATUS.WAITING,
        "gone": entry.status in (STATUS.WITHDRAWN, STATUS.NO_SHOW, STATUS.OUT),
    }.get(show, True)


def _said(refusal: Refused | None, entry: Entry) -> Any:
    """Return what was typed about an entry in an act that was refused, nothing for other entries."""
    return refusal.said if refusal is not None and refusal.act.endswith(f"-{entry.number}") else None


def _counts(every: list[Entry]) -> dict[str, int]:
    return {
        "in": sum(entry.counts for entry in every),
        "present": sum(entry.counts and entry.present for entry in every),
        "missing": sum(entry.counts and not entry.present for entry in every),
        "waiting": sum(entry.status == STATUS.WAITING for entry in every),
        "gone": sum(entry.status in (STATUS.WITHDRAWN, STATUS.NO_SHOW, STATUS.OUT) for entry in every),
    }


def checking_in(tournament: Tournament) -> bool:
    """Whether the list of players is where somebody is checked in now."""
    return tournament.check_in_needed and tournament.state in (
        STATE.REGISTRATION,
        STATE.CHECK_IN,
        STATE.RUNNING,
    )


def _others(request: HttpRequest, every: list[Entry]) -> QuerySet[User]:
    """Return the members who may be entered yet, as suggestions while an organiser types."""
    entered = [entry.user_id for entry in every if entry.user_id]
    return people_at(club_of(request)).exclude(pk__in=entered).order_by("username")[:MOST_SUGGESTED]


def member_named(request: HttpRequest, name: str) -> User:
    """Return the member of the event's club with a user name, or with a shown name that nobody else has.

    Raises ``EventRefusal("no_such_member")``.
    """
    people, wanted = people_at(club_of(request)), name.strip()
    by_user_name = people.filter(username__iexact=wanted).first()
    shown = list(people.filter(display_name__iexact=wanted)[:2]) if by_user_name is None else []
    found = by_user_name or (shown[0] if len(shown) == 1 else None)
    if found is None:
        raise EventRefusal("no_such_member", wanted[:60])
    return found


# Acts on the list as a whole ---------------------------------------------------------------------------------


def _add(request: HttpRequest, tournament: Tournament) -> str:
    username, name = request.POST.get("username", "").strip(), request.POST.get("name", "")
    entry = services.register_by_hand(
        tournament_id=tournament.pk,
        by=person_of(request),
        user=member_named(request, username) if username else None,
        name="" if username else name,
        volunteers=bool(request.POST.get("volunteers")),
    )
    if entry.status == STATUS.WAITING:
        return _("%(name)s is on the waiting list.") % {"name": entry.shown_name}
    return _("%(name)s is entered.") % {"name": entry.shown_name}


def _bots(request: HttpRequest, tournament: Tournament) -> str:
    names = [line.strip() for line in request.POST.get("names", "").splitlines() if line.strip()]
    if not names:
        raise EventRefusal("bad_entry_name")
    added = services.add_bots(
        tournament_id=tournament.pk, by=person_of(request), level=request.POST.get("level", ""), names=names
    )
    return ngettext("%(count)d bot is entered.", "%(count)d bots are entered.", len(added)) % {
        "count": len(added)
    }


def _apart(request: HttpRequest, tournament: Tournament) -> str:
    services.keep_apart(tournament_id=tournament.pk, by=person_of(request), **_pair(request))
    return _("They are kept apart from the next draw on.")


def _together(request: HttpRequest, tournament: Tournament) -> str:
    services.allow_together(tournament_id=tournament.pk, by=person_of(request), **_pair(request))
    return _("They may meet again.")


def _pair(request: HttpRequest) -> dict[str, int]:
    return {name: whole(request.POST.get(name, "")) for name in ("first", "second")}


def _check_in_all(request: HttpRequest, tournament: Tournament) -> str:
    count = services.check_in_all(tournament_id=tournament.pk, by=person_of(request))
    return ngettext("%(count)d player is checked in.", "%(count)d players are checked in.", count) % {
        "count": count
    }


LIST_ACTS: dict[str, Callable[[HttpRequest, Tournament], str]] = {
    "add": _add,
    "bots": _bots,
    "apart": _apart,
    "together": _together,
    "check_in_all": _check_in_all,
}


@login_required
@require_POST
@of_event
@for_organisers
def entries_act(request: HttpRequest, tournament: Tournament, act: str) -> HttpResponse:
    """Do something with the list of entries as organiser."""
    if act not in LIST_ACTS:
        raise Http404
    try:
        messages.success(request, LIST_ACTS[act](request, tournament))
    except EventRefusal as refusal:
        return entries_page(request, tournament, refused(request, act, refusal))
    return HttpResponseRedirect(f"{reverse('tournaments:entries', args=[tournament.pk])}#{act}")


@login_required
@require_POST
@of_event
@for_organisers
def import_entries(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show what a file would do, line by line, or enter everybody in it: all or nobody."""
    text, person = _text_of(request), person_of(request)
    try:
        if request.POST.get("enter"):
            made = services.import_entries(tournament_id=tournament.pk, by=person, text=text)
            count = ngettext("%(count)d player is entered.", "%(count)d players are entered.", len(made))
            messages.success(request, count % {"count": len(made)})
            return redirect("tournaments:entries", event_id=tournament.pk)
        lines = services.preview_import(tournament_id=tournament.pk, by=person, text=text)
    except EventRefusal as refusal:
        shown = Refused("import", told(refusal), {"text": text})
        return entries_page(request, tournament, shown)
    preview = {
        "text": text,
        "lines": [(line, told(line.refused) if line.refused else "") for line in lines],
        "wrong": sum(line.refused is not None for line in lines),
        "statuses": dict(STATUS.choices),
    }
    return entries_page(request, tournament, preview=preview)


def _text_of(request: HttpRequest) -> str:
    """Return the text that was typed, or that of the file that was sent."""
    sent = request.FILES.get("file")
    if sent is None:
        return request.POST.get("text", "")[:MOST_FILE]
    try:
        return str(sent.read(MOST_FILE).decode("utf-8-sig"))
    except UnicodeDecodeError:
        return ""


# Acts on one entry -------------------------------------------------------------------------------------------


EntryAct = Callable[[HttpRequest, dict[str, Any]], Any]


def _substitute(request: HttpRequest, entry: dict[str, Any]) -> Any:
    username, name = request.POST.get("username", "").strip(), request.POST.get("name", "").strip()
    user = member_named(request, username) if username else None
    return services.substitute(**entry, user=user, name="" if user else name)


ENTRY_ACTS: dict[str, EntryAct] = {
    "check_in": lambda request, entry: services.check_in(**entry),
    "not_here": lambda request, entry: services.check_in(**entry, present=False),
    "no_show": lambda request, entry: services.mark_no_show(**entry),
    "withdraw": lambda request, entry: services.withdraw(
        **entry, reason=request.POST.get("reason", "")[:500]
    ),
    "return": lambda request, entry: services.return_entry(**entry),
    "substitute": _substitute,
    "volunteer": lambda request, entry: services.volunteer(**entry, volunteers=True),
    "no_volunteer": lambda request, entry: services.volunteer(**entry, volunteers=False),
}


@login_required
@require_POST
@of_event
@for_organisers
def entry_act(request: HttpRequest, tournament: Tournament, number: int, act: str) -> HttpResponse:
    """Do something with one entry as organiser; asked for by a part of the page, only its line comes back."""
    if act not in ENTRY_ACTS:
        raise Http404
    named = {"tournament_id": tournament.pk, "by": person_of(request), "number": number}
    refusal: Refused | None = None
    try:
        ENTRY_ACTS[act](request, named)
    except EventRefusal as said:
        refusal = refused(request, f"{act}-{number}", said)
    if request.headers.get("HX-Request"):
        return _line(request, tournament, number, refusal)
    if refusal is not None:
        return entries_page(request, tournament, refusal)
    return HttpResponseRedirect(f"{reverse('tournaments:entries', args=[tournament.pk])}#entry-{number}")


def _line(request: HttpRequest, tournament: Tournament, number: int, refusal: Refused | None) -> HttpResponse:
    found = Entry.objects.filter(tournament=tournament, number=number).select_related("user", "substitute")
    entry = found.first()
    if entry is None:
        raise Http404
    context = {
        "event": tournament,
        "entry": entry,
        "organises": True,
        "open": not tournament.is_over,
        "checking_in": checking_in(tournament),
        "before": tournament.state in (STATE.DRAFT, STATE.REGISTRATION, STATE.CHECK_IN),
        "refused": refusal,
    }
    return render(request, "tournaments/_entry.html", context)
