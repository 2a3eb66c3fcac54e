from itertools import count
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.rules import rotation
from tournaments.rules.consolidation import FloorRules, consolidate, deal_for_deal, tolerance
from tournaments.rules.errors import BadEvent
from tournaments.rules.rotation import open_table

RULES = FloorRules(ideal=5, seats=6, minimum=2, final=0)


def floor(*sizes, seats=6):
    """Return tables numbered from 1 with players numbered through."""
    numbers = count(1)
    return {
        n: open_table(tuple(next(numbers) for _ in range(size)), seats=seats)
        for n, size in enumerate(sizes, 1)
    }


def run(tables, rules=RULES, seed=1, **more):
    arguments = {
        "break_order": sorted(tables, reverse=True),
        "moved": {},
        "met": {},
        "rng": Random(seed),
        **more,
    }
    return consolidate(tables, rules, **arguments)


def sizes(result):
    return {n: len(table.players) + len(table.entering) for n, table in result.tables.items()}


def deal(table):
    return rotation.finish_deal(rotation.begin_deal(table))


def test_nothing_to_do():
    tables = floor(5, 5, 4)
    result = run(tables)
    assert (result.tables, result.moves, result.closed, result.held) == (tables, (), (), frozenset())


def test_a_table_is_broken_when_the_players_fit_in_one_fewer():
    result = run(floor(4, 3, 3))
    assert result.closed == (3,)
    assert sizes(result) == {1: 5, 2: 5}
    assert {move.kind for move in result.moves} == {"break"} and len(result.moves) == 3


def test_the_published_break_order_is_followed():
    assert run(floor(4, 3, 3), break_order=[1, 2, 3]).closed == (1,)


def test_a_table_in_mid_deal_is_not_broken_until_the_deal_is_over():
    tables = floor(4, 3, 3)
    tables[3] = rotation.begin_deal(tables[3])
    assert run(tables).closed == ()
    tables[3] = rotation.finish_deal(tables[3])
    assert run(tables).closed == (3,)


def test_seats_and_players_of_a_broken_table_are_drawn():
    drawn = {
        tuple((m.player, m.target, m.seat) for m in run(floor(4, 3, 3), seed=s).moves) for s in range(12)
    }
    assert len(drawn) > 8
    assert run(floor(4, 3, 3), seed=5) == run(floor(4, 3, 3), seed=5)


def test_balancing_moves_the_player_who_deals_next_to_the_place_that_deals_soonest():
    tables = floor(6, 6, 3)
    tables[1] = deal(tables[1])  # player 1 has dealt, player 2 is next
    tables[3] = deal(tables[3])  # player 13 has dealt, then 14, 15 and the free seats 3, 4, 5
    moves = run(tables, moved={7: 1}).moves
    assert [(m.kind, m.player, m.source, m.target, m.seat) for m in moves] == [("balance", 2, 1, 3, 3)]


def test_the_mover_keeps_his_turn_to_deal():
    tables = floor(6, 6, 3)
    tables[1] = deal(tables[1])
    tables[3] = deal(tables[3])
    after = run(tables, moved={7: 1}).tables
    assert rotation.deal_order(after[3]) == (14, 15, 2)
    assert rotation.deal_order(after[1]) == (3, 4, 5, 6)


def test_the_tolerance_is_two_but_one_with_two_tables_or_near_a_cut():
    assert [tolerance(3, False), tolerance(2, False), tolerance(3, True)] == [2, 1, 1]
    assert run(floor(6, 5, 4)).moves == ()
    assert len(run(floor(6, 5, 4), near_cut=True).moves) == 1
    assert len(run(floor(6, 4), rules=FloorRules(4, 6)).moves) == 1


def test_nobody_moves_twice_before_another_has_moved_once():
    tables = floor(6, 6, 3)
    assert run(tables, moved={1: 1}).moves[0].player == 7
    assert run(tables, moved={7: 1}).moves[0].player == 1


def test_new_repeats_decide_between_equal_movers():
    tables = floor(6, 6, 3)
    assert run(tables, met={(1, 13): 1}).moves[0].player == 7
    assert run(tables, met={(7, 14): 2}).moves[0].player == 1


def test_a_short_table_waits_until_it_has_been_served():
    tables = floor(6, 5, 3)
    tables[1] = rotation.begin_deal(tables[1])
    waiting = run(tables)
    assert waiting.held == {3} and waiting.moves == ()
    tables[1] = rotation.finish_deal(tables[1])
    assert run(tables).held == frozenset()
    assert sizes(run(tables)) == {1: 5, 2: 5, 3: 4}


def test_tables_do_not_wait_for_full_seats_for_ever():
    # magefree 12831: tables that wait although nobody can come. Nobody can help here, so the short table closes.
    rules = FloorRules(ideal=3, seats=6, minimum=3)
    result = run({1: open_table((1, 2, 3), seats=6), 2: open_table((4, 5), seats=6)}, rules=rules)
    assert result.closed == (2,) and result.held == frozenset()
    assert sizes(result) == {1: 5}


def test_the_final_table_is_drawn_anew_when_all_tables_rest():
    rules = FloorRules(ideal=5, seats=6, final=6)
    tables = floor(3, 3)
    tables[2] = rotation.begin_deal(tables[2])
    assert run(tables, rules).held == {1}
    tables[2] = rotation.finish_deal(tables[2])
    seatings = {run(tables, rules, seed=s).tables[1].players for s in range(20)}
    assert len(seatings) > 10 and all(sorted(seating) == [1, 2, 3, 4, 5, 6] for seating in seatings)
    result = run(tables, rules)
    assert result.closed == (2,)
    assert {move.kind for move in result.moves} == {"final"}
    assert rotation.at_orbit_end(result.tables[1])


def test_players_of_a_closed_table_do_not_jump_the_queue():
    # LightningChipTourney 6: somebody waits for a seat; the closed table's players come after him.
    tables = floor(5, 4, 2)
    result = run(tables, FloorRules(ideal=6, seats=6), waiting=[99])
    assert [(m.kind, m.player, m.target) for m in result.moves[:1]] == [("enter", 99, 2)]
    assert result.closed == (3,)
    everybody = {
        p for table in result.tables.values() for p in (*table.players, *(q for q, _ in table.entering))
    }
    assert everybody == {*range(1, 12), 99}


def test_those_who_wait_go_to_the_smallest_table():
    result = run(floor(5, 4, 5), waiting=[50])
    assert [(m.player, m.target) for m in result.moves] == [(50, 2)]


def test_a_leaver_is_not_moved():
    tables = floor(6, 6, 3)
    tables[1] = rotation.leave(tables[1], 1)
    tables[2] = rotation.leave(tables[2], 7)
    assert run(tables).moves[0].player in (2, 8)


def test_a_leaver_of_a_broken_table_still_leaves():
    tables = floor(4, 3, 3)
    tables[3] = rotation.leave(tables[3], 9)
    result = run(tables)
    assert any(9 in table.leaving for table in result.tables.values())


def test_near_a_cut_all_tables_play_deal_for_deal():
    tables = floor(3, 3, 3)
    tables[3] = rotation.begin_deal(tables[3])
    assert deal_for_deal({1: 2, 2: 1, 3: 2}, tables) == {2}
    assert deal_for_deal({1: 2, 2: 2, 3: 2}, tables) == {1, 2}


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10**6))
def test_whatever_happens_nobody_is_lost_and_sizes_are_within_the_tolerance(seed):
    rng = Random(seed)
    ideal = rng.randrange(3, 7)
    rules = FloorRules(ideal=ideal, seats=ideal + 1, minimum=2, final=rng.choice((0, ideal)))
    tables = floor(*(rng.randrange(1, ideal + 2) for _ in range(rng.randrange(2, 8))), seats=ideal + 1)
    for n in tables:
        for _ in range(rng.randrange(4)):
            if rotation.next_deal(tables[n]):
                tables[n] = deal(tables[n])
    before = sorted(p for table in tables.values() for p in table.players)
    near_cut = rng.random() < 0.5
    result = run(tables, rules, seed=seed, near_cut=near_cut)
    assert sorted(p for table in result.tables.values() for p in table.players) == before
    after = sizes(result).values()
    assert max(after) - min(after) <= tolerance(len(after), near_cut) or len(after) == 1
    assert max(after) <= rules.seats
    assert len(after) == 1 or len(before) > (len(after) - 1) * ideal or min(after) < 2
    assert not result.held


@pytest.mark.parametrize("numbers", [(1, 2, 2, 0), (5, 4, 2, 0), (5, 6, 6, 0), (5, 6, 2, 7)])
def test_impossible_floors_are_refused(numbers):
    ideal, seats, minimum, final = numbers
    with pytest.raises(BadEvent):
        FloorRules(ideal=ideal, seats=seats, minimum=minimum, final=final)


def test_a_table_does_not_stay_too_large_because_a_leaver_has_the_last_deal():
    tables = floor(5, 3)
    for _ in range(4):
        tables[1] = deal(tables[1])
    tables[1] = rotation.leave(tables[1], 5)
    assert tables[1].due == {5}
    result = run(tables, FloorRules(ideal=4, seats=6))
    (move,) = result.moves
    assert (move.kind, move.player) == ("balance", 1)
    assert 1 not in result.tables[1].due and sizes(result) == {1: 4, 2: 4}
