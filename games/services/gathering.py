"""Before the first deal: people and bots take seats, change them and give them back; a full table counts down."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from uuid import UUID

from django.db import IntegrityError, transaction

from clubs.models import User
from games import stakes
from games.bots import BOTS
from games.errors import TableRefusal
from games.models import LogEntry, Seat, Table, WaitingPlace
from games.rules.interface import Event
from games.services.dealing import cash_out
from games.services.locked import LockedTable, locked_table, own_seat
from games.services.waiting import check_welcome, kept_seats, offer_seats

FIRST_DEAL_MS = 2_500
"""How long one member among bots has before the first deal, to look around and change the nonce."""

GATHERED_DEAL_MS = 8_000
"""The same for several members, who may also want to leave again; it is shorter when all say that they are ready."""

BOT_NAMES = (
    *("Aino", "Juhan", "Leida", "Oskar", "Salme", "Villem", "Hilda", "Karl"),
    *("Meeta", "Rein", "Linda", "Endel", "Asta", "Heino", "Virve", "Uno"),
)


def sit_down(*, table_id: UUID, user: User, number: int | None = None, buy_in: int | None = None) -> int:
    """Take a free seat (the one offered, the first, or ``number``), buying in for ``buy_in`` chips.

    Returns the seat's number. Raises ``TableRefusal`` (``already_seated``,
    ``table_full``, ``seat_taken``, ``seat_kept``, ``match_running``,
    ``table_finished``, ``guests_not_rated``, ``rated_seat_held``,
    ``rated_match_left``, ``bad_buy_in``, ``not_enough_chips``,
    ``guests_without_chips``, ``club_members_only``). Takes the table's lock.
    """
    with locked_table(table_id) as locked:
        if any(seat.user_id == user.pk and not seat.left for seat in locked.seats.values()):
            raise TableRefusal("already_seated")
        _check_gathering(locked)
        check_welcome(locked, user)
        chosen = _choose_seat(locked, user.pk, number)
        WaitingPlace.objects.filter(table=locked.table, user=user).delete()
        take_seats(locked, {chosen: user}, {}, buy_in)
        offer_seats(locked)
        return chosen


def move_seat(*, table_id: UUID, user_id: int, number: int) -> int:
    """Change to the free seat ``number`` before the first deal, with one's chips and nonce; returns the version.

    Raises ``TableRefusal`` (``not_seated``, ``match_running``, ``table_finished``,
    ``seat_taken``, ``seat_kept``). Takes the table's lock.
    """
    with locked_table(table_id) as locked:
        old = own_seat(locked, user_id)
        _check_gathering(locked)
        new = locked.seats[_choose_seat(locked, user_id, number)]
        member, nonce, rated_game = old.user, old.nonce, old.rated_game
        chips = stakes.chips_at(locked.table, [old])[old.number] if locked.table.staked else 0
        _vacate(locked, old)
        new.user, new.nonce, new.rated_game = member, nonce, rated_game
        events: list[Event] = [{"type": "moved", "seat": new.number, "from": old.number}]
        if locked.table.staked:
            stakes.open_seat_accounts(locked.table, new)
            events.append(stakes.buy_in_event(new.number, chips))
        new.save()
        locked.log(LogEntry.By.PERSON, events, seat=new.number)
        offer_seats(locked)
        return locked.table.version


def fill_with_bots(*, table_id: UUID, user_id: int, level: str = "steady", count: int | None = None) -> int:
    """Give free seats (all, or the first ``count``) to bots, which the table's host may do; returns the version.

    Seats that are kept for somebody in the line stay free. Raises ``TableRefusal``
    (``not_yours_to_do``, ``bad_level``, ``match_running``, ``table_finished``,
    ``no_bots_when_rated``, ``bots_lack_chips``). Takes the table's lock.
    """
    with locked_table(table_id) as locked:
        check_host(locked, user_id)
        if level not in BOTS[locked.table.game]:
            raise TableRefusal("bad_level")
        _check_gathering(locked)
        if locked.table.rated:
            raise TableRefusal("no_bots_when_rated")
        kept = kept_seats(locked)
        free = [seat.number for seat in locked.seats.values() if seat.is_free and seat.number not in kept]
        chosen = free if count is None else free[: max(0, count)]
        if chosen:
            take_seats(locked, {}, dict.fromkeys(chosen, level))
        return locked.table.version


def remove_bot(*, table_id: UUID, user_id: int, number: int) -> int:
    """Send a bot away to make room for a person, which the table's host may do; returns the version.

    Raises ``TableRefusal`` (``not_yours_to_do``, ``match_running``,
    ``table_finished``, ``no_bot_there``). Takes the table's lock.
    """
    with locked_table(table_id) as locked:
        check_host(locked, user_id)
        _check_gathering(locked)
        seat = locked.seats.get(number)
        if seat is None or not seat.is_bot:
            raise TableRefusal("no_bot_there")
        locked.log(LogEntry.By.PERSON, ({"type": "unseated", "seat": number},))
        give_up_seat(locked, seat)
        return locked.table.version


def start_early(*, table_id: UUID, user_id: int) -> int:
    """Start with those who sit here, which the host may do once the rules have enough; returns the version.

    The countdown begins; seats that are still free when it ends are taken away.
    Raises ``TableRefusal`` (``not_yours_to_do``, ``match_running``,
    ``table_finished``, ``too_few_players``, ``seat_offered``). Takes the table's lock.
    """
    with locked_table(table_id) as locked:
        check_host(locked, user_id)
        _check_gathering(locked)
        taken = sum(not seat.is_free for seat in locked.seats.values())
        if taken < locked.rules.seat_range(locked.options)[0]:
            raise TableRefusal("too_few_players")
        if kept_seats(locked):
            raise TableRefusal("seat_offered")
        locked.log(LogEntry.By.PERSON, ({"type": "starting", "players": taken},))
        _count_down(locked)
        return locked.table.version


def take_seats(
    locked: LockedTable, members: Mapping[int, User], bots: Mapping[int, str], buy_in: int | None = None
) -> None:
    """Put people and bots into free seats; the last free seat taken starts the countdown."""
    table = locked.table
    names = iter(_unused_names(locked))
    for number, user in members.items():
        _check_person(table, user)
        locked.seats[number].user = user
        locked.call(user.pk)
        locked.seats[number].rated_game = table.game if table.rated else ""
    for number, level in bots.items():
        seat = locked.seats[number]
        seat.bot_level, seat.bot_name = level, seat.bot_name or next(names)
    taken = sorted([*members, *bots])
    for number in taken:
        if table.staked:
            stakes.open_seat_accounts(table, locked.seats[number])
        _save_taken(table, locked.seats[number])
    chips = _buy_in(table, buy_in)
    events: list[Event] = [{"type": "seated", "seat": number} for number in taken]
    if table.staked:
        events += [stakes.buy_in_event(number, chips) for number in taken]
    if events:
        locked.log(LogEntry.By.TABLE, events)
    starting = table.status == Table.Status.BETWEEN
    if starting or not any(seat.is_free for seat in locked.seats.values()):
        _count_down(locked)
    else:
        _stop_countdown(locked)


def give_up_seat(locked: LockedTable, seat: Seat) -> None:
    """Free a seat before the first deal: a countdown stops, and the first in the line is offered the seat."""
    _vacate(locked, seat)
    _stop_countdown(locked)
    offer_seats(locked)


def check_host(locked: LockedTable, user_id: int) -> None:
    """Raise ``TableRefusal("not_yours_to_do")`` unless the person may call bots, send them away and start.

    That is who opened the table; if that person holds no seat, also the member in the first taken one.
    """
    if user_id not in hosts_of(locked.table, locked.seats.values()):
        raise TableRefusal("not_yours_to_do")


def hosts_of(table: Table, seats: Iterable[Seat]) -> set[int]:
    """Return the ids of who may call bots, send them away and start the match early."""
    opener = {table.opened_by_id} if table.opened_by_id is not None else set()
    seated = [seat.user_id for seat in seats if seat.user_id is not None and not seat.left]
    return opener if opener & set(seated) else opener | set(seated[:1])


def _check_gathering(locked: LockedTable) -> None:
    if locked.table.status == Table.Status.FINISHED:
        raise TableRefusal("table_finished")
    if not locked.table.is_gathering:
        raise TableRefusal("match_running")


def _choose_seat(locked: LockedTable, user_id: int, number: int | None) -> int:
    """Return the free seat that the person gets; seats kept for others are not free."""
    kept = kept_seats(locked)
    free = [n for n, seat in locked.seats.items() if seat.is_free and kept.get(n, user_id) == user_id]
    if number is not None and number not in free:
        raise TableRefusal("seat_kept" if number in kept else "seat_taken")
    if not free:
        raise TableRefusal("seat_kept" if kept else "table_full")
    if number is not None:
        return number
    return next((n for n in free if n in kept), free[0])


def _check_person(table: Table, user: User) -> None:
    if table.rated and user.is_guest:
        raise TableRefusal("guests_not_rated")
    if user.is_bot and (table.rated or table.staked):
        raise TableRefusal("bots_not_rated")


def _save_taken(table: Table, seat: Seat) -> None:
    """Save a taken seat; the database lets a member hold one rated seat of a game (``Seat.rated_game``)."""
    try:
        with transaction.atomic():
            seat.save()
    except IntegrityError as error:
        if "seat_one_rated_match_per_game" not in str(error):
            raise
        held = Seat.objects.get(user=seat.user, rated_game=table.game)
        raise TableRefusal(
            "rated_match_left" if held.left else "rated_seat_held", str(held.table_id)
        ) from error


def _vacate(locked: LockedTable, seat: Seat) -> None:
    """Empty a seat; what it held goes back to the wallet it came from."""
    cash_out(locked, [seat.number])
    seat.user = seat.account = seat.wallet = None
    seat.bot_name = seat.bot_level = seat.nonce = seat.rated_game = ""
    seat.ready = False
    seat.save()


def _count_down(locked: LockedTable) -> None:
    members = sum(seat.user_id is not None for seat in locked.seats.values())
    wait_ms = GATHERED_DEAL_MS if members > 1 else FIRST_DEAL_MS
    locked.stop_clock(status=Table.Status.BETWEEN, due_in_ms=min(wait_ms, locked.table.pace_ms))


def _stop_countdown(locked: LockedTable) -> None:
    for seat in locked.seats.values():
        seat.ready = False
    Seat.objects.filter(table=locked.table, ready=True).update(ready=False)
    locked.stop_clock(status=Table.Status.SEATING, due_in_ms=None)


def _buy_in(table: Table, buy_in: int | None) -> int:
    if not table.staked:
        return 0
    chips = table.buy_in_min if buy_in is None else buy_in
    if not table.buy_in_min <= chips <= table.buy_in_max:
        raise TableRefusal("bad_buy_in")
    return chips


def _unused_names(locked: LockedTable) -> list[str]:
    used = " ".join(seat.bot_name for seat in locked.seats.values())
    names = [name for name in BOT_NAMES if name not in used]
    return secrets.SystemRandom().sample(names, len(names))
