"""Matches of Least Score: totals, knock-outs, ranking, dealers and stakes (S14 to S16, S19)."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest

from games.rules import least_score
from games.rules.errors import BadDeal
from games.rules.interface import Event, Seat
from games.rules.least_score_match import Match, in_play
from games.rules.least_score_options import Options, parse_options
from games.rules.least_score_state import Deal, Outcome
from tests.games.rules.least_score_tables import moment, play, random_deal, random_move, shuffled


def begun(seats: tuple[Seat, ...], totals: dict[Seat, int] | None = None, **options: Any) -> Match:
    """Return a match before its next deal, the last seat being the first dealer."""
    match: Match = least_score.new_match(seats=seats, dealer=seats[-1], options=parse_options(options)).match
    return match._replace(totals=tuple((totals or {}).get(seat, 0) for seat in seats))


def ended(match: Match, scores: dict[Seat, int], declarer: Seat | None, hands: dict[Seat, int]) -> Deal:
    """Return the match's next deal as if it had ended with these scores and hand totals."""
    state: Deal = least_score.match_deal(
        match, deck=shuffled(random.Random(1), match.options.packs), live=tuple(scores)
    )
    success = None if declarer is None else scores[declarer] == 0
    result = Outcome(
        tuple(scores[seat] for seat in state.seats),
        tuple(hands.get(seat, 10) for seat in state.seats),
        declarer,
        success,
        "circuits" if declarer is None else "declared",
    )
    return state._replace(actor=None, result=result)


def closed(
    match: Match,
    scores: dict[Seat, int],
    declarer: Seat | None = None,
    stacks: dict[Seat, int] | None = None,
    hands: dict[Seat, int] | None = None,
) -> tuple[Match, list[Event]]:
    """Return the match after a deal with these scores, and the events of its closing."""
    step = least_score.close_deal(match, ended(match, scores, declarer, hands or {}), stacks)
    return step.match, list(step.events)


def paid(events: list[Event]) -> list[tuple[Seat, Seat, int, str]]:
    """Return the stakes events as (from, to, amount, reason)."""
    stakes = [event for event in events if event["type"] == "stakes"]
    return [(event["from"], event["to"], event["amount"], event["reason"]) for event in stakes]


# Totals and knock-outs (S14, S15) ----------------------------------------------------------


@pytest.mark.parametrize("threshold", [25, 50, 100])
def test_case_8_only_above_the_threshold_is_out(threshold: int) -> None:
    match = begun((1, 2, 3), {1: threshold - 6, 2: threshold - 6}, threshold=threshold)
    after, events = closed(match, {1: 6, 2: 7, 3: 0}, declarer=3)
    assert after.totals == (threshold, threshold + 1, 0)
    assert in_play(after) == (1, 3) and after.out == ((2,),)
    assert events == [
        {"type": "totals", "totals": {"1": threshold, "2": threshold + 1, "3": 0}},
        {"type": "knocked_out", "seats": [2]},
    ]


def test_case_9_three_are_knocked_out_together() -> None:
    """S15: they are ranked by their totals, behind the survivor, before those who went earlier."""
    match = begun((1, 2, 3, 4, 5), {1: 90, 2: 80, 3: 80, 4: 60})._replace(
        out=((5,),), totals=(90, 80, 80, 60, 130)
    )
    after, events = closed(match, {1: 30, 2: 30, 3: 25, 4: 0}, declarer=4)
    assert after.out == ((5,), (1, 2, 3)) and least_score.match_over(after)
    assert least_score.ranking(after) == ((1, 4), (2, 3), (3, 2), (4, 1), (5, 5))
    assert [event["type"] for event in events] == ["totals", "knocked_out", "match_over"]
    assert events[-1]["ranking"] == [[1, 4], [2, 3], [3, 2], [4, 1], [5, 5]]


def test_s15_equal_totals_share_a_place() -> None:
    match = begun((1, 2, 3, 4), {1: 95, 2: 95, 3: 90})
    after, _ = closed(match, {1: 10, 2: 10, 3: 20, 4: 0}, declarer=4)
    assert least_score.ranking(after) == ((1, 4), (2, 1), (2, 2), (4, 3))


def test_s15_the_last_standing_plays_on_until_alone() -> None:
    match = begun((1, 2, 3), {1: 95, 2: 95})
    match, _ = closed(match, {1: 10, 2: 0, 3: 0}, declarer=1)
    assert in_play(match) == (2, 3) and not match.over
    match, events = closed(match, {2: 0, 3: 30}, declarer=3)
    assert not match.over and [event["type"] for event in events] == ["totals"]
    match, _ = closed(match, {2: 6, 3: 0}, declarer=3)
    assert match.over and least_score.ranking(match) == ((1, 3), (2, 2), (3, 1))
    assert least_score.next_dealer(match) is None


def test_s15_the_first_out_ends_the_match_for_all() -> None:
    match = begun((1, 2, 3, 4), {1: 95, 2: 40, 3: 20}, match="first_out")
    after, events = closed(match, {1: 10, 2: 0, 3: 4, 4: 30}, declarer=2)
    assert after.over and least_score.ranking(after) == ((1, 3), (2, 4), (3, 2), (4, 1))
    assert events[-1]["type"] == "match_over" and after.out == ((1,),)


def test_the_ranking_of_a_running_match_is_by_totals() -> None:
    assert least_score.ranking(begun((1, 2, 3), {1: 7, 3: 7})) == ((1, 2), (2, 1), (2, 3))


def test_s11_a_void_deal_leaves_the_match_as_it_was() -> None:
    match = begun((1, 2, 3), {1: 7}, per_point=True)
    state: Deal = least_score.match_deal(match, deck=shuffled(random.Random(2)))
    void = state._replace(actor=None, result=Outcome((0, 0, 0), (9, 9, 9), None, None, "void"))
    step = least_score.close_deal(match, void)
    assert step.match == match and step.events == ()
    assert least_score.next_dealer(step.match) == state.dealer


def test_only_the_matchs_own_finished_deal_can_be_closed() -> None:
    match = begun((1, 2, 3))
    running = least_score.match_deal(match, deck=shuffled(random.Random(2)))
    with pytest.raises(ValueError, match="not over"):
        least_score.close_deal(match, running)
    state = ended(match, {1: 0, 2: 4, 3: 5}, 1, {})
    after = least_score.close_deal(match, state).match
    for other in (after, begun((1, 2)), least_score.end_match(match).match):
        with pytest.raises(ValueError, match="not the next deal"):
            least_score.close_deal(other, state)


# Dealers and starters (S16) ---------------------------------------------------------------


def test_s16_the_deal_moves_left_to_the_next_live_seat() -> None:
    match = begun((2, 4, 6, 8), {4: 95})
    assert least_score.next_dealer(match) == 8
    match, _ = closed(match, {2: 0, 4: 9, 6: 1, 8: 1}, declarer=2)
    assert least_score.next_dealer(match) == 2
    match, _ = closed(match, {2: 0, 6: 1, 8: 1}, declarer=2)
    assert least_score.next_dealer(match) == 6


def test_s16_seats_that_are_not_live_are_passed_over() -> None:
    match = begun((1, 2, 3, 4))
    assert least_score.next_dealer(match, (1, 2, 3)) == 1
    assert least_score.next_dealer(match, (2, 3)) == 2
    assert least_score.next_dealer(match, (2,)) is None
    assert least_score.dealt_in(match, (3, 2)) == (2, 3)
    state = least_score.match_deal(match, deck=shuffled(random.Random(1)), live=(1, 3))
    assert state.seats == (1, 3) and state.dealer == 1
    after, _ = closed(match, {1: 3, 3: 0}, declarer=3)
    assert after.totals == (3, 0, 0, 0) and least_score.next_dealer(after) == 2


def test_no_deal_without_two_live_seats_or_after_the_end() -> None:
    match = begun((1, 2, 3))
    with pytest.raises(BadDeal) as error:
        least_score.match_deal(match, deck=shuffled(random.Random(1)), live=(2,))
    assert error.value.code == "too_few_seats"
    over = least_score.end_match(match).match
    with pytest.raises(BadDeal) as error:
        least_score.match_deal(over, deck=shuffled(random.Random(1)))
    assert error.value.code == "match_over"


def test_s16_the_dealers_left_starts_or_the_winner_by_the_option() -> None:
    deck = shuffled(random.Random(1))
    scores, hands = {1: 5, 2: 0, 3: 9}, {1: 15, 2: 10, 3: 19}
    for starter, first in (("left", 2), ("winner", 2)):
        match, _ = closed(begun((1, 2, 3), starter=starter), scores, declarer=2, hands=hands)
        assert least_score.actor(least_score.match_deal(match, deck=deck)) == first
        match, _ = closed(match, {1: 0, 2: 8, 3: 9}, declarer=1, hands={1: 4, 2: 12, 3: 13})
        state = least_score.match_deal(match, deck=deck)
        assert state.dealer == 2 and least_score.actor(state) == {"left": 3, "winner": 1}[starter]
    assert least_score.carried(match) == {"starter": 1}
    assert least_score.carried(match, (2, 3)) == {"starter": 0}
    assert least_score.actor(least_score.match_deal(match, deck=deck, live=(2, 3))) == 3
    assert least_score.carried(begun((1, 2, 3))) == {}
    assert least_score.carried(begun((1, 2, 3), starter="winner")) == {"starter": 0}


@pytest.mark.parametrize(
    ("declarer", "hands", "scores", "winner"),
    [
        (3, {1: 9, 2: 9, 3: 9, 4: 12}, {1: 0, 2: 0, 3: 0, 4: 3}, 3),
        (3, {1: 9, 2: 9, 3: 9, 4: 12}, {1: 0, 2: 0, 3: 20, 4: 0}, 1),
        (3, {1: 12, 2: 8, 3: 9, 4: 8}, {1: 0, 2: 0, 3: 21, 4: 0}, 2),
        (None, {1: 12, 2: 12, 3: 9, 4: 9}, {1: 3, 2: 3, 3: 0, 4: 0}, 3),
        (None, {1: 9, 2: 12, 3: 12, 4: 9}, {1: 0, 2: 3, 3: 3, 4: 0}, 1),
    ],
)
def test_the_winner_among_equal_hands(
    declarer: Seat | None, hands: dict[Seat, int], scores: dict[Seat, int], winner: Seat
) -> None:
    """The declarer who was not caught, else the first from the dealer's left (the dealer is seat 4)."""
    match, _ = closed(begun((1, 2, 3, 4), starter="winner"), scores, declarer, hands=hands)
    assert least_score.carried(match) == {"starter": winner}


# Stakes (S19) -----------------------------------------------------------------------------


def test_s19_the_entries_are_paid_before_the_first_deal() -> None:
    step = least_score.new_match(seats=(1, 2, 3), dealer=2, options=parse_options({"entry": 4}))
    assert step.events[0] == {"type": "match_begins", "seats": [1, 2, 3], "dealer": 2, "threshold": 100}
    assert paid(list(step.events)) == [(1, 0, 4, "entry"), (2, 0, 4, "entry"), (3, 0, 4, "entry")]
    assert step.match.pot == 12
    assert paid(list(least_score.new_match(seats=(1, 2), dealer=2, options=parse_options({})).events)) == []


def test_s19_the_winner_takes_the_pot() -> None:
    match = begun((1, 2, 3), {1: 95, 2: 95}, entry=4)
    after, events = closed(match, {1: 9, 2: 8, 3: 0}, declarer=3)
    assert paid(events) == [(0, 3, 12, "prize")] and after.pot == 0


@pytest.mark.parametrize(
    ("seats", "totals", "prizes"),
    [
        (4, {}, {4: 28}),  # fewer than five: all to the winner
        (5, {}, {5: 25, 4: 10}),  # 30 % of 35 is 10.5, rounded down
        (6, {}, {6: 30, 5: 12}),
        (5, {5: 1}, {4: 18, 5: 17}),  # two share the first two places; the odd stake from the dealer's left
        (5, {5: 2, 4: 1}, {3: 12, 4: 12, 5: 11}),  # three share them
        (5, {4: 1}, {5: 25, 3: 5, 4: 5}),  # two share the second place
        (5, {4: 2, 3: 1}, {5: 25, 2: 4, 3: 3, 4: 3}),
    ],
)
def test_s19_seventy_and_thirty(seats: int, totals: dict[Seat, int], prizes: dict[Seat, int]) -> None:
    """Seat n has total 10 - n unless ``totals`` raises it; the last dealer is the last seat."""
    match = begun(tuple(range(1, seats + 1)), entry=7, prize="split_70_30")
    match = match._replace(totals=tuple(10 - seat + totals.get(seat, 0) for seat in match.seats))
    step = least_score.end_match(match)
    assert {to: amount for _, to, amount, _ in paid(list(step.events))} == prizes
    assert sum(prizes.values()) == 7 * seats and step.match.pot == 0


def test_s19_sharing_the_pot_of_a_winner_who_takes_all() -> None:
    match = begun((1, 2, 3, 4, 5), {1: 8, 2: 8, 3: 3, 4: 3, 5: 3}, entry=4)
    match = match._replace(last_dealer=4)
    assert paid(list(least_score.end_match(match).events)) == [
        (0, 5, 7, "prize"),
        (0, 3, 7, "prize"),
        (0, 4, 6, "prize"),
    ]


def test_an_early_end_pays_by_the_ranking_as_it_stands_and_only_once() -> None:
    match = begun((1, 2, 3), {1: 30, 2: 12, 3: 40}, entry=5)
    step = least_score.end_match(match)
    assert step.match.over and paid(list(step.events)) == [(0, 2, 15, "prize")]
    assert step.events[-1] == {
        "type": "match_over",
        "totals": {"1": 30, "2": 12, "3": 40},
        "ranking": [[1, 2], [2, 1], [3, 3]],
    }
    assert least_score.end_match(step.match) == (step.match, ())


def test_s19_everybody_pays_the_declarer_a_stake_a_point() -> None:
    match = begun((1, 2, 3, 4), per_point=True)
    _, events = closed(match, {1: 6, 2: 0, 3: 0, 4: 7}, declarer=2)
    assert paid(events) == [(4, 2, 7, "per_point"), (1, 2, 6, "per_point")]


def test_s19_a_failed_declarer_pays_the_others_in_equal_parts() -> None:
    """22 stakes to three: seven each and the odd one to the declarer's left."""
    match = begun((1, 2, 3, 4), per_point=True)
    _, events = closed(match, {1: 0, 2: 22, 3: 0, 4: 0}, declarer=2)
    assert paid(events) == [(2, 3, 8, "per_point"), (2, 4, 7, "per_point"), (2, 1, 7, "per_point")]


def test_s19_nobody_pays_more_than_the_seat_holds() -> None:
    match = begun((1, 2, 3, 4), per_point=True)
    _, events = closed(match, {1: 6, 2: 0, 3: 9, 4: 7}, declarer=2, stacks={1: 6, 2: 0, 3: 4, 4: 0})
    assert paid(events) == [(3, 2, 4, "per_point"), (1, 2, 6, "per_point")]
    _, events = closed(match, {1: 0, 2: 22, 3: 0, 4: 0}, declarer=2, stacks={2: 2})
    assert paid(events) == [(2, 3, 1, "per_point"), (2, 4, 1, "per_point")]


def test_s19_points_are_free_without_the_option_or_a_declarer() -> None:
    _, events = closed(begun((1, 2, 3)), {1: 6, 2: 0, 3: 9}, declarer=2)
    assert paid(events) == []
    _, events = closed(begun((1, 2, 3), per_point=True), {1: 6, 2: 0, 3: 9})
    assert paid(events) == []


@pytest.mark.parametrize(("cap", "worst"), [(None, 69), (10, 49), (7, 49), (5, 49)])
def test_the_worst_case_of_a_deal(cap: int | None, worst: int) -> None:
    match = begun((1, 2, 3), per_point=True, declare_cap=cap)
    assert least_score.worst_case(match, 1) == worst
    assert least_score.worst_case(match, 1, (2, 3)) == 0
    assert least_score.worst_case(begun((1, 2, 3)), 1) == 0


def test_no_score_is_worse_than_the_worst_case() -> None:
    """The bound is met: five tens declared against a lone ace cost 20 + 49."""
    state, _ = play(moment({1: "TC TD KC KD QS", 2: "AC"}), "declare")
    assert state.result and state.result.scores == (69, 0)
    state, _ = play(moment({1: "AC", 2: "TC TD KC KD QS"}), "declare")
    assert state.result and state.result.scores == (0, 49)


# Whole matches ----------------------------------------------------------------------------


def move_stakes(events: Iterable[Event], stacks: dict[Seat, int]) -> None:
    """Move the stakes of ``events`` between the stacks; the pot is stack 0."""
    for payer, payee, amount, _ in paid(list(events)):
        assert amount > 0
        stacks[payer] -= amount
        stacks[payee] += amount
        assert min(stacks.values()) >= 0


def play_match(
    seats: tuple[Seat, ...], options: Options, dice: random.Random
) -> tuple[Match, list[Event], int]:
    """Return a match played to its end with random moves, its events, and the number of deals."""
    match, begin = least_score.new_match(seats=seats, dealer=dice.choice(seats), options=options)
    stacks = {0: 0, **dict.fromkeys(seats, 40)}
    events, deals = list(begin), 0
    move_stakes(begin, stacks)
    while not least_score.match_over(match):
        assert least_score.load_match(json.loads(json.dumps(least_score.dump_match(match)))) == match
        assert stacks[0] == match.pot == options.entry * len(seats)
        state = least_score.match_deal(match, deck=shuffled(dice, options.packs))
        assert state.dealer == least_score.next_dealer(match) and state.seats == in_play(match)
        while state.actor is not None:
            state, _ = play(state, random_move(state, dice, declaring=0.5))
        assert state.result is not None and 0 in state.result.scores
        before = match
        match, closing = least_score.close_deal(before, state, stacks)
        move_stakes(closing, stacks)
        assert in_play(match), "somebody always survives (S15)"
        assert sum(match.totals) == sum(before.totals) + sum(state.result.scores)
        events += closing
        deals += 1
    assert stacks[0] == match.pot == 0 and sum(stacks.values()) == 40 * len(seats)
    return match, events, deals


@pytest.mark.parametrize("count", range(2, 11))
@pytest.mark.parametrize("kind", ["last_standing", "first_out"])
def test_matches_are_played_to_their_end(count: int, kind: str) -> None:
    dice = random.Random(f"{count} {kind}")
    for _ in range(4):
        seats = tuple(sorted(dice.sample(range(1, 13), count)))
        options = parse_options(
            {
                "packs": 1 if count <= 6 else 2,
                "match": kind,
                "threshold": dice.choice([25, 50, 100]),
                "starter": dice.choice(["left", "winner"]),
                "per_point": dice.random() < 0.5,
                "entry": dice.choice([0, 3]),
                "prize": dice.choice(["winner", "split_70_30"]),
                "tie": dice.choice(["success", "caught"]),
            }
        )
        match, events, deals = play_match(seats, options, dice)
        assert match.deals == deals
        places = [place for place, _ in least_score.ranking(match)]
        assert sorted(seat for _, seat in least_score.ranking(match)) == sorted(seats)
        assert places[0] == 1 and all(place <= at for at, place in enumerate(places, start=1))
        over = [seat for seat, total in zip(seats, match.totals, strict=True) if total > options.threshold]
        assert sorted(seat for group in match.out for seat in group) == over
        assert len(over) == count - 1 if kind == "last_standing" else over
        assert Counter(event["type"] for event in events)["match_over"] == 1


def test_everybody_deals_equally_often_while_nobody_is_out() -> None:
    match = begun((1, 2, 3, 4, 5))
    dealers: Counter[Seat] = Counter()
    for _ in range(10):
        dealers[least_score.next_dealer(match) or 0] += 1
        match, _ = closed(match, dict.fromkeys(match.seats, 0), declarer=1)
    assert dealers == dict.fromkeys(match.seats, 2)


def test_the_public_facts_of_a_match() -> None:
    match = begun((1, 2, 3), {1: 95}, entry=2)
    match, _ = closed(match, {1: 10, 2: 3, 3: 0}, declarer=3)
    assert least_score.match_view(match) == {
        "game": "least_score",
        "options": least_score.dump_options(match.options),
        "seats": [1, 2, 3],
        "deals": 1,
        "dealer": 2,
        "last_dealer": 3,
        "totals": {"1": 105, "2": 3, "3": 0},
        "in_play": [2, 3],
        "out": [[1]],
        "pot": 6,
        "over": False,
        "ranking": [[1, 3], [2, 2], [3, 1]],
    }
    json.dumps(least_score.match_view(match))


def test_a_deal_for_a_match_is_the_deal_of_its_record() -> None:
    """What ``carried`` tells is what ``new_deal`` needs to deal the same again."""
    match, _ = closed(begun((1, 2, 3), starter="winner"), {1: 5, 2: 9, 3: 0}, declarer=3, hands={3: 4})
    deck = shuffled(random.Random(9))
    again = least_score.new_deal(
        seats=least_score.dealt_in(match),
        dealer=1,
        deck=deck,
        options=match.options,
        **least_score.carried(match),
    )
    assert again == least_score.match_deal(match, deck=deck)
    assert again != random_deal(3, random.Random(9))
