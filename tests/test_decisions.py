"""docs/decisions.md names tests: each of them must be there, or a complaint is answered by nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.urls import resolve

ROOT = Path(settings.BASE_DIR)
TABLE_ROW = re.compile(r"^\|(?P<complaint>[^|]+)\|(?P<here>[^|]+)\|(?P<held>[^|]+)\|$", re.M)
FILE = re.compile(r"^`(?P<name>[\w./]+)`(: )?")


def rows() -> list[tuple[str, str]]:
    """Return (complaint, what holds the decision) of every row of the tables."""
    text = (ROOT / "docs" / "decisions.md").read_text()
    found = [(row["complaint"].strip(), row["held"].strip()) for row in TABLE_ROW.finditer(text)]
    return [row for row in found if row[0] != "complaint" and not row[0].startswith("---")]


def named_tests(held: str) -> Iterator[tuple[str, str]]:
    """Yield (file, words) for every test that a cell names; words may be empty."""
    file = ""
    for part in held.split("; "):
        match = FILE.match(part)
        if match:
            file = match["name"]
        if file:
            yield file, part[match.end() :].strip() if match else part.strip()


@cache
def text_of(name: str) -> str:
    """Return the text of all test files (or the one file of the project) with this name."""
    if (ROOT / name).is_file():
        return (ROOT / name).read_text()
    return "\n".join(path.read_text() for path in sorted(ROOT.glob(f"tests/**/{name}")))


def is_there(file: str, words: str) -> bool:
    """Whether the file exists and holds a test whose name begins with these words."""
    text = text_of(file)
    if file.startswith("test_") and file.endswith(".py") and words:
        return f"def test_{words.replace(' ', '_')}" in text
    return bool(text) and words in text


def test_every_test_that_a_decision_names_exists() -> None:
    missing = [
        (complaint, file, words)
        for complaint, held in rows()
        for file, words in named_tests(held)
        if not is_there(file, words)
    ]
    assert missing == []


def test_every_decision_names_what_holds_it() -> None:
    nothing = [complaint for complaint, held in rows() if not any(named_tests(held)) and "docs/" not in held]
    assert nothing == []
    assert len(rows()) >= 35


COMPLAINTS_OF_EVENTS = (
    *("dipvis 61", "phase-rs 7937", "cobra 517", "lila 6619", "online-go 2412", "lila 12497", "liwords 1039"),
    *("855", "mahjong-portal 174", "Tabbycat 72", "Tabbycat 2505", "cobra 439", "OpenTourney 103"),
    *("Tabbycat 1918", "pantheon 778", "pantheon 784", "300", "lidarts 184", "netrunner 8373"),
    *("LightningChipTourney 6", "pokerth 541", "dealer four times", "magefree 12831", "lila 10812"),
)


def test_every_known_complaint_about_events_is_answered_by_a_test() -> None:
    text = (ROOT / "docs" / "decisions.md").read_text()
    events = text[text.index("## Events") :].split("\n## ")[0]
    answered = [complaint for complaint, _held in rows() if complaint in events]
    missing = [
        name
        for name in COMPLAINTS_OF_EVENTS
        if not any(re.search(rf"(?<![\w-]){name}(?!\d)", complaint) for complaint in answered)
    ]
    assert missing == []


def test_every_page_that_the_guide_of_events_names_is_there() -> None:
    text = (ROOT / "docs" / "tournaments.md").read_text()
    table = text[text.index("## Pages") :].split("\n## ")[0]
    named = re.findall(r"`([\w/.]*)`", table.replace("``", "` `"))
    addresses = ["/events/" + name.replace("EVENT", str(UUID(int=1))) for name in named if name.strip("/")]
    assert len(addresses) > 25
    for address in addresses:
        resolve(address)
