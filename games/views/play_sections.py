"""What the players make of it: tricks, misses, declarations, the length of deals."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.charts import bar_chart
from games.selectors import Numbers
from games.views.sections import Section, counted, decimal, share


def first_tricks(numbers: Numbers) -> Section:
    """First tricks won by place, the dealer apart: the last place is another one at every size of table."""
    inside, won = numbers.by_pair("in"), numbers.by_pair("first_trick")
    places = sorted({place for seats, place in inside if place < seats})
    names = [str(place) for place in places] + [_("dealer")]

    def by_place(counts: Mapping[tuple[int, int], int]) -> list[int]:
        sums = [sum(n for (seats, at), n in counts.items() if at == place < seats) for place in places]
        return [*sums, sum(n for (seats, at), n in counts.items() if at == seats)]

    ins, wins = by_place(inside), by_place(won)
    rates = [100 * w / i if i else 0.0 for w, i in zip(wins, ins, strict=True)]
    return Section(
        name="first-tricks",
        title=_("First tricks by place"),
        text=_(
            "Place 1 is at the dealer’s left. Of those who were in, how many won the first trick? "
            "Who leads and who has seen the others announce makes a difference, so the places need not be equal."
        ),
        columns=[_("Place"), _("Times in"), _("First tricks"), _("Share")],
        rows=[
            [name, counted(i), counted(w), share(w, i)] for name, i, w in zip(names, ins, wins, strict=True)
        ],
        chart=bar_chart(names, rates, shown=[decimal(rate, 0) for rate in rates]),
        unit=_("first tricks in 100 times in"),
    )


def miss(numbers: Numbers) -> Section:
    """What became of the spare hand (L5 to L12)."""
    words = {"taken": _("taken"), "defended": _("defended by the dealer"), "left": _("left")}
    return _parts(
        numbers, "miss", _("The miss"), _("What became of the spare hand, where it was offered."), words
    )


def looed(numbers: Numbers) -> Section:
    """How many of those who played won no trick (L18)."""
    words = {"no": _("won a trick"), "yes": _("looed")}
    return _parts(
        numbers,
        "looed",
        _("Looed"),
        _("Players who were in when the cards were played. A dealer who defends the miss is not counted."),
        words,
    )


def endings(numbers: Numbers) -> Section:
    """How deals of Least Score end (S8 to S12)."""
    words = {
        "success": _("declared, was lowest"),
        "caught": _("declared, was caught"),
        "circuits": _("shown after 25 rounds"),
        "stock": _("shown, stock used up"),
        "void": _("void"),
    }
    return _parts(numbers, "ended", _("How deals end"), _("Declaring ends a deal, well or badly."), words)


def _parts(numbers: Numbers, kind: str, title: str, text: str, words: Mapping[str, str]) -> Section:
    """Counts that are parts of a whole."""
    counts = {key: numbers.count(kind, key) for key in words}
    total = sum(counts.values())
    return Section(
        name=kind,
        title=title,
        text=text,
        columns=[_("What"), _("Times"), _("Share")],
        rows=[[words[key], counted(counts[key]), share(counts[key], total)] for key in words],
    )


def declarations(numbers: Numbers) -> Section:
    """Declarations by the total that was declared, in steps of five points."""
    declared, succeeded = numbers.numbered("declared"), numbers.numbered("succeeded")
    steps = range(0, max(declared, default=0) + 1, 5)
    names = [f"{max(1, low)}–{low + 4}" for low in steps]

    def in_steps(counts: Mapping[int, int]) -> list[int]:
        return [sum(n for total, n in counts.items() if low <= total < low + 5) for low in steps]

    tried, well = in_steps(declared), in_steps(succeeded)
    times = sum(declared.values())
    mean = sum(total * n for total, n in declared.items()) / times if times else 0.0
    return Section(
        name="declarations",
        title=_("Declaring"),
        text=_("Points in hand at a declaration: %(mean)s on average.") % {"mean": decimal(mean)}
        if times
        else _("Nobody has declared yet."),
        columns=[_("Points"), _("Declared"), _("Was lowest"), _("Share")],
        rows=[
            [name, counted(t), counted(w), share(w, t)] for name, t, w in zip(names, tried, well, strict=True)
        ],
        chart=bar_chart(names, tried) if times else None,
        unit=_("declarations by points in hand"),
    )


def lengths(numbers: Numbers) -> Section:
    """Deals by the number of circuits begun; the last one is cut short by whoever declares."""
    begun = numbers.numbered("length")
    times = sum(begun.values())
    mean = sum(n * count for n, count in begun.items()) / times if times else 0.0
    span = range(1, max(begun, default=1) + 1)
    return Section(
        name="lengths",
        title=_("Length of a deal"),
        text=_("Rounds that a deal begins: %(mean)s on average.") % {"mean": decimal(mean)},
        columns=[pgettext("of a deal", "Rounds"), _("Deals"), _("Share")],
        rows=[[str(n), counted(begun[n]), share(begun[n], times)] for n in span if n in begun],
        chart=bar_chart([str(n) for n in span], [begun.get(n, 0) for n in span]),
        unit=_("deals by rounds"),
    )


def _month(month: str) -> str:
    """Return the month of the ISO form ``2026-11`` as the active language writes it."""
    return date_format(date.fromisoformat(f"{month}-01"), "YEAR_MONTH_FORMAT")


def months(numbers: Numbers) -> Section:
    """When the deals were played."""
    by_month = numbers.kinds.get("month", {})
    return Section(
        name="months",
        title=_("When"),
        text=_("Deals by the month in which they ended (UTC)."),
        columns=[_("Month"), _("Deals")],
        rows=[[_month(month), counted(count)] for month, count in sorted(by_month.items())],
    )
