"""Refusals of the tournament rules, in the same family as those of the games."""

from games.rules.errors import Refusal


class BadDraw(Refusal):
    """Numbers, sizes or a history from which no draw can be made."""


class BadEvent(Refusal):
    """A step of an event that its rules do not allow now (deal, move, cut)."""
