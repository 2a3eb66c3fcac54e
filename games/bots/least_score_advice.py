"""What the steady player of Least Score would tell a player: its own sums, sorted, each with its reasons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from games.bots.advice import Advice
from games.bots.least_score import MARGIN, gain_by_declaring, turn_burdens, unseen
from games.rules.interface import Move
from games.rules.least_score_options import parse_options
from games.rules.least_score_sets import ORDER, VALUE, discards

if TYPE_CHECKING:
    from random import Random


def explain(
    view: Mapping[str, Any], legal_moves: tuple[Move, ...], dice: Random, budget: int
) -> list[Advice]:
    """Return every legal move, the steady player's choice first.

    The value of a turn is minus the points in hand after it and after the next
    discard, on average; that of declaring the points gained on the others' mean
    score over ``budget`` guesses of their hands (at least 1). Declaring stands
    first when it gains more than ``MARGIN``, else last. The reasons of a turn are one for
    what is laid (``lays_set``, ``only_card``, ``sheds_highest``, ``keeps_cards``) and one for what is taken
    (``completes_set``, ``takes_low``, ``stock_better``); of declaring ``declare_now`` or ``declare_risky``.
    """
    burdens = turn_burdens(view, legal_moves)
    cards = len(unseen(view))
    turns = [
        Advice(move, -burdens[move][0] / (2 * cards), (_why_lay(view, move), _why_take(view, move)))
        for move in sorted(burdens, key=burdens.__getitem__)
    ]
    if not view["declare_allowed"]:
        return turns
    gain = gain_by_declaring(view, dice, budget)
    if gain > MARGIN:
        return [Advice("declare", gain, ("declare_now",)), *turns]
    return [*turns, Advice("declare", gain, ("declare_risky",))]


def _why_lay(view: Mapping[str, Any], move: Move) -> str:
    laid = move.partition(" > ")[0].split(" ")
    if len(laid) > 1:
        return "lays_set"
    if len(view["hand"]) == 1:
        return "only_card"
    highest = max(VALUE[card] for card in view["hand"])
    return "sheds_highest" if VALUE[laid[0]] == highest else "keeps_cards"


def _why_take(view: Mapping[str, Any], move: Move) -> str:
    laid, _, source = move.partition(" > ")
    if source == "stock":
        return "stock_better"
    rest = list(view["hand"])
    for card in laid.split(" "):
        rest.remove(card)
    hand = tuple(sorted((*rest, source), key=ORDER.__getitem__))
    options = parse_options(view["options"])
    fits = any(source in found.split(" ") and " " in found for found in discards(hand, options))
    return "completes_set" if fits else "takes_low"
