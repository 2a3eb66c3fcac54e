"""Who asks, what was sent, and how a refusal is told: what the pages of tables have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from clubs.adapters import slow_down_newcomers
from clubs.models import User
from clubs.selectors import profiles_of
from clubs.services import create_guest
from games.errors import TableRefusal
from games.models import Seat, Table
from games.rules import GAMES
from games.views.addresses import whole
from games.wording import title_of

USUAL_GAME = "three_card_loo"

WAY_BACK = ("rated_seat_held", "rated_match_left")
"""Refusals whose detail is the table that they speak of."""


def person_of(request: HttpRequest) -> User:
    """Return who is asking, signing a newcomer in as a guest; too many of them from one network are told to wait."""
    if isinstance(request.user, User):
        return request.user
    slow_down_newcomers(request)
    guest = create_guest(language=get_language() or "en")
    login(request, guest, backend=settings.AUTHENTICATION_BACKENDS[0])
    return guest


def sitter_at(request: HttpRequest, table: Table) -> User:
    """Return who wants to sit or wait at a table; a newcomer becomes a guest only where guests may sit.

    Raises ``TableRefusal`` (``guests_not_rated``, ``guests_without_chips``).
    """
    if not isinstance(request.user, User) or request.user.is_guest:
        if table.rated:
            raise TableRefusal("guests_not_rated")
        if table.staked:
            raise TableRefusal("guests_without_chips")
    return person_of(request)


def number_in(request: HttpRequest, name: str) -> int | None:
    """Return a whole number that was sent, ``None`` if there is none; -1, which nothing allows, for other text."""
    text = request.POST.get(name, "")
    return None if not text else whole(text)


def explained(refusal: TableRefusal) -> str:
    """Return the sentence of a refusal, with a link to the table that it speaks of."""
    if refusal.code not in WAY_BACK:
        return refusal.message
    address = reverse("games:table", args=[refusal.detail])
    return format_html('{} <a href="{}">{}</a>', refusal.message, address, _("Go to that table"))


def at_table(request: HttpRequest, table_id: UUID, act: Callable[[Table], object]) -> HttpResponse:
    """Do something at a table and go back to its page, with the reason if it was refused."""
    table = get_object_or_404(Table, pk=table_id)
    try:
        act(table)
    except TableRefusal as refusal:
        messages.error(request, explained(refusal))
    return redirect("games:table", table_id=table_id)


def profiles_at(request: HttpRequest, table: Table, seats: Sequence[Seat]) -> dict[int, str]:
    """Return the user names, by person, of those at a table whose profiles may be seen by who asks."""
    return profiles_of(request.user, table.club, [seat.user_id for seat in seats])


def players_at(request: HttpRequest, table: Table, seats: Sequence[Seat]) -> list[dict[str, str]]:
    """Return ``name`` and ``profile`` (a user name) of everybody at a table who has a profile to look at, in seat order."""
    profiles = profiles_at(request, table, seats)
    return [
        {"name": seat.shown_name, "profile": profiles[seat.user_id]}
        for seat in seats
        if seat.user_id in profiles
    ]


def game_named(name: str | None) -> str:
    """Return the game of that name, the usual one for any other text."""
    return name if name in GAMES else USUAL_GAME


def game_cards() -> list[dict[str, object]]:
    """Return what a choice between the games shows: name, title, fewest and most seats."""
    return [_game_card(name) for name in GAMES]


def _game_card(name: str) -> dict[str, object]:
    widest = GAMES[name].parse_options({"packs": 2} if name == "least_score" else {})
    low, high = GAMES[name].seat_range(widest)
    return {"name": name, "title": title_of(name), "seats_min": low, "seats_max": high}
