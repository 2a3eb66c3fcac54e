"""A member at a table who plays over a real socket and comes back after every loss, as the browser does."""

from __future__ import annotations

import http.cookiejar
import json
import re
import time
import urllib.parse
import urllib.request
from collections.abc import Callable
from typing import Any
from uuid import uuid4

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

REPEAT_SECONDS = 2.5


class Player:
    """A guest who opened a table against bots; ``states`` are the views it was shown, newest last."""

    def __init__(self, address: str, game: str, **choices: str) -> None:
        self.address = address
        cookies = http.cookiejar.CookieJar()
        self.web = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(cookies))
        page = self.web.open(f"{address}/?game={game}").read().decode()
        self.path = urllib.parse.urlparse(self._play_now(page, game, choices)).path
        self.table_id = self.path.strip("/").rpartition("/")[2]
        self.cookie = "; ".join(f"{cookie.name}={cookie.value}" for cookie in cookies)
        self.state: dict[str, Any] = {"v": -1}
        self.versions: list[int] = []
        self.refusals: list[str] = []
        self._waiting: tuple[str, int] | None = None

    def _play_now(self, page: str, game: str, choices: dict[str, str]) -> str:
        data = {
            "csrfmiddlewaretoken": _token(page),
            "game": game,
            "level": "random",
            **_form_values(page),
            **choices,
        }
        return str(self.web.open(f"{self.address}/play/", urllib.parse.urlencode(data).encode()).url)

    def play_until(self, done: Callable[[Player], bool], *, seconds: float) -> None:
        """Play the first legal move of every turn until ``done``; raises ``TimeoutError`` after ``seconds``."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                with self._socket() as socket:
                    while time.monotonic() < deadline:
                        if done(self):
                            return
                        self._turn(socket)
            except (OSError, WebSocketException, EOFError):
                self._waiting = None
                time.sleep(0.3)
        raise TimeoutError(f"not done at version {self.state['v']}: {self.refusals[-3:]}")

    def finished(self) -> bool:
        """Whether the player has been shown the end of the match."""
        return self.state["v"] >= 0 and self.state["table"]["status"] == "finished"

    def get_json(self, path: str) -> Any:
        """Return a JSON file of the site as this player sees it."""
        return json.loads(self.web.open(self.address + self.path + path).read())

    def _socket(self) -> Any:
        address = self.address.replace("http", "ws") + f"/ws/tables/{self.table_id}/"
        headers = {"Cookie": self.cookie}
        return connect(address, additional_headers=headers, origin=self.address, open_timeout=10)  # type: ignore[arg-type]

    def _turn(self, socket: Any) -> None:
        try:
            frame = json.loads(socket.recv(timeout=REPEAT_SECONDS))
        except TimeoutError:
            self._waiting = None
            socket.send(json.dumps({"t": "ping"}))
            self._act(socket)
            return
        if frame["t"] == "state" and frame["v"] > self.state["v"]:
            self.state = frame
            self.versions.append(frame["v"])
        elif frame["t"] == "refused":
            self.refusals.append(frame["code"])
            self._waiting = None
        elif frame["t"] == "pong" and frame["v"] > self.state["v"]:
            socket.send(json.dumps({"t": "resync"}))
        self._act(socket)

    def _act(self, socket: Any) -> None:
        """Make the first legal move when on turn, once for each turn; do not wait between deals."""
        if self.state["v"] < 0 or (self._waiting is not None and self._waiting[1] >= self.state["v"]):
            return
        table = self.state["table"]
        legal = (table["deal"] or {}).get("legal")
        if table["status"] == "between" and table["match"]:
            self._waiting = ("ready", self.state["v"])
            socket.send(json.dumps({"t": "ready"}))
        elif legal and table["clock"] and table["clock"]["seat"] == table["you"]:
            self._waiting = (str(uuid4()), self.state["v"])
            move = {"t": "move", "id": self._waiting[0], "v": self.state["v"], "m": legal[0]}
            socket.send(json.dumps(move))


def _token(page: str) -> str:
    found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
    assert found
    return found[1]


def _form_values(page: str) -> dict[str, str]:
    """Return what the form's selects and number fields say as the page shows them."""
    form = page[page.index('id="play-now"') :]
    values = dict(re.findall(r'<input type="number" name="(\w+)" value="(\d+)"', form))
    for select in re.finditer(r'<select name="(\w+)".*?</select>', form, re.DOTALL):
        chosen = re.search(r'<option value="([^"]*)" selected', select[0])
        first = re.search(r'<option value="([^"]*)"', select[0])
        values[select[1]] = (chosen or first)[1]  # type: ignore[index]
    return values
