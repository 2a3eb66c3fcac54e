"""Opening a table and filling its seats."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import User
from games.bots import BOTS
from games.errors import TableRefusal
from games.models import LogEntry, Seat, Table
from games.rules import GAMES, shuffle
from games.rules.clock import PRESETS
from games.rules.errors import BadOptions
from games.services.locked import locked_table

CHAIN_LENGTH = 1_024
"""So many deals can be played from one chain of seeds; no match comes near it."""

FIRST_DEAL_MS = 2_500
"""How long the seats of a full table have before the first deal, to look around and change their nonce."""

BOT_NAMES = (
    *("Aino", "Juhan", "Leida", "Oskar", "Salme", "Villem", "Hilda", "Karl"),
    *("Meeta", "Rein", "Linda", "Endel", "Asta", "Heino", "Virve", "Uno"),
)


def open_table(
    *,
    game: str,
    options: Mapping[str, Any],
    clock: str,
    members: Mapping[int, User],
    bots: Mapping[int, str],
    opened_by: User | None,
    pace_ms: int = 8_000,
    bot_think_ms: int = 1_000,
) -> Table:
    """Open a table whose seats are all taken and start its countdown to the first deal.

    ``members`` and ``bots`` (levels) are given by seat; together they must be
    the seats 1 to n. Publishes the commitment to the chain of seeds. Raises
    ``TableRefusal`` (``bad_seats``, ``bad_clock``, or the code of a bad option).
    """
    rules = GAMES.get(game)
    if rules is None:
        raise TableRefusal("bad_game")
    if clock not in PRESETS:
        raise TableRefusal("bad_clock")
    try:
        parsed = rules.parse_options(options)
    except BadOptions as refusal:
        raise TableRefusal(refusal.code, refusal.detail) from refusal
    _check_seats(sorted([*members, *bots]), rules.seat_range(parsed))
    if any(level not in BOTS[game] for level in bots.values()):
        raise TableRefusal("bad_level")
    end = secrets.token_bytes(shuffle.SEED_BYTES)
    with transaction.atomic():
        table = Table.objects.create(
            game=game,
            options=rules.dump_options(parsed),
            clock=clock,
            opened_by=opened_by,
            pace_ms=pace_ms,
            bot_think_ms=bot_think_ms,
            chain_end=end,
            chain_length=CHAIN_LENGTH,
            commitment=shuffle.make_chain(end, CHAIN_LENGTH)[0].hex(),
        )
        Seat.objects.bulk_create(_seats(table, members, bots))
        with locked_table(table.id) as locked:
            locked.log(LogEntry.By.TABLE, ({"type": "opened", "commitment": table.commitment},))
            locked.stop_clock(status=Table.Status.BETWEEN, due_in_ms=min(FIRST_DEAL_MS, pace_ms))
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


def _check_seats(seats: Sequence[int], allowed: tuple[int, int]) -> None:
    low, high = allowed
    if list(seats) != list(range(1, len(seats) + 1)) or not low <= len(seats) <= high:
        raise TableRefusal("bad_seats")


def _seats(table: Table, members: Mapping[int, User], bots: Mapping[int, str]) -> list[Seat]:
    names = secrets.SystemRandom().sample(BOT_NAMES, len(BOT_NAMES))
    people = [Seat(table=table, number=number, user=user) for number, user in members.items()]
    machines = [
        Seat(table=table, number=number, bot_level=level, bot_name=_("%(name)s (bot)") % {"name": names[n]})
        for n, (number, level) in enumerate(bots.items())
    ]
    return people + machines
