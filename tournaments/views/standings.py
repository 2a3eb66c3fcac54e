"""Standings while an event is played, its final table, the ledger of dealers, one player's way, the replays."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournaments import selectors, wording
from tournaments.errors import message_for
from tournaments.models import Round, Tournament
from tournaments.selectors import StandingRow
from tournaments.selectors.replays import replays_of
from tournaments.views.asking import of_event, organises, own_entry, page
from tournaments.views.steps import news_of, situation_of

ON_A_PAGE = 60


@require_safe
@of_event
def standings(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The standings, a page of players at a time (``?page=all`` shows everybody); equals share their rank."""
    every = organises(request) and request.GET.get("seen") == "all"
    found = selectors.standings_of(tournament, seen="all" if every else "shown")
    rounds = selectors.rounds_of(tournament)
    numbers = [row.number for row in rounds if row.current is not None]
    mine = own_entry(request, tournament)
    asked = request.GET.get("page", "")
    size = max(1, len(found.rows)) if asked == "all" else ON_A_PAGE
    rows = Paginator(found.rows, size).get_page(1 if asked == "all" else asked)
    context = {
        "found": found,
        "every": every,
        "numbers": numbers,
        "page": rows,
        "lines": [_line(tournament, row, numbers) for row in rows],
        "mine": mine,
        "own_row": next((row for row in found.rows if mine and row.entry.number == mine.number), None),
        "tie_breaks": [wording.TIE_BREAKS[name] for name in tournament.tie_breaks],
        "chances": not tournament.is_over and any(row.still != "alive" for row in found.rows),
        "dealt": any(row.dealt for row in found.rows),
        "points": wording.points_in_words(tournament),
        "standings_rule": wording.standings_rule(tournament),
        "news": news_of(tournament, situation_of(tournament, rounds)),
        "all": asked == "all",
    }
    return page(request, "tournaments/standings.html", tournament, context)


def _line(tournament: Tournament, row: StandingRow, numbers: list[int]) -> dict[str, Any]:
    """Return a line of the standings."""
    return {
        "row": row,
        "rounds": [(number, row.rounds.get(number)) for number in numbers],
        "tie_breaks": [
            (wording.TIE_BREAKS[name], -value if _turned(tournament, name) else value)
            for name, value in zip(tournament.tie_breaks, row.tie_breaks, strict=False)
        ],
        "still": wording.STILL_SHORT[row.still],
        "still_long": wording.STILL[row.still],
    }


def _turned(tournament: Tournament, name: str) -> bool:
    """Whether the rules hold a tie-break with the other sign than people read: there, smaller is always better."""
    return name in ("wins", "head_to_head") or tournament.scoring == Tournament.Scoring.HIGH


@require_safe
@of_event
def result(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The final table of an event that is over: places, sums, prizes."""
    if tournament.state not in (Tournament.State.FINISHED, Tournament.State.ARCHIVED):
        raise Http404
    payouts = selectors.payouts_of(tournament)
    standing = next((each for each in payouts if not each.taken_back), None)
    awards = {int(number): chips for number, chips in standing.awards.items()} if standing else {}
    found = selectors.standings_of(tournament, seen="all")
    numbers = sorted({number for row in found.rows for number in row.rounds})
    context = {
        "numbers": numbers,
        "lines": [
            (row, [(n, row.rounds.get(n)) for n in numbers], awards.get(row.entry.number))
            for row in found.rows
        ],
        "payout": standing,
        "payouts": payouts if organises(request) else [],
        "prizes": selectors.prizes_of(tournament),
        "mine": own_entry(request, tournament),
        "points": wording.points_in_words(tournament),
    }
    return page(request, "tournaments/result.html", tournament, context)


@require_safe
@of_event
def dealers(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The ledger of dealers: deals dealt and deals owed."""
    context = {"lines": selectors.dealer_ledger(tournament), "mine": own_entry(request, tournament)}
    return page(request, "tournaments/dealers.html", tournament, context)


@require_safe
@of_event
def player(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """One player's way through the event, without what is held back."""
    entry = next((e for e in selectors.entries_of(tournament) if e.number == number), None)
    if entry is None:
        raise Http404(message_for("no_such_entry"))
    rounds = {row.number: row.state for row in selectors.rounds_of(tournament)}
    mine = own_entry(request, tournament)
    own = mine is not None and mine.number == number
    hidden = not tournament.standings_live and not own and not organises(request)
    played = [
        replace(each, score=None) if hidden and rounds.get(each.number) == Round.State.PLAYING else each
        for each in selectors.history_of_player(tournament, number)
    ]
    dealt = any(each.dealt for each in played)
    context = {"entry": entry, "own": own, "played": played, "dealt": dealt}
    return page(request, "tournaments/player.html", tournament, context)


@require_safe
@of_event
def replays(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Every deal that was played at the site's tables, with the way to its replay."""
    return page(request, "tournaments/replays.html", tournament, {"lines": replays_of(tournament)})
