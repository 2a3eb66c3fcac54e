"""A pause by consent: offered by one member, begun when all who play have agreed, over after some minutes.

Offer and pause stand in the table's row, so that a reload shows them. While the
clock stands still ``due_at`` is empty: no alarm, time-out, bot or next deal acts.
"""

from __future__ import annotations

import datetime as dt
import logging
from uuid import UUID

from games.errors import TableRefusal
from games.models import LogEntry, Seat, Table
from games.presence import seats_seen
from games.selectors.course import asked_for_pause, pause_refusal
from games.services.locked import ClockTimestamp, LockedTable, locked_table, own_seat

logger = logging.getLogger(__name__)

OFFER_SECONDS = 60
"""How long an offer stands before it lapses."""

PAUSE_SECONDS = 600
"""How long a pause lasts at most."""

SWEEP_SIZE = 100


def offer_pause(*, table_id: UUID, user_id: int) -> int:
    """Offer a pause, or agree to the one that somebody else offered a moment before; returns the version.

    Raises ``TableRefusal`` (``not_seated``, ``stand_in_plays``, ``no_match``,
    ``pause_not_casual``, ``pause_with_days``, ``pauses_used_up``, ``paused``,
    ``pause_offered_before``). Takes the table's lock.
    """
    with locked_table(table_id) as locked:
        table, seat = locked.table, asked_seat(locked, user_id)
        if table.paused:
            raise TableRefusal("paused")
        if refusal := pause_refusal(table):
            raise TableRefusal(refusal)
        if _is_offered(locked):
            _agree(locked, seat)
            return table.version
        offered = {"type": "pause_offered", "seat": seat.number, "deal": table.deal_number}
        if LogEntry.objects.filter(table=table, events__contains=[offered]).exists():
            raise TableRefusal("pause_offered_before")
        table.pause_seats = [seat.number]
        table.pause_until = locked.now + dt.timedelta(seconds=OFFER_SECONDS)
        locked.log(LogEntry.By.PERSON, (offered,), seat=seat.number)
        settle_pause(locked)
        return table.version


def answer_pause(*, table_id: UUID, user_id: int, agree: bool) -> int:
    """Agree to the pause that is offered, or decline it (one's own: take it back); returns the version.

    Raises ``TableRefusal`` (``not_seated``, ``stand_in_plays``, ``paused``,
    ``no_pause_offered``). Takes the table's lock.
    """
    with locked_table(table_id) as locked:
        seat = asked_seat(locked, user_id)
        if locked.table.paused:
            raise TableRefusal("paused")
        if not _is_offered(locked):
            raise TableRefusal("no_pause_offered")
        if agree:
            _agree(locked, seat)
        else:
            locked.forget_pause()
            locked.log(
                LogEntry.By.PERSON, ({"type": "pause_declined", "seat": seat.number},), seat=seat.number
            )
        return locked.table.version


def end_pause(*, table_id: UUID, user_id: int) -> int:
    """Go on playing, which each who agreed to the pause may say; returns the version.

    Raises ``TableRefusal`` (``not_seated``, ``not_paused``, ``not_your_pause``). Takes the table's lock.
    """
    with locked_table(table_id) as locked:
        seat = own_seat(locked, user_id)
        if not locked.table.paused:
            raise TableRefusal("not_paused")
        if seat.number not in locked.table.pause_seats:
            raise TableRefusal("not_your_pause")
        _go_on(locked, LogEntry.By.PERSON, seat.number)
        return locked.table.version


def settle_pause(locked: LockedTable) -> None:
    """Begin an offered pause once all who play want it, and end one when nobody who wanted it sits here any more."""
    table = locked.table
    if table.pause_until is None or table.status == Table.Status.FINISHED:
        return
    table.pause_seats = [number for number in table.pause_seats if not locked.seats[number].left]
    if not table.pause_seats:
        if table.paused:
            _go_on(locked, LogEntry.By.TABLE, None)
        else:
            _lapse(locked)
    elif not table.paused and _asked(locked) <= set(table.pause_seats):
        _begin(locked)


def end_due_pauses() -> int:
    """End every pause and lapse every offer whose time is over; returns how many.

    The sweep calls it. A fault at one table is loud in the log and holds no other up.
    """
    due = Table.objects.filter(pause_until__lte=ClockTimestamp()).order_by("pause_until", "pk")
    return sum(_end_due(table_id) for table_id in due.values_list("pk", flat=True)[:SWEEP_SIZE])


def asked_seat(locked: LockedTable, user_id: int) -> Seat:
    """Return the member's seat if the member plays it; raises ``TableRefusal`` (``not_seated``, ``stand_in_plays``)."""
    seat = own_seat(locked, user_id)
    if seat.stand_in or seat.sitting_out:
        raise TableRefusal("stand_in_plays")
    return seat


def _is_offered(locked: LockedTable) -> bool:
    """Whether an offer stands whose minute is not over, even if no sweep has noted its end yet."""
    table = locked.table
    return table.pause_until is not None and not table.paused and table.pause_until > locked.now


def _asked(locked: LockedTable) -> set[int]:
    """Return the seats that must agree: whoever plays and is not known to be gone.

    Who came a moment ago is not known yet and is asked. Presence may be lost with Valkey. It counts only while
    it knows of somebody who wants the pause; otherwise all who play are asked.
    """
    table = locked.table
    asked = asked_for_pause(locked.seats.values())
    seen = seats_seen(table.pk)
    return asked - seen.gone if seen.here & set(table.pause_seats) else asked


def _agree(locked: LockedTable, seat: Seat) -> None:
    table = locked.table
    if seat.number not in table.pause_seats:
        table.pause_seats = [*table.pause_seats, seat.number]
        locked.log(LogEntry.By.PERSON, ({"type": "pause_agreed", "seat": seat.number},), seat=seat.number)
    settle_pause(locked)


def _begin(locked: LockedTable) -> None:
    table = locked.table
    table.pauses += 1
    table.pause_until = locked.now + dt.timedelta(seconds=PAUSE_SECONDS)
    locked.stand_still()
    locked.log(LogEntry.By.TABLE, ({"type": "paused", "seconds": PAUSE_SECONDS, "number": table.pauses},))


def _go_on(locked: LockedTable, by: LogEntry.By, seat: int | None) -> None:
    """Let the clock run on; the entry comes first, so that a bot's turn begins at its version."""
    locked.log(by, ({"type": "resumed", "seat": seat},), seat=seat)
    locked.run_on()


def _lapse(locked: LockedTable) -> None:
    locked.forget_pause()
    locked.log(LogEntry.By.TABLE, ({"type": "pause_lapsed"},))


def _end_due(table_id: UUID) -> bool:
    try:
        with locked_table(table_id) as locked:
            table = locked.table
            if table.pause_until is None or table.pause_until > locked.now:
                return False
            if table.paused:
                _go_on(locked, LogEntry.By.TABLE, None)
            else:
                _lapse(locked)
            return True
    except Exception:
        logger.exception("the pause of table %s could not be ended", table_id)
        return False
