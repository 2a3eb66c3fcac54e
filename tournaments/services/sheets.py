"""Score sheets of tables at the club: what was written down, checked and turned into scores by the rules of the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.rules import GAMES
from games.rules.errors import Refusal
from tournaments.errors import EventRefusal
from tournaments.rules.entry import LooSheet, least_score_scores, loo_scores
from tournaments.services.locked import LockedTournament


def scored(
    locked: LockedTournament,
    sheet: Mapping[str, Any],
    players: Sequence[int],
    dealer: int,
    carried: int,
) -> tuple[dict[int, int], int]:
    """Return the scores of a sheet and the pot that stays, by the rules of the game; raises ``EventRefusal``."""
    rules = GAMES[locked.tournament.game]
    options = rules.parse_options(locked.tournament.options)
    try:
        if locked.tournament.game == "least_score":
            totals = numbers_of(sheet.get("totals"))
            if set(totals) != set(players):
                raise EventRefusal("wrong_players")
            return least_score_scores(totals, _number(sheet.get("declarer")), tie=options.tie), 0
        found = loo_scores(players, dealer, carried, _loo_sheet(sheet), options)
        return dict(found.scores), found.pot
    except Refusal as refusal:
        raise EventRefusal(refusal.code, refusal.detail) from refusal


def check_whole(game: str, seats: Sequence[int], scores: Mapping[Any, int]) -> dict[int, int]:
    """Return the scores of a whole round; raises ``EventRefusal`` (``wrong_players``, ``bad_sheet``, ``bad_whole``)."""
    numbers = numbers_of(scores)
    if set(numbers) != set(seats):
        raise EventRefusal("wrong_players")
    loo = game == "three_card_loo"
    if sum(numbers.values()) != 0 if loo else min(numbers.values()) < 0:
        raise EventRefusal("bad_whole")
    return numbers


def _loo_sheet(sheet: Mapping[str, Any]) -> LooSheet:
    playing = sheet.get("playing")
    if not isinstance(playing, (list, tuple, set, frozenset)):
        raise EventRefusal("bad_sheet")
    named = frozenset(_number(player) or 0 for player in playing)
    return LooSheet(
        named, numbers_of(sheet.get("tricks", {})), _number(sheet.get("miss")), bool(sheet.get("defended"))
    )


def numbers_of(raw: Any) -> dict[int, int]:
    """Return a mapping of entry numbers to whole numbers; raises ``EventRefusal("bad_sheet")``."""
    if not isinstance(raw, Mapping):
        raise EventRefusal("bad_sheet")
    numbers: dict[int, int] = {}
    for player, value in raw.items():
        if type(value) is not int:
            raise EventRefusal("bad_sheet", f"{value!r} is not a whole number")
        numbers[_number(player) or 0] = value
    return numbers


def _number(raw: Any) -> int | None:
    if raw is None or raw == "":
        return None
    try:
        return int(str(raw))
    except ValueError as error:
        raise EventRefusal("bad_sheet", f"{raw!r} is not a player's number") from error


def plain_sheet(sheet: Mapping[str, Any]) -> dict[str, Any]:
    """Return a sheet as JSON values."""
    kept: dict[str, Any] = {}
    for name in ("totals", "declarer", "playing", "tricks", "miss", "defended"):
        if name in sheet:
            value = sheet[name]
            if isinstance(value, Mapping):
                value = {str(key): each for key, each in value.items()}
            elif isinstance(value, (set, frozenset, tuple)):
                value = sorted(value)
            kept[name] = value
    return kept
