"""What views ask of a request about clubs."""

from __future__ import annotations

from django.http import HttpRequest

from clubs.models import Club

KEPT_CLUB = "club"
"""The session's key for the club that the person chose last."""


def club_of(request: HttpRequest) -> Club:
    """Return the club that the request is about (``clubs.middleware``)."""
    club: Club = request.club  # type: ignore[attr-defined]
    return club


def show_club(request: HttpRequest, club: Club) -> None:
    """Let the page be about ``club``: what is shown belongs to it."""
    request.club = club  # type: ignore[attr-defined]
