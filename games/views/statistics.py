"""The statistics of all deals: what was counted, what a fair shuffle would give, and what the difference means."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET

from games import selectors
from games.charts import Chart, Check, bar_chart, check
from games.rules.cards import RANKS, SUITS
from games.selectors import Numbers
from games.wording import SUIT_SIGNS, title_of

TRUMPS_A_HAND = 3 * 12 / 51
"""Expected trumps in a hand of 3-Card Loo: the turn-up is one of 13, and 12 of the other 51 cards are trumps."""

POINTS_A_HAND = 5 * 340 / 52
"""Expected points of a hand of Least Score: the 52 cards of a pack count 340 (S2)."""

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
    unit: str = field(default="")


@require_GET
def deal_statistics(request: HttpRequest) -> HttpResponse:
    """All deals of the site in numbers, game by game."""
    found = selectors.all_statistics()
    games = [
        {
            "name": game,
            "title": title_of(game),
            "numbers": found[game],
            "sections": SECTIONS[game](found[game]),
            "unreadable": found[game].count("unreadable"),
        }
        for game in SECTIONS
        if game in found
    ]
    return render(request, "games/statistics.html", {"games": games})


def _loo(numbers: Numbers) -> list[Section]:
    return [
        *_turn_ups(numbers, _("Trumps"), _("The card that is turned up makes trumps.")),
        _dealt(numbers, "trumps", _("Trumps dealt"), _("trumps a hand"), TRUMPS_A_HAND),
        _first_dealers(numbers),
        _first_tricks(numbers),
        _miss(numbers),
        _looed(numbers),
        _months(numbers),
    ]


def _least(numbers: Numbers) -> list[Section]:
    return [
        *_turn_ups(numbers, _("Suits turned up"), _("The first open card of a deal.")),
        _dealt(numbers, "points", _("Points dealt"), _("points a hand"), POINTS_A_HAND),
        _first_dealers(numbers),
        _endings(numbers),
        _declarations(numbers),
        _lengths(numbers),
        _months(numbers),
    ]


SECTIONS: Mapping[str, Callable[[Numbers], list[Section]]] = {"three_card_loo": _loo, "least_score": _least}


# What the shuffle gives -----------------------------------------------------------------------------------------------


def _turn_ups(numbers: Numbers, title: str, text: str) -> list[Section]:
    cards = numbers.kinds.get("turn_up", {})
    suits = [sum(n for card, n in cards.items() if card[1] == suit) for suit in SUITS]
    ranks = [sum(n for card, n in cards.items() if card[0] == rank) for rank in RANKS]
    return [
        _even("suits", title, text, [SUIT_SIGNS[suit] for suit in SUITS], suits, _("Suit")),
        _even(
            "ranks",
            _("Ranks turned up"),
            _("Every rank should be turned up equally often."),
            [rank.replace("T", "10") for rank in RANKS],
            ranks,
            _("Rank"),
        ),
    ]


def _even(
    name: str, title: str, text: str, names: Sequence[str], counts: Sequence[int], column: str
) -> Section:
    """Counts of cases that a fair shuffle makes equally likely."""
    total = sum(counts)
    expected = [total / len(counts)] * len(counts)
    verdict, alarm = _verdict(check([(counts, expected)]))
    return Section(
        name=name,
        title=title,
        text=text,
        columns=[column, _("Deals"), _("Expected"), _("Share")],
        rows=[
            [shown, _whole(count), _number(expected[0]), _share(count, total)]
            for shown, count in zip(names, counts, strict=True)
        ],
        chart=bar_chart(names, counts, expected=expected),
        verdict=verdict,
        alarm=alarm,
    )


def _dealt(numbers: Numbers, kind: str, title: str, unit: str, expected: float) -> Section:
    """What people and bots are dealt: the same, if nobody is favoured."""
    who = {"people": _("People"), "bots": _("Bots")}
    hands = {key: numbers.count("hands", key) for key in who}
    means = {key: numbers.count(kind, key) / hands[key] if hands[key] else 0.0 for key in who}
    return Section(
        name=kind,
        title=title,
        text=_("People and bots are dealt from the same deck, so on average they get the same."),
        columns=[_("Who"), _("Hands"), unit.capitalize(), _("Expected")],
        rows=[
            [
                who[key],
                _whole(hands[key]),
                _number(means[key], 3) if hands[key] else "–",
                _number(expected, 3),
            ]
            for key in who
        ],
        chart=bar_chart(
            [who[key] for key in who],
            [means[key] for key in who],
            shown=[_number(means[key], 2) if hands[key] else "–" for key in who],
            expected=[expected] * len(who),
        ),
        unit=unit,
    )


def _first_dealers(numbers: Numbers) -> Section:
    """The lot for the first dealer, tested for each number of seats by itself and shown by seat."""
    drawn = numbers.by_pair("first_dealer")
    sizes = sorted({seats for seats, _place in drawn})
    groups = []
    most = max(sizes, default=0)
    counts, expected = [0] * most, [0.0] * most
    for seats in sizes:
        of_size = [drawn.get((seats, place), 0) for place in range(1, seats + 1)]
        even = sum(of_size) / seats
        groups.append((of_size, [even] * seats))
        for place, count in enumerate(of_size):
            counts[place] += count
            expected[place] += even
    verdict, alarm = _verdict(check(groups))
    names = [str(place) for place in range(1, most + 1)]
    return Section(
        name="dealers",
        title=_("First dealers"),
        text=_("Who deals first in a match is drawn by lot. High seats exist at large tables only."),
        columns=[_("Seat"), _("Matches"), _("Expected")],
        rows=[
            [name, _whole(count), _number(wanted)]
            for name, count, wanted in zip(names, counts, expected, strict=True)
        ],
        chart=bar_chart(names, counts, expected=expected),
        verdict=verdict,
        alarm=alarm,
    )


# What the players make of it --------------------------------------------------------------------------------------------


def _first_tricks(numbers: Numbers) -> Section:
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
            "Place 1 is at the dealer's left. Of those who were in, how many won the first trick? "
            "Who leads and who has seen the others announce makes a difference, so the places need not be equal."
        ),
        columns=[_("Place"), _("Times in"), _("First tricks"), _("Share")],
        rows=[
            [name, _whole(i), _whole(w), _share(w, i)] for name, i, w in zip(names, ins, wins, strict=True)
        ],
        chart=bar_chart(names, rates, shown=[_number(rate, 0) for rate in rates]),
        unit=_("first tricks in 100 times in"),
    )


def _miss(numbers: Numbers) -> Section:
    words = {"taken": _("taken"), "defended": _("defended by the dealer"), "left": _("left")}
    return _parts(
        numbers, "miss", _("The miss"), _("What became of the spare hand, where it was offered."), words
    )


def _looed(numbers: Numbers) -> Section:
    words = {"no": _("won a trick"), "yes": _("looed")}
    return _parts(
        numbers,
        "looed",
        _("Looed"),
        _("Players who were in when the cards were played. A dealer who defends the miss is not counted."),
        words,
    )


def _endings(numbers: Numbers) -> Section:
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
        rows=[[words[key], _whole(counts[key]), _share(counts[key], total)] for key in words],
    )


def _declarations(numbers: Numbers) -> Section:
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
        text=_("Points in hand at a declaration: %(mean)s on average.") % {"mean": _number(mean)}
        if times
        else _("Nobody has declared yet."),
        columns=[_("Points"), _("Declared"), _("Was lowest"), _("Share")],
        rows=[
            [name, _whole(t), _whole(w), _share(w, t)] for name, t, w in zip(names, tried, well, strict=True)
        ],
        chart=bar_chart(names, tried) if times else None,
        unit=_("declarations by points in hand"),
    )


def _lengths(numbers: Numbers) -> Section:
    """Deals by the number of circuits begun; the last one is cut short by whoever declares."""
    lengths = numbers.numbered("length")
    times = sum(lengths.values())
    mean = sum(n * count for n, count in lengths.items()) / times if times else 0.0
    span = range(1, max(lengths, default=1) + 1)
    return Section(
        name="lengths",
        title=_("Length of a deal"),
        text=_("Rounds that a deal begins: %(mean)s on average.") % {"mean": _number(mean)},
        columns=[_("Rounds"), _("Deals"), _("Share")],
        rows=[[str(n), _whole(lengths[n]), _share(lengths[n], times)] for n in span if n in lengths],
        chart=bar_chart([str(n) for n in span], [lengths.get(n, 0) for n in span]),
        unit=_("deals by rounds"),
    )


def _months(numbers: Numbers) -> Section:
    months = numbers.kinds.get("month", {})
    return Section(
        name="months",
        title=_("When"),
        text=_("Deals by the month in which they ended (UTC)."),
        columns=[_("Month"), _("Deals")],
        rows=[[month, _whole(count)] for month, count in sorted(months.items())],
    )


# Numbers in words -----------------------------------------------------------------------------------------------------


def _verdict(found: Check | None) -> tuple[str, bool]:
    """Return what a check says in words, and whether that is a reason to look closer."""
    if found is None:
        return _("Too little was counted to judge: every case should be expected at least 5 times."), False
    figures = ngettext(
        "χ² = %(value)s with %(count)d degree of freedom.",
        "χ² = %(value)s with %(count)d degrees of freedom.",
        found.degrees,
    ) % {"value": _number(found.value, 2), "count": found.degrees}
    if found.chance >= UNUSUAL:
        words = _(
            "A fair shuffle differs from the expected numbers at least so much %(n)s times in 100: nothing unusual."
        )
        return f"{figures} {words % {'n': _number(100 * found.chance, 0)}}", False
    if found.chance >= ALARMING:
        words = _(
            "A fair shuffle differs so much only %(n)s times in 10,000. That is unusual, but among many figures "
            "looked at often one such will be found."
        )
        return f"{figures} {words % {'n': _number(10_000 * found.chance, 0)}}", False
    return (
        f"{figures} {_('A fair shuffle differs so much less than once in 10,000 times. This should be looked into.')}",
        True,
    )


def _whole(count: int) -> str:
    return number_format(count, force_grouping=True)


def _number(value: float, places: int = 1) -> str:
    return number_format(value, decimal_pos=places, force_grouping=True)


def _share(part: int, whole: int) -> str:
    """Return a part in per cent, a dash of nothing."""
    return f"{_number(100 * part / whole)} %" if whole else "–"
