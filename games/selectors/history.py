"""What can be read of deals that are over: where they stand in their table's history, their records and proofs."""

from __future__ import annotations

import hashlib
from uuid import UUID

from django.db.models import QuerySet

from games.errors import TableRefusal
from games.models import Deal, LogEntry, Seat, Table
from games.rules import GAMES
from games.rules.cards import PACK
from games.rules.proof import Proof
from games.rules.record import Record


def seed_of(table: Table, deal_number: int) -> bytes:
    """Return the secret seed of a deal: the end of the chain, hashed once for every deal after it."""
    seed = bytes(table.chain_end)
    for _later in range(table.chain_length - deal_number):
        seed = hashlib.sha256(seed).digest()
    return seed


def ended_deal(table_id: UUID, number: int) -> tuple[Table, Deal]:
    """Return a table and one of its deals that is over; raises ``TableRefusal`` (``no_such_deal``, ``deal_running``)."""
    deal = Deal.objects.select_related("table").filter(table_id=table_id, number=number).first()
    if deal is None:
        raise TableRefusal("no_such_deal")
    if deal.ended_at is None:
        raise TableRefusal("deal_running")
    return deal.table, deal


def log_of(deal: Deal) -> QuerySet[LogEntry]:
    """Return the log entries of a deal, oldest first."""
    return LogEntry.objects.filter(deal=deal).order_by("version")


def names_at(table: Table) -> dict[int, str]:
    """Return the shown names of a table by seat."""
    return {seat.number: seat.shown_name for seat in Seat.objects.filter(table=table).select_related("user")}


def record_of(table: Table, deal: Deal) -> Record:
    """Return the record of a deal that is over: deck and moves, replayable by ``manage.py replay``."""
    moves = LogEntry.objects.filter(deal=deal, ply__isnull=False).order_by("ply")
    return Record(
        game=table.game,
        options=GAMES[table.game].parse_options(table.options),
        seats=tuple(deal.seats),
        dealer=deal.dealer,
        deck=tuple(deal.deck),
        moves=tuple(moves.values_list("move", flat=True)),
        carried=deal.carried,
    )


def proof_of(table: Table, deal: Deal) -> Proof:
    """Return what proves a deal that is over: commitment, its seed, the nonces and the cards (docs/fair_deal.md)."""
    shuffles = LogEntry.objects.filter(deal=deal, by=LogEntry.By.SHUFFLER).order_by("ply")
    drawn = (deal.dealer, tuple(sorted(deal.seats))) if _opens_match(deal) else None
    return Proof(
        commitment=bytes.fromhex(table.commitment),
        deal=deal.number,
        seed=seed_of(table, deal.number),
        nonces=tuple(deal.nonces),
        deck=tuple(deal.deck),
        packs=len(deal.deck) // len(PACK),
        reshuffles=tuple(tuple(move.split()[1:]) for move in shuffles.values_list("move", flat=True)),
        dealer_of=drawn,
    )


def _opens_match(deal: Deal) -> bool:
    """Whether the deal opened its match with every seat dealt in, so that its dealer was drawn from its seed."""
    opening = LogEntry.objects.filter(deal=deal, ply__isnull=True).order_by("version").first()
    if opening is None:
        return False
    return any(event["type"] == "match" and event["dealer"] == deal.dealer for event in opening.events)
