from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.rules.errors import BadDraw
from tournaments.rules.sit_outs import choose_sit_outs, rounds_not_played


@given(st.integers(2, 20), st.integers(1, 6), st.integers(1, 12), st.integers(0, 10**6))
def test_nobody_sits_out_twice_before_everybody_once(players, number, rounds, seed):
    rng = Random(seed)
    field = list(range(players))
    number = min(number, players)
    count = Counter()
    for _ in range(rounds):
        keen = frozenset(rng.sample(field, rng.randrange(players + 1)))
        out = choose_sit_outs(field, number, sat_out=count, volunteers=keen, rng=rng)
        assert len(set(out)) == number
        count.update(out)
        times = [count[player] for player in field]
        assert max(times) - min(times) <= 1


def test_volunteers_sit_out_first():
    out = choose_sit_outs(range(10), 2, sat_out={}, volunteers=frozenset({3, 7}), rng=Random(1))
    assert set(out) == {3, 7}


def test_a_volunteer_does_not_sit_out_again_before_the_others():
    out = choose_sit_outs(range(4), 1, sat_out={2: 1}, volunteers=frozenset({2}), rng=Random(1))
    assert out != (2,)


def test_the_leader_gets_no_bye_before_the_others():
    # online-go 2412: a bye to the leader five times.
    rank = {player: player + 1 for player in range(5)}
    count = Counter()
    for _ in range(4):
        count.update(
            choose_sit_outs(range(5), 1, sat_out=count, volunteers=frozenset(), rng=Random(0), rank=rank)
        )
    assert count == Counter({1: 1, 2: 1, 3: 1, 4: 1})


def test_leaving_and_coming_back_earns_no_free_round():
    # lila 12497: player 4 was away for a round; that counts as his free round.
    history = [((0, 1), (2, 3)), ((0, 2), (1, 3))]
    away = rounds_not_played(history, range(5))
    assert away == {0: 0, 1: 0, 2: 0, 3: 0, 4: 2}
    assert choose_sit_outs(range(5), 1, sat_out=away, volunteers=frozenset({4}), rng=Random(0)) != (4,)


@pytest.mark.parametrize("number", [-1, 5])
def test_more_than_there_are_cannot_sit_out(number):
    with pytest.raises(BadDraw):
        choose_sit_outs(range(4), number, sat_out={}, volunteers=frozenset(), rng=Random(0))


def test_no_player_gets_three_byes_while_others_have_none():
    # lila 6619: an odd field, and one player sat out three times.
    rng, count = Random(5), Counter()
    for _ in range(3):
        count.update(choose_sit_outs(range(7), 1, sat_out=count, volunteers=frozenset(), rng=rng))
    assert max(count.values()) == 1
