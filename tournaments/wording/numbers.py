"""Scores and deals as people read them in their language; ``{% load scores %}`` brings them to templates.

Programs read neither: files and the API have numbers of their own (``selectors.exports``, ``selectors.standings.shown``).
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

from django import template
from django.template.defaultfilters import stringfilter
from django.utils.formats import number_format

register = template.Library()
MINUS = "\N{MINUS SIGN}"
DASH = "–"
SCORE_PLACES = 3
DEAL_PLACES = 2


@register.filter
def score(value: Fraction | int | None) -> str:
    """A score: with at most three decimal places and no noughts behind them, a dash for none."""
    if value is None:
        return DASH
    thousandths = round(abs(value) * 10**SCORE_PLACES)
    places = next(n for n in range(SCORE_PLACES + 1) if thousandths % 10 ** (SCORE_PLACES - n) == 0)
    return _signed(thousandths, SCORE_PLACES, places, minus=value < 0)


@register.filter
def deals(value: Fraction | int) -> str:
    """Deals owed, or dealt beyond those owed: with two decimal places, so that a column lines up."""
    hundredths = round(abs(value) * 10**DEAL_PLACES)
    return _signed(hundredths, DEAL_PLACES, DEAL_PLACES, minus=value < 0)


@register.filter(is_safe=True)
@stringfilter
def unbroken(words: str) -> str:
    """Words in which no line ends between brackets: a formula such as C(q, 2) stays whole."""
    return re.sub(r"\([^()]*\)", lambda found: found[0].replace(" ", "\N{NO-BREAK SPACE}"), words)


def _signed(parts: int, scale: int, places: int, *, minus: bool) -> str:
    text = number_format(Decimal(parts).scaleb(-scale), decimal_pos=places, force_grouping=True)
    return MINUS + text if minus and parts else text
