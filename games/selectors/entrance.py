"""Who may come to a table: its link lets in whoever may be at its club."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from clubs.models import Club, User
from clubs.selectors import is_banned, may_play_at, session_holds
from games.errors import TableRefusal
from games.models import Seat, Table

AFTERWARDS = frozenset(
    f"games:{name}"
    for name in (
        *("fair", "fair_proofs", "table_history", "deal", "deal_steps", "deal_record", "deal_proof"),
        "leave",
    )
)
"""Pages that stay open to whoever took part, whatever became of their place in the club: what was dealt to them can be
checked, and a seat can be left."""


def table_gate(table_id: UUID, person: Any, address: str) -> Club | None:
    """Return the club of a table that a person may come to at this address, ``None`` for any other."""
    found = Table.objects.filter(pk=table_id).select_related("club").only("club").first()
    if found is None:
        return None
    if may_play_at(person, found.club):
        return found.club
    seats = Seat.objects.filter(table=table_id, user_id=getattr(person, "pk", None) or 0)
    if address not in AFTERWARDS:
        # Whoever sits there plays on when the club no longer welcomes guests; not who was sent away.
        seats = seats.none() if is_banned(person, found.club.pk) else seats.filter(left=False)
    return found.club if seats.exists() else None


def check_entrance(table_id: UUID, user_id: int | None) -> None:
    """Raise ``TableRefusal("no_such_table")`` unless a person (``None``: nobody signed in) may look at a table."""
    if table_gate(table_id, _person(user_id), "") is None:
        raise TableRefusal("no_such_table")


def let_in(table_id: UUID, user_ids: Iterable[int | None]) -> set[int | None]:
    """Return those of some people (``None``: nobody signed in) who may look at a table now."""
    return {each for each in user_ids if table_gate(table_id, _person(each), "") is not None}


def may_look_in(club_id: int, user_id: int | None) -> bool:
    """Whether a person (``None``: nobody signed in) may look into a club's lobby."""
    club = Club.objects.filter(pk=club_id).first()
    return club is not None and may_play_at(_person(user_id), club)


Looker = tuple[int, int | None, str]
"""Who looks into a lobby: the club's id, the person's (``None``: nobody signed in) and the key of the session."""


def let_into_lobby(lookers: Iterable[Looker]) -> set[Looker]:
    """Return those who may look into a lobby now; whose session ended is nobody any more."""
    return {
        (club_id, user_id, key)
        for club_id, user_id, key in lookers
        if (user_id is None or session_holds(key, user_id)) and may_look_in(club_id, user_id)
    }


def _person(user_id: int | None) -> User | None:
    return None if user_id is None else User.objects.filter(pk=user_id, is_active=True).first()
