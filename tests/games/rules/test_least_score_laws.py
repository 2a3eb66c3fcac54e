"""What holds in every deal of Least Score: in many random deals, and by a machine that looks for faults."""

from __future__ import annotations

import json
import random
from collections import Counter
from itertools import combinations
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from games.rules import least_score
from games.rules.cards import PACK, Card, pack
from games.rules.errors import IllegalMove
from games.rules.interface import CHANCE, Event, Move, Seat, event_for
from games.rules.least_score_options import Options
from games.rules.least_score_sets import in_order
from games.rules.least_score_state import Deal
from tests.games.rules.least_score_tables import random_deal, random_move, shuffled

COUNTS = range(2, 11)


def every_card(state: Deal) -> list[Card]:
    """Return every card of a deal, wherever it lies."""
    return [*sum(state.hands, ()), *state.stock, *state.open, *state.buried]


def tell(event: Event) -> None:
    """Check that only the drawer is told the drawn card."""
    if event["type"] == "take" and event["from"] == "stock":
        for seat in (None, event["seat"], event["seat"] % 12 + 1):
            assert ("card" in event_for(event, seat)) == (seat == event["seat"])


# Thousands of random deals ----------------------------------------------------------------


@pytest.mark.parametrize("count", COUNTS)
def test_no_card_is_lost_and_every_deal_ends(count: int) -> None:
    dice = random.Random(count)
    reasons: Counter[str] = Counter()
    for seed in range(100):
        # A third of the deals is played without declaring, to see reshuffles and forced shows.
        declaring = 0.0 if seed % 3 == 0 else 0.5
        state = random_deal(count, dice)
        for event in least_score.opening(state):
            tell(event)
        whole = sorted(pack(state.options.packs))
        turns = 0
        while state.actor is not None:
            move = random_move(state, dice, declaring)
            turns += state.actor != CHANCE and move != "declare"
            state, events = least_score.apply(state, move)
            for event in events:
                tell(event)
            assert sorted(every_card(state)) == whole
            assert state.turns == turns <= 25 * count
            assert all(1 <= len(hand) <= 5 for hand in state.hands)
            assert state.actor != CHANCE or (not state.stock and state.buried)
            assert state.actor in (None, CHANCE) or state.stock
        assert state.result is not None and min(state.result.scores) == 0
        assert events[-1]["type"] == "deal_over"
        assert json.loads(json.dumps(events)) == list(events)
        reasons[state.result.reason] += 1
    assert reasons["void"] == 0
    assert reasons["declared"] > 10 and reasons["circuits"] + reasons["stock"] > 20


def attempts(state: Deal) -> set[Move]:
    """Return every subset of the actor's hand with every take that could be meant, and the foreign moves."""
    hand = state.hands[state.seats.index(state.actor or 0)]
    strangers = [card for card in PACK if card not in hand][:2]
    sources = {"stock", *state.open, *hand, *strangers}
    chosen = [laid for size in range(1, len(hand) + 1) for laid in combinations(hand, size)]
    chosen += [(card,) for card in strangers] + [(hand[0], card) for card in strangers]
    tried = {f"{' '.join(in_order(laid))} > {source}" for laid in chosen for source in sources}
    return tried | {"declare", " ".join(["shuffle", *(sorted(state.buried) or ["2C"])])}


@pytest.mark.parametrize("count", COUNTS)
def test_the_list_and_apply_never_disagree(count: int) -> None:
    dice = random.Random(count)
    for _ in range(6):
        state = random_deal(count, dice)
        while state.actor is not None:
            if state.actor == CHANCE:
                for move in ("declare", f"{PACK[0]} > stock"):
                    with pytest.raises(IllegalMove):
                        least_score.apply(state, move)
            elif dice.random() < 0.2:
                legal = least_score.legal_moves(state)
                assert len(set(legal)) == len(legal)
                assert least_score.default_move(state) in legal
                refused = least_score.refusals(state)
                for move in sorted(attempts(state) | set(legal)):
                    assert least_score.parse_move(move) == move
                    try:
                        least_score.apply(state, move)
                    except IllegalMove as error:
                        assert move not in legal
                        assert refused.get(move, error.code) == error.code
                    else:
                        assert move in legal
            state = least_score.apply(state, random_move(state, dice, 0.1)).state


@pytest.mark.parametrize("count", COUNTS)
def test_why_not_tells_what_apply_tells(count: int) -> None:
    dice = random.Random(count)
    for _ in range(40):
        state = random_deal(count, dice)
        for _ in range(dice.randint(0, 3 * count)):
            if state.actor:
                state = least_score.apply(state, random_move(state, dice, 0.0)).state
        hand = state.hands[state.seats.index(state.actor)]
        for laid in (chosen for size in range(1, len(hand) + 1) for chosen in combinations(hand, size)):
            code = least_score.why_not(state, tuple(dice.sample(laid, len(laid))))
            move = f"{' '.join(in_order(laid))} > stock"
            if code is None:
                assert move in least_score.legal_moves(state)
            else:
                with pytest.raises(IllegalMove) as error:
                    least_score.apply(state, move)
                assert error.value.code == code


def test_replay_equals_play() -> None:
    dice = random.Random(5)
    for _ in range(300):
        count = dice.choice(COUNTS)
        start = random_deal(count, dice)
        state, moves, events = start, [], []
        while state.actor is not None:
            moves.append(random_move(state, dice, 0.1))
            state, happened = least_score.apply(state, moves[-1])
            events.append(happened)
        deck = start_deck(start)
        again = least_score.new_deal(seats=start.seats, dealer=start.dealer, deck=deck, options=start.options)
        assert again == start
        for move, happened in zip(moves, events, strict=True):
            again, told = least_score.apply(again, least_score.parse_move(move))
            assert told == happened
        assert again == state and least_score.outcome(again) == state.result


def start_deck(state: Deal) -> tuple[Card, ...]:
    """Return a deck that deals the fresh ``state``: hands are dealt round from the dealer's left."""
    left = state.seats.index(state.dealer) + 1
    order = [state.hands[(left + place) % len(state.seats)] for place in range(len(state.seats))]
    return tuple(card for row in zip(*order, strict=True) for card in row) + state.open + state.stock


# Secrecy (S18) ----------------------------------------------------------------------------


def hidden_places(state: Deal, viewer: Seat | None) -> list[tuple[str, int, int]]:
    """Return where cards lie that ``viewer`` may not know: others' hands but for known cards, the stock."""
    places = [("stock", 0, at) for at in range(len(state.stock))]
    for place, seat in enumerate(state.seats):
        known = Counter(state.known[place])
        for at, card in enumerate(state.hands[place]):
            if known[card]:
                known[card] -= 1
            elif seat != viewer:
                places.append(("hand", place, at))
    return places


def swapped(state: Deal, one: tuple[str, int, int], other: tuple[str, int, int]) -> Deal:
    """Return ``state`` with the cards of two places exchanged."""
    hands, stock = [list(hand) for hand in state.hands], list(state.stock)
    first, second = (stock if pile == "stock" else hands[place] for pile, place, _ in (one, other))
    first[one[2]], second[other[2]] = second[other[2]], first[one[2]]
    rank = {card: at for at, card in enumerate(r + s for r in "A23456789TJQK" for s in "CDHS")}
    sorted_hands = tuple(tuple(sorted(hand, key=rank.__getitem__)) for hand in hands)
    return state._replace(hands=sorted_hands, stock=tuple(stock))


@pytest.mark.parametrize("count", COUNTS)
def test_two_hidden_cards_may_change_places_unseen(count: int) -> None:
    """Neither the view nor what a viewer is told of the next move depends on a card hidden from it."""
    dice = random.Random(count)
    compared = 0
    for _ in range(25):
        state = random_deal(count, dice)
        while state.actor is not None:
            if dice.random() < 0.25:
                viewer = dice.choice([None, *state.seats])
                places = hidden_places(state, viewer)
                if len(places) > 1:
                    other = swapped(state, *dice.sample(places, 2))
                    assert least_score.view_for(other, viewer) == least_score.view_for(state, viewer)
                    assert told_of_next(state, other, viewer, dice)
                    compared += 1
            state = least_score.apply(state, random_move(state, dice, 0.05)).state
    assert compared > 100


def told_of_next(state: Deal, other: Deal, viewer: Seat | None, dice: random.Random) -> bool:
    """Whether ``viewer`` is told the same of a move that both states allow and that shows no hand."""
    both = set(least_score.legal_moves(state)) & set(least_score.legal_moves(other)) - {"declare"}
    if viewer == state.actor:
        # The viewer's own draw is what it learns; the other takes must look alike.
        both = {move for move in both if not move.endswith("stock")}
    if not both:
        return True
    move = dice.choice(sorted(both))
    one, two = (least_score.apply(each, move) for each in (state, other))
    if one.state.result is not None:
        return True
    return [event_for(e, viewer) for e in one.events] == [event_for(e, viewer) for e in two.events]


def test_a_swap_that_may_be_seen_is_seen() -> None:
    """The comparison can fail: exchanging a card of one's own, or an openly taken one, changes the view."""
    dice = random.Random(1)
    state = random_deal(4, dice, Options())
    seat = state.seats[1]
    other = swapped(state, ("hand", 1, 0), ("stock", 0, 0))
    assert least_score.view_for(other, seat) != least_score.view_for(state, seat)
    assert least_score.view_for(other, None) == least_score.view_for(state, None)


def test_the_order_of_a_reshuffle_is_never_told() -> None:
    dice = random.Random(2)
    state = random_deal(6, dice, Options())
    while state.actor != CHANCE:
        state = least_score.apply(state, least_score.default_move(state)).state
    orders = [" ".join(["shuffle", *dice.sample(state.buried, len(state.buried))]) for _ in range(2)]
    one, two = (least_score.apply(state, order) for order in orders)
    assert one.state.stock != two.state.stock and one.events == two.events
    for viewer in (None, *state.seats):
        assert least_score.view_for(one.state, viewer) == least_score.view_for(two.state, viewer)


# A machine that looks for exceptions --------------------------------------------------------


class Table(RuleBasedStateMachine):
    """Plays with a second, plain bookkeeping of the cards that follows the events alone."""

    state: Deal
    hands: dict[Seat, list[Card]]
    open: list[Card]
    before: list[Card]
    gone: list[Card]

    @initialize(
        count=st.integers(2, 10),
        seed=st.integers(0, 2**32),
        options=st.fixed_dictionaries(
            {
                "three_of_a_kind": st.booleans(),
                "any_run": st.booleans(),
                "runs": st.sampled_from(["any", "one_suit"]),
                "pick": st.sampled_from(["any", "ends"]),
                "declare_cap": st.sampled_from([None, 5, 7, 10]),
                "tie": st.sampled_from(["success", "caught"]),
            }
        ),
    )
    def deal(self, count: int, seed: int, options: dict[str, Any]) -> None:
        chosen = least_score.parse_options({"packs": 1 if count <= 6 else 2, **options})
        seats = tuple(range(1, count + 1))
        deck = shuffled(random.Random(seed), chosen.packs)
        self.state = least_score.new_deal(seats=seats, dealer=1, deck=deck, options=chosen)
        self.gone, self.before, self.shown = [], [], False
        self.follow(least_score.opening(self.state))

    def follow(self, events: tuple[Event, ...]) -> None:
        for event in events:
            if event["type"] == "dealt":
                self.hands = {int(seat): list(told["hand"]) for seat, told in event["private"].items()}
            elif event["type"] == "open":
                self.open = [event["card"]]
            elif event["type"] == "discard":
                self.before, self.open = self.open, event["cards"]
                for card in event["cards"]:
                    self.hands[event["seat"]].remove(card)
            elif event["type"] == "take":
                seat = event["seat"]
                card = event.get("card") or event["private"][str(seat)]["card"]
                if event["from"] == "open":
                    self.before.remove(card)
                self.gone += self.before
                self.hands[seat].append(card)
            elif event["type"] == "shuffle":
                assert event["count"] == len(self.gone)
                self.gone = []
            elif event["type"] == "show":
                self.shown = True
                assert {int(s): sorted(h) for s, h in event["hands"].items()} == {
                    s: sorted(h) for s, h in self.hands.items()
                }

    def play(self, move: Move) -> None:
        self.state, events = least_score.apply(self.state, least_score.parse_move(move))
        self.follow(events)

    @precondition(lambda self: self.state.actor)
    @rule(pick=st.integers(0, 10**6))
    def take_a_turn(self, pick: int) -> None:
        legal = [move for move in least_score.legal_moves(self.state) if move != "declare"]
        self.play(legal[pick % len(legal)])

    @precondition(lambda self: self.state.actor)
    @rule(turns=st.integers(1, 60))
    def time_out(self, turns: int) -> None:
        for _ in range(turns):
            if self.state.actor:
                self.play(least_score.default_move(self.state))

    @precondition(lambda self: self.state.actor and self.state.turns > 2 * len(self.state.seats))
    @rule()
    def declare(self) -> None:
        code = least_score.refusals(self.state).get("declare")
        if code is None:
            self.play("declare")
        else:
            assert code == "over_cap"

    @precondition(lambda self: self.state.actor == CHANCE)
    @rule(seed=st.integers(0, 2**32))
    def shuffle(self, seed: int) -> None:
        order = list(least_score.to_shuffle(self.state))
        random.Random(seed).shuffle(order)
        self.play(" ".join(["shuffle", *order]))

    @precondition(lambda self: self.state.actor is None)
    @rule(move=st.sampled_from(["declare", "AS > stock", "shuffle AS"]))
    def play_on(self, move: Move) -> None:
        with pytest.raises(IllegalMove) as error:
            least_score.apply(self.state, move)
        assert error.value.code == "deal_over"

    @invariant()
    def the_books_agree(self) -> None:
        if not hasattr(self, "state"):
            return
        state = self.state
        assert Counter(every_card(state)) == Counter(pack(state.options.packs))
        assert Counter(state.open) == Counter(self.open) and Counter(state.buried) == Counter(self.gone)
        views = {seat: least_score.view_for(state, seat) for seat in (None, *state.seats)}
        for seat, hand in self.hands.items():
            view = views[seat]
            assert sorted(view["hand"]) == sorted(hand) and view["open"] == self.open
            assert bool(view["legal"]) == (seat == state.actor)
            assert all(Counter(view["known"][str(s)]) <= Counter(h) for s, h in self.hands.items())
            assert (view["hands"] is not None) == self.shown == (state.actor is None)
        json.dumps(list(views.values()))


Table.TestCase.settings = settings(max_examples=40, stateful_step_count=40, deadline=None)
TestTable = Table.TestCase
