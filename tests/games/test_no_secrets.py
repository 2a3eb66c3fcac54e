"""What must never be in a log: seeds of the chain, cards that are still hidden, keys of sessions."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async

from clubs.models import User
from config.logs import FORMATS
from games import selectors
from games.models import Table
from tests.conftest import CommittedDatabase
from tests.games.processes import WebProcess, web_processes
from tests.games.sockets import signed_in
from tests.games.tables import member, open_table, play_bots_until, play_one, start
from tests.games.test_processes import newer, until
from tests.games.wire import Line

pytestmark = pytest.mark.committed
CARD = re.compile(r"\b[2-9TJQKA][CDHS]\b")


class Listener(logging.Handler):
    """Keeps every line of every logger as it would be written."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.name} {record.getMessage()} {record.exc_text or ''}")


@contextmanager
def listening() -> Iterator[list[str]]:
    """Give every line that is logged in this process at any level."""
    listener, root = Listener(), logging.getLogger()
    before = root.level
    root.addHandler(listener)
    root.setLevel(logging.DEBUG)
    try:
        yield listener.lines
    finally:
        root.setLevel(before)
        root.removeHandler(listener)


@pytest.mark.parametrize("form", FORMATS)
async def test_a_match_at_the_lowest_log_level_tells_no_seed_no_card_and_no_session(
    committed_database: CommittedDatabase, tmp_path: Path, form: str
) -> None:
    """A web process with its sockets, and the services of workers in this one, both logging all they can."""
    mari, jaan = await sync_to_async(member)("mari"), await sync_to_async(member)("jaan")
    environment = {**committed_database.environment, "LOG_LEVEL": "DEBUG", "LOG_FORMAT": form, "DEBUG": "0"}
    keys = [await sync_to_async(signed_in)(user) for user in (mari, jaan)]
    with listening() as lines, web_processes(1, environment, tmp_path) as [web]:
        table = await play_some(web, mari, jaan, keys)
        text = "\n".join([*lines, web.said.read_text()])
    said = web.said.read_text()
    if form == "line":
        assert f"DEBUG games.consumers: a socket looks at table {table.id} [table={table.id} user=" in said
    else:
        told = [json.loads(line) for line in said.splitlines()]
        looks = [line for line in told if line["event"] == f"a socket looks at table {table.id}"]
        assert {line["user"] for line in looks} == {mari.pk, jaan.pk}
        assert {(line["table"], line["level"]) for line in looks} == {(str(table.id), "debug")}
    seeds = await sync_to_async(
        lambda: [selectors.seed_of(table, number).hex() for number in range(1, table.deal_number + 2)]
    )()
    for secret in (*keys, *seeds, bytes(table.chain_end).hex()):
        assert secret not in text
    assert not CARD.findall(text)


async def play_some(web: WebProcess, mari: User, jaan: User, keys: list[str]) -> Table:
    """Play a while under the eyes of two sockets, which also say what is refused; return the table as it is then."""
    table = await sync_to_async(open_table)("least_score", mari, jaan)
    await sync_to_async(start)(table)
    await sync_to_async(play_bots_until)(table, 1)
    lines = [await Line.at_table(web.port, table.id, session=key) for key in keys]
    for line in lines:
        view = await until(line, lambda frame: frame["t"] == "state")
        hand = view["table"]["deal"]["hand"]
        for version in (0, view["v"]):
            line.say(t="move", id=str(uuid4()), v=version, m=f"{hand[0]} {hand[0]} > stock")
            await until(line, lambda frame: frame["t"] == "refused")
    for _ in range(6):
        await sync_to_async(table.refresh_from_db)()
        if table.status == Table.Status.FINISHED:
            break
        await sync_to_async(play_one if table.status == Table.Status.PLAYING else start)(table)
        await until(lines[0], newer(table.version - 1))
    for line in lines:
        line.drop()
    await sync_to_async(table.refresh_from_db)()
    return table
