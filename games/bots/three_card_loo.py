"""The steady player of 3-Card Loo: it stands and plays by what the tricks are worth.

It deals the cards it cannot see many times over (``budget`` times), plays each
such world to its end with a plain way of playing, and takes the announcement or
card with the best average in stakes: tricks times the third of the pot, less
the loo where it stays without a trick. With a budget of 0 it goes by a quick
estimate of its hand alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from games.bots.three_card_loo_playout import TRICKS, Table, blind_hope, play_out, trick_hopes
from games.bots.three_card_loo_worlds import Sight, deal_hands, sight_of
from games.rules.cards import RANK
from games.rules.interface import Move, Seat
from games.rules.three_card_loo_duties import Hand

if TYPE_CHECKING:
    from random import Random


WAITING_STANDS = 0.35
"""How often a player who has not yet spoken comes in: seen in deals between steady bots."""


def steady(view: Mapping[str, Any], legal_moves: tuple[Move, ...], dice: Random, budget: int) -> Move:
    """Return the move that earned most on average in ``budget`` worlds dealt from ``dice``."""
    if len(legal_moves) == 1:
        return legal_moves[0]
    if view["phase"] == "announce":
        return _announcement(view, legal_moves, dice, budget)
    return _card(view, legal_moves, dice, budget)


# Announcing ----------------------------------------------------------------------------


def _announcement(view: Mapping[str, Any], legal: tuple[Move, ...], dice: Random, budget: int) -> Move:
    """Compare standing with the own hand or the miss against folding or defending, which cost nothing."""
    free = free_word(legal)
    totals = word_totals(view, legal, dice, budget)
    best = max(totals, key=totals.__getitem__)
    return free if free is not None and totals[best] <= 0 else best


def free_word(legal: tuple[Move, ...]) -> Move | None:
    """Return the announcement that costs nothing, if one is legal."""
    return "defend" if "defend" in legal else "fold" if "fold" in legal else None


def word_totals(
    view: Mapping[str, Any], legal: tuple[Move, ...], dice: Random, budget: int
) -> dict[Move, float]:
    """Return what standing with the own hand and with the miss brought in ``budget`` worlds, in stakes summed up."""
    table, sight = Table.of(view), sight_of(view)
    totals: dict[Move, float] = {word: 0.0 for word in legal if word in ("play", "miss")}
    if budget < 1:
        totals["play"] = worth(
            table, trick_hopes(sight.hand, table, _rivals(table, len(sight.standing), sight.me))
        )
        totals.pop("miss", None)
    for _ in range(budget):
        hands, miss = deal_hands(table, sight, dice)
        for word in totals:
            mine = miss if word == "miss" else sight.hand
            totals[word] += _standing_brings(table, sight, {**hands, sight.me: mine}, miss, word)
    return totals


def _rivals(table: Table, standing: int, seat: Seat) -> float:
    """Return how many others ``seat`` must reckon with: the ``standing``, and some of who speaks after it."""
    waiting = len(table.order) - table.order.index(seat) - 1
    return max(1.0, standing + WAITING_STANDS * waiting)


def worth(table: Table, hopes: list[float]) -> float:
    """Return what standing brings in stakes when the cards take a trick with the chances ``hopes``."""
    none = 1.0
    for hope in hopes:
        none *= 1 - hope
    return sum(hopes) * table.third - none * table.loo


def _standing_brings(table: Table, sight: Sight, hands: dict[Seat, Hand], miss: Hand, word: Move) -> int:
    """Return what the bot wins in one world when it announces ``word`` and the seats after it answer."""
    me, order = sight.me, table.order
    active = [*sight.standing, me]
    miss_left = sight.miss_hidden and word != "miss"
    for seat in order[order.index(me) + 1 :]:
        rivals = _rivals(table, len(active), seat)
        stands = worth(table, trick_hopes(hands[seat], table, rivals))
        takes = worth(table, [blind_hope(rivals)] * 3) if miss_left else 0.0
        # A dealer left alone with one player may not fold while the miss is there (L9).
        forced = table.must_play or (miss_left and len(active) == 1 and seat == order[-1])
        if stands <= 0 and takes <= 0 and not forced:
            continue
        active.append(seat)
        if miss_left and (takes > stands or stands <= 0):
            hands = {**hands, seat: miss}
            miss_left = False
    if active == [me]:
        return table.pot
    tricks = play_out(table, hands, tuple(seat for seat in order if seat in active), active[0])
    return _gain(table, tricks.get(me, 0), defends=False)


# Playing -------------------------------------------------------------------------------


def _card(view: Mapping[str, Any], legal: tuple[Move, ...], dice: Random, budget: int) -> Move:
    """Play out each legal card in the same worlds; ties go to the cheaper card."""
    totals = card_totals(view, legal, dice, max(budget, 1))
    return max(totals, key=totals.__getitem__)


def card_totals(
    view: Mapping[str, Any],
    legal: tuple[Move, ...],
    dice: Random,
    worlds: int,
    takes: dict[Move, int] | None = None,
) -> dict[Move, float]:
    """Return what each legal card brought in ``worlds`` worlds, in stakes summed up; the cheapest card stands first.

    In ``takes``, if it is given, the worlds are counted in which a card took the trick it was played to.
    """
    table, sight = Table.of(view), sight_of(view)
    cheap_first = sorted(legal, key=lambda card: (card[1] == table.trump, RANK[card], card))
    totals = dict.fromkeys(cheap_first, 0.0)
    defends = view["defender"] == sight.me
    active = tuple(seat for seat in table.order if seat in (*sight.standing, sight.me))
    for _ in range(worlds):
        hands, _ = deal_hands(table, sight, dice)
        hands[sight.me] = sight.hand
        for card in cheap_first:
            tricks = play_out(
                table, hands, active, sight.me, trick=sight.trick, done=sight.tricks_done, first=card
            )
            mine = sight.won + tricks.get(sight.me, 0)
            totals[card] += _gain(table, mine, defends)
            if takes is not None:
                # As if it were the last trick: only who takes it is asked for.
                this = play_out(
                    table, hands, active, sight.me, trick=sight.trick, done=TRICKS - 1, first=card
                )
                takes[card] = takes.get(card, 0) + this.get(sight.me, 0)
    return totals


def _gain(table: Table, tricks: int, defends: bool) -> int:
    """Return what ``tricks`` bring in stakes; who defends plays for the tricks alone."""
    if defends:
        return tricks
    return tricks * table.third if tricks else -table.loo
