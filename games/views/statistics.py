"""The statistics of all deals: what was counted, what a fair shuffle would give, and what the difference means."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.views.asking import seen_club
from games import selectors
from games.selectors import Numbers
from games.views.play_sections import (
    declarations,
    endings,
    first_tricks,
    lengths,
    looed,
    miss,
    months,
)
from games.views.sections import Section, counted
from games.views.shuffle_sections import POINTS_A_HAND, TRUMPS_A_HAND, dealt, first_dealers, turn_ups
from games.wording import title_of


@require_safe
def deal_statistics(request: HttpRequest) -> HttpResponse:
    """All deals of the club in numbers, game by game."""
    found = selectors.club_statistics(seen_club(request))
    games = [
        {
            "name": game,
            "title": title_of(game),
            "numbers": found[game],
            "deals": counted(found[game].deals),
            "sections": SECTIONS[game](found[game]),
            "unreadable": found[game].count("unreadable"),
        }
        for game in SECTIONS
        if game in found
    ]
    return render(request, "games/statistics.html", {"games": games})


def _loo(numbers: Numbers) -> list[Section]:
    return [
        *turn_ups(numbers, _("Trumps"), _("The card that is turned up makes trumps.")),
        dealt(numbers, "trumps", _("Trumps dealt"), _("trumps a hand"), TRUMPS_A_HAND),
        first_dealers(numbers),
        first_tricks(numbers),
        miss(numbers),
        looed(numbers),
        months(numbers),
    ]


def _least(numbers: Numbers) -> list[Section]:
    return [
        *turn_ups(numbers, _("Suits turned up"), _("The first open card of a deal.")),
        dealt(numbers, "points", _("Points dealt"), _("points a hand"), POINTS_A_HAND),
        first_dealers(numbers),
        endings(numbers),
        declarations(numbers),
        lengths(numbers),
        months(numbers),
    ]


SECTIONS: Mapping[str, Callable[[Numbers], list[Section]]] = {"three_card_loo": _loo, "least_score": _least}
