"""Does the book say of a table what its log says, and the log what the rules say?

The whole log is played again from decks and moves alone: every stake that the
rules give must stand in the log, and every log entry must have caused exactly
the postings it tells of.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

from games import selectors, stakes
from games.models import Deal, LogEntry, Table
from games.rules import GAMES, shuffle
from games.rules.cards import PACK
from games.rules.errors import Refusal
from games.rules.interface import POT, Event
from games.selectors import seed_of
from games.stakes import SourcedPosting, SourcedTransaction


def check_table(group: str, transactions: Sequence[SourcedTransaction]) -> Iterator[str]:
    """Yield one sentence for each difference between a table's log, the rules and the transactions it caused.

    ``group`` is ``stakes.group_of`` a source; ``transactions`` are all of that group.
    """
    table = Table.objects.filter(pk=_table_id(group)).first()
    if table is None:
        yield "there is no such table"
        return
    replay = LogReplay(table)
    yield from replay.differences()
    yield from _check_postings(table, replay.moved, transactions)


def staked_groups() -> Iterator[str]:
    """Yield the group of every staked table, so that one whose transactions are missing is checked too."""
    for table_id in Table.objects.filter(stake__gt=0).values_list("pk", flat=True).iterator():
        yield stakes.group_of(stakes.source_of(table_id, 0))


def _table_id(group: str) -> UUID:
    return UUID(group.removeprefix(stakes.SOURCE_PREFIX).rstrip("/"))


def is_fair(table: Table, deal: Deal) -> bool:
    """Whether a deal's deck is the one that the table's chain of seeds and the deal's nonces give (docs/fair_deal.md)."""
    packs = len(deal.deck) // len(PACK)
    return bool(
        deal.deck == list(shuffle.deal_deck(seed_of(table, deal.number), deal.nonces, deal.number, packs))
    )


class LogReplay:
    """Plays a table's log again. ``moved`` then holds, by version, the events that moved chips."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.rules = GAMES[table.game]
        self.options = self.rules.parse_options(table.options)
        self.moved: dict[int, list[Event]] = {}
        self.chips: Counter[int] = Counter()
        self.match: Any = None
        self.state: Any = None

    def differences(self) -> Iterator[str]:
        """Yield what the log says otherwise than the rules."""
        deals = {deal.pk: deal for deal in Deal.objects.filter(table=self.table).order_by("number")}
        yield from (
            f"deal {deal.number} has another deck than its seed gives"
            for deal in deals.values()
            if not is_fair(self.table, deal)
        )
        for entry in selectors.whole_log(self.table.pk):
            try:
                due = self._due(entry, deals)
            except (Refusal, ValueError) as error:
                yield f"version {entry.version}: the rules refuse what the log has: {error}"
                return
            told = [event for event in entry.events if event["type"] == "stakes"]
            if told != [event for event in due if event["type"] == "stakes"]:
                yield f"version {entry.version}: the log's stakes are not those of the rules"
            yield from self._count(entry)
        if self.table.status == Table.Status.FINISHED:
            yield from (f"{_name(place)} still holds chips" for place, chips in self.chips.items() if chips)

    def _due(self, entry: LogEntry, deals: dict[int, Deal]) -> list[Event]:
        """Return what the rules make of an entry, and carry match and deal on."""
        kinds = {event["type"]: event for event in entry.events}
        due: list[Event] = []
        if entry.move:
            step = self.rules.apply(self.state, entry.move)
            self.state = step.state
            return list(step.events)
        if "match" in kinds:
            seats, dealer = kinds["match"]["seats"], kinds["match"]["dealer"]
            self.match, events = self.rules.new_match(seats=tuple(seats), dealer=dealer, options=self.options)
            due += events
        if "deal" in kinds:
            assert entry.deal_id is not None
            deal = deals[entry.deal_id]
            self.state = self.rules.match_deal(self.match, deck=tuple(deal.deck), live=tuple(deal.seats))
            due += self.rules.opening(self.state)
        elif entry.deal_id is not None and self.state is not None:
            stacks = {seat: chips // self.table.stake for seat, chips in self.chips.items() if seat != POT}
            self.match, events = self.rules.close_deal(self.match, self.state, stacks)
            self.state = None
            due += events
        elif "final" in kinds and not self.rules.match_over(self.match):
            self.match, events = self.rules.end_match(self.match)
            due += events
        return due

    def _count(self, entry: LogEntry) -> Iterator[str]:
        """Follow the chips through an entry's events; nothing may go below zero, a cash-out takes all."""
        moved = [event for event in entry.events if event["type"] in stakes.CAUSES]
        for event in moved:
            if event["type"] == "stakes":
                chips = event["amount"] * self.table.stake
                self.chips[event["from"]] -= chips
                self.chips[event["to"]] += chips
            elif event["type"] == "buy_in":
                self.chips[event["seat"]] += event["chips"]
            else:
                self.chips[event["seat"]] -= event["chips"]
                if self.chips[event["seat"]]:
                    yield f"version {entry.version}: seat {event['seat']} is not cashed out in full"
        if moved:
            self.moved[entry.version] = moved
        yield from (
            f"version {entry.version}: {_name(place)} is below zero"
            for place, n in self.chips.items()
            if n < 0
        )


def _check_postings(
    table: Table, moved: dict[int, list[Event]], transactions: Sequence[SourcedTransaction]
) -> Iterator[str]:
    expected = {stakes.source_of(table.id, version): events for version, events in moved.items()}
    for transaction in transactions:
        events = expected.pop(transaction.source, None)
        if events is None:
            yield f"transaction {transaction.id} has no cause in the log"
        elif transaction.state != "posted" or transaction.key != transaction.source:
            yield f"transaction {transaction.id} is not the log entry's own"
        elif not _agree(table, events, transaction.postings):
            yield f"transaction {transaction.id} does not move what {transaction.source} tells of"
    yield from (f"{source} moved chips that are not in the book" for source in expected)


def _agree(table: Table, events: Sequence[Event], postings: Sequence[SourcedPosting]) -> bool:
    wanted = [event for event in events if event.get("amount") or event.get("chips")]
    return len(wanted) == len(postings) and all(
        _agrees(table, event, posting) for event, posting in zip(wanted, postings, strict=True)
    )


def _agrees(table: Table, event: Event, posting: SourcedPosting) -> bool:
    """Whether a posting is the one its event tells of: places, asset and amount."""
    if posting.asset != table.asset:
        return False
    if event["type"] == "stakes":
        sides = ((event["from"], posting.debit), (event["to"], posting.credit))
        return posting.amount == event["amount"] * table.stake and all(_is_at(table, *side) for side in sides)
    seat, wallet = posting.credit, posting.debit
    if event["type"] == "cash_out":
        seat, wallet = wallet, seat
    same_owner = wallet[1].replace("-", "").startswith(seat[1].rpartition("/")[2])
    at_seat = _is_at(table, event["seat"], seat)
    return posting.amount == event["chips"] and wallet[0] == "wallet" and same_owner and at_seat


def _is_at(table: Table, place: int, account: tuple[str, str]) -> bool:
    kind, ref = account
    if place == POT:
        return (kind, ref) == ("pot", str(table.id))
    return kind == "seat" and ref.startswith(f"{table.id}/{place}/")


def _name(place: int) -> str:
    return "the pot" if place == POT else f"seat {place}"
