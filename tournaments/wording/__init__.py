"""Events in plain words: how they are played, what counts, what was done, how their draws were made."""

from tournaments.wording.actions import ACTIONS, MOVED, action_in_words, is_own, moved_in_words
from tournaments.wording.draws import BOUNDS, FIGURES, METHODS, method_in_words
from tournaments.wording.terms import (
    FORCED,
    STILL,
    STILL_SHORT,
    TIE_BREAKS,
    game_rules_in_words,
    points_in_words,
    rules_in_words,
    standings_rule,
    tie_breaks_in_words,
)

__all__ = [
    "ACTIONS",
    "BOUNDS",
    "FIGURES",
    "FORCED",
    "METHODS",
    "MOVED",
    "STILL",
    "STILL_SHORT",
    "TIE_BREAKS",
    "action_in_words",
    "game_rules_in_words",
    "is_own",
    "method_in_words",
    "moved_in_words",
    "points_in_words",
    "rules_in_words",
    "standings_rule",
    "tie_breaks_in_words",
]
