"""Pages of the site with made-up tables, for looking at them without a server or a database.

``python -m tests.browser.preview FOLDER`` writes one page per scene into FOLDER (with the static
files beside them) and, where Playwright and chromium are installed, a picture of each in every size
and colour scheme. The frames come from the real rules, played by seeded chance.
"""

from __future__ import annotations

import argparse
import http.server
import json
import os
import random
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
NAMES = [
    *("Mari", "Jaan", "Liisbet", "Toomas", "Kadri", "Peeter", "Anneli", "Rein"),
    *("Ülle", "Madis", "Õnne", "Tiit", "Helve", "Ants", "Siiri", "Kalle"),
]
SIZES = {"phone": (360, 640), "tablet": (768, 1024), "side": (844, 390), "wide": (1280, 800)}
SCHEMES = ("light", "dark")
NOW = 1_800_000_000_000


def deal_states(
    game: str, seats: int, seed: int, **options: Any
) -> Iterator[tuple[Any, Any, tuple[Any, ...]]]:
    """Yield (match, state, events) along random matches of ``game``, one after every move and deal."""
    from games.rules import GAMES, cards

    rules, dice = GAMES[game], random.Random(seed)
    parsed = rules.parse_options(options)
    match, _ = rules.new_match(
        seats=tuple(range(1, seats + 1)), dealer=dice.randint(1, seats), options=parsed
    )
    while not rules.match_over(match):
        deck = list(cards.pack(int(getattr(parsed, "packs", 1))))
        dice.shuffle(deck)
        state = rules.match_deal(match, deck=tuple(deck))
        yield match, state, rules.opening(state)
        while (actor := rules.actor(state)) is not None:
            if actor == 0:
                order = list(rules.to_shuffle(state))
                dice.shuffle(order)
                move = rules.parse_move("shuffle " + " ".join(order))
            else:
                move = _choose(dice, rules.legal_moves(state))
            state, events = rules.apply(state, move)
            yield match, state, events
        match, events = rules.close_deal(match, state)
        yield match, state, events


def _choose(dice: random.Random, moves: tuple[str, ...]) -> str:
    """Choose a move as a lively player would: fewer folds, longer sets, declaring now and then."""
    if "declare" in moves and dice.random() < 0.25:
        return "declare"
    if "fold" in moves and dice.random() < 0.6:
        return str(dice.choice([move for move in moves if move != "fold"]))
    return str(dice.choice(moves))


def frame(
    game: str, seats: int, you: int | None, match: Any, state: Any, status: str, **more: Any
) -> dict[str, Any]:
    """Return a state frame as the server would send it for seat ``you``."""
    from games.rules import GAMES

    rules = GAMES[game]
    turn = rules.actor(state) or None
    title = {"three_card_loo": "3-Card Loo", "least_score": "Least Score"}[game]
    places = [
        {
            "seat": n,
            "name": NAMES[n - 1],
            "bot": n != you,
            "stand_in": False,
            "left": False,
            "ready": False,
            "present": True,
        }
        for n in range(1, seats + 1)
    ]
    if seats > 3:
        places[2] |= {"bot": False, "stand_in": True}
        places[3] |= {"bot": False, "present": False}
    clock = {"seat": turn, "deadline": NOW + 99_000, "turn_ms": 15_000, "bank_ms": 90_000, "bank_left": {}}
    clock["bank_left"] = {str(n): 90_000 for n in range(1, seats + 1)}
    table = {
        "id": "5b2a1a4e-0000-4000-8000-000000000001",
        "game": game,
        "title": title,
        "status": status,
        "you": you,
        "seats": places,
        "options": ["everybody deals once", "being looed costs 3 stakes"],
        "match": rules.match_view(match),
        "ranking": [list(row) for row in rules.ranking(match)] if rules.match_over(match) else None,
        "deal": rules.view_for(state, you),
        "clock": clock if status == "playing" and turn else None,
        "next_deal_at": NOW + 8_000 if status == "between" else None,
        "fair": {"commitment": "9f" * 32, "deal": 3, "nonce": "3", "nonces_open": status == "between"},
        "course": {"can": COURSE_ACTS[status], "pause": None, "abandoned": [], "rematch": None, "buy_in": 0},
    }
    return {"t": "state", "v": 12, "now": NOW, "table": table, "events": [], **more}


COURSE_ACTS = {"playing": ["pause", "stand_in"], "between": ["pause", "stand_in"], "finished": ["again"]}


def in_course(
    snapshot: dict[str, Any], *, clock: dict[str, Any] | None = None, **course: Any
) -> dict[str, Any]:
    """Return a scene at another point of the match's course: a pause, an early end, the match after."""
    snapshot["table"]["course"] |= course
    if clock is not None:
        snapshot["table"]["clock"] |= clock
    return snapshot


Wanted = Callable[[Any, Any, Any], bool]


def scene(
    game: str, seats: int, you: int | None, wanted: Wanted, status: str, seed: int = 1, **options: Any
) -> dict[str, Any]:
    """Return the frame of the first moment that ``wanted(rules, match, state)`` accepts."""
    from games.rules import GAMES

    rules = GAMES[game]
    for more in range(400):
        past: list[Any] = []
        for match, state, events in deal_states(game, seats, seed + more, **options):
            past = [*past, *events][-4:]
            over = rules.outcome(state) is not None
            if (status == "playing") == (not over) and wanted(rules, match, state):
                from games.rules.interface import event_for

                shown = [event_for(event, you) for event in past]
                return frame(game, seats, you, match, state, status, later=shown)
    raise LookupError(f"no such moment in {game}")


def scenes() -> dict[str, dict[str, Any]]:
    """Return the frames worth looking at, by name."""

    def announcing(rules: Any, _match: Any, state: Any) -> bool:
        return (
            rules.actor(state) == 2
            and "fold" in rules.legal_moves(state)
            and len(rules.view_for(state, 2)["in"]) > 0
        )

    def playing(many: int) -> Wanted:
        return lambda rules, _m, state: (
            rules.actor(state) == 2
            and state.phase == "play"
            and len(rules.view_for(state, 2)["in"]) >= many
            and len(rules.view_for(state, 2)["tricks"]) == 2
            and bool(rules.refusals(state))
        )

    def turn(rules: Any, match: Any, state: Any) -> bool:
        view = rules.view_for(state, 2)
        long_sets = any(len(move.split(" > ")[0]) > 5 for move in view["legal"])
        return (
            rules.actor(state) == 2
            and long_sets
            and len(view["open"]) > 1
            and match.deals > 0
            and view["declare_allowed"]
        )

    def ended(rules: Any, match: Any, state: Any) -> bool:
        return match.deals > 0 and not rules.match_over(match)

    def looed(rules: Any, match: Any, state: Any) -> bool:
        done = rules.outcome_json(state)
        return ended(rules, match, state) and len(done["looed"]) > 1

    def finished(rules: Any, match: Any, _state: Any) -> bool:
        return rules.match_over(match)

    loo, least = "three_card_loo", "least_score"
    return {
        "loo5-announce": scene(loo, 5, 2, announcing, "playing"),
        "loo5-play": scene(loo, 5, 2, playing(3), "playing"),
        "loo7-play": scene(loo, 7, 2, playing(4), "playing"),
        "loo7-over": scene(loo, 7, 2, looed, "between"),
        "loo16-announce": scene(loo, 16, 2, announcing, "playing"),
        "loo16-play": scene(loo, 16, 2, playing(7), "playing"),
        "loo16-watch": scene(loo, 16, None, playing(7), "playing"),
        "loo7-final": scene(loo, 7, 2, finished, "finished"),
        "least2-turn": scene(least, 2, 2, turn, "playing"),
        "least4-turn": scene(least, 4, 2, turn, "playing"),
        "least4-over": scene(least, 4, 2, ended, "between"),
        "least6-turn": scene(least, 6, 2, turn, "playing"),
        "least10-turn": scene(least, 10, 2, turn, "playing", packs=2),
        "least10-over": scene(least, 10, 2, ended, "between", packs=2),
        "least6-final": scene(least, 6, 2, finished, "finished"),
        "loo16-pause-asked": in_course(
            scene(loo, 16, 2, announcing, "playing"),
            can=["agree", "decline"],
            pause={"running": False, "seats": [3], "asked": [2, 5], "until": NOW + 42_000},
        ),
        "least4-paused": in_course(
            scene(least, 4, 2, turn, "playing"),
            can=["go_on"],
            pause={"running": True, "seats": [1, 2], "asked": [], "until": NOW + 512_000},
            clock={"stopped": NOW},
        ),
        "loo5-alone": in_course(scene(loo, 5, 2, playing(3), "playing"), can=["end_now", "stand_in"]),
        "loo7-again": in_course(
            scene(loo, 7, 2, finished, "finished"),
            can=["again"],
            abandoned=[3],
            rematch={"table": "5b2a1a4e-0000-4000-8000-000000000002", "seats": [1, 4]},
        ),
        "loo5-days": in_course(
            scene(loo, 5, 2, playing(3), "playing"), clock={"turn_ms": 86_400_000, "bank_left": {}}
        ),
    }


def write_pages(folder: Path) -> list[str]:
    """Write a page per scene and the plain pages into ``folder``; returns their names."""
    from django.contrib.auth.models import AnonymousUser
    from django.shortcuts import render
    from django.test import RequestFactory

    from games.phrases import PHRASES

    shutil.copytree(ROOT / "static", folder / "static", dirs_exist_ok=True)
    (folder / "i18n").mkdir(exist_ok=True)
    (folder / "i18n" / "catalog.js").write_text("")
    request = RequestFactory(SERVER_NAME="localhost").get("/")
    request.user = AnonymousUser()
    names = []

    def put(name: str, template: str, context: dict[str, Any]) -> None:
        text = render(request, template, context).content
        (folder / f"{name}.html").write_bytes(text)
        names.append(name)

    for name, snapshot in scenes().items():
        later = snapshot.pop("later")
        put(
            name,
            "games/table.html",
            {
                "table": snapshot["table"],
                "socket_path": "/ws/preview/",
                "snapshot": snapshot,
                "phrases": PHRASES.items(),
                "past": [],
            },
        )
        (folder / f"{name}.json").write_text(json.dumps({**snapshot, "v": 13, "events": later}))
    for game in ("three_card_loo", "least_score"):
        put(f"rules-{game}", f"games/rules/{game}.html", {"game": game})
    for code in (400, 403, 404, 500):
        put(f"error-{code}", f"{code}.html", {})
    return names


def serve(folder: Path) -> tuple[http.server.ThreadingHTTPServer, str]:
    """Serve ``folder`` on a free port; returns the server (shut it down) and its address."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".js": "text/javascript"}

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing for every file."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_address[1]}"


def take_pictures(
    folder: Path, names: list[str], sizes: dict[str, tuple[int, int]], schemes: tuple[str, ...]
) -> None:
    """Write FOLDER/NAME-SIZE-SCHEME.png for every page, and say what the pages complained of."""
    from playwright.sync_api import sync_playwright

    server, address = serve(folder)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page()
        page.on("pageerror", lambda error: complain(f"page error: {error}"))
        page.on("console", lambda said: said.type == "error" and complain(f"console: {said.text}"))
        for name in names:
            _open(page, folder, address, name)
            for size, (width, height) in sizes.items():
                page.set_viewport_size({"width": width, "height": height})
                for scheme in schemes:
                    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
                    _take_picture(page, folder, f"{name}-{size}-{scheme}")
        browser.close()
    server.shutdown()


def complain(text: str) -> None:
    """Say on standard error what is wrong with a page."""
    sys.stderr.write(text + "\n")


def _open(page: Any, folder: Path, address: str, name: str) -> None:
    later = folder / f"{name}.json"

    def answer(socket: Any) -> None:
        def reply(text: str) -> None:
            if json.loads(text)["t"] == "ping":
                socket.send(json.dumps({"t": "pong", "v": 13, "now": NOW}))

        socket.on_message(reply)
        socket.send(later.read_text())

    if later.exists():
        page.unroute_all()
        page.route_web_socket("**/ws/preview/", answer)
    page.goto(f"{address}/{name}.html", timeout=120_000)
    page.wait_for_timeout(900)


def _take_picture(page: Any, folder: Path, picture: str) -> None:
    page.wait_for_timeout(100)
    page.screenshot(path=str(folder / f"{picture}.png"))
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        complain(f"scrolls sideways: {picture}")


def main() -> None:
    """Write the pages and, if asked, the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="pages whose name contains this")
    parser.add_argument("--size", choices=SIZES, help="one size only")
    parser.add_argument("--scheme", choices=SCHEMES, help="one colour scheme only")
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    options.folder.mkdir(parents=True, exist_ok=True)
    names = [name for name in write_pages(options.folder) if options.only in name]
    sizes = {options.size: SIZES[options.size]} if options.size else SIZES
    take_pictures(options.folder, names, sizes, (options.scheme,) if options.scheme else SCHEMES)


if __name__ == "__main__":
    main()
