"""A match of Least Score: deals until the match ends, who is out, and the stakes (S14 to S16, S19)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from games.rules.errors import BadDeal
from games.rules.interface import POT, Event, MatchStep, Seat
from games.rules.least_score_options import Options, check_seats, dump_options, parse_options, seat_range
from games.rules.least_score_state import HAND_SIZE, WRONG_DECLARATION, Deal, Outcome

HIGHEST_HAND = HAND_SIZE * 10
LOWEST_HAND = 1


class Match(NamedTuple):
    """A match between two deals. ``totals`` stand by place in ``seats``.

    ``first_dealer`` was drawn, ``last_dealer`` dealt the last deal that counted (``None`` before the
    first). ``winner`` had the lowest hand of that deal. ``out`` holds the knocked-out in the order
    of elimination, those of one deal together. ``pot`` is in stakes.
    """

    options: Options
    seats: tuple[Seat, ...]
    first_dealer: Seat
    last_dealer: Seat | None
    winner: Seat | None
    deals: int
    totals: tuple[int, ...]
    out: tuple[tuple[Seat, ...], ...]
    pot: int
    over: bool


def new_match(*, seats: tuple[Seat, ...], dealer: Seat, options: Options) -> MatchStep:
    """Return a match before its first deal, the entries paid (S19); raises ``BadDeal`` as ``check_seats``."""
    check_seats(seats, dealer, options)
    begins: Event = {
        "type": "match_begins",
        "seats": list(seats),
        "dealer": dealer,
        "threshold": options.threshold,
    }
    entry = options.entry
    paid = tuple(_stakes(seat, POT, entry, "entry") for seat in seats if entry)
    totals = (0,) * len(seats)
    match = Match(options, seats, dealer, None, None, 0, totals, (), entry * len(seats), False)
    return MatchStep(match, (begins, *paid))


def _stakes(payer: Seat, payee: Seat, amount: int, reason: str) -> Event:
    return {"type": "stakes", "from": payer, "to": payee, "amount": amount, "reason": reason}


def in_play(match: Match) -> tuple[Seat, ...]:
    """Return the seats that are not knocked out, in order to the left."""
    gone = {seat for group in match.out for seat in group}
    return tuple(seat for seat in match.seats if seat not in gone)


def from_left(match: Match, seat: Seat, among: Iterable[Seat]) -> list[Seat]:
    """Return the seats of ``among`` in order to the left of ``seat``, ``seat`` itself last."""
    place, count = match.seats.index(seat), len(match.seats)
    return sorted(among, key=lambda each: (match.seats.index(each) - place - 1) % count)


def dealt_in(match: Match, live: tuple[Seat, ...] | None = None) -> tuple[Seat, ...]:
    """Return the seats, in order to the left, that the next deal is dealt to: the live ones still in play."""
    return tuple(seat for seat in in_play(match) if live is None or seat in live)


def carried(match: Match, live: tuple[Seat, ...] | None = None) -> dict[str, Any]:
    """Return who starts the next deal with ``starter = winner``, 0 for the dealer's left (S16)."""
    if match.options.starter == "left":
        return {}
    return {"starter": match.winner if match.winner in dealt_in(match, live) else 0}


def next_dealer(match: Match, live: tuple[Seat, ...] | None = None) -> Seat | None:
    """Return who deals next (S16), or ``None`` when the match is over or fewer than two seats are live."""
    playing = dealt_in(match, live)
    if match.over or len(playing) < seat_range(match.options)[0]:
        return None
    if match.last_dealer is not None:
        return from_left(match, match.last_dealer, playing)[0]
    if match.first_dealer in playing:
        return match.first_dealer
    return from_left(match, match.first_dealer, playing)[0]


def pass_deal(match: Match, dealer: Seat) -> Match:
    """Return the match with ``dealer`` next to deal; raises ``BadDeal`` for a seat that is not in play."""
    if dealer not in in_play(match):
        raise BadDeal("bad_dealer", f"the dealer, seat {dealer!r}, is not in play")
    return match._replace(first_dealer=dealer, last_dealer=None)


def carry_on(match: Match, results: Mapping[Seat, int]) -> Match:
    """Return a match before its first deal whose seats bring totals from tables before this one."""
    if match.deals:
        raise BadDeal("match_begun", "totals can be brought along before the first deal only")
    return match._replace(totals=tuple(results.get(seat, 0) for seat in match.seats))


def worst_case(match: Match, seat: Seat, live: tuple[Seat, ...] | None = None) -> int:
    """Return the most stakes the next deal can cost ``seat``: with ``per_point``, its worst score (S19).

    A wrong declaration of the highest hand allowed against a lone ace, or the highest hand when
    somebody declares a lone ace. The entry is paid before the match and no part of it.
    """
    if not match.options.per_point or seat not in dealt_in(match, live):
        return 0
    cap = match.options.declare_cap
    declaring = WRONG_DECLARATION + (HIGHEST_HAND if cap is None else cap) - LOWEST_HAND
    return max(declaring, HIGHEST_HAND - LOWEST_HAND)


def must_hold(match: Match, seat: Seat, live: tuple[Seat, ...] | None = None) -> int:
    """Return the stakes without which ``seat`` is not dealt in: no seat pays more than it holds (S19)."""
    return 0


def close_deal(match: Match, state: Deal, stacks: Mapping[Seat, int] | None = None) -> MatchStep:
    """Return the match after the finished deal ``state`` (S14, S15, S19).

    ``stacks`` (in stakes) limits what a seat pays by the point. After a void deal the match is
    unchanged (S11). Raises ``ValueError`` if the deal is not over or not of this match.
    """
    result = state.result
    if result is None:
        raise ValueError("the deal is not over")
    if dealt_in(match, state.seats) != state.seats or next_dealer(match, state.seats) != state.dealer:
        raise ValueError("this is not the next deal of the match")
    if result.reason == "void":
        return MatchStep(match, ())
    events = _point_stakes(state, result, stacks) if match.options.per_point else []
    scored = dict(zip(state.seats, result.scores, strict=True))
    totals = tuple(sum_ + scored.get(seat, 0) for seat, sum_ in zip(match.seats, match.totals, strict=True))
    events.append({"type": "totals", "totals": _by_seat(match.seats, totals)})
    after = match._replace(
        last_dealer=state.dealer, winner=_lowest(match, state, result), deals=match.deals + 1, totals=totals
    )
    over = tuple(seat for seat in in_play(match) if _total(after, seat) > match.options.threshold)
    if match.options.match == "counted":
        over = ()
    if over:
        events.append({"type": "knocked_out", "seats": list(over)})
        after = after._replace(out=(*after.out, over))
    if over and (match.options.match == "first_out" or len(in_play(after)) == 1):
        ended = end_match(after)
        return MatchStep(ended.match, (*events, *ended.events))
    return MatchStep(after, tuple(events))


def _lowest(match: Match, state: Deal, result: Outcome) -> Seat:
    """Return the lowest hand's seat; of equal hands the declarer's, if not caught, else the first from
    the dealer's left (S16)."""
    best = min(result.totals)
    lowest = [seat for seat, points in zip(state.seats, result.totals, strict=True) if points == best]
    if result.declarer in lowest and result.success:
        return result.declarer
    uncaught = [seat for seat in lowest if seat != result.declarer]
    return from_left(match, state.dealer, uncaught)[0]


def _total(match: Match, seat: Seat) -> int:
    return match.totals[match.seats.index(seat)]


def _by_seat(seats: tuple[Seat, ...], numbers: tuple[int, ...]) -> dict[str, int]:
    return {str(seat): number for seat, number in zip(seats, numbers, strict=True)}


def _point_stakes(state: Deal, result: Outcome, stacks: Mapping[Seat, int] | None) -> list[Event]:
    """Return what is paid by the point after a deal: nothing after a forced show (S19)."""
    declarer = result.declarer
    if declarer is None:
        return []
    place = state.seats.index(declarer)
    others = state.seats[place + 1 :] + state.seats[:place]
    score = dict(zip(state.seats, result.scores, strict=True))

    def due(seat: Seat) -> int:
        return score[seat] if stacks is None else min(score[seat], stacks.get(seat, 0))

    if result.success:
        paid = [(seat, declarer, due(seat)) for seat in others]
    else:
        paid = [(declarer, seat, share) for seat, share in _shares(due(declarer), others)]
    return [_stakes(payer, payee, amount, "per_point") for payer, payee, amount in paid if amount]


def _shares(amount: int, seats: Iterable[Seat]) -> list[tuple[Seat, int]]:
    """Split ``amount`` equally; the odd stakes go one each to the first of ``seats``."""
    shared = list(seats)
    each, odd = divmod(amount, len(shared))
    return [(seat, each + (place < odd)) for place, seat in enumerate(shared)]


def end_match(match: Match) -> MatchStep:
    """End the match now, paying the pot by the ranking now (S15, S19); a second end changes nothing."""
    if match.over:
        return MatchStep(match, ())
    places = ranking(match)
    prizes = _prizes(match, places)
    ended = match._replace(over=True, pot=0)
    over: Event = {
        "type": "match_over",
        "totals": _by_seat(match.seats, match.totals),
        "ranking": [list(row) for row in places],
    }
    paid = [_stakes(POT, seat, amount, "prize") for seat, amount in prizes if amount]
    return MatchStep(ended, (*paid, over))


def _prizes(match: Match, places: tuple[tuple[int, Seat], ...]) -> list[tuple[Seat, int]]:
    """Return each winner's part of the pot (S19).

    The winner takes all, or 70 % and the runner-up the rest (30 %, rounded down) when five or more
    entered. Those who share places share what these places win; odd stakes go one each from the
    left of the last dealer.
    """
    second = match.pot * 3 // 10 if match.options.prize == "split_70_30" and len(match.seats) >= 5 else 0
    prizes = (match.pot - second, second)
    dealer = match.first_dealer if match.last_dealer is None else match.last_dealer
    shares = []
    for rank in (1, 2):
        sharing = [seat for place, seat in places if place == rank]
        won = sum(prizes[rank - 1 : rank - 1 + len(sharing)])
        shares += _shares(won, from_left(match, dealer, sharing)) if sharing else []
    return shares


def match_over(match: Match) -> bool:
    """Return whether the match has ended."""
    return match.over


def ranking(match: Match) -> tuple[tuple[int, Seat], ...]:
    """Return (place, seat) best first: who is in play, then who went out last; lower totals better (S15)."""
    ranked: list[tuple[int, Seat]] = []
    for group in (in_play(match), *reversed(match.out)):
        ahead = len(ranked)
        points = sorted(_total(match, seat) for seat in group)
        ranked += sorted((ahead + 1 + points.index(_total(match, seat)), seat) for seat in group)
    return tuple(ranked)


def match_view(match: Match) -> dict[str, Any]:
    """Return the match's public facts, JSON-ready; ``dealer`` is next to deal if all in play are live."""
    return {
        "game": "least_score",
        "options": dump_options(match.options),
        "seats": list(match.seats),
        "deals": match.deals,
        "dealer": next_dealer(match),
        "last_dealer": match.last_dealer,
        "totals": _by_seat(match.seats, match.totals),
        "in_play": list(in_play(match)),
        "out": [list(group) for group in match.out],
        "pot": match.pot,
        "over": match.over,
        "ranking": [list(row) for row in ranking(match)],
    }


def dump_match(match: Match) -> dict[str, Any]:
    """Return the match as JSON values; ``load_match`` is its inverse."""
    return {
        **match._asdict(),
        "options": dump_options(match.options),
        "seats": list(match.seats),
        "totals": list(match.totals),
        "out": [list(group) for group in match.out],
    }


def load_match(raw: Mapping[str, Any]) -> Match:
    """Return the match that ``dump_match`` wrote."""
    return Match(
        **{
            **raw,
            "options": parse_options(raw["options"]),
            "seats": tuple(raw["seats"]),
            "totals": tuple(raw["totals"]),
            "out": tuple(tuple(group) for group in raw["out"]),
        }
    )
