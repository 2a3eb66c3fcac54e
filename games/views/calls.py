"""What every page tells a member: which tables wait for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest

from clubs.models import User
from games import selectors
from games.selectors import Call


def table_calls(request: HttpRequest) -> dict[str, Callable[[], list[Call]]]:
    """Give templates ``table_calls``: the tables that wait for the member, besides the one that the page shows.

    Read only by pages that ask for it, with one query.
    """
    return {"table_calls": lambda: _calls(request)}


def _calls(request: HttpRequest) -> list[Call]:
    user: Any = getattr(request, "user", None)
    if not isinstance(user, User):
        return []
    match = request.resolver_match
    return selectors.calls_for(user.pk, besides=match.kwargs.get("table_id") if match else None)
