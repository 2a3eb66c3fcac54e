"""Opening a table; its seats are filled in ``games.services.gathering``."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from clubs.models import FIRST_CLUB, Club, User
from clubs.selectors import first_club, may_play_at
from games import stakes
from games.bots import BOTS
from games.errors import TableRefusal
from games.models import LogEntry, Seat, Table
from games.rules import GAMES, shuffle
from games.rules.clock import PRESETS
from games.rules.errors import BadOptions
from games.rules.interface import Game
from games.services.event_tables import EventTerms, lay_down, prepare_seats
from games.services.gathering import take_seats
from games.services.locked import locked_table

LARGEST_STAKE = 1_000_000
LARGEST_BUY_IN = 10**12

STAKED_WATCH_DELAY = 30
"""Who watches a staked table sees it so many seconds later, unless its opener chose otherwise."""

LONGEST_WATCH_DELAY = 600

MOST_LISTED = 5
"""So many tables of one person may wait for players in the lobby at once."""

CHAIN_LENGTH = 1_024
"""So many deals can be played from one chain of seeds; no match comes near it."""


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
    rated: bool = False,
    watch_delay: int | None = None,
    pace_ms: int = 8_000,
    bot_think_ms: int = 1_000,
    event: EventTerms | None = None,
    club: Club | None = None,
) -> Table:
    """Open a table of ``club`` (not given: the site's first); when no seat is free the countdown to its first deal starts.

    ``members`` and ``bots`` (levels) are given by seat number; the rest of the ``seats`` (default: no rest) stay free. A
    table that is not ``listed`` is found by its link alone. At a ``rated`` one only members sit, each at one of a game at
    a time. At a staked table everybody buys in for the least. Who watches sees the table ``watch_delay`` seconds later
    (not given: 30 at a staked table, else 0). ``event`` is what an event lays down for its table. Publishes the
    commitment to the chain of seeds. Raises ``TableRefusal`` (``bad_game``, ``bad_seats``, ``bad_clock``, ``bad_level``,
    ``bad_stake``, ``bad_buy_in``, ``buy_in_too_small``, ``not_enough_chips``, ``bots_lack_chips``, ``guests_without_chips``,
    ``no_bots_when_rated``, ``practice_not_rated``, ``guests_not_rated``, ``rated_seat_held``, ``rated_match_left``,
    ``bad_watch_delay``, ``too_many_tables``, ``club_members_only`` or the code of a bad option).
    """
    rules, parsed = _parse_rules(game, options, event)
    if clock not in PRESETS:
        raise TableRefusal("bad_clock")
    total = len(members) + len(bots) if seats is None else seats
    _check_seats([*members, *bots], total, rules.seat_range(parsed))
    _check_bots(game, bots, parsed, rated=rated)
    delay = _delay_of(watch_delay, terms)
    if terms is not None:
        _check_terms(terms, least_stack(rules, parsed, total))
    if opened_by is not None:
        _check_opener(opened_by, club or first_club(), listed=listed)
    end = secrets.token_bytes(shuffle.SEED_BYTES)
    with transaction.atomic():
        table = Table(
            club_id=FIRST_CLUB if club is None else club.pk,
            game=game,
            options=rules.dump_options(parsed),
            clock=clock,
            opened_by=opened_by,
            listed=listed,
            rated=rated,
            watch_delay=delay,
            pace_ms=pace_ms,
            bot_think_ms=bot_think_ms,
            chain_end=end,
            chain_length=CHAIN_LENGTH,
            commitment=shuffle.make_chain(end, CHAIN_LENGTH)[0].hex(),
        )
        if event is not None:
            lay_down(table, event)
        if terms is not None:
            _lay_stakes(table, terms)
        table.save()
        Seat.objects.bulk_create(Seat(table=table, number=number) for number in range(1, total + 1))
        with locked_table(table.id) as locked:
            locked.log(LogEntry.By.TABLE, ({"type": "opened", "commitment": table.commitment},))
            if event is not None:
                prepare_seats(locked, event)
            take_seats(locked, members, bots)
    table.refresh_from_db()
    return table


def play_now(
    *,
    user: User,
    game: str,
    seats: int,
    level: str,
    clock: str,
    options: Mapping[str, Any],
    club: Club | None = None,
) -> Table:
    """Open a table of a club (not given: the site's first) for one member against bots, the member in a seat drawn by
    lot; raises ``TableRefusal``."""
    if not 2 <= seats <= 16:
        raise TableRefusal("bad_seats")
    own = 1 + secrets.randbelow(seats)
    bots = {seat: level for seat in range(1, seats + 1) if seat != own}
    return open_table(
        game=game,
        options=options,
        clock=clock,
        members={own: user},
        bots=bots,
        opened_by=user,
        club=club,
    )


def _lay_stakes(table: Table, terms: StakeTerms) -> None:
    table.stake, table.asset = terms.stake, terms.asset
    table.buy_in_min, table.buy_in_max = terms.buy_in_min, terms.buy_in_max
    stakes.check_asset(table)
    table.pot_account = stakes.open_pot(table)


def least_stack(rules: Game, options: Any, seats: int) -> int:
    """Return the stakes a seat must hold to begin a match: its entry and the worst first deal (L22, S19)."""
    numbers = tuple(range(1, seats + 1))
    begun = rules.new_match(seats=numbers, dealer=1, options=options)
    entry = sum(e["amount"] for e in begun.events if e["type"] == "stakes" and e["from"] == 1)
    return int(entry) + rules.must_hold(begun.match, 1)


def _check_opener(user: User, club: Club, *, listed: bool) -> None:
    """Tables are for those whom the club lets in, and nobody fills the lobby alone: one person's listed tables that wait
    for players are few."""
    if not may_play_at(user, club):
        raise TableRefusal("club_members_only")
    if not listed:
        return
    waiting = Table.objects.filter(opened_by=user, listed=True, status=Table.Status.SEATING)
    if waiting.count() >= MOST_LISTED:
        raise TableRefusal("too_many_tables")


def _parse_rules(game: str, options: Mapping[str, Any], event: EventTerms | None) -> tuple[Game, Any]:
    rules = GAMES.get(game)
    if rules is None:
        raise TableRefusal("bad_game")
    try:
        parsed = rules.parse_options(options)
    except BadOptions as refusal:
        raise TableRefusal(refusal.code, refusal.detail) from refusal
    if event is None and getattr(parsed, "match", "") == "counted":
        raise TableRefusal("bad_option_value", "only events count the points of their tables")
    return rules, parsed


def _delay_of(wanted: int | None, terms: StakeTerms | None) -> int:
    if wanted is None:
        return 0 if terms is None else STAKED_WATCH_DELAY
    if not 0 <= wanted <= LONGEST_WATCH_DELAY:
        raise TableRefusal("bad_watch_delay")
    return wanted


def _check_seats(taken: Sequence[int], total: int, allowed: tuple[int, int]) -> None:
    low, high = allowed
    known = set(range(1, total + 1))
    if not low <= total <= high or len(set(taken)) != len(taken) or not set(taken) <= known:
        raise TableRefusal("bad_seats")


def _check_bots(game: str, bots: Mapping[int, str], options: Any, *, rated: bool) -> None:
    """Refuse unknown levels, and what would make a rated result mean less: bots in seats, and Loo for fewer than five (L1)."""
    if rated and bots:
        raise TableRefusal("no_bots_when_rated")
    if rated and getattr(options, "min_players", 5) < 5:
        raise TableRefusal("practice_not_rated")
    if any(level not in BOTS[game] for level in bots.values()):
        raise TableRefusal("bad_level")


def _check_terms(terms: StakeTerms, least: int) -> None:
    if not 1 <= terms.stake <= LARGEST_STAKE:
        raise TableRefusal("bad_stake")
    if not 1 <= terms.buy_in_min <= terms.buy_in_max <= LARGEST_BUY_IN:
        raise TableRefusal("bad_buy_in")
    if terms.buy_in_min < least * terms.stake:
        raise TableRefusal("buy_in_too_small")
