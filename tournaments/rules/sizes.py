"""How many tables a number of players makes, and of which sizes."""

from fractions import Fraction

from tournaments.rules.errors import BadDraw

MOST_PLAYERS = 256
MOST_ROUNDS = 64
SMALLEST_TABLE = 2
LARGEST_TABLE = 16

Sizes = tuple[int, ...]


def check_numbers(players: int, rounds: int) -> None:
    """Refuse numbers no draw is made for; raises ``BadDraw`` and says what to change."""
    if players < 2:
        raise BadDraw("too_few_players", f"a draw needs at least 2 players, not {players}")
    if players > MOST_PLAYERS:
        detail = (
            f"a draw is made for at most {MOST_PLAYERS} players, not {players}; split the field into groups"
        )
        raise BadDraw("too_many_players", detail)
    if not 1 <= rounds <= MOST_ROUNDS:
        raise BadDraw("bad_rounds", f"give between 1 and {MOST_ROUNDS} rounds, not {rounds}")


def split_evenly(players: int, tables: int) -> Sizes:
    """Return ``tables`` sizes that add up to ``players`` and differ by at most 1, larger first."""
    small, larger = divmod(players, tables)
    return (small + 1,) * larger + (small,) * (tables - larger)


def table_sizes(
    players: int, *, ideal: int, smallest: int = SMALLEST_TABLE, largest: int = LARGEST_TABLE
) -> Sizes:
    """Return the sizes of the tables, larger first, all within 1 of each other.

    The number of tables is the one whose average size is nearest to ``ideal`` among
    those that keep every table between ``smallest`` and ``largest``; of two equally
    near the fewer tables. Raises ``BadDraw`` when there is none.
    """
    check_limits(ideal, smallest, largest)
    fits = [
        tables
        for tables in range(1, players // smallest + 1)
        if smallest <= players // tables and -(-players // tables) <= largest
    ]
    if not fits:
        spare = sit_out_number(players, smallest=smallest, largest=largest)
        advice = f"let {spare} sit out or " if spare < players else ""
        detail = f"{players} players cannot be split into tables of {smallest} to {largest}; {advice}allow other sizes"
        raise BadDraw("sizes_impossible", detail)
    nearest = min(fits, key=lambda tables: (abs(Fraction(players, tables) - ideal), tables))
    return split_evenly(players, nearest)


def sit_out_number(players: int, *, smallest: int, largest: int) -> int:
    """Return how few must sit out so that the others fill tables of the given sizes."""
    for out in range(players - smallest + 1):
        rest = players - out
        if any(smallest * tables <= rest <= largest * tables for tables in range(1, rest // smallest + 1)):
            return out
    return players


def check_limits(ideal: int, smallest: int, largest: int) -> None:
    """Refuse sizes outside the limits of the games or out of order."""
    if not SMALLEST_TABLE <= smallest <= ideal <= largest <= LARGEST_TABLE:
        detail = (
            f"table sizes must be in order and between {SMALLEST_TABLE} and {LARGEST_TABLE}; "
            f"got smallest {smallest}, ideal {ideal}, largest {largest}"
        )
        raise BadDraw("bad_size", detail)
