"""The match after a match: the members who want it go on together to one new table."""

from __future__ import annotations

import datetime as dt
import logging
from uuid import UUID

from games.errors import TableRefusal
from games.models import LogEntry, Seat, Table, WaitingPlace
from games.selectors.course import rematch_of
from games.services.gathering import sit_down, take_seats
from games.services.locked import ClockTimestamp, LockedTable, locked_table, own_seat
from games.services.opening import StakeTerms, open_table
from games.services.waiting import kept_seats, move_line

logger = logging.getLogger(__name__)

INVITED_SECONDS = 60
"""How long the seats of the others are kept for them."""

USUAL_LEVEL = "steady"
SWEEP_SIZE = 100


def play_again(*, table_id: UUID, user_id: int, buy_in: int | None = None) -> UUID:
    """Go on to the next match with the others of a finished table; returns the new table's id.

    The first who asks opens it: the same game, rules, clock, places and bots, and
    for ``INVITED_SECONDS`` a kept seat for each member who has not left. Everybody
    after that sits down there; asking twice changes nothing. At a staked table
    ``buy_in`` must be the least buy-in, which is how the member agrees to pay it.

    Raises ``TableRefusal`` (``not_seated``, ``match_running``, ``event_goes_on``,
    ``confirm_buy_in``, ``rematch_begun`` or a code of ``open_table`` and ``sit_down``).
    Takes the locks of the finished table and of the new one, in this order.
    """
    with locked_table(table_id) as locked:
        table, seat = locked.table, own_seat(locked, user_id)
        if table.status != Table.Status.FINISHED:
            raise TableRefusal("match_running")
        if table.origin:
            raise TableRefusal("event_goes_on")
        if table.staked and buy_in != table.buy_in_min:
            raise TableRefusal("confirm_buy_in")
        following = rematch_of(table)
        if following is None:
            following = open_rematch(locked, seat)
        elif following.seats.filter(user_id=user_id, left=False).exists():
            return following.pk
        else:
            _join(following, seat)
        again = {"type": "again", "seat": seat.number, "table": str(following.pk)}
        locked.log(LogEntry.By.PERSON, (again,), seat=seat.number)
        return following.pk


def open_rematch(locked: LockedTable, first: Seat) -> Table:
    """Open the match after a finished one for the member in ``first``, with seats kept for the others.

    The database lets a table have one rematch (``Table.rematch_of``).
    """
    old = locked.table
    places = {seat.number: place for place, seat in enumerate(locked.seats.values(), start=1)}
    assert first.user is not None
    new = open_table(
        club=old.club,
        game=old.game,
        options=old.options,
        clock=old.clock,
        members={places[first.number]: first.user},
        bots={places[seat.number]: seat.bot_level for seat in locked.seats.values() if seat.is_bot},
        opened_by=first.user,
        seats=len(places),
        terms=StakeTerms(old.asset, old.stake, old.buy_in_min, old.buy_in_max) if old.staked else None,
        listed=old.listed,
        rated=old.rated,
        pace_ms=old.pace_ms,
        bot_think_ms=old.bot_think_ms,
        watch_delay=old.watch_delay,
    )
    new.rematch_of = old
    new.save(update_fields=["rematch_of"])
    until = locked.now + dt.timedelta(seconds=INVITED_SECONDS)
    invited = [seat for seat in locked.seats.values() if seat.user and not seat.left and seat != first]
    WaitingPlace.objects.bulk_create(
        WaitingPlace(table=new, user=seat.user, offered_seat=places[seat.number], offered_until=until)
        for seat in invited
    )
    move_line(old, new)
    return new


def fill_rematches() -> int:
    """Give the seats that nobody came for to bots, so that those who came can play; returns at how many tables.

    Only at casual tables that are found by their link alone: at the others the
    seats are then open to everybody. The sweep calls it.
    """
    late = ClockTimestamp() - dt.timedelta(seconds=INVITED_SECONDS)
    waiting = Table.objects.filter(
        status=Table.Status.SEATING,
        rematch_of__isnull=False,
        opened_at__lt=late,
        listed=False,
        rated=False,
        stake=0,
    )
    return sum(_fill(table_id) for table_id in waiting.values_list("pk", flat=True)[:SWEEP_SIZE])


def _join(following: Table, seat: Seat) -> None:
    """Sit down at the new table, in the kept seat or in a free one."""
    assert seat.user is not None
    try:
        sit_down(table_id=following.pk, user=seat.user)
    except TableRefusal as refusal:
        if refusal.code in ("match_running", "table_finished", "table_full"):
            raise TableRefusal("rematch_begun") from refusal
        raise


def _fill(table_id: UUID) -> bool:
    try:
        with locked_table(table_id) as locked:
            free = [seat.number for seat in locked.seats.values() if seat.is_free]
            people = any(seat.user_id for seat in locked.seats.values())
            if locked.table.status != Table.Status.SEATING or not free or not people or kept_seats(locked):
                return False
            levels = [seat.bot_level for seat in locked.seats.values() if seat.is_bot]
            take_seats(locked, {}, dict.fromkeys(free, levels[0] if levels else USUAL_LEVEL))
            return True
    except Exception:
        logger.exception("the free seats of table %s could not be given to bots", table_id)
        return False
