"""What the frame of every page knows of the club."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest

from clubs.models import Club
from clubs.selectors import clubs_of, enters_desk, rights_anywhere, rights_in
from clubs.views.asking import club_of


class Rights:
    """Rights in the club of a page, for templates: ``rights.ledger.treasure``; read when the first one is asked for."""

    def __init__(self, request: HttpRequest) -> None:
        self._request = request
        self._known: frozenset[str] | None = None

    def __getitem__(self, app: str) -> dict[str, bool]:
        """Return the rights of one app that the person has."""
        if self._known is None:
            person = getattr(self._request, "user", None)
            # A page that was made before the middleware ran (an error page) is about no club.
            there = getattr(self._request, "club", None)
            self._known = frozenset() if there is None else rights_in(person, club_of(self._request).pk)
        start = f"{app}."
        return {right.removeprefix(start): True for right in self._known if right.startswith(start)}


def club_frame(request: HttpRequest) -> dict[str, Any]:
    """Give templates ``this_club``, ``rights`` there, ``own_clubs``, ``enters_desk`` (the admin lets the person in) and
    ``audits`` (the person reads the book of some club)."""
    person = getattr(request, "user", None)
    own: Callable[[], list[Club]] = lambda: clubs_of(person)  # noqa: E731
    return {
        "this_club": getattr(request, "club", None),
        "rights": Rights(request),
        "own_clubs": own,
        "enters_desk": lambda: enters_desk(person),
        "audits": lambda: "ledger.view_account" in rights_anywhere(person),
    }
