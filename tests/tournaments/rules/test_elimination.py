import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.rules.elimination import (
    KnockOut,
    RoundEnd,
    final_places,
    knock_out,
    places,
    round_over,
)
from tournaments.rules.errors import BadEvent


def test_the_threshold_itself_is_still_in():
    # S14: total exactly 100 at threshold 100: still in; 101: out.
    step = knock_out({1: 90, 2: 90, 3: 10}, {1: 10, 2: 11, 3: 0}, 100)
    assert step == KnockOut(((2,),), (1, 3))


def test_all_above_the_threshold_go_together_lower_total_ranks_better():
    step = knock_out({1: 40, 2: 45, 3: 49, 4: 0}, {1: 30, 2: 10, 3: 20, 4: 0}, 50)
    assert step.out == ((2,), (3,), (1,))
    assert places(step.out, 1) == ((2, 2), (3, 3), (4, 1))


def test_equal_totals_are_ranked_by_the_total_before_that_deal():
    step = knock_out({1: 40, 2: 45, 3: 0}, {1: 15, 2: 10}, 50)
    assert step.out == ((1,), (2,))


def test_equal_in_both_share_the_place():
    step = knock_out({1: 45, 2: 45, 3: 0, 4: 0}, {1: 10, 2: 10}, 50)
    assert step.out == ((1, 2),)
    assert places(step.out, 2) == ((3, 1), (3, 2))


def test_if_all_exceed_the_lowest_total_wins():
    step = knock_out({1: 45, 2: 45, 3: 40}, {1: 10, 2: 12, 3: 30}, 50)
    assert step == KnockOut(((2,), (3,)), (1,))


def test_an_exact_tie_of_all_is_one_more_orbit_between_them():
    step = knock_out({1: 45, 2: 46, 3: 40}, {1: 10, 2: 9, 3: 30}, 50)
    assert step == KnockOut(((3,),), (1, 2), play_off=True)


def test_three_knocked_out_in_one_deal_are_ranked_by_totals_behind_the_survivor():
    step = knock_out({1: 95, 2: 96, 3: 97, 4: 10}, {1: 10, 2: 20, 3: 5, 4: 0}, 100)
    assert final_places([step]) == ((1, 4), (2, 3), (3, 1), (4, 2))


@given(st.dictionaries(st.integers(1, 12), st.tuples(st.integers(0, 50), st.integers(0, 40)), min_size=1))
def test_everybody_is_in_or_out_and_somebody_survives(field):
    before = {player: old for player, (old, _) in field.items()}
    scores = {player: new for player, (_, new) in field.items()}
    step = knock_out(before, scores, 50)
    out = [player for group in step.out for player in group]
    assert sorted([*out, *step.survivors]) == sorted(field)
    assert step.survivors
    total = {player: before[player] + scores[player] for player in field}
    if not step.play_off and len(out) < len(field) - 1:
        assert all(total[player] <= 50 for player in step.survivors)
    assert all(total[player] > 50 for player in out)


def test_the_final_table_lists_everybody_once_from_first_to_last():
    steps = [KnockOut(((5,), (6,)), (1, 2, 3, 4)), KnockOut(((3, 4),), (1, 2)), KnockOut(((2,),), (1,))]
    assert final_places(steps) == ((1, 1), (2, 2), (3, 3), (3, 4), (5, 5), (6, 6))
    assert final_places([]) == ()


def test_scores_of_somebody_who_is_not_in_are_refused():
    with pytest.raises(BadEvent):
        knock_out({1: 0}, {2: 5}, 50)


@pytest.mark.parametrize(
    ("rule", "orbits", "outs", "over"),
    [
        (RoundEnd("first_out"), 9, 0, False),
        (RoundEnd("first_out"), 0, 1, True),
        (RoundEnd("orbits", 2), 1, 5, False),
        (RoundEnd("orbits", 2), 2, 0, True),
        (RoundEnd("outs", 3), 9, 2, False),
        (RoundEnd("outs", 3), 0, 3, True),
    ],
)
def test_when_a_round_is_over(rule, orbits, outs, over):
    assert round_over(rule, orbits=orbits, outs=outs) is over
