"""What a member does with a seat outside the play itself: come back, leave, choose a nonce, go on early."""

from __future__ import annotations

import re
from uuid import UUID

from games import selectors, stakes
from games.errors import TableRefusal
from games.models import LogEntry, Seat, Table, WaitingPlace
from games.rules import shuffle
from games.rules.errors import Refusal
from games.services.dealing import cash_out, close_early, everybody_left, seats_to_cash_out, start_deal
from games.services.gathering import give_up_seat
from games.services.locked import LockedTable, locked_table, own_seat
from games.services.pausing import settle_pause

PLAIN_NONCE = re.compile("[0-9]{1,64}")


def take_back_seat(*, table_id: UUID, user_id: int) -> int:
    """End the stand-in at a member's seat; if that seat is on turn its clock starts anew. Returns the version.

    Raises ``TableRefusal`` (``not_seated``, ``table_finished``, ``not_standing_in``). Takes the table's lock.
    """
    with locked_table(table_id) as locked:
        seat = own_seat(locked, user_id)
        if locked.table.status == Table.Status.FINISHED:
            raise TableRefusal("table_finished")
        if not seat.stand_in:
            raise TableRefusal("not_standing_in")
        seat.stand_in, seat.time_outs = False, 0
        seat.save(update_fields=["stand_in", "time_outs"])
        locked.log(LogEntry.By.PERSON, ({"type": "back", "seat": seat.number},), seat=seat.number)
        if locked.table.turn_seat == seat.number:
            locked.start_turn(seat.number)
        return locked.table.version


def leave_table(*, table_id: UUID, user_id: int) -> int:
    """Leave a seat and return the version; what happens to the seat depends on the match.

    Before the first deal the seat is free again, a countdown stops, and a table
    with nobody but bots is closed. Later a bot plays it on: the deal's result
    stays the member's (L25), chips go back to the wallet when the deal is over,
    and the match ends at once when no member is left, but not at a table of an
    event, whose bots play on (L25). Raises ``TableRefusal``
    (``not_seated``, ``table_finished``). Takes the table's lock.
    """
    with locked_table(table_id) as locked:
        seat = own_seat(locked, user_id)
        table = locked.table
        if table.status == Table.Status.FINISHED:
            raise TableRefusal("table_finished")
        locked.log(LogEntry.By.PERSON, ({"type": "left", "seat": seat.number},), seat=seat.number)
        if table.is_gathering:
            give_up_seat(locked, seat)
            if _only_bots(locked):
                close_early(locked)
            return table.version
        seat.left = True
        seat.save(update_fields=["left"])
        if everybody_left(locked):
            close_early(locked)
        elif table.status == Table.Status.BETWEEN:
            cash_out(locked, seats_to_cash_out(locked))
        elif table.turn_seat == seat.number:
            locked.start_turn(seat.number)
        settle_pause(locked)
        return table.version


def buy_chips(*, table_id: UUID, user_id: int, chips: int) -> int:
    """Bring more chips to one's seat between two deals, up to the table's most; returns the version.

    Raises ``TableRefusal`` (``not_seated``, ``no_stakes``, ``still_dealt_in``,
    ``bad_buy_in``, ``not_enough_chips``). Takes the table's lock.
    """
    with locked_table(table_id) as locked:
        seat = own_seat(locked, user_id)
        table = locked.table
        if not table.staked:
            raise TableRefusal("no_stakes")
        if table.status not in (Table.Status.SEATING, Table.Status.BETWEEN):
            raise TableRefusal("still_dealt_in")
        held = stakes.chips_at(table, [seat])[seat.number]
        if chips < 1 or held + chips > table.buy_in_max:
            raise TableRefusal("bad_buy_in")
        locked.log(LogEntry.By.PERSON, (stakes.buy_in_event(seat.number, chips),), seat=seat.number)
        return table.version


def close_table(*, table_id: UUID) -> int:
    """End a table now, for the club's keepers: the pot is settled, every seat is cashed out; returns the version.

    A running deal is played out by the rules' own moves; no rating moves. A finished table is
    left as it is. Raises ``TableRefusal("no_such_table")``. Takes the table's lock.
    """
    with locked_table(table_id) as locked:
        if locked.table.status != Table.Status.FINISHED:
            locked.void = True
            close_early(locked)
        return locked.table.version


def choose_nonce(*, table_id: UUID, user_id: int, nonce: str) -> int:
    """Set the member's own number for the next shuffle; refused while a deal is being played.

    Everybody at the table reads it, so that who may not write there (a guest, who is
    silenced) chooses digits without words. Raises ``TableRefusal`` (``not_seated``, ``nonce_closed``,
    ``bad_nonce``, ``plain_nonce``). Takes the table's lock.
    """
    with locked_table(table_id) as locked:
        seat = own_seat(locked, user_id)
        if locked.table.status not in (Table.Status.SEATING, Table.Status.BETWEEN):
            raise TableRefusal("nonce_closed")
        if not PLAIN_NONCE.fullmatch(nonce) and not _may_write(locked, seat):
            raise TableRefusal("plain_nonce")
        try:
            shuffle.check_nonce(nonce)
        except Refusal as refusal:
            raise TableRefusal(refusal.code, refusal.detail) from refusal
        seat.nonce = nonce
        seat.save(update_fields=["nonce"])
        locked.log(
            LogEntry.By.PERSON, ({"type": "nonce", "seat": seat.number, "nonce": nonce},), seat=seat.number
        )
        return locked.table.version


def _may_write(locked: LockedTable, seat: Seat) -> bool:
    user = seat.user
    return (
        user is not None
        and not user.is_guest
        and selectors.silence_of(user.pk, locked.table.pk, locked.now) is None
    )


def make_ready(*, table_id: UUID, user_id: int) -> int:
    """Say that the member need not wait for the next deal; it starts once all members said so. Returns the version.

    Raises ``TableRefusal`` (``not_seated``, ``paused``, ``stale`` when no deal is waited for). Takes the lock.
    """
    with locked_table(table_id) as locked:
        seat = own_seat(locked, user_id)
        if locked.table.paused:
            raise TableRefusal("paused")
        if locked.table.status != Table.Status.BETWEEN or locked.table.due_at is None:
            raise TableRefusal("stale")
        said_before, seat.ready = seat.ready, True
        seat.save(update_fields=["ready"])
        if all(other.ready or other.played_by_bot or other.sitting_out for other in locked.seats.values()):
            start_deal(locked)
        elif not said_before:
            locked.log(LogEntry.By.PERSON, ({"type": "ready", "seat": seat.number},), seat=seat.number)
        return locked.table.version


def _only_bots(locked: LockedTable) -> bool:
    """Whether bots wait at the table for nobody."""
    seats = locked.seats.values()
    if any(seat.user_id for seat in seats) or not any(seat.is_bot for seat in seats):
        return False
    return not WaitingPlace.objects.filter(table=locked.table).exists()
