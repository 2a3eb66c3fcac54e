"""Golden deals of 3-Card Loo, replayed line by line (tests/games/golden/three_card_loo).

A file has its story as comments, the record's fields as ``name: value``, and
then the deal as it must go: every event on a line, and before every move who is
on turn, what is legal and what is refused why. A new deal is begun with the
fields and its moves as ``> move`` lines alone: the failing test prints the rest.
Check it by the rules before you put it in.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from games.rules import three_card_loo as loo
from games.rules.cards import PACK
from games.rules.interface import Event

FOLDER = Path(__file__).parents[1] / "golden" / "three_card_loo"
FILES = sorted(FOLDER.glob("*.txt"))


def read(path: Path) -> tuple[dict[str, str], list[str]]:
    """Return the fields of a golden file and the lines of its deal."""
    lines = [line for line in path.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    fields = {}
    while lines and not lines[0].startswith((">", "*", "seat ")):
        name, _, value = lines.pop(0).partition(": ")
        fields[name] = value
    return fields, lines


def first_state(fields: dict[str, str]) -> loo.State:
    """Return the deal that ``fields`` describe; ``deck`` may leave out cards, which then follow in pack order."""
    options: dict[str, Any] = {}
    for pair in fields.get("options", "").split():
        name, _, value = pair.partition("=")
        options[name] = {"true": True, "false": False}.get(value, int(value) if value.isdigit() else value)
    deck = tuple(fields["deck"].split())
    return loo.new_deal(
        seats=tuple(int(seat) for seat in fields["seats"].split()),
        dealer=int(fields["dealer"]),
        deck=(*deck, *(card for card in PACK if card not in deck)),
        options=loo.parse_options(options),
        pot=int(fields["pot"]),
    )


def text(value: Any) -> str:
    """Return a JSON value of an event as short text."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {text(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + " ".join(text(part) for part in value) + "]"
    return "none" if value is None else str(value)


def event_lines(event: Event) -> list[str]:
    """Return an event as a line, and a line for each seat to which it tells more."""
    public = [f"{name} {text(value)}" for name, value in event.items() if name not in ("type", "private")]
    lines = [" ".join(["*", event["type"], *public])]
    for seat, facts in event.get("private", {}).items():
        lines.append(f"*   to {seat}: " + " ".join(f"{name} {text(value)}" for name, value in facts.items()))
    return lines


def transcript(state: loo.State, moves: list[str]) -> list[str]:
    """Return the lines of the deal that ``moves`` make of ``state``."""
    lines = [line for event in loo.opening(state) for line in event_lines(event)]
    for move in moves:
        reasons = ", ".join(f"{bad} {code}" for bad, code in loo.refusals(state).items())
        legal = " ".join(loo.view_for(state, loo.actor(state))["legal"])
        lines.append(f"seat {loo.actor(state)}: {legal}" + (f" (not {reasons})" if reasons else ""))
        lines.append(f"> {move}")
        state, events = loo.apply(state, loo.parse_move(move))
        lines += [line for event in events for line in event_lines(event)]
    assert loo.actor(state) is None, "\n".join([*lines, f"seat {loo.actor(state)} is on turn"])
    return lines


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_golden_deal_goes_as_written(path: Path) -> None:
    fields, lines = read(path)
    moves = [line.removeprefix("> ") for line in lines if line.startswith("> ")]
    played = transcript(first_state(fields), moves)
    assert played == lines, "\n".join(["the deal goes like this:", *played])


def test_there_are_golden_deals() -> None:
    assert len(FILES) >= 8
