"""What views ask of a request about clubs."""

from __future__ import annotations

from django.http import Http404, HttpRequest

from clubs.models import Club
from clubs.selectors import may_see_club

KEPT_CLUB = "club"
"""The session's key for the club that the person chose last."""


def club_of(request: HttpRequest) -> Club:
    """Return the club that the request is about (``clubs.middleware``)."""
    club: Club = request.club  # type: ignore[attr-defined]
    return club


def seen_club(request: HttpRequest) -> Club:
    """Return the club that the request is about, for lists of what it publishes. Raises ``Http404`` for who may not see it:
    where the only club is a closed one, strangers are at its door and no further."""
    club = club_of(request)
    if not may_see_club(request.user, club):
        raise Http404
    return club


def show_club(request: HttpRequest, club: Club) -> None:
    """Let the page be about ``club``: what is shown belongs to it."""
    request.club = club  # type: ignore[attr-defined]
