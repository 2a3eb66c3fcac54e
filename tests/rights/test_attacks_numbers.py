"""Numbers, names and places that are larger, smaller or stranger than anything in the database, in every address."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction
from django.urls import NoReverseMatch, reverse

from tests.rights.test_matrix import FIXED, address_of, addresses
from tests.rights.world import World

pytestmark = pytest.mark.django_db

ASKED = (
    *(
        "q",
        "page",
        "find",
        "show",
        "month",
        "from",
        "next",
        "since",
        "before",
        "after",
        "at",
        "seq",
        "v",
        "seat",
    ),
    *(
        "game",
        "clock",
        "stakes",
        "rating",
        "preset",
        "besides",
        "table",
        "one",
        "other",
        "places",
        "days",
        "member",
    ),
    *(
        "state",
        "results",
        "hands",
        "asset",
        "kind",
        "direction",
        "until",
        "source",
        "standing",
        "ref",
        "o",
        "p",
        "e",
    ),
    *(
        "line",
        "deal",
        "reason",
        "note",
        "seen",
        "free",
        "key",
        "account",
        "format",
        "all",
        "_popup",
        "_to_field",
    ),
)
"""Every name that some page reads out of its address."""

STRANGE = (
    "9223372036854775809",
    "-1",
    "1.5",
    "a\x00b",
    "'\")); --",
    "9999-12-31T23:59:59-14:00",
    "٣" * 40,
    "x" * 3_000,
)


@pytest.fixture
def world(settings: Any, tmp_path: Any) -> World:
    settings.LEDGER_EXPORT_DIR = tmp_path / "exports"
    settings.LEDGER_KEY_DIR, settings.LEDGER_HEADS_FILE = tmp_path / "keys", tmp_path / "heads.jsonl"
    made = World(sealed=False)
    # What is a fault is told with its address at once.
    for client in made.clients.values():
        client.raise_request_exception = False
    return made


def status_of(world: World, who: str, method: str, address: str, sent: Any = None) -> int:
    """Return what somebody gets; nothing that was written stays, and no limit is reached."""
    cache.clear()
    with transaction.atomic():
        code: int = getattr(world.clients[who], method)(address, sent or {}).status_code
        transaction.set_rollback(True)
    return code


def test_no_number_in_an_address_is_a_fault(world: World) -> None:
    """The admin's way to a thing's page once failed at an id that is none of its kind."""
    tried = 0
    for name, parts in addresses():
        values = {part: world.things.get(part, FIXED.get(part, 1)) for part in parts}
        deep = name.startswith("admin:") and name.endswith(("_add", "_delete", "_history"))
        for part in () if deep else parts:
            for number, method in ((2**63 + 1, "get"), (2**31 + 1, "post")):
                try:
                    address = reverse(name, kwargs=values | {part: number})
                except NoReverseMatch:
                    break  # the part is no number
                code = status_of(world, "keeper", method, address)
                assert code < 500, (method, address, code)
                tried += 1
    assert tried > 150


def test_no_question_is_a_fault(world: World) -> None:
    """Each page is asked, with junk of another kind under every name that some page knows; the admin's lists too."""
    for name, parts in addresses():
        if name in ("healthz", "metrics") or (name.startswith("admin:") and not name.endswith("_changelist")):
            continue
        for turn in range(2):
            asked = {each: STRANGE[(n + 3 * turn) % len(STRANGE)] for n, each in enumerate(ASKED)}
            code = status_of(world, "keeper", "get", address_of(name, parts, world), asked)
            assert code < 500, (name, asked, code)
