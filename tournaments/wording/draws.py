"""Draws in words: how they were made, their figures, the bounds beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _l

if TYPE_CHECKING:
    from tournaments.models import Draw

METHODS: dict[str, str | Promise] = {
    "construction": _l("by a construction that is proved"),
    "catalogue": _l("from the catalogue of best known plans"),
    "search": _l("by search"),
    "swiss": _l("by the standings (Swiss)"),
    "by hand": _l("changed by hand"),
}

FIGURES: dict[str, str | Promise] = {
    "repeats": _l("repeat meetings"),
    "third": _l("third meetings"),
    "back_to_back": _l("pairs together in two rounds running"),
    "strangers": _l("pairs without a meeting or a common opponent"),
    "larger_spread": _l("spread of visits to larger tables"),
    "q": _l("Q, the sum of C(meetings, 2) over all pairs"),
}
"""The figures of a draw, in the order in which a page tells them."""

BOUNDS: dict[str, str | Promise] = {
    "pairs": _l("by pairs"),
    "rounds": _l("by rounds"),
    "visits": _l("by visits to larger tables"),
}
"""The lower bounds of Q, by the name in a certificate (``tournaments.rules.bounds``)."""


def method_in_words(draw: Draw) -> str:
    """Return how a draw was made."""
    return str(METHODS.get(draw.method, draw.method))
