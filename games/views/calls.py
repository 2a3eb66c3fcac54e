"""What every page tells a member: which tables wait for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from clubs.models import User
from games import selectors
from games.selectors import Call


def table_calls(request: HttpRequest) -> dict[str, Callable[[], list[Call]]]:
    """Give templates ``table_calls``: the tables that wait for the member, besides the one that the page shows.

    Read only by pages that ask for it, with one query.
    """
    return {"table_calls": lambda: _calls(request)}


@never_cache
@require_safe
def calls(request: HttpRequest) -> HttpResponse:
    """The calls alone, which open pages ask for from time to time; ``besides`` is the table that they show."""
    return render(request, "games/_calls.html")


def _calls(request: HttpRequest) -> list[Call]:
    user: Any = getattr(request, "user", None)
    if not isinstance(user, User):
        return []
    return selectors.calls_for(user.pk, besides=_table_shown(request))


def _table_shown(request: HttpRequest) -> UUID | None:
    match = request.resolver_match
    shown = match.kwargs.get("table_id") if match else None
    if shown is not None:
        return cast(UUID, shown)
    try:
        return UUID(request.GET.get("besides", ""))
    except ValueError:
        return None
