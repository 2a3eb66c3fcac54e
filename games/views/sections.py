"""One section of the statistics page, and its numbers in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.charts import Chart, Check

UNUSUAL, ALARMING = 0.01, 0.0001
"""How rare under chance a difference must be to be called so."""


@dataclass(frozen=True)
class Section:
    """One table of numbers, with a chart of them where one helps."""

    name: str
    title: str
    text: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    chart: Chart | None = None
    verdict: str = ""
    alarm: bool = False
    unit: str = ""


def verdict_on(found: Check | None) -> tuple[str, bool]:
    """Return what a check says in words, and whether that is a reason to look closer."""
    if found is None:
        return _("Too little was counted to judge: every case should be expected at least 5 times."), False
    figures = ngettext(
        "χ² = %(value)s with %(count)d degree of freedom.",
        "χ² = %(value)s with %(count)d degrees of freedom.",
        found.degrees,
    ) % {"value": decimal(found.value, 2), "count": found.degrees}
    if found.chance >= UNUSUAL:
        words = _(
            "A fair shuffle differs from the expected numbers at least so much %(n)s times in 100: nothing unusual."
        )
        return f"{figures} {words % {'n': decimal(100 * found.chance, 0)}}", False
    if found.chance >= ALARMING:
        words = _(
            "A fair shuffle differs so much only %(n)s times in 10,000. That is unusual, but among many figures "
            "looked at often one such will be found."
        )
        return f"{figures} {words % {'n': decimal(10_000 * found.chance, 0)}}", False
    # Not inside the f-string: gettext's extractor does not look there.
    words = _("A fair shuffle differs so much less than once in 10,000 times. This should be looked into.")
    return f"{figures} {words}", True


def counted(count: int) -> str:
    """Return a whole number as the active language writes it."""
    return number_format(count, force_grouping=True)


def decimal(value: float, places: int = 1) -> str:
    """Return a number with ``places`` decimal places as the active language writes it."""
    return number_format(round(value, places), decimal_pos=places, force_grouping=True)


def share(part: int, whole: int) -> str:
    """Return a part in per cent, a dash of nothing."""
    return pgettext("share", "%(percent)s%%") % {"percent": decimal(100 * part / whole)} if whole else "–"
