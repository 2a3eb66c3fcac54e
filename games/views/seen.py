"""What of a table the person who asks may see."""

from __future__ import annotations

from django.http import HttpRequest

from games import selectors
from games.models import Table


def seen(request: HttpRequest, table: Table) -> selectors.Seen:
    """Return ``selectors.seen_by`` for who asks; where nothing is delayed nobody's session is read."""
    if not table.watch_delay:
        return selectors.Seen(table, None)
    return selectors.seen_by(table, request.user.pk)
