from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.rules.board import ABSENT, APART, Board
from tournaments.rules.catalogue import to_rounds
from tournaments.rules.meetings import measure
from tournaments.rules.sizes import split_evenly


def make_board(rng):
    players, rounds = rng.randrange(6, 16), rng.randrange(1, 5)
    out = rng.randrange(0, 3)
    sizes = split_evenly(players - out, rng.randrange(2, 4))
    absent = [frozenset(rng.sample(range(players), out)) for _ in range(rounds)]
    met = [[0] * players for _ in range(players)]
    for i in range(players):
        for j in range(i):
            met[i][j] = met[j][i] = rng.choice((0, 0, 0, 1, 2))
    board = Board([sizes] * rounds, absent, met, [0] * players, apart=[(0, 1)])
    board.seat_at_random(rng)
    return board


def rebuilt(board):
    fresh = Board([tuple(sizes) for sizes in board.sizes], board.absent, board.base, board.base_visits)
    fresh.load(board.table)
    return fresh


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10**6))
def test_the_books_of_the_board_stay_right_over_any_swaps(seed):
    rng = Random(seed)
    board = make_board(rng)
    offset = board.offset
    for _ in range(30):
        r, i, j = rng.randrange(len(board.table)), rng.randrange(board.players), rng.randrange(board.players)
        a, b = board.table[r][i], board.table[r][j]
        if a == b or ABSENT in (a, b):
            continue
        before, change = board.price, board.change(r, i, j)
        board.swap(r, i, j, change)
        assert board.price == before + change
    fresh = rebuilt(board)
    assert board.price == fresh.price - offset
    assert board.met == fresh.met
    assert board.weight == fresh.weight
    assert board.visits == fresh.visits
    assert [[sorted(t) for t in tables] for tables in board.members] == [
        [sorted(t) for t in tables] for tables in fresh.members
    ]


@given(st.integers(0, 10**6))
def test_the_price_is_q_when_nothing_is_kept_apart(seed):
    rng = Random(seed)
    board = Board([(4, 3, 3)] * 3, [frozenset()] * 3, [[0] * 10 for _ in range(10)], [0] * 10)
    board.seat_at_random(rng)
    names = tuple(range(10))
    figures = measure(to_rounds(board.table, names), names)
    assert board.price == figures.q
    assert figures.larger_spread <= 1


@given(st.integers(0, 10**6))
def test_allowed_swaps_never_widen_the_visits_to_larger_tables(seed):
    rng = Random(seed)
    board = Board([(4, 3, 3)] * 4, [frozenset()] * 4, [[0] * 10 for _ in range(10)], [0] * 10)
    board.seat_at_random(rng)
    for _ in range(60):
        r, i, j = rng.randrange(4), rng.randrange(10), rng.randrange(10)
        if board.table[r][i] != board.table[r][j] and board.keeps_visits(r, i, j):
            board.swap(r, i, j, board.change(r, i, j))
            assert max(board.visits) - min(board.visits) <= 1


def test_keeping_a_pair_apart_is_worth_any_repeat():
    board = Board([(2, 2)], [frozenset()], [[0] * 4 for _ in range(4)], [0] * 4, apart=[(0, 1)])
    board.load([[0, 0, 1, 1]])
    assert board.price == APART
    board.load([[0, 1, 0, 1]])
    assert board.price == 0
