"""The terms of an event: which there are, which values they may have, until when they can be changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.rules import GAMES
from games.rules.clock import PRESETS
from games.rules.errors import BadOptions, Refusal
from games.rules.three_card_loo_options import ANTE, loo_amount
from tournaments import stakes
from tournaments.errors import EventRefusal
from tournaments.models import Tournament
from tournaments.rules.prizes import check_prizes
from tournaments.rules.sizes import MOST_PLAYERS, MOST_ROUNDS
from tournaments.rules.standings import check_tie_breaks

ALWAYS = (
    *("name", "description", "season", "capacity", "check_in_opens_at", "check_in_closes_at"),
    *("round_minutes", "pace_ms", "bot_think_ms", "clock", "standings_live"),
)
"""Terms that may still be changed while the event runs: none of them decides who wins."""

BEFORE_ROUND_1 = (
    *("game", "options", "venue", "bots_allowed", "absent", "family", "seating", "rounds", "orbits", "rated"),
    *("size_min", "size_ideal", "size_max", "bands", "scoring", "tie_breaks", "full_orbits_only"),
    *("thresholds", "round_end", "round_end_count", "advance", "advance_count", "final_size"),
    *("check_in_needed", "late_until", "prizes", "event_chips"),
)
BEFORE_REGISTRATION = ("asset", "fee", "guaranteed")
"""Nobody who entered finds another fee, or another guarantee, than the one he entered for."""

TERMS = (*ALWAYS, *BEFORE_ROUND_1, *BEFORE_REGISTRATION)


def set_terms(tournament: Tournament, terms: Mapping[str, Any]) -> dict[str, Any]:
    """Set terms (not saved) and check them all; returns the old values of those that changed.

    Raises ``EventRefusal`` (``bad_term``, ``terms_fixed`` and the codes of ``check_terms``).
    """
    before: dict[str, Any] = {}
    for name, value in terms.items():
        if name not in TERMS:
            raise EventRefusal("bad_term", f"no term {name!r}")
        if getattr(tournament, name) == value:
            continue
        if not _may_change(tournament, name):
            raise EventRefusal("terms_fixed", name)
        before[name] = as_json(getattr(tournament, name))
        setattr(tournament, name, value)
    check_terms(tournament)
    return before


def as_json(value: Any) -> Any:
    """Return a term's value as the record keeps it."""
    if value is None or isinstance(value, (bool, int, str, list, dict)):
        return value
    return str(value)


def _may_change(tournament: Tournament, name: str) -> bool:
    state = tournament.State
    if name in BEFORE_REGISTRATION:
        return tournament.state == state.DRAFT
    if name in BEFORE_ROUND_1:
        return tournament.state in (state.DRAFT, state.REGISTRATION, state.CHECK_IN)
    return not tournament.is_over


def check_terms(tournament: Tournament) -> None:
    """Refuse terms that cannot be played; raises ``EventRefusal`` with the code of the first that is wrong."""
    if not 1 <= len(tournament.name.strip()) <= 80:
        raise EventRefusal("bad_name")
    _check_choices(tournament)
    _check_game(tournament)
    _check_rounds(tournament)
    _check_elimination(tournament)
    _check_entering(tournament)
    _check_chips(tournament)


def _check_choices(tournament: Tournament) -> None:
    """Refuse a value that is none of a term's choices, or of another type."""
    for field in tournament._meta.concrete_fields:
        value = getattr(tournament, field.attname)
        if field.choices and value not in [choice for choice, _label in field.flatchoices]:
            raise EventRefusal("bad_term", f"{field.name} cannot be {value!r}")
        if field.name in TERMS and field.get_internal_type().startswith("Positive") and value is not None:
            limit = 32_767 if "Small" in field.get_internal_type() else 10**12
            if type(value) is not int or not 0 <= value <= limit:
                raise EventRefusal("bad_term", f"{field.name} must be a whole number from 0 to {limit}")


def _check_game(tournament: Tournament) -> None:
    rules = GAMES.get(tournament.game)
    if rules is None:
        raise EventRefusal("bad_game")
    if not isinstance(tournament.options, dict):
        raise EventRefusal("bad_options")
    try:
        options = rules.parse_options(tournament.options)
    except BadOptions as refusal:
        raise EventRefusal("bad_options", refusal.detail) from refusal
    if tournament.options.get("min_players", 5) != 5:
        raise EventRefusal("bad_options", "three players are for practice tables only (L1)")
    low, high = rules.seat_range(options)
    sizes = (tournament.size_min, tournament.size_ideal, tournament.size_max)
    if not low <= sizes[0] <= sizes[1] <= sizes[2] <= high:
        raise EventRefusal("bad_sizes", f"this game is for {low} to {high} players, not {sizes}")
    if tournament.clock not in PRESETS:
        raise EventRefusal("bad_clock")


def _check_rounds(tournament: Tournament) -> None:
    loo = tournament.game == "three_card_loo"
    most_orbits = 5 if loo and tournament.online else 20
    if not 1 <= tournament.rounds <= MOST_ROUNDS or not 1 <= tournament.orbits <= most_orbits:
        raise EventRefusal("bad_rounds")
    if tournament.bands < 1:
        raise EventRefusal("bad_term", "bands")
    if tournament.scoring == (tournament.Scoring.LOW if loo else tournament.Scoring.HIGH):
        raise EventRefusal("bad_scoring")
    if tournament.rated and tournament.eliminates:
        raise EventRefusal("rated_in_rounds")
    try:
        check_tie_breaks(tournament.tie_breaks)
    except (Refusal, TypeError) as refusal:
        raise EventRefusal("bad_tie_break", str(refusal)) from refusal


def _check_elimination(tournament: Tournament) -> None:
    given = tournament.thresholds
    whole = isinstance(given, list) and all(type(each) is int and each >= 1 for each in given)
    if not whole or given != sorted(given) or (given and tournament.game != "least_score"):
        raise EventRefusal("bad_thresholds")
    if not tournament.eliminates:
        if given:
            raise EventRefusal("bad_thresholds", "only an elimination has thresholds")
        return
    if tournament.scoring == tournament.Scoring.PLACES:
        raise EventRefusal("bad_scoring", "an elimination adds up points or stakes")
    if tournament.final_size > tournament.size_max:
        raise EventRefusal("bad_elimination", "the final table must have its seats")
    under = tournament.advance == tournament.Advance.UNDER
    if under and not given:
        raise EventRefusal("bad_elimination", "without a threshold say how many advance")
    if not given and tournament.round_end != tournament.RoundEnd.ORBITS:
        raise EventRefusal("bad_elimination", "without a threshold a round ends by orbits")
    if not under and tournament.advance_count < 1:
        raise EventRefusal("bad_elimination", "say how many advance or leave")
    if tournament.round_end == tournament.RoundEnd.OUTS and tournament.round_end_count < 1:
        raise EventRefusal("bad_elimination", "say how many knock-outs end a round")


def _check_entering(tournament: Tournament) -> None:
    if tournament.season is not None and tournament.season.club_id != tournament.club_id:
        raise EventRefusal("no_such_season")
    if tournament.capacity is not None and not 2 <= tournament.capacity <= MOST_PLAYERS:
        raise EventRefusal("bad_capacity")
    opens, closes = tournament.check_in_opens_at, tournament.check_in_closes_at
    if opens is not None and closes is not None and opens >= closes:
        raise EventRefusal("bad_window")
    if tournament.absent == tournament.Absent.BOT and not tournament.online:
        raise EventRefusal("bad_term", "bots play online only")
    if tournament.late_until and tournament.eliminates:
        raise EventRefusal("bad_term", "late entry is for fixed rounds")


def _check_chips(tournament: Tournament) -> None:
    if (tournament.fee or tournament.guaranteed) and not tournament.asset:
        raise EventRefusal("bad_fee")
    if tournament.asset:
        stakes.check_asset(tournament.asset, club_id=tournament.club_id)
    try:
        check_prizes(tournament.prize_table)
    except (Refusal, TypeError, ValueError, AttributeError) as refusal:
        raise EventRefusal("bad_prizes", str(refusal)) from refusal
    if tournament.event_chips:
        _check_event_chips(tournament)


def _check_event_chips(tournament: Tournament) -> None:
    """Refuse chips of its own that could run out: nobody is sat out of a tournament's deal (L22)."""
    if tournament.game != "three_card_loo" or not tournament.online or tournament.eliminates:
        raise EventRefusal("bad_event_chips")
    options = GAMES[tournament.game].parse_options(tournament.options)
    worst = tournament.orbits * tournament.size_max * (ANTE + loo_amount(options, 10**6))
    if tournament.event_chips < worst:
        raise EventRefusal("bad_event_chips", f"a round can cost {worst} chips")
