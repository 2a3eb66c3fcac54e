"""The pins: complete, hashed, free of addresses, and the same for the site and its tests."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
LOCKS = ("requirements.lock", "requirements-test.lock")


def pins(name: str) -> dict[tuple[str, str], str]:
    """Return version by (package, marker): one package may have a pin per version of Python."""
    found = {}
    for line in (PROJECT / name).read_text().splitlines():
        if match := re.match(r"([a-z0-9._-]+)==(\S+)(?: ; (.*?))? *\\?$", line):
            found[match[1], match[3] or ""] = match[2]
    return found


def wanted(group: list[str]) -> set[str]:
    return {re.match(r"[A-Za-z0-9._-]+", requirement)[0].lower() for requirement in group}


@pytest.mark.parametrize("name", LOCKS)
def test_no_lock_names_an_address(name):
    text = (PROJECT / name).read_text()
    assert "://" not in text
    assert not re.search(r"^\s*-(-index|-extra|-find|i\b)", text, re.MULTILINE)


@pytest.mark.parametrize("name", LOCKS)
def test_every_pin_has_hashes(name):
    entries = re.split(r"\n(?=[a-z0-9])", (PROJECT / name).read_text())[1:]
    assert len(entries) > 20
    assert [entry.split(" ")[0] for entry in entries if "--hash=sha256:" not in entry] == []


def test_tests_run_on_the_very_packages_of_the_site():
    site, tests = pins(LOCKS[0]), pins(LOCKS[1])
    names = {name for name, _ in site}
    assert {(name, version) for (name, _), version in tests.items() if name in names} == {
        (name, version) for (name, _), version in site.items()
    }


def test_everything_that_the_project_asks_for_is_pinned():
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())
    site = wanted(project["project"]["dependencies"])
    tests = wanted(project["dependency-groups"]["test"])
    assert site <= {name for name, _ in pins(LOCKS[0])}
    assert site | tests <= {name for name, _ in pins(LOCKS[1])}
    assert not (tests - site) & {name for name, _ in pins(LOCKS[0])} - {"psutil"}
