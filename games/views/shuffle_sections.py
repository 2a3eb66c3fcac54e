"""What the shuffle gives: numbers that nobody's play can change, each beside what is expected of a fair one."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.charts import bar_chart, check
from games.rules.cards import RANKS, SUITS
from games.selectors import Numbers
from games.views.sections import Section, counted, decimal, share, verdict_on
from games.wording import SUIT_SIGNS

TRUMPS_A_HAND = 3 * 12 / 51
"""Expected trumps in a hand of 3-Card Loo: the turn-up is one of 13, and 12 of the other 51 cards are trumps."""

POINTS_A_HAND = 5 * 340 / 52
"""Expected points of a hand of Least Score: the 52 cards of a pack count 340 (S2)."""


def turn_ups(numbers: Numbers, title: str, text: str) -> list[Section]:
    """The suits and the ranks turned up, each equally likely."""
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
            pgettext("of a card", "Rank"),
        ),
    ]


def _even(
    name: str, title: str, text: str, names: Sequence[str], counts: Sequence[int], column: str
) -> Section:
    """Counts of cases that a fair shuffle makes equally likely."""
    total = sum(counts)
    expected = [total / len(counts)] * len(counts)
    verdict, alarm = verdict_on(check([(counts, expected)]))
    return Section(
        name=name,
        title=title,
        text=text,
        columns=[column, _("Deals"), _("Expected"), _("Share")],
        rows=[
            [shown, counted(count), decimal(expected[0]), share(count, total)]
            for shown, count in zip(names, counts, strict=True)
        ],
        chart=bar_chart(names, counts, expected=expected),
        verdict=verdict,
        alarm=alarm,
    )


def dealt(numbers: Numbers, kind: str, title: str, unit: str, expected: float) -> Section:
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
                counted(hands[key]),
                decimal(means[key], 3) if hands[key] else "–",
                decimal(expected, 3),
            ]
            for key in who
        ],
        chart=bar_chart(
            [who[key] for key in who],
            [means[key] for key in who],
            shown=[decimal(means[key], 2) if hands[key] else "–" for key in who],
            expected=[expected] * len(who),
        ),
        unit=unit,
    )


def first_dealers(numbers: Numbers) -> Section:
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
    verdict, alarm = verdict_on(check(groups))
    names = [str(place) for place in range(1, most + 1)]
    return Section(
        name="dealers",
        title=_("First dealers"),
        text=_("Who deals first in a match is drawn by lot. High seats exist at large tables only."),
        columns=[_("Seat"), _("Matches"), _("Expected")],
        rows=[
            [name, counted(count), decimal(wanted)]
            for name, count, wanted in zip(names, counts, expected, strict=True)
        ],
        chart=bar_chart(names, counts, expected=expected),
        verdict=verdict,
        alarm=alarm,
    )
