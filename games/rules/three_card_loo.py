"""3-Card Loo behind the interface ``games.rules.interface.Game``.

Rules L1 to L25 are in docs/rules/three_card_loo.md. Moves are ``fold``,
``play``, ``miss``, ``defend`` or a card. ``CHANCE`` never acts, so nothing is
ever reshuffled; the only keyword carried into ``new_deal`` is ``pot``, the
stakes that lay there before the antes.

Events of a deal, in order:

- ``stakes``: from, to (0 is the pot), amount, reason (``ante``, ``trick``,
  ``loo``, ``pot``: the whole pot to one player, ``split``: end of the match)
- ``dealt``: dealer, seats, cards (how many each seat got); private: hand
- ``turn_up``: card, trump (the suit's letter)
- ``announce``: seat, move
- ``taken_miss``: seat; private: hand (the miss)
- ``defend``: seat; private: hand (the miss)
- ``play_begins``: active (seats that are in), leader
- ``card``: seat, card
- ``trick``: winner, number (1 to 3)
- ``deal_over``: ended (``played``, ``dealer_takes``, ``lone_takes``), outcome
  (as ``outcome_json``), miss (its cards if nobody took it and cards were
  played, else null)

Events of a match: ``match_begins`` (seats, dealer, rotations), ``deal_scored``
(deal, net, pot), the ``split`` stakes and ``match_over`` (net, ranking).

The pot pays when the deal is over: during play it stays whole, because a third
of it is what each trick is worth (L18).
"""

from __future__ import annotations

from typing import Any

from games.rules.cards import RANK, Card
from games.rules.errors import IllegalMove, MalformedMove
from games.rules.interface import Move, Seat, Step
from games.rules.strict_json import shown
from games.rules.three_card_loo_deal import (
    ANNOUNCE,
    NOBODY,
    OVER,
    PLAY,
    Outcome,
    State,
    in_order,
    new_deal,
    opening,
    outcome_json,
)
from games.rules.three_card_loo_duties import first_lead_card, follow_refusal, lead_refusal
from games.rules.three_card_loo_match import (
    Match,
    carried,
    carry_on,
    close_deal,
    dealt_in,
    dump_match,
    end_match,
    load_match,
    match_deal,
    match_over,
    match_view,
    must_hold,
    new_match,
    next_dealer,
    pass_deal,
    ranking,
    worst_case,
)
from games.rules.three_card_loo_moves import announce, play_card
from games.rules.three_card_loo_options import Options, dump_options, parse_options, seat_range
from games.rules.three_card_loo_view import private_view, public_view

__all__ = [
    "CARRIED",
    "MAY_SIT_OUT",
    "NAME",
    "WORDS",
    "Match",
    "Options",
    "Outcome",
    "State",
    "actor",
    "apply",
    "carried",
    "carry_on",
    "close_deal",
    "dealt_in",
    "default_move",
    "dump_match",
    "dump_options",
    "end_match",
    "legal_moves",
    "load_match",
    "match_deal",
    "match_over",
    "match_view",
    "must_hold",
    "new_deal",
    "new_match",
    "next_dealer",
    "opening",
    "outcome",
    "outcome_json",
    "parse_move",
    "parse_options",
    "pass_deal",
    "ranking",
    "refusals",
    "seat_range",
    "to_shuffle",
    "view_for",
    "worst_case",
]

NAME = "three_card_loo"

CARRIED: tuple[str, ...] = ("pot",)
MAY_SIT_OUT = True

WORDS: tuple[Move, ...] = ("fold", "play", "miss", "defend")
"""What may be announced (L5, L9)."""

DETAILS: dict[str, str] = {
    "must_follow": "must follow suit",
    "must_head": "must head the trick",
    "must_trump": "must play a trump",
    "must_lead_ace": "must lead the ace of trumps",
    "must_lead_king": "must lead the king of trumps, the ace being turned up",
    "must_lead_trump": "must lead a trump",
    "highest_trump": "must lead the highest trump held",
    "not_your_card": "this card is not in the hand",
    "must_play": "nobody may fold in this deal",
    "may_not_fold": "the dealer may not fold against a lone player while the miss is there",
    "miss_taken": "the miss has been taken",
    "miss_not_offered": "the miss is not offered in this deal",
    "cannot_defend": "the miss cannot be defended here",
    "not_announcing": "the announcing is over",
    "not_playing": "cards are played after the announcing",
    "deal_over": "the deal is over",
}
"""Every code of ``IllegalMove`` in this game with its English phrase."""


def actor(state: State) -> Seat | None:
    """Return the seat on turn, ``None`` when the deal is over."""
    return None if state.turn == NOBODY else state.deal.order[state.turn]


def legal_moves(state: State) -> tuple[Move, ...]:
    """Return every legal move of the seat on turn; empty when the deal is over."""
    return state.legal


def refusals(state: State) -> dict[str, str]:
    """Return what the seat on turn may not announce, or may not play of its hand, each with its code."""
    if state.phase == OVER:
        return {}
    candidates = WORDS if state.phase == ANNOUNCE else in_order(state.hands[state.turn])
    return {move: _refusal(state, move) for move in candidates if move not in state.legal}


def parse_move(text: str) -> Move:
    """Return the canonical form of an announcement or a card; raises ``MalformedMove``.

    Case and surrounding blanks do not matter: `` Fold`` is ``fold``, ``td`` is ``TD``.
    """
    if isinstance(text, str) and text.isascii():
        bare = text.strip()
        if bare.lower() in WORDS:
            return bare.lower()
        if bare.upper() in RANK:
            return bare.upper()
    raise MalformedMove("malformed_move", f"{shown(text)} is neither a card nor one of {', '.join(WORDS)}")


def apply(state: State, move: Move) -> Step:
    """Return the step of the move by the seat on turn; raises ``IllegalMove`` with a code of ``DETAILS``."""
    if move not in state.legal:
        code = _refusal(state, move)
        raise IllegalMove(code, DETAILS[code])
    return play_card(state, move) if state.phase == PLAY else announce(state, move)


def to_shuffle(state: State) -> tuple[Card, ...]:
    """Return no cards: nothing is reshuffled in the middle of a deal."""
    return ()


def default_move(state: State) -> Move:
    """Return what a time-out plays: the announcement that risks least, or the cheapest legal card.

    Fold, else defend (the dealer then neither gains nor pays, L11), else play.
    The cheapest card is the lowest side card, else the lowest trump.
    """
    if state.phase == ANNOUNCE:
        return next(word for word in ("fold", "defend", "play") if word in state.legal)
    trump = state.deal.trump
    return min(state.legal, key=lambda card: (card[1] == trump, RANK[card], card))


def view_for(state: State, seat: Seat | None) -> dict[str, Any]:
    """Return what ``seat`` may know; a watcher (``None``) or a seat outside the deal sees the public part.

    Keys: game, options, phase (announce, play, over), seats, dealer, turn,
    trump, turn_up, pot, third (what a trick earns), loo (what being looed
    costs), announced {seat: word}, in (seats that stand), miss (hidden, taken,
    defended), miss_taker, defender, miss_cards (see ``deal_over``), cards_left,
    tricks [{lead, cards [[seat, card], ...], winner}], tricks_won, outcome;
    and of the viewer: viewer, hand, thrown, legal, refused.
    """
    view = public_view(state)
    mine = seat is not None and seat in state.deal.seats
    view["viewer"] = seat
    view.update(private_view(state, seat) if seat is not None and mine else {"hand": None, "thrown": None})
    on_turn = mine and actor(state) == seat
    view["legal"] = _listed(state) if on_turn else []
    view["refused"] = refusals(state) if on_turn else {}
    return view


def outcome(state: State) -> Outcome | None:
    """Return the deal's outcome, or ``None`` while it goes on."""
    return state.outcome


def _listed(state: State) -> list[Move]:
    """Return the legal moves, cards sorted like the hand."""
    return in_order(state.legal) if state.phase == PLAY else list(state.legal)


def _refusal(state: State, move: Move) -> str:
    """Return the code of the rule that forbids ``move``, which is not legal."""
    if state.phase == OVER:
        return "deal_over"
    if state.phase == ANNOUNCE:
        return _word_refusal(state, move) if move in WORDS else "not_playing"
    if move in WORDS:
        return "not_announcing"
    deal, hand = state.deal, state.hands[state.turn]
    if move not in hand:
        return "not_your_card"
    if state.trick:
        return follow_refusal(move, state.trick[0][1][1], hand, deal.trump)
    must_lead = None if state.tricks else first_lead_card(deal.turn_up)
    return lead_refusal(move, deal.trump, hand, must_lead)


def _word_refusal(state: State, word: Move) -> str:
    """Return why the place on turn may not announce ``word`` (L5, L8, L9, L20)."""
    if word == "fold":
        return "must_play" if state.deal.must_play else "may_not_fold"
    if word == "miss" or state.turn == len(state.deal.order) - 1:
        if not state.deal.miss_offered:
            return "miss_not_offered"
        if state.taker != NOBODY:
            return "miss_taken"
    return "cannot_defend"
