"""Where a simulated event gets its scores from: quick dice, or the real rules with bots that play any legal move."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from games.rules import GAMES
from games.rules.cards import PACK
from games.rules.interface import CHANCE

Scores = dict[int, int]
Play = Callable[[tuple[int, ...], int, int, Random], tuple[Scores, int]]


@dataclass(frozen=True)
class Source:
    """A game's scores: ``play(players, dealer, pot, rng)`` returns scores and the pot that stays."""

    low_wins: bool
    fewest: int
    most: int
    play: Play


def source(game: str, *, real: bool) -> Source:
    """Return the source of scores of a game; raises ``KeyError`` for an unknown game."""
    low_wins = {"least_score": True, "three_card_loo": False}[game]
    if real:
        rules = GAMES[game]
        options = rules.parse_options({"min_players": 3} if game == "three_card_loo" else {})
        fewest, most = rules.seat_range(options)
        return Source(low_wins, fewest, most, _real(game, options))
    return Source(low_wins, 2 if low_wins else 3, 6 if low_wins else 16, _least_score if low_wins else _loo)


def _least_score(players: tuple[int, ...], dealer: int, pot: int, rng: Random) -> tuple[Scores, int]:
    """Dice of about the size of Least Score: the declarer 0 and the others their surplus, or the declarer caught."""
    declarer = players[int(rng.random() * len(players))]
    if rng.random() < 0.15:
        return {player: 21 + int(rng.random() * 8) if player == declarer else 0 for player in players}, 0
    return {player: 0 if player == declarer else 1 + int(rng.random() * 17) for player in players}, 0


def _loo(players: tuple[int, ...], dealer: int, pot: int, rng: Random) -> tuple[Scores, int]:
    """Dice of about the shape of Loo: the dealer pays 3, three tricks go to those in, the looed pay 3."""
    scores = dict.fromkeys(players, 0)
    scores[dealer] -= 3
    pot += 3
    playing = [player for player in players if rng.random() < 0.5] or [dealer]
    third = pot // 3
    takers = [playing[int(rng.random() * len(playing))] for _ in range(3)]
    for taker in takers:
        scores[taker] += third
    looed = [player for player in playing if player not in takers]
    for player in looed:
        scores[player] -= 3
    return scores, pot - 3 * third + 3 * len(looed)


def _real(game: str, options: Any) -> Play:
    """Return the player of real deals: a shuffled pack, every move any legal one."""
    rules = GAMES[game]

    def play(players: tuple[int, ...], dealer: int, pot: int, rng: Random) -> tuple[Scores, int]:
        seat_of = {player: seat for seat, player in enumerate(players, 1)}
        while True:
            deck = list(PACK)
            rng.shuffle(deck)
            carried = {"pot": pot} if game == "three_card_loo" else {}
            state = rules.new_deal(
                seats=tuple(seat_of.values()),
                dealer=seat_of[dealer],
                deck=tuple(deck),
                options=options,
                **carried,
            )
            while (actor := rules.actor(state)) is not None:
                if actor == CHANCE:
                    stock = list(rules.to_shuffle(state))
                    rng.shuffle(stock)
                    move = " ".join(["shuffle", *stock])
                else:
                    legal = rules.legal_moves(state)
                    move = legal[int(rng.random() * len(legal))]
                state = rules.apply(state, move).state
            outcome: Any = rules.outcome(state)
            if game == "three_card_loo":
                gained = dict(outcome.deltas)
                return {player: gained[seat] for player, seat in seat_of.items()}, outcome.pot
            if outcome.reason != "void":  # a void deal is dealt again by the same dealer (S11)
                return dict(zip(players, outcome.scores, strict=True)), 0

    return play
