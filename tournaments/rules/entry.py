"""Deals played with real cards: what a score sheet says, checked and turned into scores.

The sheet gives what anybody at the table can see (who declared with which total, who was
in, who took how many tricks); the scores follow from the rules of the games. Players are
any distinct integers. Rule numbers are those of docs/rules/.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from games.rules.least_score_state import HAND_SIZE, WRONG_DECLARATION
from games.rules.three_card_loo_deal import TRICKS
from games.rules.three_card_loo_options import ANTE, Options, antes, loo_amount
from tournaments.rules.errors import BadEvent

MOST_POINTS = HAND_SIZE * 10


@dataclass(frozen=True)
class LooSheet:
    """A deal of 3-Card Loo as written down.

    ``playing`` who was in, ``tricks`` how many each took (missing: none), ``miss`` who
    played the miss, ``defended`` whether the dealer defended with it.
    """

    playing: frozenset[int]
    tricks: Mapping[int, int]
    miss: int | None = None
    defended: bool = False


@dataclass(frozen=True)
class LooScores:
    """Net stakes of everybody at the table, who was looed, and the pot that stays."""

    scores: Mapping[int, int]
    looed: tuple[int, ...]
    pot: int


def least_score_scores(
    totals: Mapping[int, int], declarer: int | None, *, tie: str = "success"
) -> dict[int, int]:
    """Return the scores of a deal of Least Score from everybody's total (S9, S10; S12 without a declarer).

    ``tie`` is the game's option: a tie for lowest is a "success", or the declarer is "caught".
    Raises ``BadEvent`` (``too_few_players``, ``bad_total``, ``not_at_table``).
    """
    if len(totals) < 2:
        raise BadEvent("too_few_players", "a deal has at least two players")
    for player, total in totals.items():
        if type(total) is not int or not 1 <= total <= MOST_POINTS:
            raise BadEvent("bad_total", f"the total of player {player} must be from 1 to {MOST_POINTS}")
    lowest = min(totals.values())
    if declarer is None:
        return {player: total - lowest for player, total in totals.items()}
    if declarer not in totals:
        raise BadEvent("not_at_table", f"player {declarer} does not sit at this table")
    own = totals[declarer]
    tied = list(totals.values()).count(lowest) > 1
    if own == lowest and not (tied and tie == "caught"):
        return {player: total - own for player, total in totals.items()}
    caught = WRONG_DECLARATION + own - lowest
    return {player: caught if player == declarer else 0 for player in totals}


def loo_scores(
    players: Sequence[int], dealer: int, carried: int, sheet: LooSheet, options: Options
) -> LooScores:
    """Return what a deal of 3-Card Loo paid, with ``carried`` stakes in the pot before the antes.

    Raises ``BadEvent`` (``not_at_table``, ``bad_pot``, ``nobody_in``, ``bad_tricks``, ``bad_miss``).
    """
    _check_loo(players, dealer, carried, sheet, options)
    scores = {p: -ANTE if options.ante == "everyone" or p == dealer else 0 for p in players}
    pot = carried + antes(options, len(players))
    if not any(sheet.tricks.values()):
        (winner,) = sheet.playing
        scores[winner] += pot
        return LooScores(scores, (), 0)
    third, loo, left = pot // TRICKS, loo_amount(options, pot), pot
    looed: list[int] = []
    for player in sorted(sheet.playing):
        if sheet.defended and player == dealer:
            continue  # He neither gains nor pays (L11).
        won = sheet.tricks.get(player, 0)
        paid = third * won if won else -loo
        looed += [] if won else [player]
        scores[player] += paid
        left -= paid
    return LooScores(scores, tuple(looed), left)


def split_pot(order: Sequence[int], pot: int) -> dict[int, int]:
    """Return how the pot is shared after the last deal (L21): equally, odd stakes to the first of ``order``.

    ``order`` begins at the last dealer's left.
    """
    each, odd = divmod(pot, len(order))
    return {player: each + (place < odd) for place, player in enumerate(order)}


def _check_loo(
    players: Collection[int], dealer: int, carried: int, sheet: LooSheet, options: Options
) -> None:
    named = {dealer, *sheet.playing, *sheet.tricks} | (set() if sheet.miss is None else {sheet.miss})
    if strangers := named - set(players):
        raise BadEvent("not_at_table", f"player {min(strangers)} does not sit at this table")
    if carried < 0:
        raise BadEvent("bad_pot", "the pot cannot be below zero")
    if not sheet.playing:
        raise BadEvent("nobody_in", "somebody wins every deal: the dealer, if all others fold")
    _check_tricks(sheet)
    if sheet.miss is not None and sheet.miss not in sheet.playing:
        raise BadEvent("bad_miss", "whoever took the miss must play")
    if sheet.defended:
        _check_defence(dealer, sheet, options)


def _check_tricks(sheet: LooSheet) -> None:
    tricks = [n for n in sheet.tricks.values() if n]
    if any(n < 0 for n in tricks) or any(n and p not in sheet.playing for p, n in sheet.tricks.items()):
        raise BadEvent("bad_tricks", "only players who were in can take tricks")
    if len(sheet.playing) == 1 and tricks:
        raise BadEvent("bad_tricks", "a player to whom all others folded takes the pot without a trick")
    if len(sheet.playing) > 1 and sum(tricks) != TRICKS:
        raise BadEvent("bad_tricks", f"the tricks of a deal are {TRICKS}, not {sum(tricks)}")


def _check_defence(dealer: int, sheet: LooSheet, options: Options) -> None:
    if dealer not in sheet.playing or sheet.miss not in (None, dealer):
        raise BadEvent("bad_miss", "the dealer can defend the miss only if nobody else took it")
    if options.defend == "lone" and len(sheet.playing) != 2:
        raise BadEvent("bad_miss", "the dealer can defend the miss against a lone player only")
