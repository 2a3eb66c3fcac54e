"""Opening a table and filling its seats."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction

from clubs.models import User
from games import stakes
from games.bots import BOTS
from games.errors import TableRefusal
from games.models import LogEntry, Seat, Table
from games.rules import GAMES, shuffle
from games.rules.clock import PRESETS
from games.rules.errors import BadOptions
from games.rules.interface import Event, Game
from games.services.locked import LockedTable, locked_table

LARGEST_STAKE = 1_000_000
LARGEST_BUY_IN = 10**12

CHAIN_LENGTH = 1_024
"""So many deals can be played from one chain of seeds; no match comes near it."""

FIRST_DEAL_MS = 2_500
"""How long the seats of a full table have before the first deal, to look around and change their nonce."""

BOT_NAMES = (
    *("Aino", "Juhan", "Leida", "Oskar", "Salme", "Villem", "Hilda", "Karl"),
    *("Meeta", "Rein", "Linda", "Endel", "Asta", "Heino", "Virve", "Uno"),
)


@dataclass(frozen=True)
class StakeTerms:
    """What is played for: ``stake`` chips of ``asset`` per stake, and the chips a seat may buy in for."""

    asset: str
    stake: int
    buy_in_min: int
    buy_in_max: int


def open_table(
    *,
    game: str,
    options: Mapping[str, Any],
    clock: str,
    members: Mapping[int, User],
    bots: Mapping[int, str],
    opened_by: User | None,
    seats: int | None = None,
    terms: StakeTerms | None = None,
    listed: bool = False,
    pace_ms: int = 8_000,
    bot_think_ms: int = 1_000,
) -> Table:
    """Open a table; when no seat is free the countdown to its first deal starts.

    ``members`` and ``bots`` (levels) are given by seat number; the rest of the
    ``seats`` (default: no rest) stay free. A table that is not ``listed`` is
    found by its link alone. At a staked table everybody buys in
    for the least. Publishes the commitment to the chain of seeds. Raises
    ``TableRefusal`` (``bad_game``, ``bad_seats``, ``bad_clock``, ``bad_level``,
    ``bad_stake``, ``bad_buy_in``, ``buy_in_too_small``, ``not_enough_chips``,
    ``bots_lack_chips``, ``guests_without_chips`` or the code of a bad option).
    """
    rules, parsed = _parse_rules(game, options)
    if clock not in PRESETS:
        raise TableRefusal("bad_clock")
    total = len(members) + len(bots) if seats is None else seats
    _check_seats([*members, *bots], total, rules.seat_range(parsed))
    if any(level not in BOTS[game] for level in bots.values()):
        raise TableRefusal("bad_level")
    if terms is not None:
        _check_terms(terms, least_stack(rules, parsed, total))
    end = secrets.token_bytes(shuffle.SEED_BYTES)
    with transaction.atomic():
        table = Table(
            game=game,
            options=rules.dump_options(parsed),
            clock=clock,
            opened_by=opened_by,
            listed=listed,
            pace_ms=pace_ms,
            bot_think_ms=bot_think_ms,
            chain_end=end,
            chain_length=CHAIN_LENGTH,
            commitment=shuffle.make_chain(end, CHAIN_LENGTH)[0].hex(),
        )
        if terms is not None:
            table.stake, table.asset = terms.stake, terms.asset
            table.buy_in_min, table.buy_in_max = terms.buy_in_min, terms.buy_in_max
            table.pot_account = stakes.open_pot(table)
        table.save()
        Seat.objects.bulk_create(Seat(table=table, number=number) for number in range(1, total + 1))
        with locked_table(table.id) as locked:
            locked.log(LogEntry.By.TABLE, ({"type": "opened", "commitment": table.commitment},))
            _take_seats(locked, members, bots)
    table.refresh_from_db()
    return table


def play_now(
    *, user: User, game: str, seats: int, level: str, clock: str, options: Mapping[str, Any]
) -> Table:
    """Open a table for one member against bots, the member in a seat drawn by lot; raises ``TableRefusal``."""
    if not 2 <= seats <= 16:
        raise TableRefusal("bad_seats")
    own = 1 + secrets.randbelow(seats)
    bots = {seat: level for seat in range(1, seats + 1) if seat != own}
    return open_table(game=game, options=options, clock=clock, members={own: user}, bots=bots, opened_by=user)


def sit_down(*, table_id: UUID, user: User, number: int | None = None, buy_in: int | None = None) -> int:
    """Take a free seat (the first, or ``number``), buying in for ``buy_in`` chips; returns the seat's number.

    Raises ``TableRefusal`` (``already_seated``, ``table_full``, ``seat_taken``,
    ``match_running``, ``bad_buy_in``, ``not_enough_chips``,
    ``guests_without_chips``). Takes the table's lock.
    """
    with locked_table(table_id) as locked:
        table = locked.table
        if any(seat.user_id == user.pk and not seat.left for seat in locked.seats.values()):
            raise TableRefusal("already_seated")
        free = [seat.number for seat in locked.seats.values() if seat.is_free]
        if table.status != Table.Status.SEATING:
            raise TableRefusal("match_running" if table.status != Table.Status.FINISHED else "table_finished")
        if not free:
            raise TableRefusal("table_full")
        if number is not None and number not in free:
            raise TableRefusal("seat_taken")
        chosen = free[0] if number is None else number
        _take_seats(locked, {chosen: user}, {}, buy_in)
        return chosen


def fill_with_bots(*, table_id: UUID, user_id: int, level: str = "steady") -> int:
    """Give every free seat to a bot, which the member who opened the table may do; returns the version.

    Raises ``TableRefusal`` (``not_yours_to_do``, ``bad_level``, ``match_running``,
    ``bots_lack_chips``). Takes the table's lock.
    """
    with locked_table(table_id) as locked:
        if locked.table.opened_by_id != user_id:
            raise TableRefusal("not_yours_to_do")
        if level not in BOTS[locked.table.game]:
            raise TableRefusal("bad_level")
        if locked.table.status != Table.Status.SEATING:
            raise TableRefusal("match_running")
        _take_seats(locked, {}, {seat.number: level for seat in locked.seats.values() if seat.is_free})
        return locked.table.version


def least_stack(rules: Game, options: Any, seats: int) -> int:
    """Return the stakes a seat must hold to begin a match: its entry and the worst first deal (L22, S19)."""
    numbers = tuple(range(1, seats + 1))
    begun = rules.new_match(seats=numbers, dealer=1, options=options)
    entry = sum(e["amount"] for e in begun.events if e["type"] == "stakes" and e["from"] == 1)
    return int(entry) + rules.must_hold(begun.match, 1)


def _take_seats(
    locked: LockedTable, members: Mapping[int, User], bots: Mapping[int, str], buy_in: int | None = None
) -> None:
    """Put people and bots into free seats; the last free seat taken starts the countdown."""
    table = locked.table
    names = iter(_unused_names(locked))
    for number, user in members.items():
        locked.seats[number].user = user
    for number, level in bots.items():
        seat = locked.seats[number]
        seat.bot_level, seat.bot_name = level, next(names)
    taken = sorted([*members, *bots])
    for number in taken:
        if table.staked:
            stakes.open_seat_accounts(table, locked.seats[number])
        locked.seats[number].save()
    chips = _buy_in(table, buy_in)
    events: list[Event] = [{"type": "seated", "seat": number} for number in taken]
    if table.staked:
        events += [stakes.buy_in_event(number, chips) for number in taken]
    if events:
        locked.log(LogEntry.By.TABLE, events)
    if any(seat.is_free for seat in locked.seats.values()):
        locked.stop_clock(status=Table.Status.SEATING, due_in_ms=None)
    else:
        locked.stop_clock(status=Table.Status.BETWEEN, due_in_ms=min(FIRST_DEAL_MS, table.pace_ms))


def _buy_in(table: Table, buy_in: int | None) -> int:
    if not table.staked:
        return 0
    chips = table.buy_in_min if buy_in is None else buy_in
    if not table.buy_in_min <= chips <= table.buy_in_max:
        raise TableRefusal("bad_buy_in")
    return chips


def _parse_rules(game: str, options: Mapping[str, Any]) -> tuple[Game, Any]:
    rules = GAMES.get(game)
    if rules is None:
        raise TableRefusal("bad_game")
    try:
        return rules, rules.parse_options(options)
    except BadOptions as refusal:
        raise TableRefusal(refusal.code, refusal.detail) from refusal


def _check_seats(taken: Sequence[int], total: int, allowed: tuple[int, int]) -> None:
    low, high = allowed
    known = set(range(1, total + 1))
    if not low <= total <= high or len(set(taken)) != len(taken) or not set(taken) <= known:
        raise TableRefusal("bad_seats")


def _check_terms(terms: StakeTerms, least: int) -> None:
    if not 1 <= terms.stake <= LARGEST_STAKE:
        raise TableRefusal("bad_stake")
    if not 1 <= terms.buy_in_min <= terms.buy_in_max <= LARGEST_BUY_IN:
        raise TableRefusal("bad_buy_in")
    if terms.buy_in_min < least * terms.stake:
        raise TableRefusal("buy_in_too_small")


def _unused_names(locked: LockedTable) -> list[str]:
    used = " ".join(seat.bot_name for seat in locked.seats.values())
    names = [name for name in BOT_NAMES if name not in used]
    return secrets.SystemRandom().sample(names, len(names))
