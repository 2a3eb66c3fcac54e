"""What the page says of a deal is everything that happens in it, once, in every language.

The golden deals have every kind of move. Each is played by the rules, and the page's own modules (tests/js/tell.mjs,
run by node) put its events and views into words: the lines of the log, what a reader hears, the sentences of the seats,
the labels of the cards. What they say is compared with the views.
"""

from __future__ import annotations

import gettext
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from games.rules import GAMES
from games.rules.interface import Event, event_for
from games.rules.record import replay
from tests.games.rules.test_least_score_golden import GOLDEN, comment_and_record
from tests.games.rules.test_three_card_loo_golden import FILES, first_state, read

ROOT = Path(__file__).resolve().parents[2]
NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="no node is installed here")

SILENT = {
    # The server's own notes, which tell nobody anything about the game.
    *("match", "match_begins", "match_over", "opened", "deal_limit", "next_deal"),
    # Seats that fill before the first deal, on another page, and chips that the pages of chips tell.
    *("moved", "seated", "unseated", "starting", "line", "buy_in", "cash_out"),
}
"""Kinds of events that have no line of the log."""

Deal = tuple[str, list[tuple[Any, tuple[Event, ...]]]]
"""A game, and a deal's states, each with the events that led to it."""


def loo_deal(path: Path) -> Deal:
    """Return a golden deal of 3-Card Loo."""
    rules = GAMES["three_card_loo"]
    fields, lines = read(path)
    state = first_state(fields)
    played = [(state, rules.opening(state))]
    for move in (line.removeprefix("> ") for line in lines if line.startswith("> ")):
        played.append(rules.apply(played[-1][0], rules.parse_move(move)))
    return "three_card_loo", played


def least_deal(path: Path) -> Deal:
    """Return a golden deal of Least Score."""
    told = replay(comment_and_record(path.read_text())[1])
    return "least_score", list(zip(told.states, told.events, strict=False))


def name_of(seat: int) -> str:
    return f"Mari{seat}x"


def frame(game: str, state: Any, you: int | None) -> dict[str, Any]:
    """Return a view of the deal as the page has it."""
    view = GAMES[game].view_for(state, you)
    quiet = {"bot": False, "stand_in": False, "left": False, "present": True, "sitting_out": False}
    seats = [{"seat": seat, "name": name_of(seat), **quiet} for seat in view["seats"]]
    return {"table": {"game": game, "you": you, "seats": seats, "status": "playing"}, "deal": view}


@cache
def catalogue(language: str) -> dict[str, list[str]]:
    """Return the texts of the page's modules in a language, with their forms."""
    if language == "en":
        return {}
    with (ROOT / "locale" / language / "LC_MESSAGES" / "djangojs.mo").open("rb") as file:
        known: dict[Any, str] = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
    forms: dict[str, list[str]] = {}
    for key, text in known.items():
        source, form = key if isinstance(key, tuple) else (key, 0)
        forms.setdefault(source, []).insert(form, text)
    return forms


def said(game: str, steps: list[dict[str, Any]], language: str) -> dict[str, Any]:
    """Return what the page's modules make of ``steps``."""
    asked = {"language": language, "catalogue": catalogue(language), "game": game, "steps": steps}
    done = subprocess.run(
        [str(NODE), str(ROOT / "tests" / "js" / "tell.mjs")],
        input=json.dumps(asked),
        stdout=subprocess.PIPE,
        check=True,
        text=True,
        timeout=60,
    )
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def facts(event: Event, names: dict[str, str]) -> Iterator[str]:
    """Yield what must be heard of an event, as texts of which each is in its line."""
    for key in ("card", "cards", "hand", "miss"):
        value = event.get(key) or ()
        # How many cards a seat was dealt is no name of a card.
        told = [value] if isinstance(value, str) else value if isinstance(value, list) else ()
        yield from (names[card] for card in told)
    for key in ("amount", "count", "show_in"):
        if event.get(key, 1) != 1:
            yield str(event[key])
    if event["type"] == "deal_over" and not event.get("void"):
        for seat, points in event.get("scores", {}).items():
            yield f"{name_of(int(seat))} {points}"


def faults(game: str, step: dict[str, Any], words: dict[str, Any], told: dict[str, Any]) -> Iterator[str]:
    """Yield what the words of one step leave out, say twice or say of somebody else."""
    deal, you = step["frame"]["deal"], step["frame"]["table"]["you"]
    heard: list[str] = []
    for event, line in zip(step["events"], words["lines"], strict=True):
        if line is None:
            private = event["type"] in ("dealt", "taken_miss", "defend") and "hand" not in event
            if not private and event["type"] not in SILENT and event.get("pot") != 0:
                yield f"no line: {event}"
            continue
        text, spoken = line["text"], line["spoken"]
        if re.search(r"%\(|undefined|null|NaN", text + spoken):
            yield f"a place was not filled: {line}"
        who = event.get("seat", event.get("winner", event.get("leader")))
        if who not in (None, you) and name_of(who) not in text:
            yield f"nobody is named: {line} {event}"
        yield from (
            f"not heard: {fact} in {line}" for fact in facts(event, told["names"]) if fact not in spoken
        )
        for hand in event.get("hands", {}).values():
            yield from (f"not shown: {card} in {line}" for card in hand if told["signs"][card] not in text)
        if any(spoken and (spoken in other or other in spoken) for other in heard):
            yield f"heard twice: {line}"
        heard += [spoken] if spoken else []
    yield from plate_faults(game, deal, words, told)
    yield from hand_faults(game, deal, words, told)


def plate_faults(
    game: str, deal: dict[str, Any], words: dict[str, Any], told: dict[str, Any]
) -> Iterator[str]:
    """Yield what the seats' sentences do not tell of the deal."""
    for seat, sentence in words["plates"].items():
        parts = sentence.split(", ")
        if parts[0] != name_of(int(seat)):
            yield f"{seat} is called {parts[0]}"
        for mark, holder in (("dealer", deal["dealer"]), ("turn", deal["turn"])):
            if (told["marks"][mark] in parts) != (holder == int(seat)):
                yield f"{mark} of seat {seat}: {sentence}"
        shown = (deal.get("hands") or deal.get("known") or {}).get(seat, ())
        played = [
            card for trick in deal.get("tricks", ()) for who, card in trick["cards"] if who == int(seat)
        ]
        for card in (*shown, *played):
            if told["names"][card] not in sentence:
                yield f"{card} is not in the sentence of seat {seat}: {sentence}"
    for number, trick in enumerate(deal.get("tricks", ()), start=1):
        cards = ", ".join(f"{name_of(seat)} {told['names'][card]}" for seat, card in trick["cards"])
        winner = trick["winner"]
        told_of = words["tricks"]
        if cards not in told_of or str(number) not in told_of or (winner and name_of(winner) not in told_of):
            yield f"trick {number}: {told_of}"


def hand_faults(
    game: str, deal: dict[str, Any], words: dict[str, Any], told: dict[str, Any]
) -> Iterator[str]:
    """Yield what the labels of the own cards, the own plate and the choices do not tell."""
    hand = deal.get("hand") or []
    if sorted(card for card, _label in words["hand"]) != sorted(hand):
        yield f"the hand is {hand}, said are {words['hand']}"
    refused = deal.get("refused") or {}
    for card, label in words["hand"]:
        if told["names"][card] not in label:
            yield f"{card} is called {label}"
        if game == "three_card_loo" and card in refused and told["reasons"][refused[card]] not in label:
            yield f"why {card} may not be played is not said: {label}"
    if deal.get("total") is not None and str(deal["total"]) not in words["own"]:
        yield f"the own total {deal['total']} is not in {words['own']}"
    if deal.get("legal") and not words["hint"]:
        yield "nobody says that it is the own turn"
    if deal["phase"] == "announce" and not set(deal.get("legal") or ()) <= set(words["choices"]):
        yield f"not offered: {deal['legal']}"
    if deal.get("outcome") and not words["result"]["headline"]:
        yield "no headline of the result"


@pytest.mark.parametrize("language", ["en", "et"])
@pytest.mark.parametrize(
    "read_deal, paths", [(loo_deal, FILES), (least_deal, GOLDEN)], ids=["loo", "least score"]
)
def test_a_deal_is_told_completely_and_once(read_deal: Any, paths: list[Path], language: str) -> None:
    steps: list[dict[str, Any]] = []
    where: list[str] = []
    for path in paths:
        game, played = read_deal(path)
        seats = GAMES[game].view_for(played[0][0], None)["seats"]
        for you in (None, seats[0], seats[-1]):
            for number, (state, events) in enumerate(played):
                told_to = [event_for(event, you) for event in events]
                steps.append({"frame": frame(game, state, you), "events": told_to})
                where.append(f"{path.stem}, move {number}, seat {you}")
    told = said(game, steps, language)
    found = [
        f"{place}: {fault}"
        for place, step, words in zip(where, steps, told["steps"], strict=True)
        for fault in faults(game, step, words, told)
    ]
    assert not found, "\n".join(found[:12])


def test_every_kind_of_event_has_its_words_or_needs_none() -> None:
    sources = "\n".join(path.read_text() for path in (ROOT / "games").rglob("*.py"))
    kinds = set(re.findall(r'"type": "(\w+)"', sources)) - {"object", "string", "integer", "array", "boolean"}
    log = (ROOT / "static" / "games" / "log.js").read_text()
    lines = log[log.index("const LINES = {") : log.index("\n};", log.index("const LINES = {"))]
    told = set(re.findall(r"^  (\w+): ", lines, re.MULTILINE))
    kinds |= {"taken_miss", "defend"}
    assert kinds - told == SILENT, "what has no line tells nobody anything, or is told on another page"
