"""Who left an elimination after a deal or a cut: written down once, noted in the entries and the record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tournaments.models import Entry, KnockedOut, Round
from tournaments.services.locked import LockedTournament


def record_knock_out(
    locked: LockedTournament,
    row: Round,
    groups: Sequence[Sequence[int]],
    survivors: set[int],
    why: str,
    seed: int | None = None,
) -> None:
    """Write who left the event after a deal or a cut, and note it in the entries and the record."""
    number = KnockedOut.objects.filter(round=row, take=row.live_take).count() + 1
    KnockedOut.objects.create(
        round=row,
        take=row.live_take,
        number=number,
        why=why,
        out=[list(group) for group in groups],
        survivors=sorted(survivors),
        seed=seed,
        at=locked.now,
    )
    for player in (player for group in groups for player in group):
        entry = locked.entries[player]
        entry.status = Entry.Status.WITHDRAWN if why == "withdrawn" else Entry.Status.OUT
        entry.leaving = False
        entry.save(update_fields=["status", "leaving"])
    after: dict[str, Any] = {"round": row.number, "why": why, "out": [list(group) for group in groups]}
    locked.log("knocked_out", by=None, after=after | ({} if seed is None else {"seed": seed}))
