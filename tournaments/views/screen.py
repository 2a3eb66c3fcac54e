"""The page for the projector of a hall: the round's clock, its tables and the standings in turn, what comes next.

It is public and shows what everybody may see, whoever is signed in at the projector's machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments import selectors
from tournaments.models import EventTable, Round, Tournament
from tournaments.selectors import RoundView, Standings, TableView
from tournaments.views.asking import of_event
from tournaments.views.rounds import held_back
from tournaments.views.steps import begins_at, news_of, situation_of

ROWS = 24
"""Lines of standings on a slide, in two columns."""

TABLES = ((5, 6), (11, 3), (16, 1))
"""How many tables fit a slide, by the size of the largest: (up to so many seats, tables)."""

MOST_RANKS = 96
"""The hall sees so many places; everybody's are on the pages of the event."""


@dataclass(frozen=True)
class Slide:
    """What the screen shows for some seconds: tables, lines of standings, or sentences."""

    title: str
    tables: Sequence[TableView] = ()
    rows: Sequence[Any] = ()
    sentences: Sequence[str] = ()
    width: int = 3


@dataclass(frozen=True)
class Clock:
    """A round's clock: times in ms since 1970 by the server; ``extra`` are tables with more time, in seconds."""

    ends: int | None = None
    paused: int | None = None
    extra: Sequence[tuple[int, int]] = field(default_factory=tuple)


@require_safe
@of_event
def screen(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The whole page; its script asks for ``screen_state`` every few seconds."""
    return render(
        request, "tournaments/screen.html", {"event": tournament, **state_of(tournament), "now": _now()}
    )


@require_safe
@of_event
def screen_state(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """What the screen shows now, or 304 as long as the event has not changed; the server's time comes with both."""
    etag = f'"{tournament.version}-{get_language()}"'
    if request.headers.get("If-None-Match") == etag:
        answer: HttpResponse = HttpResponseNotModified()
    else:
        answer = render(request, "tournaments/_screen.html", {"event": tournament, **state_of(tournament)})
    answer["ETag"], answer["Server-Time"], answer["Cache-Control"] = etag, str(_now()), "no-cache"
    return answer


def state_of(tournament: Tournament) -> dict[str, Any]:
    """Return the clock and the slides of an event as its template takes them."""
    rounds = selectors.rounds_of(tournament)
    now = situation_of(tournament, rounds)
    playing = next((row for row in rounds if row.state == Round.State.PLAYING), None)
    view = selectors.round_view(playing) if playing is not None else None
    found = selectors.standings_of(tournament)
    announced = selectors.announcement_of(tournament)
    told: Any = announced.after if announced is not None else {}
    said = [told["text"]] if told else []
    sentences = [*said, news_of(tournament, now), *_next(rounds, playing)]
    slides = [*_tables(view), *_standings(tournament, found, playing)]
    return {
        "round": playing,
        "clock": _clock(view),
        "slides": [*slides, *_sitting(view)] or [Slide("", sentences=sentences)],
        "sentences": sentences,
    }


def _parts(all_of: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    return (all_of[at : at + size] for at in range(0, len(all_of), size))


def _now() -> int:
    return _ms(timezone.now())


def _ms(moment: Any) -> int:
    return int(moment.timestamp() * 1000)


def _clock(view: RoundView | None) -> Clock:
    if view is None or view.round.ends_at is None:
        return Clock()
    extra = [
        (each.table.number, each.table.extra_seconds)
        for each in view.tables
        if each.table.extra_seconds and each.table.state == EventTable.State.PLAYING
    ]
    paused = view.round.paused_at
    return Clock(_ms(view.round.ends_at), _ms(paused) if paused else None, extra)


def _next(rounds: Iterable[Round], playing: Round | None) -> Iterator[str]:
    """Yield what is announced of the next round."""
    begins = begins_at(rounds)
    if begins:
        yield begins
    elif playing is not None and playing.number < playing.tournament.rounds:
        yield _("Next: round %(n)d.") % {"n": playing.number + 1}


def _tables(view: RoundView | None) -> Iterator[Slide]:
    if view is None:
        return
    largest = max((len(each.seats) for each in view.tables), default=0)
    fit = next(number for most, number in TABLES if largest <= most)
    for some in _parts(view.tables, fit):
        title = _("Tables %(first)d to %(last)d") if len(some) > 1 else _("Table %(first)d")
        numbers = {"first": some[0].table.number, "last": some[-1].table.number}
        yield Slide(title % numbers, tables=some, width=min(3, fit))


def _standings(tournament: Tournament, found: Standings, playing: Round | None) -> Iterator[Slide]:
    """Yield the standings once a round is complete; a running round's results only where they are shown live."""
    if not found.complete and (playing is None or held_back(tournament, playing)):
        return
    for some in _parts(found.rows[:MOST_RANKS], ROWS):
        yield Slide(_("Standings"), rows=some)


def _sitting(view: RoundView | None) -> Iterator[Slide]:
    if view is not None and view.sitting_out:
        names = ", ".join(entry.played_by for entry in view.sitting_out)
        yield Slide(_("Sit out this round"), sentences=[names])
