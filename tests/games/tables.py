"""Tables for tests: opened by the product's own services, driven step by step."""

from __future__ import annotations

import random
from typing import Any
from uuid import uuid4

from clubs.models import User
from games import selectors, services
from games.bots import choose
from games.models import Table
from games.rules import GAMES

SEATS = {"three_card_loo": 5, "least_score": 3}


def member(name: str) -> User:
    """Create a member who can sign in."""
    return User.objects.create_user(username=name, password="a good long password")


def open_table(
    game: str,
    *members: User,
    seats: int | None = None,
    terms: services.StakeTerms | None = None,
    **options: Any,
) -> Table:
    """Open a table with ``members`` in the first seats, bots in the rest, and no pauses."""
    seats = seats or SEATS[game]
    return services.open_table(
        game=game,
        options=options,
        clock="club",
        members=dict(enumerate(members, start=1)),
        bots=dict.fromkeys(range(len(members) + 1, seats + 1), "random"),
        opened_by=members[0] if members else None,
        terms=terms,
        pace_ms=0,
        bot_think_ms=0,
    )


def start(table: Table) -> None:
    """Start the next deal, which is due at once at a table without pauses."""
    table.refresh_from_db()
    assert services.start_due_deal(table_id=table.id, turn_version=table.turn_version)
    table.refresh_from_db()


def play_bots_until(table: Table, seat: int | None) -> None:
    """Let all others play until ``seat`` is on turn, or until the deal is over."""
    table.refresh_from_db()
    while table.status == Table.Status.PLAYING and table.turn_seat != seat:
        play_one(table)
        table.refresh_from_db()


def play_one(table: Table) -> None:
    """Play for the seat on turn: a bot by itself, a member by what a steady bot would do."""
    seat = table.seats.get(number=table.turn_seat)
    if seat.played_by_bot:
        assert services.play_bot(table_id=table.id, turn_version=table.turn_version)
    else:
        assert seat.user is not None
        rules, state = GAMES[table.game], state_of(table)
        view, moves = rules.view_for(state, seat.number), rules.legal_moves(state)
        play(table, seat.user, choose(table.game, "steady", view, moves, random.Random(table.version), 4))


def state_of(table: Table) -> Any:
    """Return the state of the table's latest deal."""
    running = selectors.running(Table.objects.get(pk=table.pk))
    assert running is not None
    return running.state


def first_legal(table: Table) -> str:
    """Return some legal move of the seat on turn."""
    return GAMES[table.game].legal_moves(state_of(table))[0]


def play(table: Table, user: User, move: str, **changes: Any) -> services.Answer:
    """Play a member's move as a fresh client would."""
    table.refresh_from_db()
    wanted = {"version": table.version, "command_id": uuid4(), **changes}
    return services.play_move(table_id=table.id, user_id=user.pk, move=move, **wanted)


def on_turn(game: str, user: User, **options: Any) -> Table:
    """Open tables until ``user`` in seat 1 is on turn in a fresh deal."""
    while True:
        table = open_table(game, user, **options)
        start(table)
        play_bots_until(table, 1)
        if table.turn_seat == 1:
            return table


def table_on_turn() -> tuple[Table, User, User]:
    """Open a table of two members and a bot and play until the first member is on turn."""
    mari, jaan = member("mari"), member("jaan")
    table = open_table("least_score", mari, jaan)
    start(table)
    play_bots_until(table, 1)
    return table, mari, jaan


def play_to_the_end(table: Table) -> None:
    """Play the match out to its end."""
    for _ in range(10_000):
        table.refresh_from_db()
        if table.status == Table.Status.FINISHED:
            return
        if table.status == Table.Status.BETWEEN:
            start(table)
            continue
        play_one(table)
    raise AssertionError("the match does not end")
