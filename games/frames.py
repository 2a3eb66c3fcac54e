"""The frames that bring a room's sockets up to date: one read of the table, one text for each distinct viewer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from django.utils import timezone, translation

from games.snapshots import TableSnapshot
from games.table_view import state_text


class Look(NamedTuple):
    """Who looks, in which language, and the version it was shown last (-1: none)."""

    user_id: int | None
    language: str
    seen: int


@dataclass(frozen=True)
class Frames:
    """What a room is shown.

    ``head`` is the table's version, ``seats`` says who sits where, ``delayed``
    whether watchers see an older view. ``by_look`` has the version and text for each look
    that is behind what it may see; ``wait`` is the time in seconds until there is
    more for watchers.
    """

    head: int
    seats: Mapping[int | None, int]
    delayed: bool
    by_look: Mapping[Look, tuple[int, str]]
    wait: float | None


def render(*, table_id: UUID, looks: Iterable[Look]) -> Frames:
    """Return the frames for ``looks``; raises ``TableRefusal("no_such_table")``."""
    looks = list(looks)
    live = TableSnapshot(table_id, since=min((look.seen for look in looks if look.seen >= 0), default=None))
    seats: dict[int | None, int] = {s.user_id: s.number for s in live.seats if s.user_id and not s.left}
    watching = [look for look in looks if look.user_id not in seats]
    shown = live.for_watchers() if watching else live
    texts: dict[tuple[int | None, str, int], str] = {}
    by_look = {}
    for look in looks:
        seat = seats.get(look.user_id)
        snapshot = live if seat is not None else shown
        if look.seen >= snapshot.version:
            continue
        key = (seat, look.language, look.seen)
        if key not in texts:
            texts[key] = _text(snapshot, *key)
        by_look[look] = (snapshot.version, texts[key])
    return Frames(live.version, seats, live.delays_watchers, by_look, shown.wait)


def _text(snapshot: TableSnapshot, seat: int | None, language: str, seen: int) -> str:
    events = [] if seen < 0 else snapshot.log_since(seen)
    with translation.override(language):
        return state_text(snapshot, seat=seat, events=events, now=timezone.now())
