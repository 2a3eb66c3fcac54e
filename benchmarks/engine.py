"""Random playouts per second of both games beside RLCard's uno and OpenSpiel's hearts, on one core.

    python -m benchmarks.engine [--seconds 2] [--rounds 5] [--json]

Every engine plays by one protocol: deal at random, list the legal moves, take
one of them uniformly at random, until the deal is over. Dealing is in the
time, only decisions of players are counted as actions (OpenSpiel deals by
chance nodes, which are not counted). The engines take turns, ``--rounds``
times, so that a busy machine hits all of them alike; the median counts.

RLCard and OpenSpiel are the dependency group ``bench`` and may be missing.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from random import Random
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from games.rules import GAMES
from games.rules.cards import PACK
from games.rules.interface import CHANCE

Playout = Callable[[], int]
"""Plays one deal and returns how many actions the players took."""

REFERENCE = "RLCard uno"


def our_playout(name: str, count: int, dice: Random) -> Playout:
    """Return the playout of a game of ours with ``count`` seats and default options.

    Sorting by random keys is a uniform shuffle too, and quicker than ``random.shuffle``.
    """
    game = GAMES[name]
    actor, legal_moves, apply, random = game.actor, game.legal_moves, game.apply, dice.random
    options = game.parse_options({})
    seats = tuple(range(1, count + 1))

    def shuffled(cards: Sequence[str]) -> tuple[str, ...]:
        return tuple(sorted(cards, key=lambda _: random()))

    def play() -> int:
        dealer = seats[int(random() * count)]
        state = game.new_deal(seats=seats, dealer=dealer, deck=shuffled(PACK), options=options)
        actions = 0
        while (seat := actor(state)) is not None:
            if seat == CHANCE:
                state = apply(state, " ".join(("shuffle", *shuffled(game.to_shuffle(state))))).state
                continue
            legal = legal_moves(state)
            state = apply(state, legal[int(random() * len(legal))]).state
            actions += 1
        return actions

    return play


def rlcard_playout(dice: Random) -> Playout:
    """Return the playout of RLCard's uno through its environment, as its users play it."""
    import rlcard

    env = rlcard.make("uno", config={"seed": 1})

    def play() -> int:
        state, _ = env.reset()
        actions = 0
        while not env.is_over():
            legal = list(state["legal_actions"])
            state, _ = env.step(legal[int(dice.random() * len(legal))])
            actions += 1
        return actions

    return play


def rlcard_bare_playout(dice: Random) -> Playout:
    """Return the playout of RLCard's uno without its environment: the bare rules, no observations."""
    from rlcard.games.uno import Game

    game = Game()

    def play() -> int:
        game.init_game()
        actions = 0
        while not game.is_over():
            legal = game.get_legal_actions()
            game.step(legal[int(dice.random() * len(legal))])
            actions += 1
        return actions

    return play


def open_spiel_playout(dice: Random) -> Playout:
    """Return the playout of OpenSpiel's hearts (C++ behind Python calls)."""
    import pyspiel

    game = pyspiel.load_game("hearts")

    def play() -> int:
        state = game.new_initial_state()
        actions = 0
        while not state.is_terminal():
            legal = state.legal_actions()
            actions += not state.is_chance_node()
            state.apply_action(legal[int(dice.random() * len(legal))])
        return actions

    return play


def measure(playout: Playout, seconds: float) -> tuple[float, float]:
    """Return (playouts, actions) a second over about ``seconds`` of processor time."""
    playouts = actions = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds:
        for _ in range(10):
            actions += playout()
        playouts += 10
    return playouts / spent, actions / spent


def engines(dice: Random) -> dict[str, Playout]:
    """Return every engine that is installed, by the name it has in the table."""
    found: dict[str, Playout] = {
        "3-Card Loo, 5 seats": our_playout("three_card_loo", 5, dice),
        "3-Card Loo, 7 seats": our_playout("three_card_loo", 7, dice),
        "3-Card Loo, 16 seats": our_playout("three_card_loo", 16, dice),
        "Least Score, 2 seats": our_playout("least_score", 2, dice),
        "Least Score, 4 seats": our_playout("least_score", 4, dice),
        "Least Score, 6 seats": our_playout("least_score", 6, dice),
    }
    others = {
        REFERENCE: rlcard_playout,
        "RLCard uno, bare rules": rlcard_bare_playout,
        "OpenSpiel hearts": open_spiel_playout,
    }
    for name, make in others.items():
        try:
            found[name] = make(dice)
        except ImportError as error:
            print(f"{name} is left out: {error}", file=sys.stderr)
    return found


def pin() -> None:
    """Stay on one core where the system allows it."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def table(rates: dict[str, tuple[float, float]]) -> list[str]:
    """Return the result as a Markdown table with ratios to both references where they were measured."""
    lines = [
        "| engine | playouts/s | actions/s | to RLCard uno | to OpenSpiel hearts |",
        "|---|---|---|---|---|",
    ]
    for name, (playouts, actions) in rates.items():
        ratios = [
            f"{actions / rates[other][1]:.2f}" if other in rates else ""
            for other in (REFERENCE, "OpenSpiel hearts")
        ]
        lines.append(f"| {name} | {playouts:,.0f} | {actions:,.0f} | {ratios[0]} | {ratios[1]} |")
    return lines


def versions() -> str:
    """Return what was measured with what."""
    told = [f"Python {platform.python_version()}"]
    for package in ("rlcard", "open_spiel"):
        try:
            told.append(f"{package} {version(package)}")
        except ImportError:
            continue
    return ", ".join(told)


def main() -> None:
    """Parse the command line, measure, print."""
    parser = argparse.ArgumentParser(description="Measure random playouts beside RLCard and OpenSpiel.")
    parser.add_argument("--seconds", type=float, default=2.0, help="processor time for an engine in a round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    pin()
    playouts = engines(Random(1))
    rounds = [
        {name: measure(play, args.seconds) for name, play in playouts.items()} for _ in range(args.rounds)
    ]
    rates = {
        name: (median(one[name][0] for one in rounds), median(one[name][1] for one in rounds))
        for name in playouts
    }
    if args.json:
        print(json.dumps({"versions": versions(), "playouts_and_actions_a_second": rates}))
        return
    print(f"{versions()}, one core, median of {args.rounds} rounds of {args.seconds:g} s")
    print("\n".join(table(rates)))


if __name__ == "__main__":
    main()
