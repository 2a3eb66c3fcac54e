from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.rules import rotation
from tournaments.rules.errors import BadEvent
from tournaments.rules.rotation import DealSeen, deals_and_owed, open_table


def play(table, knocked_out=()):
    """Play one deal; return the dealer and the table after it."""
    deal = rotation.next_deal(table)
    return deal.dealer, rotation.finish_deal(rotation.begin_deal(table), knocked_out=knocked_out)


def test_everybody_deals_once_an_orbit_in_seat_order():
    table = open_table((7, 3, 9))
    dealers = []
    for _ in range(6):
        dealer, table = play(table)
        dealers.append(dealer)
    assert dealers == [7, 3, 9, 7, 3, 9]
    assert table.orbits == 2 and rotation.at_orbit_end(table)


def test_the_first_dealer_can_be_another_than_seat_one():
    dealers = []
    table = open_table((7, 3, 9), first_dealer=3)
    for _ in range(3):
        dealer, table = play(table)
        dealers.append(dealer)
    assert dealers == [3, 9, 7] and table.orbits == 1


@settings(deadline=None)
@given(st.integers(2, 9), st.integers(0, 10**6))
def test_survivors_are_within_one_deal_at_any_moment_and_equal_when_orbits_end(players, seed):
    rng = Random(seed)
    table = open_table(tuple(range(players)))
    dealt = dict.fromkeys(range(players), 0)
    for _ in range(40):
        for player in table.players:
            if rng.random() < 0.05:
                table = rotation.leave(table, player)
        table = rotation.let_leavers_go(table)
        if rotation.next_deal(table) is None:
            break
        out = {p for p in table.players if rng.random() < 0.03}
        orbits = table.orbits
        dealer, table = play(table, out)
        dealt[dealer] += 1
        for i, j in combinations(table.players, 2):
            assert abs(dealt[i] - dealt[j]) <= 1
        if table.orbits > orbits:
            assert len({dealt[p] for p in table.players}) <= 1


def test_a_leaver_leaves_at_his_own_deal_pays_it_and_gets_no_cards():
    table = rotation.leave(open_table((1, 2, 3)), 2)
    assert rotation.next_deal(table) == (1, (1, 2, 3))  # until then his seat is played
    _, table = play(table)
    assert rotation.next_deal(table) == (2, (1, 3))
    _, table = play(table)
    assert table.players == (1, 3)
    assert play(table)[0] == 3
    assert play(table)[1].orbits == 1  # the orbit went on without him


def test_a_leaver_who_has_dealt_stays_until_his_next_deal():
    _, table = play(open_table((1, 2, 3)))
    table = rotation.leave(table, 1)
    dealers = []
    while 1 in table.players:
        dealer, table = play(table)
        dealers.append(dealer)
    assert dealers == [2, 3, 1]


def test_an_empty_seat_gets_no_turn():
    # Leaving the empty seat its turn let deals drift apart by 52 in a trial.
    table = open_table((1, 2, 3, 4))
    _, table = play(table, knocked_out=(3,))
    assert rotation.deal_order(table) == (2, 4)


def test_a_deal_is_neither_missed_nor_doubled_after_a_knock_out():
    # pokerth 541: blinds missed or doubled when the next player, or the dealer himself, was knocked out.
    table = open_table((1, 2, 3, 4))
    dealer, table = play(table, knocked_out=(1, 2))
    assert dealer == 1
    assert [play(table)[0], play(play(table)[1])[0]] == [3, 4]
    assert play(play(table)[1])[1].orbits == 1


def test_a_newcomer_enters_between_orbits():
    table = open_table((1, 2), seats=4)
    _, table = play(table)
    table = rotation.enter(table, 9, 3)
    assert table.players == (1, 2) and table.free_seats == (2,)
    _, table = play(table)
    assert table.players == (1, 2, 9) and table.orbits == 1
    assert rotation.deal_order(table) == (9, 1, 2)


def test_a_newcomer_at_a_fresh_table_sits_down_at_once():
    assert rotation.enter(open_table((1, 2), seats=3), 9, 2).players == (1, 2, 9)


def test_a_mover_who_has_dealt_waits_and_one_who_has_not_deals():
    _, table = play(open_table((1, 2), seats=4))
    done = rotation.move_in(table, 8, 2, due=False)
    assert rotation.deal_order(done) == (2,)
    due = rotation.move_in(table, 8, 2, due=True)
    assert rotation.deal_order(due) == (2, 8)
    assert rotation.deal_order(rotation.move_in(open_table((1, 2), seats=3), 8, 2, due=False)) == (1, 2, 8)


def test_a_mover_who_comes_in_mid_deal_does_not_deal_the_running_deal():
    table = rotation.begin_deal(open_table((1, 2), seats=4, first_dealer=2))
    table = rotation.move_in(table, 8, 2, due=True)
    table = rotation.finish_deal(table)
    assert rotation.deal_order(table) == (8, 1)


def test_soonest_seats_come_in_the_order_of_the_deal():
    _, table = play(open_table((1, 2), seats=5))
    assert rotation.soonest_seats(table) == (2, 3, 4)


def test_nobody_is_taken_off_a_table_in_mid_deal():
    table = rotation.begin_deal(open_table((1, 2, 3)))
    for act in (lambda: rotation.remove(table, 2), lambda: rotation.begin_deal(table)):
        with pytest.raises(BadEvent) as refusal:
            act()
        assert refusal.value.code == "mid_deal"


def test_too_few_for_a_deal_let_the_leavers_go():
    table = rotation.leave(open_table((1, 2)), 1)
    assert rotation.next_deal(table) is None
    assert rotation.let_leavers_go(table).players == (2,)
    with pytest.raises(BadEvent):
        rotation.begin_deal(table)


@pytest.mark.parametrize(
    ("act", "code"),
    [
        (lambda t: rotation.enter(t, 5, 0), "seat_taken"),
        (lambda t: rotation.move_in(t, 1, 3, due=True), "already_here"),
        (lambda t: rotation.leave(t, 99), "not_at_table"),
        (lambda t: rotation.remove(t, 99), "not_at_table"),
        (lambda t: rotation.finish_deal(t), "no_deal"),
        (lambda t: open_table((1, 1)), "bad_table"),
        (lambda t: open_table(()), "bad_table"),
    ],
)
def test_what_cannot_be_is_refused(act, code):
    with pytest.raises(BadEvent) as refusal:
        act(open_table((1, 2), seats=4))
    assert refusal.value.code == code


def test_deals_owed_are_shares_of_the_deals_played():
    ledger = deals_and_owed([DealSeen(1, (1, 2)), DealSeen(2, (1, 2)), DealSeen(3, (1, 2, 3))])
    assert ledger == {1: (1, Fraction(4, 3)), 2: (1, Fraction(4, 3)), 3: (1, Fraction(1, 3))}


def test_the_next_orbit_begins_left_of_who_ends_this_one():
    _dealer, table = play(open_table((1, 2, 3), seats=4))
    assert rotation.deal_order(table) == (2, 3)
    assert rotation.next_orbit_order(table) == (1, 2, 3)
    assert rotation.next_orbit_order(play(table)[1]) == (1, 2, 3)
