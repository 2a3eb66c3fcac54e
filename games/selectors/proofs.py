"""Seeds and proofs of deals that are over (docs/fair_deal.md)."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from games.models import Deal, LogEntry, Table
from games.rules.archive import first_match
from games.rules.cards import PACK
from games.rules.proof import Proof
from games.selectors.archive import archived_entries
from games.selectors.history import over


def seed_of(table: Table, deal_number: int) -> bytes:
    """Return the secret seed of a deal: the end of the chain, hashed once for every deal after it."""
    seed = bytes(table.chain_end)
    for _later in range(table.chain_length - deal_number):
        seed = hashlib.sha256(seed).digest()
    return seed


def proof_of(table: Table, deal: Deal) -> Proof:
    """Return what proves a deal that is over: commitment, its seed, the nonces and the cards (docs/fair_deal.md)."""
    return _proofs(table, [deal])[0]


def proofs_of(table: Table, *, first: int = 1, most: int, until: dt.datetime | None = None) -> list[Proof]:
    """Return the proofs of a table's ended deals from number ``first`` on, in order; three queries for any number.

    Deals that ended later than ``until`` are left out.
    """
    ended = over(table.pk, until).filter(number__gte=first)
    return _proofs(table, list(ended.order_by("number")[:most]))


def _proofs(table: Table, deals: Sequence[Deal]) -> list[Proof]:
    seeds = seeds_of(table, [deal.number for deal in deals])
    reshuffles: dict[int, list[tuple[str, ...]]] = {deal.pk: [] for deal in deals}
    shuffles = LogEntry.objects.filter(deal__in=deals, by=LogEntry.By.SHUFFLER).order_by("ply")
    made = [
        *shuffles.values_list("deal_id", "move"),
        *(
            (entry.deal_id or 0, entry.move)
            for entry in archived_entries(deals)
            if entry.by == LogEntry.By.SHUFFLER
        ),
    ]
    for deal_id, move in made:
        reshuffles[deal_id].append(tuple(move.split()[1:]))
    draws = first_draws(deals)
    return [
        Proof(
            commitment=bytes.fromhex(table.commitment),
            deal=deal.number,
            seed=seeds[deal.number],
            nonces=tuple(deal.nonces),
            deck=tuple(deal.deck),
            packs=len(deal.deck) // len(PACK),
            reshuffles=tuple(reshuffles[deal.pk]),
            dealer_of=_provable_draw(deal, draws.get(deal.pk)),
        )
        for deal in deals
    ]


def seeds_of(table: Table, numbers: Collection[int]) -> dict[int, bytes]:
    """Return the seeds of the deals ``numbers``, walking the chain once. For deals that are over, and for these only."""
    seeds = {}
    seed = bytes(table.chain_end)
    for number in range(table.chain_length, min(numbers, default=table.chain_length) - 1, -1):
        if number in numbers:
            seeds[number] = seed
        seed = hashlib.sha256(seed).digest()
    return seeds


class Draw(NamedTuple):
    """The lot for the first dealer of a match."""

    dealer: int
    seats: tuple[int, ...]


def first_draws(deals: Iterable[Deal]) -> dict[int, Draw]:
    """Return the lots for the first dealer, by the id of the deal that opened the match."""
    deals = list(deals)
    openings = LogEntry.objects.filter(deal__in=deals, ply__isnull=True, events__contains=[{"type": "match"}])
    told = [
        *openings.values_list("deal_id", "events"),
        *((entry.deal_id, entry.events) for entry in archived_entries(deals) if not entry.move),
    ]
    drawn = {}
    for deal_id, events in told:
        opened = first_match(events)
        if opened is not None and deal_id is not None:
            drawn[deal_id] = Draw(opened["dealer"], tuple(sorted(opened["seats"])))
    return drawn


def _provable_draw(deal: Deal, draw: Draw | None) -> tuple[int, tuple[int, ...]] | None:
    """Return the lot as a proof has it, if the proof's nonces are those of all seats that took part in it."""
    if draw is None or draw.seats != tuple(sorted(deal.seats)):
        return None
    return draw.dealer, draw.seats
