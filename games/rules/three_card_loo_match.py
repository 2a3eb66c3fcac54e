"""A match of 3-Card Loo: full rotations of the deal, the pot between deals, the final split (L2, L19 to L22).

A *turn to deal* belongs to one seat: turn 0 to the first dealer, turn 1 to the
seat at his left, and so on round the table. A match of k rotations has k turns
for every seat. A seat that is sat out when its turn comes loses that turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from games.rules.cards import Card
from games.rules.errors import BadDeal
from games.rules.interface import POT, Event, MatchStep, Seat
from games.rules.three_card_loo_deal import State, check_seats, new_deal
from games.rules.three_card_loo_options import (
    ANTE,
    Options,
    antes,
    dump_options,
    loo_amount,
    parse_options,
)


class Match(NamedTuple):
    """A match between two deals; amounts in stakes, tuples in the order of ``seats``."""

    options: Options
    seats: tuple[Seat, ...]
    first_dealer: Seat
    turns: int  # turns to deal that are used up
    deals: int  # deals finished
    last_dealer: Seat | None
    pot: int
    net: tuple[int, ...]
    dealt: tuple[int, ...]  # deals dealt by each seat
    looed: bool  # somebody was looed in the last deal
    over: bool


def new_match(*, seats: tuple[Seat, ...], dealer: Seat, options: Options) -> MatchStep:
    """Return a match whose first deal is ``dealer``'s; raises ``BadDeal`` for a table that cannot play."""
    check_seats(seats, dealer, options)
    nothing = (0,) * len(seats)
    match = Match(options, seats, dealer, 0, 0, None, 0, nothing, nothing, False, False)
    begins: Event = {
        "type": "match_begins",
        "seats": list(seats),
        "dealer": dealer,
        "rotations": options.rotations,
    }
    return MatchStep(match, (begins,))


def dealt_in(match: Match, live: tuple[Seat, ...] | None = None) -> tuple[Seat, ...]:
    """Return the seats, in order to the left, that the next deal is dealt to: all that are live."""
    return match.seats if live is None else _of_match(match, live)


def carried(match: Match, live: tuple[Seat, ...] | None = None) -> dict[str, Any]:
    """Return what goes into the next deal beside seats and deck: the pot, in stakes (L19)."""
    return {"pot": match.pot}


def next_dealer(match: Match, live: tuple[Seat, ...] | None = None) -> Seat | None:
    """Return the live seat whose turn to deal comes next (L2).

    ``None`` when the match is over, fewer seats are live than a deal needs, or
    all turns left belong to seats that are sat out: then ``end_match`` is due.
    """
    live = dealt_in(match, live)
    if match.over or len(live) < match.options.min_players:
        return None
    turn = _next_turn(match, live)
    return None if turn is None else _dealer_of(match, turn)


def pass_deal(match: Match, dealer: Seat) -> Match:
    """Return the match with ``dealer`` next to deal; raises ``BadDeal`` for a stranger to the match."""
    if dealer not in match.seats:
        raise BadDeal("bad_dealer", f"the dealer, seat {dealer!r}, is not in the match")
    first = (match.seats.index(dealer) - match.turns) % len(match.seats)
    return match._replace(first_dealer=match.seats[first])


def carry_on(match: Match, results: Mapping[Seat, int]) -> Match:
    """Return a match before its first deal whose seats bring net stakes from tables before this one."""
    if match.deals:
        raise BadDeal("match_begun", "results can be brought along before the first deal only")
    return match._replace(net=tuple(results.get(seat, 0) for seat in match.seats))


def match_deal(match: Match, *, deck: tuple[Card, ...], live: tuple[Seat, ...] | None = None) -> State:
    """Return the next deal, dealt from ``deck`` to the ``live`` seats; raises ``BadDeal``."""
    dealer = next_dealer(match, live)
    if dealer is None:
        raise BadDeal("match_over" if match.over else "too_few_seats", "the match has no further deal")
    return new_deal(
        seats=dealt_in(match, live), dealer=dealer, deck=deck, options=match.options, pot=match.pot
    )


def worst_case(match: Match, seat: Seat, live: tuple[Seat, ...] | None = None) -> int:
    """Return the most stakes the next deal can cost ``seat`` if dealt in with ``live``: ante and loo (L22).

    0 when no deal can follow. A caller that sits seats out asks again with the
    seats that are left, because the deal may have passed to another of them.
    """
    live = _of_match(match, (*dealt_in(match, live), seat))
    dealer = next_dealer(match, live)
    if dealer is None:
        return 0
    ante = ANTE if match.options.ante == "everyone" or seat == dealer else 0
    return ante + loo_amount(match.options, match.pot + antes(match.options, len(live)))


def must_hold(match: Match, seat: Seat, live: tuple[Seat, ...] | None = None) -> int:
    """Return the stakes without which ``seat`` is not dealt in: the most that the deal can cost it (L22)."""
    return worst_case(match, seat, live)


def close_deal(match: Match, state: State, stacks: Mapping[Seat, int] | None = None) -> MatchStep:
    """Return the match after its finished deal ``state``; the last one ends it (L19, L21).

    ``stacks`` is not needed: every payment of a deal was made by its own events,
    and ``worst_case`` saw to it that each seat could pay. Raises ``ValueError``
    for a deal that is not over or not this match's next.
    """
    outcome, deal = state.outcome, state.deal
    if outcome is None:
        raise ValueError("the deal is not over")
    turn = _next_turn(match, deal.seats)
    if match.over or turn is None or _dealer_of(match, turn) != deal.dealer or deal.carried != match.pot:
        raise ValueError("this is not the next deal of the match")
    deltas = dict(outcome.deltas)
    after = match._replace(
        turns=turn + 1,
        deals=match.deals + 1,
        last_dealer=deal.dealer,
        pot=outcome.pot,
        net=tuple(net + deltas.get(seat, 0) for seat, net in zip(match.seats, match.net, strict=True)),
        dealt=tuple(n + (seat == deal.dealer) for seat, n in zip(match.seats, match.dealt, strict=True)),
        looed=bool(outcome.looed),
    )
    scored: Event = {"type": "deal_scored", "deal": after.deals, "net": _net_json(after), "pot": after.pot}
    if after.turns < _turns_in_all(after):
        return MatchStep(after, (scored,))
    ended, events = end_match(after)
    return MatchStep(ended, (scored, *events))


def end_match(match: Match) -> MatchStep:
    """End the match: the pot is split equally, odd stakes from the last dealer's left (L21).

    All seats of the match share, sat out or not. A match that has ended is
    returned as it is, without events.
    """
    if match.over:
        return MatchStep(match, ())
    last = match.first_dealer if match.last_dealer is None else match.last_dealer
    left = match.seats.index(last) + 1
    each, odd = divmod(match.pot, len(match.seats))
    order = match.seats[left:] + match.seats[:left]
    shares = {seat: each + (place < odd) for place, seat in enumerate(order)}
    after = match._replace(
        pot=0,
        net=tuple(net + shares[seat] for seat, net in zip(match.seats, match.net, strict=True)),
        over=True,
    )
    events: list[Event] = [
        {"type": "stakes", "from": POT, "to": seat, "amount": share, "reason": "split"}
        for seat, share in shares.items()
        if share
    ]
    places = [[place, seat] for place, seat in ranking(after)]
    events.append({"type": "match_over", "net": _net_json(after), "ranking": places})
    return MatchStep(after, tuple(events))


def match_over(match: Match) -> bool:
    """Whether the match has ended and ``ranking`` is final."""
    return match.over


def ranking(match: Match) -> tuple[tuple[int, Seat], ...]:
    """Return (place, seat) by net stakes, best first; equal results share the better place."""
    rows = sorted(zip(match.seats, match.net, strict=True), key=lambda row: (-row[1], row[0]))
    results = [net for _, net in rows]
    return tuple((results.index(net) + 1, seat) for seat, net in rows)


def match_view(match: Match) -> dict[str, Any]:
    """Return the match's public facts, JSON-ready; ``dealer`` is next to deal if all seats are live."""
    return {
        "game": "three_card_loo",
        "options": dump_options(match.options),
        "seats": list(match.seats),
        "deals": match.deals,
        "deals_in_all": _turns_in_all(match),
        "dealer": next_dealer(match),
        "last_dealer": match.last_dealer,
        "dealt": {str(seat): dealt for seat, dealt in zip(match.seats, match.dealt, strict=True)},
        "pot": match.pot,
        "net": _net_json(match),
        "over": match.over,
        "ranking": [[place, seat] for place, seat in ranking(match)],
    }


def dump_match(match: Match) -> dict[str, Any]:
    """Return the match as JSON values; ``load_match`` is the inverse."""
    raw = match._asdict()
    raw["options"] = dump_options(match.options)
    return {name: list(value) if isinstance(value, tuple) else value for name, value in raw.items()}


def load_match(raw: Mapping[str, Any]) -> Match:
    """Return the match that ``dump_match`` wrote."""
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in raw.items()
    }
    values["options"] = parse_options(raw["options"])
    return Match(**values)


def _of_match(match: Match, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Return ``seats`` in the order of the match; raises ``BadDeal`` for a seat that is not of it."""
    strangers = set(seats) - set(match.seats)
    if strangers:
        raise BadDeal("bad_seats", f"seat {min(strangers)} is not in the match")
    return tuple(seat for seat in match.seats if seat in seats)


def _next_turn(match: Match, live: tuple[Seat, ...]) -> int | None:
    """Return the first unused turn to deal that belongs to a live seat."""
    turns = range(match.turns, _turns_in_all(match))
    return next((turn for turn in turns if _dealer_of(match, turn) in live), None)


def _dealer_of(match: Match, turn: int) -> Seat:
    start = match.seats.index(match.first_dealer)
    return match.seats[(start + turn) % len(match.seats)]


def _turns_in_all(match: Match) -> int:
    """Return how many turns to deal the match has, as far as it is known now (L21).

    With ``until_no_loo`` a loo in the last deal opens up to one more rotation.
    """
    regular = match.options.rotations * len(match.seats)
    if match.options.finish == "fixed" or not match.looed:
        return max(regular, match.turns)
    return regular + len(match.seats)


def _net_json(match: Match) -> dict[str, int]:
    return {str(seat): net for seat, net in zip(match.seats, match.net, strict=True)}
