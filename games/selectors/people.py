"""What can be read of a person's games: figures, matches, and everything for the person's own use."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db.models import Prefetch, Q, QuerySet

from clubs.models import Club, User
from clubs.selectors import may_see_club
from games.models import ChatLine, ChatMute, Deal, LessonProgress, LogEntry, Report, Seat, Silence, Table
from games.rules import GAMES
from games.selectors.archive import archived_logs
from games.selectors.course import final_ranking

COUNTED = 300
"""So many of the latest matches count in a person's figures: they tell of today, and cost little to read."""

PAGE_SIZE = 20


@dataclass
class Figures:
    """A person's latest matches in one game. ``kinds`` counts what happened in their deals (see ``KINDS``)."""

    game: str
    matches: int = 0
    wins: int = 0
    places: int = 0
    players: int = 0
    kinds: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    @property
    def average_place(self) -> float:
        """The mean of the places, from 1."""
        return self.places / self.matches

    @property
    def average_players(self) -> float:
        """How many took part on average."""
        return self.players / self.matches


@dataclass(frozen=True)
class PlayedMatch:
    """A match that is over, as one of its players has it."""

    table: Table
    place: int
    players: int
    others: tuple[str, ...]


def figures_of(user_id: int) -> list[Figures]:
    """Return a person's figures by game, from the latest matches that are over. Three queries."""
    tables = list(_over(user_id).order_by("-finished_at", "-id")[:COUNTED])
    found: dict[str, Figures] = {}
    own: dict[UUID, int] = {}
    for table in tables:
        place = place_at(table, user_id)
        if place is None:
            continue
        seat, rank, players = place
        own[table.pk] = seat
        figures = found.setdefault(table.game, Figures(table.game))
        figures.matches += 1
        figures.wins += rank == 1
        figures.places += rank
        figures.players += players
    deals = Deal.objects.filter(table__in=own, ended_at__isnull=False).values_list(
        "table_id", "table__game", "seats", "outcome"
    )
    for table_id, game, seats, outcome in deals:
        if outcome and own[table_id] in seats:
            _count_deal(found[game], own[table_id], outcome)
    return [found[game] for game in GAMES if game in found]


def place_at(table: Table, user_id: int) -> tuple[int, int, int] | None:
    """Return a person's seat, final place and the number of players; ``table`` is over and has its seats at hand.

    ``None`` when the match ended before the person was dealt in.
    """
    if table.match is None:
        return None
    seats = list(table.seats.all())
    match = GAMES[table.game].load_match(table.match)
    ranking = {seat: place for place, seat in final_ranking(match, table, seats)}
    own = next((seat.number for seat in seats if seat.user_id == user_id and seat.number in ranking), None)
    return None if own is None else (own, ranking[own], len(ranking))


def matches_of(
    person: User, viewer: Any, *, after: tuple[dt.datetime, UUID] | None = None
) -> tuple[list[PlayedMatch], tuple[dt.datetime, UUID] | None]:
    """Return a page of a person's matches that are over, newest first, and where older ones begin.

    Others than the person see those that anybody could have found: of clubs that they may see, and not
    those that were played by a link alone.
    """
    tables = _over(person.pk)
    if viewer != person:
        seen = [club.pk for club in Club.objects.all() if may_see_club(viewer, club)]
        tables = tables.filter(club__in=seen).filter(Q(listed=True) | Q(rated=True) | ~Q(origin=""))
    if after is not None:
        tables = tables.filter(Q(finished_at__lt=after[0]) | Q(finished_at=after[0], id__lt=after[1]))
    found = list(tables.order_by("-finished_at", "-id")[: PAGE_SIZE + 1])
    shown = found[:PAGE_SIZE]
    last = shown[-1] if len(found) > PAGE_SIZE else None
    following = (last.finished_at, last.pk) if last and last.finished_at else None
    return [match for table in shown if (match := _played(table, person.pk))], following


def everything_about(user: User) -> dict[str, Any]:
    """Return what the tables keep about a person, JSON-ready: seats, deals with the own moves, chat, mutes, reports."""
    seats = list(Seat.objects.filter(user=user).select_related("table").order_by("table__opened_at", "pk"))
    return {
        "matches": [_exported_seat(seat) for seat in seats],
        "deals": _exported_deals(seats),
        "lessons": [
            {"game": row.game, "step": row.step, "finished": row.finished_at is not None}
            for row in LessonProgress.objects.filter(user=user)
        ],
        "chat": [
            {"table": str(line.table_id), "room": line.room, "at": line.at.isoformat(), "text": line.words}
            for line in ChatLine.objects.filter(author=user)
        ],
        "moderation": {
            "muted": [
                mute.muted.shown_name for mute in ChatMute.objects.filter(muter=user).select_related("muted")
            ],
            "reports": [
                {"table": str(row.table_id), "at": row.at.isoformat(), "reason": row.reason, "note": row.note}
                for row in Report.objects.filter(reporter=user)
            ],
            "silences": [
                {"until": row.until.isoformat(), "why": row.why} for row in Silence.objects.filter(user=user)
            ],
        },
    }


def _over(user_id: int) -> QuerySet[Table]:
    seats = Prefetch("seats", Seat.objects.select_related("user").order_by("number"))
    tables = Table.objects.filter(
        seats__user_id=user_id, status=Table.Status.FINISHED, match__isnull=False, deal_number__gt=0
    )
    return tables.defer("chain_end").prefetch_related(seats)


def _played(table: Table, user_id: int) -> PlayedMatch | None:
    place = place_at(table, user_id)
    if place is None:
        return None
    others = tuple(
        seat.shown_name for seat in table.seats.all() if seat.number != place[0] and not seat.is_free
    )
    return PlayedMatch(table, place[1], place[2], others)


def _count_deal(figures: Figures, seat: int, outcome: Mapping[str, Any]) -> None:
    kinds = figures.kinds
    kinds["deals"] += 1
    if figures.game == "three_card_loo":
        kinds["tricks"] += outcome["tricks"].get(str(seat), 0)
        kinds["looed"] += seat in outcome["looed"]
    elif outcome["declarer"] == seat:
        kinds["declared"] += 1
        kinds["succeeded"] += bool(outcome["success"])


def _exported_seat(seat: Seat) -> dict[str, Any]:
    table = seat.table
    return {
        "table": str(table.pk),
        "game": table.game,
        "options": table.options,
        "opened": table.opened_at.isoformat(),
        "finished": table.finished_at.isoformat() if table.finished_at else None,
        "seat": seat.number,
        "stake": table.stake,
        "rated": table.rated,
    }


def _exported_deals(seats: Sequence[Seat]) -> list[dict[str, Any]]:
    """Return the deals that are over in which the person sat, with the person's own moves."""
    own = {seat.table_id: seat.number for seat in seats}
    moves = _own_moves(own)
    deals = Deal.objects.filter(table__in=own, ended_at__isnull=False).order_by("ended_at", "pk")
    return [
        {
            "table": str(deal.table_id),
            "deal": deal.number,
            "ended": deal.ended_at.isoformat() if deal.ended_at else None,
            "outcome": deal.outcome,
            "moves": moves.get(deal.pk, []),
        }
        for deal in deals.defer("deck", "match_after", "carried")
        if own[deal.table_id] in deal.seats
    ]


def _own_moves(own: Mapping[UUID, int]) -> dict[int, list[str]]:
    entries: Iterable[tuple[int | None, UUID, int | None, str]] = (
        LogEntry.objects.filter(table__in=own, ply__isnull=False)
        .order_by("table", "version")
        .values_list("deal_id", "table_id", "seat", "move")
        .iterator()
    )
    archived = (
        (entry.deal_id, entry.table_id, entry.seat, entry.move)
        for log in archived_logs(own).values()
        for entry in log
        if entry.move
    )
    found: dict[int, list[str]] = defaultdict(list)
    for deal_id, table_id, seat, move in (*entries, *archived):
        if deal_id is not None and seat == own[table_id]:
            found[deal_id].append(move)
    return found
