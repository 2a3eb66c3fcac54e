"""The course of a match at a table: the first deal, the next deal, and the one ending of every deal."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from games import metrics, selectors, stakes
from games.broadcast import after_commit
from games.models import Deal, LogEntry, Seat, Table
from games.rules import shuffle
from games.rules.interface import Event
from games.selectors.course import final_ranking
from games.services.locked import LockedTable
from games.services.rating import rate_table
from games.services.sitting_out import gave_up, who_sits_out
from games.signals import table_waits


def start_deal(locked: LockedTable) -> None:
    """Deal the next deal of the match; the first one opens the match, whose dealer is drawn (L2, S16).

    A seat that cannot pay for the worst of the deal is sat out (L22).
    """
    table = locked.table
    if gone := gave_up(locked):
        locked.log(LogEntry.By.TABLE, gone)
        if everybody_left(locked):
            close_early(locked)
            return
    opening: tuple[Event, ...] = ()
    if locked.match is None:
        opening = _open_match(locked)
    elif table.next_dealer is not None:
        locked.match = locked.rules.pass_deal(locked.match, table.next_dealer)
    table.next_dealer = None
    live, needed = _live_seats(locked, opening)
    opening = (*opening, *needed)
    dealer = locked.rules.next_dealer(locked.match, live)
    if dealer is None or table.deal_number >= table.chain_length:
        step = locked.rules.end_match(locked.match)
        locked.match = step.match
        finish_match(locked, (*opening, *step.events))
        return
    table.deal_number += 1
    deal = _deal_cards(locked, dealer, live)
    table.status = Table.Status.PLAYING
    Seat.objects.filter(table=table, ready=True).update(ready=False)
    sat_out = sorted(set(locked.rules.dealt_in(locked.match)) - set(deal.seats))
    started: Event = {"type": "deal", "number": deal.number, "dealer": dealer, "sat_out": sat_out}
    locked.log(LogEntry.By.TABLE, (*opening, started, *locked.rules.opening(locked.deal.state)), deal=deal)
    go_on(locked)


def everybody_left(locked: LockedTable) -> bool:
    """Whether no member holds a seat any more and the match need not be played on: an event's tables are (L25)."""
    members = (seat for seat in locked.seats.values() if seat.user_id and not seat.left)
    return not locked.table.origin and not any(members)


def _live_seats(
    locked: LockedTable, opening: tuple[Event, ...]
) -> tuple[tuple[int, ...] | None, tuple[Event, ...]]:
    """Return the seats that the next deal is dealt to (``None``: all), and what happened to make it so.

    With stakes these are the seats that can pay for the worst of the deal (L22),
    without them those that want to be dealt in.
    """
    if locked.table.staked:
        return _able_seats(locked, opening), ()
    wish, events = who_sits_out(locked)
    gone = wish | {number for number, seat in locked.seats.items() if seat.out}
    dealt_in = locked.rules.dealt_in(locked.match)
    return (tuple(seat for seat in dealt_in if seat not in gone) if gone else None), events


def _able_seats(locked: LockedTable, opening: tuple[Event, ...]) -> tuple[int, ...]:
    """Return the seats that can pay for the worst of the next deal (L22).

    Sitting one seat out can pass the deal on to another, so it is asked again
    until nothing changes. ``opening`` holds what the match's start costs and is
    not paid yet.
    """
    stacks = stakes.stacks_at(locked.table, locked.seats.values())
    for event in opening:
        if event["type"] == "stakes" and event["from"] in stacks:
            stacks[event["from"]] -= event["amount"]
    live = locked.rules.dealt_in(locked.match)
    while True:
        able = tuple(s for s in live if stacks.get(s, 0) >= locked.rules.must_hold(locked.match, s, live))
        if able == live or not able:
            return able
        live = able


def go_on(locked: LockedTable) -> None:
    """After a move (or the dealing): shuffle if that is due, then give the next seat its turn or end the deal."""
    _shuffle_if_due(locked)
    actor = locked.rules.actor(locked.deal.state)
    if actor is None:
        close_deal(locked)
    else:
        locked.start_turn(actor)


def close_deal(locked: LockedTable) -> None:
    """End a deal that the rules have ended: outcome and match are written, the next deal or the end is set."""
    table, (deal, _ply, state) = locked.table, locked.deal
    stacks = stakes.stacks_at(table, locked.seats.values()) if table.staked else None
    step = locked.rules.close_deal(locked.match, state, stacks)
    locked.match = step.match
    Deal.objects.filter(pk=deal.pk).update(
        outcome=locked.rules.outcome_json(state),
        match_after=locked.rules.dump_match(step.match),
        ended_at=locked.now,
    )
    if locked.rules.match_over(locked.match):
        finish_match(locked, step.events, deal=deal)
        return
    locked.log(LogEntry.By.TABLE, step.events, deal=deal)
    if deals_are_done(locked):
        end_at_limit(locked)
        return
    cash_out(locked, seats_to_cash_out(locked))
    locked.stop_clock(status=Table.Status.BETWEEN, due_in_ms=None if table.stepwise else table.pace_ms)
    if table.stepwise:
        table_waits.send(sender=Table, table=table)


def deals_are_done(locked: LockedTable) -> bool:
    """Whether the deals that an event wants of its table have been played (void ones do not count)."""
    limit = locked.table.deal_limit
    if limit is None or locked.match is None:
        return False
    return bool(locked.rules.match_view(locked.match)["deals"] >= limit)


def end_at_limit(locked: LockedTable) -> None:
    """End the match between two deals because the event wants no more of them."""
    ended = locked.rules.end_match(locked.match)
    locked.match = ended.match
    finish_match(locked, ended.events)


def seats_to_cash_out(locked: LockedTable) -> list[int]:
    """Return the seats whose members have left for good: an event's seats are played on, with their chips (L25)."""
    return [seat.number for seat in locked.seats.values() if seat.left and not locked.table.origin]


def cash_out(locked: LockedTable, seats: Iterable[int]) -> None:
    """Send everything that ``seats`` hold back to the wallets it came from."""
    if not locked.table.staked:
        return
    wanted = list(seats)
    chips = stakes.chips_at(locked.table, [locked.seats[number] for number in wanted]) if wanted else {}
    events = stakes.cash_out_events(chips, wanted)
    if events:
        locked.log(LogEntry.By.TABLE, events)


def finish_match(locked: LockedTable, events: tuple[Event, ...], *, deal: Deal | None = None) -> None:
    """End the match: the final entry of the log, a table at which nothing is due any more, and the ratings."""
    seats = locked.seats.values()
    final: Event = {
        "type": "final",
        "ranking": final_ranking(locked.match, locked.table, seats),
        "abandoned": [seat.number for seat in seats if seat.abandoned],
    }
    if locked.void:
        final["void"] = True
    locked.log(LogEntry.By.TABLE, (*events, final), deal=deal)
    cash_out(locked, locked.seats)
    locked.table.finished_at = locked.now
    locked.stop_clock(status=Table.Status.FINISHED, due_in_ms=None)
    rate_table(locked)
    if locked.table.origin:
        table_waits.send(sender=Table, table=locked.table)


def close_early(locked: LockedTable) -> None:
    """End a table before its time: a running deal is played out by the rules' default moves,
    the pot is settled by the rules, and every seat is cashed out."""
    if locked.match is None:
        locked.log(LogEntry.By.TABLE, ({"type": "closed"},))
        cash_out(locked, locked.seats)
        locked.table.finished_at = locked.now
        locked.stop_clock(status=Table.Status.FINISHED, due_in_ms=None)
        return
    if locked.table.status == Table.Status.PLAYING:
        _play_out(locked)
    if locked.table.status != Table.Status.FINISHED:
        step = locked.rules.end_match(locked.match)
        locked.match = step.match
        finish_match(locked, ({"type": "closed"}, *step.events))


def make_move(
    locked: LockedTable, move: str, *, seat: int, by: LogEntry.By, command_id: UUID | None = None
) -> None:
    """Apply one legal ``move`` to the running deal and write it to the log."""
    deal, ply, state = locked.deal
    step = locked.rules.apply(state, move)
    locked.follow(deal, ply + 1, step.state)
    locked.log(by, step.events, seat=seat, deal=deal, ply=ply + 1, move=move, command_id=command_id)
    after_commit(metrics.MOVES.labels(locked.table.game, by.value, "played").inc)


def _open_match(locked: LockedTable) -> tuple[Event, ...]:
    _take_free_seats_away(locked)
    seats = tuple(sorted(locked.seats))
    nonces = [nonce_at(locked, seat) for seat in seats]
    first = locked.table.deal_number + 1
    given = locked.table.next_dealer
    dealer = given or shuffle.first_dealer(selectors.seed_of(locked.table, first), nonces, seats, first)
    step = locked.rules.new_match(seats=seats, dealer=dealer, options=locked.options)
    locked.match = step.match
    if brought := {int(seat): result for seat, result in locked.table.brought.items()}:
        locked.match = locked.rules.carry_on(locked.match, brought)
    locked.table.banks = {str(seat): locked.control.bank for seat in seats}
    opened: Event = {"type": "match", "seats": list(seats), "dealer": dealer}
    # A dealer given by an event was drawn there: the table's own lot has nothing to prove.
    return ({**opened, "given": True} if given else opened, *step.events)


def _take_free_seats_away(locked: LockedTable) -> None:
    """A match that its host began before all seats were taken is played by those who sit here."""
    free = [number for number, seat in locked.seats.items() if seat.is_free]
    if free:
        Seat.objects.filter(table=locked.table, number__in=free).delete()
        for number in free:
            del locked.seats[number]


def nonce_at(locked: LockedTable, seat: int) -> str:
    """Return the nonce that counts for ``seat``: a bot's or a missing one is the seat number."""
    held = locked.seats[seat]
    return shuffle.nonce_of(seat, None if held.is_bot else held.nonce or None)


def _deal_cards(locked: LockedTable, dealer: int, live: tuple[int, ...] | None) -> Deal:
    table = locked.table
    number = table.deal_number
    packs = int(getattr(locked.options, "packs", 1))
    dealt_in = locked.rules.dealt_in(locked.match, live)
    nonces = [nonce_at(locked, seat) for seat in sorted(dealt_in)]
    deck = shuffle.deal_deck(selectors.seed_of(table, number), nonces, number, packs)
    state = locked.rules.match_deal(locked.match, deck=deck, live=live)
    deal = Deal.objects.create(
        table=table,
        number=number,
        dealer=dealer,
        seats=list(dealt_in),
        carried=locked.rules.carried(locked.match, live),
        deck=list(deck),
        nonces=nonces,
        bots=[seat for seat in dealt_in if locked.seats[seat].is_bot],
    )
    locked.follow(deal, 0, state)
    return deal


def _shuffle_if_due(locked: LockedTable) -> None:
    """Play the shuffler's move when the rules want one (S11), from the deal's own stream."""
    deal, _ply, state = locked.deal
    cards = locked.rules.to_shuffle(state)
    if not cards:
        return
    done = LogEntry.objects.filter(deal=deal, by=LogEntry.By.SHUFFLER).count()
    seed = selectors.seed_of(locked.table, deal.number)
    order = shuffle.reshuffle(seed, deal.nonces, deal.number, done + 1, cards)
    move = locked.rules.parse_move("shuffle " + " ".join(order))
    make_move(locked, move, seat=0, by=LogEntry.By.SHUFFLER)


def _play_out(locked: LockedTable) -> None:
    """Play the running deal to its end by default moves, all under the lock that is held."""
    while locked.table.status == Table.Status.PLAYING:
        actor = locked.rules.actor(locked.deal.state)
        assert actor is not None and actor > 0, "a playing table always waits for a seat"
        make_move(locked, locked.rules.default_move(locked.deal.state), seat=actor, by=LogEntry.By.CLOCK)
        go_on(locked)
