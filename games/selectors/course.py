"""The course of a match as its members may change it: pauses, sitting out, an early end, the match after it.

Each question here is asked twice: when a page is drawn, and again by the
service under the table's lock.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Sequence
from typing import Any
from uuid import UUID

from games.models import LogEntry, Seat, Table
from games.rules import GAMES
from games.rules.interface import event_for
from games.selectors.archive import archived_log

MOST_PAUSES = 2
"""So many pauses a match may have."""

RUNNING = (Table.Status.PLAYING, Table.Status.BETWEEN)

DAY_CLOCK = "days"


def pause_refusal(table: Table) -> str:
    """Return the code of the reason why no pause can be offered at ``table``, empty when one can."""
    if table.status not in RUNNING or table.deal_number == 0:
        return "no_match"
    if not table.casual:
        return "pause_not_casual"
    if table.clock == DAY_CLOCK:
        return "pause_with_days"
    return "pauses_used_up" if table.pauses >= MOST_PAUSES else ""


def asked_for_pause(seats: Iterable[Seat]) -> set[int]:
    """Return the seats whose members must agree to a pause: those who play now."""
    return {seat.number for seat in seats if seat.played_by_member and not seat.sitting_out}


def may_end_now(table: Table, seats: Iterable[Seat], number: int) -> bool:
    """Whether the member at ``number`` is the last one who plays, the other members having left or being away.

    An event goes on without people (L25), and a table of one member and bots is
    ended by leaving it.
    """
    members = [seat for seat in seats if seat.user_id is not None or seat.abandoned]
    playing = [seat.number for seat in members if seat.played_by_member]
    return table.status in RUNNING and not table.origin and playing == [number] and len(members) > 1


def sit_out_refusal(table: Table, seats: Sequence[Seat], number: int) -> str:
    """Return the code of the reason why the seat cannot sit out the next deals, empty when it can.

    Only 3-Card Loo deals to fewer than all; where chips, a rating or an event hang
    on the match nobody may dodge a turn to deal (L3, L21).
    """
    rules = GAMES[table.game]
    if not rules.MAY_SIT_OUT:
        return "no_sitting_out"
    if not table.casual:
        return "sit_out_not_casual"
    if table.status not in RUNNING or table.match is None:
        return "no_match"
    rest = [seat for seat in seats if not seat.sitting_out and seat.number != number]
    return (
        "" if len(rest) >= rules.seat_range(rules.parse_options(table.options))[0] else "too_few_without_you"
    )


def final_ranking(match: Any, table: Table, seats: Iterable[Seat]) -> list[list[int]]:
    """Return [place, seat] best first, as it counts for results and ratings.

    Seats whose member left, or for whom a bot stood in at the end, share the last
    place, whatever the bot made of their cards. The others are placed by the
    rules' ranking among themselves.
    """
    abandoned = {seat.number for seat in seats if seat.abandoned}
    return with_leavers_last(GAMES[table.game].ranking(match), abandoned)


def with_leavers_last(ranked: Sequence[tuple[int, int]], abandoned: Collection[int]) -> list[list[int]]:
    """Return a ranking, (place, seat) best first, in which the seats ``abandoned`` share the last place."""
    stayed = [(place, seat) for place, seat in ranked if seat not in abandoned]
    places = [place for place, _seat in stayed]
    return [
        *([places.index(place) + 1, seat] for place, seat in stayed),
        *([len(ranked), seat] for _place, seat in ranked if seat in abandoned),
    ]


def rematch_of(table: Table) -> Table | None:
    """Return the match that its members went on to from ``table``, if they did."""
    return Table.objects.filter(rematch_of=table).first()


def recent_events(table_id: UUID, seat: int | None, *, until: int, limit: int = 60) -> list[dict[str, Any]]:
    """Return what the last ``limit`` log entries up to version ``until`` may tell ``seat``, oldest first."""
    entries = LogEntry.objects.filter(table_id=table_id, version__lte=until).order_by("-version")
    newest = list(entries.only("version", "events")[:limit])
    if len(newest) < limit and (not newest or newest[-1].version > 1):
        older = [entry for entry in archived_log(table_id) if entry.version <= until]
        newest += reversed(older[len(newest) - limit :])
    return [event_for(event, seat) for entry in reversed(newest) for event in entry.events]


def course_view(table: Table, seats: Sequence[Seat], number: int | None) -> dict[str, Any]:
    """Return the course of the match for the member at ``number`` (``None``: a watcher), JSON-ready.

    ``can`` names what the member may do now, ``pause`` tells of an offer or a
    running pause, ``rematch`` of the match that follows. Times are epoch milliseconds.
    """
    own = next((seat for seat in seats if seat.number == number), None)
    return {
        "can": _can(table, seats, own) if own is not None else [],
        "pause": _pause_view(table, seats),
        "pauses_left": max(0, MOST_PAUSES - table.pauses) if not pause_refusal(table) else 0,
        "abandoned": [seat.number for seat in seats if seat.abandoned],
        "rematch": _rematch_view(table, seats) if table.status == Table.Status.FINISHED else None,
        "buy_in": table.buy_in_min if table.staked else 0,
    }


def _can(table: Table, seats: Sequence[Seat], own: Seat) -> list[str]:
    running = table.status in RUNNING and not own.left
    playing = running and own.played_by_member
    agreed = own.number in table.pause_seats
    open_offer = table.pause_until is not None and not table.paused
    possible = {
        "pause": playing
        and not own.sitting_out
        and not open_offer
        and not table.paused
        and not pause_refusal(table),
        "agree": playing and not own.sitting_out and open_offer and not agreed,
        "decline": playing and not own.sitting_out and open_offer,
        "go_on": table.paused and agreed,
        "sit_out": playing and not own.sitting_out and not sit_out_refusal(table, seats, own.number),
        "sit_in": playing and own.sitting_out,
        "stand_in": playing and not own.sitting_out and not table.paused,
        "end_now": may_end_now(table, seats, own.number),
        "again": table.status == Table.Status.FINISHED and not own.left and not table.origin,
    }
    return [name for name, now in possible.items() if now]


def _pause_view(table: Table, seats: Iterable[Seat]) -> dict[str, Any] | None:
    if table.pause_until is None:
        return None
    return {
        "running": table.paused,
        "seats": table.pause_seats,
        "asked": sorted(asked_for_pause(seats) - set(table.pause_seats)),
        "until": _epoch_ms(table.pause_until),
    }


def _rematch_view(table: Table, seats: Iterable[Seat]) -> dict[str, Any] | None:
    """The table that follows, and the seats of this one whose members sit there."""
    following = rematch_of(table)
    if following is None:
        return None
    moved = set(following.seats.filter(left=False, user__isnull=False).values_list("user_id", flat=True))
    return {
        "table": str(following.pk),
        "seats": [seat.number for seat in seats if seat.user_id in moved],
    }


def _epoch_ms(moment: dt.datetime) -> int:
    return round(moment.timestamp() * 1000)
