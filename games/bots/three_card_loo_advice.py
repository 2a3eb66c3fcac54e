"""What the steady player of 3-Card Loo would tell a player: its own sums, sorted, each with a reason."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from games.bots.advice import Advice
from games.bots.three_card_loo import card_totals, free_word, word_totals
from games.rules.cards import RANK
from games.rules.interface import Move
from games.rules.three_card_loo_duties import beats

if TYPE_CHECKING:
    from random import Random

DUTIES = (
    "must_lead_ace",
    "must_lead_king",
    "highest_trump",
    "must_lead_trump",
    "must_head",
    "must_trump",
    "must_follow",
)
"""What may leave one card only (L14, L15), the strictest duty first."""


def explain(
    view: Mapping[str, Any], legal_moves: tuple[Move, ...], dice: Random, budget: int
) -> list[Advice]:
    """Return every legal move, the steady player's choice first; its value is in stakes a deal, on average.

    ``budget`` is the number of worlds, at least 1. Reasons of announcements: ``hand_earns``,
    ``hand_costs``, ``miss_better``, ``miss_worse``, ``folding_free``, ``defence_free``; of cards:
    ``lead_wins``, ``lead_low``, ``cheapest_winner``, ``takes_trick``, ``may_take``, ``throws_low``,
    ``no_difference``; of both: ``only_choice``, with cards followed by the duty that forbids the others.
    """
    if len(legal_moves) == 1:
        return [Advice(legal_moves[0], 0.0, ("only_choice", *_duty(view)))]
    if view["phase"] == "announce":
        return _words(view, legal_moves, dice, budget)
    return _cards(view, legal_moves, dice, budget)


def _duty(view: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the duty that leaves one card only, as the code of its refusal; none where it is the last card."""
    refused = set(view["refused"].values()) if view["phase"] == "play" else set()
    return tuple(code for code in DUTIES if code in refused)[:1]


def _words(view: Mapping[str, Any], legal: tuple[Move, ...], dice: Random, budget: int) -> list[Advice]:
    free = free_word(legal)
    totals = word_totals(view, legal, dice, budget)
    values = {word: totals.get(word, 0.0) / budget for word in legal}
    # What costs nothing stands before what earns nothing, as the steady player chooses.
    order = sorted(legal, key=lambda word: (-values[word], word != free))
    return [Advice(word, values[word], (_why_say(word, values),)) for word in order]


def _why_say(word: Move, values: Mapping[Move, float]) -> str:
    if word == "play":
        return "hand_earns" if values["play"] > 0 else "hand_costs"
    if word == "miss":
        return "miss_better" if values["miss"] > max(0.0, values["play"]) else "miss_worse"
    if word == "defend":
        return "defence_free"
    earning = max(values["play"], values.get("miss", values["play"])) > 0
    return "folding_free" if earning else "hand_costs"


def _cards(view: Mapping[str, Any], legal: tuple[Move, ...], dice: Random, budget: int) -> list[Advice]:
    takes: dict[Move, int] = {}
    totals = card_totals(view, legal, dice, budget, takes)
    order = sorted(totals, key=lambda card: -totals[card])
    equal = len(set(totals.values())) == 1
    return [
        Advice(card, totals[card] / budget, (_why_play(view, card, legal, takes[card] / budget, equal),))
        for card in order
    ]


def _why_play(
    view: Mapping[str, Any], card: Move, legal: tuple[Move, ...], taking: float, equal: bool
) -> str:
    """Return the reason for a card that takes its trick in the share ``taking`` of all worlds.

    ``equal`` says that every legal card brings the same.
    """
    tricks, trump = view["tricks"], view["trump"]
    if not tricks or tricks[-1]["winner"] is not None:
        return "no_difference" if equal else "lead_wins" if taking >= 0.5 else "lead_low"
    trick = [played for _seat, played in tricks[-1]["cards"]]
    best = trick[0]
    for played in trick[1:]:
        best = played if beats(played, best, trump) else best
    if not beats(card, best, trump):
        return "no_difference" if equal else "throws_low"
    if taking < 1:
        return "takes_trick" if taking >= 0.5 else "may_take"
    winners = [other for other in legal if beats(other, best, trump)]
    cheapest = min(winners, key=lambda other: (other[1] == trump, RANK[other]))
    return "cheapest_winner" if card == cheapest and len(winners) > 1 else "takes_trick"
