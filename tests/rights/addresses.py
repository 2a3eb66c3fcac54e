"""Every named address of the site, and an example of each."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver, reverse

FIXED: dict[str, Any] = {
    "game": "least_score",
    "act": "check_in",
    "what": "standings",
    "table": 1,
    "name": "issue",
    "pk": 1,
    "entry": 1,
    "place": 1,
    "key": "x",
    "token_id": 1,
    "uidb36": "1",
    "app_label": "ledger",
    "lesson": "least_score",
    "step": 1,
    "url": "nowhere",
    "code": 404,
    "signed": "x",
}
"""Parts of addresses that name nothing of a club, or something that is always there."""


@functools.cache
def addresses() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Every named address of the site with the parts that it has, each once."""
    return tuple(_addresses())


def _addresses() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every named address of the site with the parts that it has, each once."""
    seen: set[tuple[str, tuple[str, ...]]] = set()

    def walk(
        resolver: URLResolver, space: str, parts: tuple[str, ...]
    ) -> Iterator[tuple[str, tuple[str, ...]]]:
        for pattern in resolver.url_patterns:
            own = (*parts, *pattern.pattern.regex.groupindex)
            if isinstance(pattern, URLResolver):
                inner = f"{space}{pattern.namespace}:" if pattern.namespace else space
                yield from walk(pattern, inner, own)
            elif isinstance(pattern, URLPattern) and pattern.name:
                found = (f"{space}{pattern.name}", own)
                if found not in seen:
                    seen.add(found)
                    yield found

    yield from walk(get_resolver(), "", ())


def address_of(name: str, parts: tuple[str, ...], world: Any) -> str:
    """Return the address of something in the first club."""
    space, _, short = name.rpartition(":")
    values = {}
    for part in parts:
        if part == "object_id" and short != "view_on_site":
            model = "_".join(short.split("_")[:2])
            values[part] = world.things.get(model, 1)
        elif part == "object_id":
            values[part] = str(world.table.pk)
        elif part in ("table", "event") and space == "api":
            values[part] = world.table.pk if part == "table" else world.event.pk
        elif part == "number":
            values[part] = world.things[{"admin": short.rpartition("_")[0]}.get(space, space)]
        else:
            values[part] = world.things[part] if part in world.things else FIXED[part]
    return reverse(name, kwargs=values)
