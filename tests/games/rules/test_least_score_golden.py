"""The golden deals of Least Score, replayed line by line.

A file in tests/games/golden/least_score has a comment that says what it shows, the record of the
deal as one line of JSON, and the transcript: before each move who is on turn and every legal move,
then the move and its events. For a new one write comment and record and run
``python -m tests.games.rules.test_least_score_golden FILE``, which writes the transcript below them;
then read it by the rules before you keep it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from games.rules import least_score
from games.rules.interface import Event
from games.rules.least_score_state import Deal
from games.rules.record import Record, parse_record, replay

GOLDEN = sorted((Path(__file__).parents[1] / "golden" / "least_score").glob("*.txt"))


def comment_and_record(text: str) -> tuple[str, Record]:
    """Return what stands above the transcript."""
    head, separator, rest = text.partition("{")
    line = (separator + rest).splitlines()[0]
    return head, parse_record(json.loads(line))


def transcript(record: Record) -> Iterator[str]:
    """Yield the lines of a golden deal below its comment and record."""
    played = replay(record)
    yield "dealing"
    yield from map(event_line, played.events[0])
    for number, (move, events) in enumerate(zip(record.moves, played.events[1:], strict=False), start=1):
        yield from before_move(played.states[number - 1])
        yield f"move {number}: {move}"
        yield from map(event_line, events)
    if played.refused is not None:
        yield from before_move(played.final)
        yield f"refused: {played.refused} ({played.refused.code})"
    yield f"outcome {json.dumps(least_score.outcome_json(played.final))}"


def before_move(state: Deal) -> Iterator[str]:
    """Yield who is on turn and what may be played, or what is to be shuffled."""
    seat = least_score.actor(state)
    if seat:
        yield f"seat {seat}: " + " | ".join(least_score.legal_moves(state))
    elif seat is not None:
        yield "to shuffle: " + " ".join(least_score.to_shuffle(state))


def event_line(event: Event) -> str:
    """Return an event as a line of the transcript."""
    return f"  {json.dumps(event)}"


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_deal_is_what_it_was(path: Path) -> None:
    text = path.read_text()
    comment, record = comment_and_record(text)
    assert comment.startswith("# ") and record.game == "least_score"
    wanted = text[len(comment) :].splitlines()[1:]
    for number, (line, written) in enumerate(zip(transcript(record), wanted, strict=True)):
        assert line == written, f"line {number} of the transcript"


def test_the_golden_deals_show_every_ending_and_a_refusal() -> None:
    texts = [path.read_text() for path in GOLDEN]
    for shown in (
        '"success": true',
        '"success": false',
        '"reason": "circuits"',
        '"reason": "stock"',
        "\nrefused: ",
        '"type": "shuffle"',
        '"packs": 2',
    ):
        assert any(shown in text for text in texts), shown


if __name__ == "__main__":
    file = Path(sys.argv[1])
    comment, record = comment_and_record(file.read_text())
    record_line = file.read_text()[len(comment) :].splitlines()[0]
    file.write_text("\n".join([comment + record_line, *transcript(record)]) + "\n")
