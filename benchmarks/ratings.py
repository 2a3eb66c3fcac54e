"""Thousands of matches of bots, some of which leave: do the ratings come out the same when all is counted again?

    .venv/bin/python -m benchmarks.ratings --matches 2500

It starts engines of its own in a temporary folder (nothing of the site's data is
touched) and plays that many matches of each game by the product's own service.
Meanwhile it counts them itself, from what it saw. Exit 1 if the stored ratings are not
its own to the last digit, if ``recompute_ratings --check`` finds a difference, if a
rating that was spoilt is not mended by ``recompute_ratings``, or if the steady
bots do not end above the random ones.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

import django

from config.engines.running import Engines

SHORT = {"least_score": {"match": "first_out", "threshold": 25}, "three_card_loo": {}}


def main() -> int:
    """Play, check and print what was seen."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--matches", type=int, default=5000, help="matches of each game")
    parser.add_argument("--leavers", type=float, default=0.1, help="how likely a seat leaves its match")
    parser.add_argument("--budget", type=int, default=0, help="continuations a bot imagines for a move")
    parser.add_argument("--seed", default="ratings")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ratings-") as folder:
        Path(folder).chmod(0o755)
        engines = Engines(Path(folder))
        os.environ.update(engines.start())
        os.environ.update(SECRET_KEY="only for this benchmark", DJANGO_SETTINGS_MODULE="config.settings")
        try:
            django.setup()
            from django.core.management import call_command

            call_command("migrate", verbosity=0)
            return max([_one_game(game, options) for game in SHORT])
        finally:
            engines.stop()


def _one_game(game: str, options: argparse.Namespace) -> int:
    from games import services
    from games.models import RatingChange, RatingPool
    from games.skill import NEWCOMER, Skill, after_match

    plan = services.BotMatches(game, options.seed, SHORT[game], options.leavers, options.budget)
    own: dict[str, Skill] = {}
    start = time.perf_counter()
    for number in range(1, options.matches + 1):
        played = services.rate_bots(plan, number)
        placed = sorted((seat, place) for place, seat in played.ranking)
        levels = [played.levels[seat] for seat, _place in placed]
        before = [own.get(level, NEWCOMER) for level in levels]
        own |= zip(levels, after_match(before, [place for _seat, place in placed], levels), strict=True)
    seconds = time.perf_counter() - start
    pool = RatingPool.objects.get(club=None, game=game)
    changes = RatingChange.objects.filter(match__pool=pool)
    left = changes.filter(abandoned=True).count()
    print(
        f"{game}: {pool.last} matches of {changes.count()} seats in {seconds:.0f} s, {left} seats left",
        flush=True,
    )
    standing = {row.bot_level: row.skill for row in pool.ratings.all()}
    for level, skill in sorted(standing.items(), key=lambda one: -one[1].points):
        print(f"  {level}: {skill.points} (mu {skill.mu:.4f}, sigma {skill.sigma:.4f})")
    start = time.perf_counter()
    differences = services.recompute_ratings(pool, store=False)
    print(f"  counted again in {time.perf_counter() - start:.1f} s: {len(differences)} differences")
    pool.ratings.update(mu=1, sigma=1, matches=1)
    services.recompute_ratings(pool, store=True)
    mended = {row.bot_level: row.skill for row in pool.ratings.all()} == standing
    print(f"  equal to what was seen: {own == standing}; mended when spoilt: {mended}")
    stronger = standing["steady"].points > standing["random"].points
    return int(bool(differences) or own != standing or not mended or not stronger)


if __name__ == "__main__":
    sys.exit(main())
