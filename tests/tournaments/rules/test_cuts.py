import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.rules.cuts import (
    cut_best,
    cut_tables,
    draw_lot,
)
from tournaments.rules.errors import BadEvent

TIED = [(1, 10), (2, 20), (2, 30), (2, 40), (3, 50)]


def test_a_clear_line():
    assert cut_best(TIED, 1).through == (10,)
    assert cut_best(TIED, 1).out == (20, 30, 40, 50)
    assert cut_best(TIED, 4).method == "clear"
    assert cut_best(TIED, 4).out == (50,)


def test_a_tie_extends_the_cut_if_sizes_allow():
    cut = cut_best(TIED, 2, at_most=4)
    assert (cut.method, cut.through, cut.out) == ("extended", (10, 20, 30, 40), (50,))


def test_else_a_lot_with_a_seed_and_a_record():
    cut = cut_best(TIED, 2, at_most=3, seed=7)
    assert cut.method == "lot" and sorted(cut.tied) == [20, 30, 40] and cut.places == 1
    assert cut.through == (10, cut.tied[0])
    assert cut == cut_best(TIED, 2, at_most=3, seed=7) == cut_best(TIED, 2, seed=7)
    assert {cut_best(TIED, 2, seed=s).through[1] for s in range(40)} == {20, 30, 40}


def test_seating_order_and_registration_do_not_decide_a_lot():
    assert all(draw_lot((3, 1, 2), s) == draw_lot((1, 2, 3), s) for s in range(20))
    assert cut_best(TIED[::-1], 2, seed=7) == cut_best(TIED, 2, seed=7)


@given(st.lists(st.integers(0, 5), min_size=1, max_size=20), st.integers(0, 20), st.integers(0, 99))
def test_everybody_is_through_or_out_and_nobody_better_is_out(keys, places, seed):
    ranked = [(key, player) for player, key in enumerate(keys)]
    places = min(places, len(keys))
    cut = cut_best(ranked, places, seed=seed)
    assert sorted((*cut.through, *cut.out)) == list(range(len(keys)))
    assert len(cut.through) == places
    if cut.through and cut.out:
        assert max(keys[p] for p in cut.through) <= min(keys[p] for p in cut.out)


def test_the_worst_of_each_table_leave():
    cuts = cut_tables([TIED, [(5, 1), (6, 2)]], [4, 1], seeds=[0, 0])
    assert [cut.out for cut in cuts] == [(50,), (2,)]


@pytest.mark.parametrize("places", [-1, 6])
def test_an_impossible_cut_is_refused(places):
    with pytest.raises(BadEvent):
        cut_best(TIED, places)
