"""Everybody at every address: what each role gets, asked of the whole site, against ``rights.txt``.

An address without lines in the table fails, and so does an answer that is not the table's. ``rights.txt`` is read by
people: after a change look at what is different, and write it anew with ``WRITE_RIGHTS=1``.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client

from clubs.models.tokens import Scope
from clubs.services.tokens import make_token
from tests.rights.addresses import FIXED, address_of, addresses
from tests.rights.world import PEOPLE, World

TABLE = Path(__file__).with_name("rights.txt")
PARTS = ("api", "admin", "games", "ledger", "tournaments", "people")
STRANGERS = ("visitor", "guest", "outsider", "banned")
CLOSED, OPEN = "closed", "open"


def about(name: str, parts: tuple[str, ...], method: str) -> str:
    """Return what a line of the table is about; two addresses of one name are told apart by their parts."""
    twins = [other for other in addresses() if other[0] == name]
    shown = f"{name}[{','.join(parts)}]" if len(twins) > 1 else name
    return f"{shown} {method.upper()}"


def part_of(name: str) -> str:
    space = name.split(":")[0]
    return space if ":" in name and space in PARTS else "people"


FEW = ("visitor", "outsider", "owner", "keeper")
"""Who is asked where nobody may do anything: the admin only looks, and no session signs anybody in at the API."""

SOME = ("visitor", "outsider", "member", "treasurer", "owner", "keeper")
"""Who is asked to send something to pages of the admin that only look."""

OPEN_TOO = ("games", "tournaments", "people")
"""Where it matters whether a club lets others in."""


def asked(world: World, name: str, method: str) -> tuple[str, ...]:
    """Return who is asked: everybody, but where it can make no difference."""
    if name.startswith("api:") or (
        name.startswith("admin:") and name.endswith(("_add", "_delete", "_history"))
    ):
        return FEW
    if name.startswith("admin:") and method == "post":
        return SOME
    return STRANGERS if world.is_open else PEOPLE


def answers(world: World, part: str) -> Iterator[tuple[str, list[str]]]:
    """Yield what each person gets at each address, a dash where nobody was asked; what a request writes is rolled back."""
    columns = STRANGERS if world.is_open else PEOPLE
    for name, parts in addresses():
        if part_of(name) != part:
            continue
        address = address_of(name, parts, world)
        for method in ("get", "post"):
            given = {
                person: answer(world, person, name, address, method) for person in asked(world, name, method)
            }
            yield about(name, parts, method), [given.get(person, "-") for person in columns]


def answer(world: World, person: str, name: str, address: str, method: str) -> str:
    client: Client = world.clients[person]
    # Who may ask is looked at here, not how often: limits would answer as the clock has it.
    cache.clear()
    cookies = copy.deepcopy(client.cookies)
    with transaction.atomic():
        response = getattr(client, method)(address)
        check_nothing_leaks(world, person, name, response)
        transaction.set_rollback(True)
    client.cookies = cookies
    # Whether workers run beside the tests is not asked here.
    return "any" if name == "healthz" and method == "get" else str(response.status_code)


def cells(codes: list[str]) -> str:
    return " ".join(f"{code:<5}" for code in codes)


def check_nothing_leaks(world: World, person: str, name: str, response: Any) -> None:
    """What a stranger is shown tells nothing of the closed club: no name, no number, no chips."""
    if world.is_open or person not in STRANGERS or response.status_code >= 400 or name == "invitation":
        return  # whoever has an invitation's link may read what it is to
    shown = b"".join(response.streaming_content) if response.streaming else response.content
    text = shown.decode(errors="replace") + response.headers.get("Location", "").replace(
        response.request["PATH_INFO"], ""
    )
    told = [secret for secret in world.secrets if secret in text.replace(response.request["PATH_INFO"], "")]
    assert not told, f"{person} at {name} reads {told}"


@pytest.fixture(scope="module")
def written() -> Iterator[dict[str, str]]:
    """The table's lines by what they are about; with WRITE_RIGHTS=1 they are written anew at the end."""
    lines = dict(_read(TABLE.read_text())) if TABLE.exists() else {}
    fresh: dict[str, str] = {}
    yield {"": "", **lines} if not os.environ.get("WRITE_RIGHTS") else fresh
    if fresh:
        lines |= fresh
        there = {about(name, parts, method) for name, parts in addresses() for method in ("get", "post")}
        kept = sorted((what, line) for what, line in lines.items() if what in there)
        TABLE.write_text(HEAD + "".join(f"{what:58}{line}\n" for what, line in kept))


HEAD = (
    "# What each role gets at every address of the site (tests/rights/test_matrix.py). The first columns are asked of a\n"
    "# closed club, those behind the bar of one that lets others see it and play there. The outsider has every role in\n"
    "# another club; the keeper keeps the site. 200 shown, 302 sent on, 403 refused, 404 not there, 405 not so, 422 filled in\n"
    f"# wrongly.\n#{'':57}{' '.join(f'{name[:5]:5}' for name in PEOPLE)} | {' '.join(f'{name[:5]:5}' for name in STRANGERS)}\n"
)


def _read(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        if line and not line.startswith("#"):
            yield line[:58].strip(), line[58:].rstrip()


@pytest.mark.committed
@pytest.mark.usefixtures("plain_refusals")
@pytest.mark.parametrize("part", PARTS)
def test_everybody_gets_what_the_table_says(
    part: str, written: dict[str, str], settings: Any, tmp_path: Path
) -> None:
    settings.LEDGER_EXPORT_DIR = tmp_path / "exports"
    settings.LEDGER_KEY_DIR, settings.LEDGER_HEADS_FILE = tmp_path / "keys", tmp_path / "heads.jsonl"
    cache.clear()
    world = World(sealed=part in ("admin", "ledger"))
    got = {what: cells(codes) for what, codes in answers(world, part)}
    if part in OPEN_TOO:
        world.open()
        for what, codes in answers(world, part):
            got[what] += f" | {cells(codes)}"
    got = {what: line.rstrip() for what, line in got.items()}
    if os.environ.get("WRITE_RIGHTS"):
        written.update(got)
        return
    missing = got.keys() - written.keys()
    assert not missing, f"write a line for each of {sorted(missing)} into {TABLE.name}"
    assert got == {what: written[what] for what in got}


@pytest.mark.committed
def test_a_program_of_another_club_finds_nothing_of_this_one(settings: Any, tmp_path: Path) -> None:
    """The token of somebody with every role in another club, at every address of the API."""
    settings.LEDGER_EXPORT_DIR = tmp_path / "exports"
    world = World(sealed=False)
    token = make_token(
        user=world.person("outsider"), name="x", scopes=[scope.value for scope in Scope], days=1
    ).text
    client = Client(headers={"Authorization": f"Bearer {token}"})
    for name, parts in addresses():
        if not name.startswith("api:") or name.endswith("_stream"):
            continue
        response = client.get(address_of(name, parts, world))
        check_nothing_leaks(world, "outsider", name, response)
        if {"table", "event", "account", "number"} & set(parts):
            assert response.status_code in (404, 405), name


SIGNED = "stop_mails"
"""The address itself is signed: mail programs send the form by themselves, and only to those whom it was written to."""

WITHOUT_TOKEN = "api:"
"""Whom no cookie signs in, nobody can make act unawares: the API asks for a token of its own."""


@pytest.mark.django_db
def test_no_form_of_the_site_is_taken_from_another_site() -> None:
    """Every address refuses a post that does not bring the site's own token along, whoever sends it."""
    world = Nowhere()
    for name, parts in addresses():
        answer = Client(enforce_csrf_checks=True).post(address_of(name, parts, world))
        refused = (401, 403, 404, 405) if name.startswith(WITHOUT_TOKEN) else (403,)
        if name == SIGNED:
            refused = (404,)
        assert answer.status_code in refused, name


class Nowhere:
    """Values for addresses of things that are not there."""

    def __init__(self) -> None:
        number = "00000000-0000-4000-8000-000000000000"
        self.table = self.event = SimpleNamespace(pk=number)
        self.things: Any = {part: 1 for _name, parts in addresses() for part in parts}
        self.things |= {"admin": 1, "games": 1, "ledger": 1, "tournaments": 1, "api": 1}
        self.things |= dict.fromkeys(("table_id", "event_id", "invitation_id"), number)
        self.things |= {"club_slug": "nowhere", "token": "x", "username": "x"}
        numbered = ("ledger_transaction", "ledger_adjustment", "ledger_export", "ledger_closedyear")
        self.things |= dict.fromkeys(numbered, 1) | FIXED


def test_the_table_has_no_line_too_many() -> None:
    """What the table says of addresses that are no longer there would mislead whoever reads it."""
    there = {about(name, parts, method) for name, parts in addresses() for method in ("get", "post")}
    assert set(dict(_read(TABLE.read_text()))) == there
