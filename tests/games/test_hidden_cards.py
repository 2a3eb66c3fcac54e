"""Hidden cards: everything that leaves the server during a whole match is searched for cards its receiver may not know."""

from __future__ import annotations

import random
import re
from typing import Any
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async
from django.test import Client as Browser

from clubs.models import User
from config.card_faces import card_faces
from games import services
from games.models import LogEntry, Moment, Table
from games.rules import GAMES
from games.services.clockwork import _database_time
from tests.games.sockets import PATIENCE, Client, connected
from tests.games.streaming import Stream
from tests.games.tables import SEATS, member, play_one, start
from tests.programs import Program

pytestmark = [pytest.mark.committed, pytest.mark.usefixtures("closed_hub")]
OPTIONS: dict[str, dict[str, Any]] = {"least_score": {"threshold": 25}, "three_card_loo": {}}
PAGES = (
    *("", "log.json", "history/", "fair/", "fair/proofs.json", "deals/1/", "deals/1/record.json"),
    *("deals/1/proof.json", "deals/1/steps.json", "deals/1/steps.json?hands=open&seat=2"),
)
KINDS = {"state", "pong", "refused", "presence", "chat"}


@pytest.mark.parametrize("delay", [0, 1])
@pytest.mark.parametrize("game", sorted(GAMES))
async def test_nothing_of_a_whole_match_names_a_card_its_receiver_may_not_know(game: str, delay: int) -> None:
    """Views, refusals, resyncs, reconnects, chat and pages, for two players and a watcher, who may be delayed."""
    mari, jaan = await sync_to_async(member)("mari"), await sync_to_async(member)("jaan")
    table = await sync_to_async(open_table)(game, mari, jaan, delay)
    watched = Watched(table, mari, jaan)
    streams = await programs_listening(table, {1: mari, 2: jaan, None: await sync_to_async(member)("tiit")})
    dice = random.Random(game)
    for _ in range(400):
        await sync_to_async(table.refresh_from_db)()
        if table.status == Table.Status.FINISHED:
            break
        await sync_to_async(start if table.status == Table.Status.BETWEEN else play_one)(table)
        await watched.look(dice)
    assert table.status == Table.Status.FINISHED
    await sync_to_async(Moment.objects.filter(table=table).update)(at=table.opened_at)
    for seat, client in watched.clients.items():
        await client.say(t="resync")
        await client.version(table.version)
        if not any(frame["t"] == "presence" for frame in client.frames):
            # Who is there is told in batches, and a short match may be over before the first of them.
            await client.kind("presence")
        watched.keep(seat, client)
        await client.socket.disconnect()
    for seat, stream in streams.items():
        await stream.rest()
        await stream.wait(PATIENCE)
        watched.frames.append((seat, stream.frames))
    allowed = await sync_to_async(knowledge)(table, list(watched.clients))
    assert {frame["t"] for _seat, frames in watched.frames for frame in frames} >= KINDS
    for seat, frames in watched.frames:
        check_frames(frames, allowed[seat], seat)
    assert watched.pages, "pages were looked at while the first deal was played"
    for seat, page, version, text in watched.pages:
        # The list of all faces is the same on every page, and so tells nothing.
        named = set(CARD.findall(text.replace(card_faces(), "")))
        foreign = named - allowed[seat].get(version, set())
        assert not foreign, (seat, page, version, foreign)


def open_table(game: str, mari: User, jaan: User, delay: int) -> Table:
    bots = dict.fromkeys(range(3, SEATS[game] + 1), "random")
    return services.open_table(
        game=game,
        options=OPTIONS[game],
        clock="club",
        members={1: mari, 2: jaan},
        bots=bots,
        opened_by=mari,
        watch_delay=delay,
        pace_ms=0,
        bot_think_ms=0,
    )


async def programs_listening(table: Table, people: dict[int | None, User]) -> dict[int | None, Stream]:
    """Open the stream of the table for a program of each of these people."""
    streams = {}
    for seat, person in people.items():
        program = await sync_to_async(Program)(person, "read")
        streams[seat] = Stream(f"/tables/{table.id}/stream", program.text)
        assert await streams[seat].open() == 200
    return streams


class Watched:
    """The sockets and browsers of two players and a watcher, and everything that they were sent."""

    def __init__(self, table: Table, mari: User, jaan: User) -> None:
        self.table = table
        self.people: dict[int | None, User | None] = {1: mari, 2: jaan, None: None}
        self.clients: dict[int | None, Client] = {}
        self.browsers: dict[int | None, Browser] = {}
        self.frames: list[tuple[int | None, list[dict[str, Any]]]] = []
        self.pages: list[tuple[int | None, str, int, str]] = []

    def keep(self, seat: int | None, client: Client) -> None:
        self.frames.append((seat, client.frames))

    async def look(self, dice: random.Random) -> None:
        """After a move: some reconnect, some say something, and one of them opens a page."""
        for seat, person in self.people.items():
            chance = dice.random()
            if seat not in self.clients or chance < 0.05:
                await self._connect(seat, person)
            elif chance < 0.4:
                await self._say(self.clients[seat], dice)
        seat = dice.choice(list(self.people))
        await sync_to_async(self._open)(seat, dice.choice(PAGES))

    async def _connect(self, seat: int | None, person: User | None) -> None:
        old = self.clients.pop(seat, None)
        if old is not None:
            await old.say(t="ping")
            await old.kind("pong")
            self.keep(seat, old)
            await old.socket.disconnect()
        self.clients[seat] = await connected(self.table, person)

    async def _say(self, client: Client, dice: random.Random) -> None:
        version = client.state["v"]
        chosen: dict[str, Any] = dice.choice(
            [
                {"t": "ping"},
                {"t": "resync"},
                {
                    "t": "move",
                    "id": str(uuid4()),
                    "v": version,
                    "m": dice.choice(("2H", "AS AS", "declare!")),
                },
                {"t": "move", "id": str(uuid4()), "v": 0, "m": "7H"},
                {"t": "say", "id": str(uuid4()), "text": "good luck"},
                {"t": "chat_since", "id": 0},
                {"t": "ready"},
            ]
        )
        await client.say(**chosen)

    def _open(self, seat: int | None, page: str) -> None:
        """Open a page while the first deal is played; later other deals' cards may be on it."""
        self.table.refresh_from_db()
        if self.table.deal_number != 1 or self.table.status != Table.Status.PLAYING:
            return
        if seat not in self.browsers:
            browser = self.browsers[seat] = Browser()
            person = self.people[seat]
            if person is not None:
                browser.force_login(person)
        text = self.browsers[seat].get(f"/tables/{self.table.id}/{page}").content.decode()
        self.pages.append((seat, page, self._may_know(seat), text))

    def _may_know(self, seat: int | None) -> int:
        """Return the version up to which somebody may know the table at this moment."""
        log = LogEntry.objects.filter(table=self.table)
        if seat is None and self.table.watch_delay:
            seconds = _database_time().timestamp() - self.table.watch_delay
            return max((entry.version for entry in log if entry.at.timestamp() <= seconds), default=0)
        return max(entry.version for entry in log)


def check_frames(frames: list[dict[str, Any]], allowed: dict[int, set[str]], seat: int | None) -> None:
    """Search the frames of one socket: a view may name what was known since the view before it."""
    seen = next(frame["v"] for frame in frames if frame["t"] == "state") - 1
    for frame in frames:
        if frame["t"] != "state":
            assert not cards_in(frame), frame
            continue
        # A frame tells of everything since the one before it, on a slow machine of two deals at once.
        versions = range(min(seen + 1, frame["v"]), frame["v"] + 1)
        permitted = set().union(*(allowed.get(version, set()) for version in versions))
        assert cards_in(frame) <= permitted, (seat, frame["v"], cards_in(frame) - permitted)
        seen = frame["v"]


CARD = re.compile(r"\b[2-9TJQKA][CDHS]\b")


def cards_in(value: Any) -> set[str]:
    """Return every text in a frame that is a card or a list of cards."""
    if isinstance(value, dict):
        return set().union(*(cards_in(part) for pair in value.items() for part in pair), set())
    if isinstance(value, list):
        return set().union(*(cards_in(part) for part in value), set())
    if not isinstance(value, str):
        return set()
    return {word for word in value.replace(">", " ").split() if len(word) == 2 and word in CARDS}


CARDS = {rank + suit for rank in "23456789TJQKA" for suit in "CDHS"}


def knowledge(table: Table, seats: list[int | None]) -> dict[int | None, dict[int, set[str]]]:
    """Return, by seat and version, every card that was public or the seat's own up to that version of its deal.

    Computed from the stored moves and deck alone: cards dealt to the seat,
    cards played, laid or turned up, and everything once a deal was shown.
    """
    known: dict[int | None, dict[int, set[str]]] = {seat: {} for seat in seats}
    running: dict[int | None, set[str]] = {seat: set() for seat in seats}
    for entry in LogEntry.objects.filter(table=table).order_by("version"):
        for event in entry.events:
            if event["type"] == "deal":
                running = {seat: set() for seat in seats}
            for seat in seats:
                running[seat] |= public_cards(event)
                if seat is not None:
                    running[seat] |= cards_in(event.get("private", {}).get(str(seat), {}))
        for seat in seats:
            known[seat][entry.version] = set(running[seat])
    return known


def public_cards(event: dict[str, Any]) -> set[str]:
    """Return the cards that an event shows to everybody, by the kinds of events that the rules make public."""
    if event["type"] in {
        "turn_up",
        "open",
        "discard",
        "take",
        "card",
        "trick",
        "show",
        "deal_over",
        "miss_shown",
    }:
        return cards_in({key: value for key, value in event.items() if key != "private"})
    return set()
