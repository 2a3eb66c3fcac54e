"""What a match says about the skill of those who played it: Weng and Lin's update of the Plackett-Luce model.

R. C. Weng, C.-J. Lin, "A Bayesian Approximation Method for Online Ranking",
Journal of Machine Learning Research 12 (2011) 267-300, algorithm 4, as the library
``openskill`` computes it, with two changes (``_rate``). Every number is rounded to nine decimals, so that the
last bits of another machine's logarithms change nothing (docs/ratings.md).
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

from openskill.models import PlackettLuce

MU = 25.0
SIGMA = 25.0 / 3
BETA = 25.0 / 6
"""How much one match of the same player differs from the next: the unit of chance."""

TAU = 25.0 / 300
"""What every match adds to the doubt, so that a rating never freezes."""

REST_A_DAY = 0.25
"""What a day without a match adds to the doubt, as a standard deviation: after a year about 4.8."""

CENTRE = 1000
A_UNIT = 30
"""Points for a unit of skill: between settled players 400 points are odds of about ten to one."""

PROVISIONAL_ABOVE = 5.0
"""A rating is provisional above that doubt: it falls below after some 13 matches of two, 6 of five, 4 of sixteen."""

DECIMALS = 9


class Skill(NamedTuple):
    """What is believed of a player: the mean and the standard deviation of a normal distribution.

    A match can teach so little that the doubt it adds weighs more; it never grows beyond a newcomer's.
    """

    mu: float
    sigma: float

    @property
    def points(self) -> int:
        """The rating that people see: what the skill is above with a chance of 99.9 %; newcomers have 1000."""
        return round(CENTRE + A_UNIT * (self.mu - 3 * self.sigma))

    @property
    def is_provisional(self) -> bool:
        """Whether too little is known of the player to compare the rating with others."""
        return self.sigma > PROVISIONAL_ABOVE


NEWCOMER = Skill(MU, round(SIGMA, DECIMALS))


def rested(skill: Skill, days: int) -> Skill:
    """Return what is believed of a player after ``days`` without a match: never less than of a newcomer."""
    if days <= 0:
        return skill
    doubt = math.sqrt(skill.sigma**2 + REST_A_DAY**2 * days)
    return Skill(skill.mu, max(skill.sigma, min(NEWCOMER.sigma, round(doubt, DECIMALS))))


def after_match(skills: Sequence[Skill], places: Sequence[int], players: Sequence[Hashable]) -> list[Skill]:
    """Return the skill of each of ``players`` after a match in which they took ``places`` (equal ones are ties).

    A player who holds several seats (a bot) moves by the mean of what the seats
    say: at one table they are one witness, not several. The order of the seats
    must be the same whenever a match is counted again. Raises ``ValueError`` for
    fewer than two players, who tell nothing about each other.
    """
    if len(set(players)) < 2:
        raise ValueError("a match is rated between at least two players")
    after = _rate(skills, places)
    return [_mean([s for s, other in zip(after, players, strict=True) if other == one]) for one in players]


def _rate(skills: Sequence[Skill], places: Sequence[int]) -> list[Skill]:
    """Move each seat's skill by one step of Newton's method along what the library finds.

    Two things are not as in the paper. All variances are scaled from those of the table to those of a
    pair: chance is measured by their sum, so that a unit of skill would mean less the more play,
    and ratings from tables of two and of sixteen could not be compared. And the step is divided by the
    curvature that it lowers the doubt by: a newcomer among many whose skill is known would be thrown
    three deviations by one last place.
    """
    scale = 2 / len(skills)
    model = PlackettLuce(
        mu=MU, sigma=SIGMA, beta=BETA * math.sqrt(scale), tau=TAU * math.sqrt(scale), gamma=_probe
    )
    teams = [[model.rating(skill.mu, skill.sigma * math.sqrt(scale))] for skill in skills]
    rated = model.rate(teams, ranks=[float(place) for place in places])
    after = []
    for skill, (found,) in zip(skills, rated, strict=True):
        variance = skill.sigma**2 + TAU**2
        told = (1 - found.sigma**2 / (variance * scale)) / (PROBE * scale)
        after.append(
            Skill(skill.mu + (found.mu - skill.mu) / scale / (1 + told), math.sqrt(variance / (1 + told)))
        )
    return after


PROBE = 0.001
"""How much of the curvature the library takes from the variances: so little that its own floor is never met."""


def _probe(*_: Any) -> float:
    """What the library asks for as gamma."""
    return PROBE


def _mean(skills: Sequence[Skill]) -> Skill:
    mu = sum(skill.mu for skill in skills) / len(skills)
    sigma = sum(skill.sigma for skill in skills) / len(skills)
    return Skill(round(mu, DECIMALS), min(round(sigma, DECIMALS), NEWCOMER.sigma))
