"""What a match says about skill: against the paper's algorithm written out, with ties, at tables of 2 to 16."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from itertools import pairwise

import pytest

from games.skill import BETA, MU, NEWCOMER, TAU, Skill, after_match, rested


def by_the_paper(skills: Sequence[Skill], places: Sequence[int]) -> list[Skill]:
    """Weng and Lin's algorithm 4 for one player a team, c that of a pair whatever the table, the step Newton's."""
    count = len(skills)
    variances = [skill.sigma**2 + TAU**2 for skill in skills]
    c = math.sqrt(2 / count * sum(variance + BETA**2 for variance in variances))
    worth = [math.exp(skill.mu / c) for skill in skills]
    left = [sum(worth[i] for i in range(count) if places[i] >= places[q]) for q in range(count)]
    after = []
    for i, skill in enumerate(skills):
        omega = delta = 0.0
        for q in range(count):
            if places[q] <= places[i]:
                chance, tied = worth[i] / left[q], places.count(places[q])
                omega += ((q == i) - chance) / tied
                delta += chance * (1 - chance) / tied
        told = variances[i] / c**2 * delta
        mu = skill.mu + variances[i] / c * omega / (1 + told)
        after.append(Skill(mu, math.sqrt(variances[i] / (1 + told))))
    return after


def field(count: int, dice: random.Random) -> list[Skill]:
    return [Skill(dice.gauss(MU, 5), dice.uniform(1, 7)) for _ in range(count)]


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("count", range(2, 17))
def test_a_match_is_rated_as_the_paper_has_it(count: int, ties: bool) -> None:
    dice = random.Random(f"{count} {ties}")
    for _ in range(20):
        skills = field(count, dice)
        scores = [dice.randint(1, max(2, count // 3)) if ties else n for n in range(1, count + 1)]
        dice.shuffle(scores)
        places = [1 + sum(other < score for other in scores) for score in scores]
        rated = after_match(skills, places, range(count))
        for mine, paper in zip(rated, by_the_paper(skills, places), strict=True):
            assert mine == pytest.approx(paper, abs=1e-8)


@pytest.mark.parametrize("count", range(2, 17))
def test_among_newcomers_a_better_place_is_worth_more(count: int) -> None:
    rated = after_match([NEWCOMER] * count, range(1, count + 1), range(count))
    assert all(better.mu > worse.mu for better, worse in pairwise(rated))
    assert all(skill.sigma < NEWCOMER.sigma for skill in rated)


@pytest.mark.parametrize("count", [2, 5, 16])
def test_those_who_share_a_place_are_rated_alike(count: int) -> None:
    rated = after_match([NEWCOMER] * count, [1] * count, range(count))
    assert all(skill == (MU, rated[0].sigma) for skill in rated)


def test_a_unit_of_skill_means_the_same_at_every_table() -> None:
    """Unscaled, the winner of sixteen newcomers would gain no more than the winner of two."""
    gains = [after_match([NEWCOMER] * n, range(1, n + 1), range(n))[0].mu - MU for n in (2, 5, 16)]
    assert gains[0] < gains[1] < gains[2]


def test_one_bad_evening_does_not_condemn_a_newcomer() -> None:
    """By the paper's own step the last of sixteen would fall by 24, and nobody would doubt it."""
    known = [Skill(MU, 1.7)] * 15
    last = after_match([*known, NEWCOMER], range(1, 17), range(16))[-1]
    assert MU - NEWCOMER.sigma < last.mu < MU - 4
    assert last.sigma > 4


def test_what_machines_may_differ_in_is_rounded_away() -> None:
    rated = after_match(field(5, random.Random(5)), [1, 2, 2, 4, 5], range(5))
    assert all(value == round(value, 9) for skill in rated for value in skill)


def test_seats_of_one_bot_are_one_witness() -> None:
    alone = after_match([NEWCOMER] * 4, [1, 2, 3, 4], range(4))
    shared = after_match([NEWCOMER] * 4, [1, 2, 3, 4], ["steady", "steady", "random", "random"])
    assert shared[0] == shared[1] and shared[2] == shared[3]
    assert shared[0].mu == pytest.approx((alone[0].mu + alone[1].mu) / 2)


@pytest.mark.parametrize("players", [[], ["one"], ["one", "one"]])
def test_nobody_is_rated_against_nobody(players: list[str]) -> None:
    with pytest.raises(ValueError, match="two players"):
        after_match([NEWCOMER] * len(players), [1] * len(players), players)


def test_doubt_never_grows_beyond_a_newcomers() -> None:
    """A match whose outcome was certain teaches nothing and still adds its tau."""
    rated = after_match([Skill(120, 1), Skill(-20, NEWCOMER.sigma)], [1, 2], [1, 2])
    assert rated[1].sigma == NEWCOMER.sigma
    assert rested(Skill(30, 2), 10**6) == (30, NEWCOMER.sigma)


@pytest.mark.parametrize(("days", "provisional"), [(-1, False), (0, False), (200, False), (400, True)])
def test_a_year_without_a_match_makes_a_rating_provisional_again(days: int, provisional: bool) -> None:
    skill = rested(Skill(30, 2), days)
    assert (skill.mu, skill.is_provisional) == (30, provisional)
    assert skill.sigma >= 2


@pytest.mark.parametrize(("count", "matches"), [(2, 13), (5, 6), (16, 4)])
def test_a_rating_settles_after_some_matches(count: int, matches: int) -> None:
    """What docs/ratings.md says about newcomers who are equally good."""
    dice, skills = random.Random(count), [NEWCOMER] * count
    settled = [0] * count
    for match in range(1, 60):
        skills = after_match(skills, dice.sample(range(1, count + 1), count), range(count))
        settled = [
            at or (0 if skill.is_provisional else match) for at, skill in zip(settled, skills, strict=True)
        ]
    assert abs(sum(settled) / count - matches) <= 2


def test_points_are_what_skill_is_surely_above() -> None:
    assert (NEWCOMER.points, Skill(25, 0).points, Skill(35, 2).points) == (1000, 1750, 1870)
