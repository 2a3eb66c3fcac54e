"""An event on a site that runs: its organiser at the pages, its members at the tables."""

from __future__ import annotations

import http.client
import json
import re
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from config.embedded import read_addresses
from tests.faults.conftest import PROJECT, OwnSite
from tests.faults.player import Player, _token

QUIET_SECONDS = 3
PATIENCE = 600
"""Seconds that a busy machine may take for a round: nobody waits for longer than it does take."""


def club(own_site: OwnSite, *step: str) -> Any:
    """Do a step of ``event_club`` beside the site; return what it tells."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.faults.event_club", *step],
        cwd=PROJECT,
        env=own_site.environment | read_addresses(own_site.var),
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return json.loads(done.stdout)


class Visitor:
    """Somebody who is signed in and uses the pages of one event."""

    def __init__(self, own_site: OwnSite, event: str, session: str) -> None:
        self.site, self.event = own_site, event
        self.cookie = f"sessionid={session}"
        self.at = f"{own_site.address}/events/{event}/"

    def read(self, path: str) -> str:
        """Return a page of the event."""
        request = urllib.request.Request(self.at + path, headers={"Cookie": self.cookie})
        return str(urllib.request.urlopen(request, timeout=60).read().decode())

    def press(self, path: str, **said: str) -> None:
        """Send a form of the event's pages; a refusal fails the test with what the page says."""
        seen = urllib.request.urlopen(
            urllib.request.Request(self.at, headers={"Cookie": self.cookie}), timeout=60
        )
        cookies = [line.partition(";")[0] for line in seen.headers.get_all("Set-Cookie", [])]
        data = urllib.parse.urlencode({**said, "csrfmiddlewaretoken": _token(seen.read().decode())}).encode()
        headers = {"Cookie": "; ".join([self.cookie, *cookies])}
        try:
            urllib.request.urlopen(urllib.request.Request(self.at + path, data, headers), timeout=60)
        except urllib.error.HTTPError as answer:
            said_there = re.sub(r"<[^>]+>|\s+", " ", answer.read().decode())
            raise AssertionError(f"{path} was refused ({answer.code}): {said_there[:3000]}") from answer


class Organiser(Visitor):
    """Who runs the event."""

    def start_round(self, number: int, *, draw: bool = True) -> None:
        """Draw, confirm and release a round."""
        if draw:
            self.press("do/draw/")
        self.press(f"rounds/{number}/do/confirm_draw/")
        self.press(f"rounds/{number}/do/release/")

    def state(self, number: int) -> str:
        """Return the state of a round."""
        sql = "SELECT state FROM tournaments_round WHERE tournament_id = %s AND number = %s"
        return str(self.site.rows(sql, self.event, number)[0][0])

    def results(self, number: int) -> int:
        """Return how many results of a round are there."""
        sql = (
            "SELECT count(*) FROM tournaments_result r JOIN tournaments_eventtable t ON t.id = r.event_table_id"
            " JOIN tournaments_round o ON o.id = t.round_id WHERE o.tournament_id = %s AND o.number = %s"
        )
        return int(self.site.rows(sql, self.event, number)[0][0])

    def wait_for_results(self, number: int, count: int) -> None:
        """Wait until so many results of a round are there."""
        _wait(lambda: self.results(number) >= count, f"round {number} has no {count} results")

    def end_round(self, number: int) -> None:
        """Wait until all tables of a round are done, and confirm it."""
        _wait(lambda: self.state(number) == "complete", f"round {number} does not end")
        self.press(f"rounds/{number}/do/confirm/")


class Member(Visitor, Player):
    """A member who plays wherever the event's page says, until the event is over or the member has left."""

    def __init__(self, own_site: OwnSite, event: str, session: str) -> None:
        Visitor.__init__(self, own_site, event, session)
        self.address = own_site.address
        self.tables: list[str] = []
        self.refusals: list[str] = []
        self.over = threading.Event()
        self.failed: Exception | None = None
        self._may_move = threading.Event()
        self._may_move.set()
        self._thread = threading.Thread(target=self._follow, daemon=True)

    def play(self) -> None:
        """Begin to follow the event in a thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop following; what went wrong is raised here."""
        self.over.set()
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive(), "a member does not stop playing"
        if self.failed is not None:
            raise self.failed

    @contextmanager
    def holding_up(self) -> Iterator[None]:
        """Make no move while the block runs: no round ends, unless the clock moves."""
        self._may_move.clear()
        try:
            yield
        finally:
            self._may_move.set()

    def _act(self, socket: Any) -> None:
        self._may_move.wait(PATIENCE)
        super()._act(socket)

    def _follow(self) -> None:
        try:
            while not self.over.is_set():
                found = re.search(r'href="/tables/([0-9a-f-]{36})/"', self._where())
                if found is None:
                    self.over.wait(0.5)
                    continue
                self.tables.append(found[1])
                self._sit_at(found[1])
        except Exception as failed:  # Raised again in the test's thread.
            self.failed = failed

    def _where(self) -> str:
        """Return the page of the own seat; a web server that is being replaced is asked again."""
        try:
            return self.read("me/")
        except (OSError, http.client.HTTPException):
            return ""

    def _sit_at(self, table: str) -> None:
        """Play at a table until it is over or says nothing new for a while: the event may want the member elsewhere."""
        self.table_id = table
        self.state: dict[str, Any] = {"v": -1}
        self.versions: list[int] = []
        self._waiting = None
        self._heard = (-1, time.monotonic())
        self.play_until(Member._done_here, seconds=PATIENCE)

    def _done_here(self) -> bool:
        if self.state["v"] != self._heard[0]:
            self._heard = (self.state["v"], time.monotonic())
        quiet = time.monotonic() - self._heard[1] > QUIET_SECONDS
        return self.over.is_set() or self.finished() or quiet


@contextmanager
def following(members: list[Member]) -> Iterator[None]:
    """Let members play at the event while the block runs."""
    for member in members:
        member.play()
    try:
        yield
    finally:
        for member in members:
            member.stop()


def _wait(done: Any, what: str, seconds: float = PATIENCE) -> None:
    deadline = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < deadline, what
        time.sleep(0.2)
