"""How a deal of 3-Card Loo is paid (L7 to L11, L18, L19)."""

from __future__ import annotations

from games.rules.interface import POT, Event, Step
from games.rules.three_card_loo_deal import (
    NOBODY,
    OVER,
    TRICKS,
    Outcome,
    State,
    defender,
    outcome_json,
    shown_miss,
    stakes,
)
from games.rules.three_card_loo_options import ANTE, loo_amount


def settle(state: State, events: tuple[Event, ...]) -> Step:
    """Pay a third of the pot for every trick, then take the loos (L11, L18)."""
    deal = state.deal
    third, loo = deal.pot // TRICKS, loo_amount(deal.options, deal.pot)
    won = [0] * len(deal.order)
    for trick in state.tricks:
        won[trick.winner] += 1
    neutral = defender(state)
    payments: list[Event] = []
    for place in state.active:
        if won[place] and place != neutral:
            payments.append(stakes(POT, deal.order[place], third * won[place], "trick"))
    looed = [place for place in state.active if not won[place] and place != neutral]
    payments += [stakes(deal.order[place], POT, loo, "loo") for place in looed]
    return _close(state, "played", won, looed, payments, events)


def pay_all_to(state: State, place: int, ended: str, events: tuple[Event, ...]) -> Step:
    """Give the whole pot to ``place``, to whom everybody else folded (L7 to L9)."""
    payment = stakes(POT, state.deal.order[place], state.deal.pot, "pot")
    return _close(state, ended, [0] * len(state.deal.order), [], [payment], events)


def _close(
    state: State,
    ended: str,
    won: list[int],
    looed: list[int],
    payments: list[Event],
    events: tuple[Event, ...],
) -> Step:
    """End the deal after ``payments``; an untaken miss is shown only after play (L6, L7)."""
    deal = state.deal
    everyone = deal.options.ante == "everyone"
    deltas = {seat: -ANTE if everyone or seat == deal.dealer else 0 for seat in deal.seats}
    pot = deal.pot
    for payment in payments:
        if payment["from"] == POT:
            deltas[payment["to"]] += payment["amount"]
            pot -= payment["amount"]
        else:
            deltas[payment["from"]] -= payment["amount"]
            pot += payment["amount"]
    tricks = dict(zip(deal.order, won, strict=True))
    outcome = Outcome(
        tuple(deltas.items()),
        tuple([(seat, tricks[seat]) for seat in deal.seats]),
        tuple(sorted([deal.order[place] for place in looed])),
        pot,
        ended,
    )
    _, _, _, _, hands, words, active, taker, taken, _, _, _, _ = state
    over = State(deal, OVER, NOBODY, (), hands, words, active, taker, taken, (), "", NOBODY, outcome)
    final: Event = {
        "type": "deal_over",
        "ended": ended,
        "outcome": outcome_json(over),
        "miss": shown_miss(over),
    }
    return Step(over, (*events, *payments, final))
