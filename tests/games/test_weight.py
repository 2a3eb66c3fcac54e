"""How heavy pages are: everything of our own that a page asks for, compressed as it is sent, beside card faces."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from tests.games.tables import member, open_table, start

MOST = 150_000
IMPORTS = re.compile(r'(?:from|import) "\./([\w/]+\.js)"')
ASKED = re.compile(r'(?:href|src)="(/static/[^"]+\.(?:css|js|svg))"')


def with_imports(path: Path, found: set[Path]) -> set[Path]:
    """Return a file with the modules that it imports, and those that they import."""
    if path not in found:
        found.add(path)
        if path.suffix == ".js":
            for name in IMPORTS.findall(path.read_text()):
                with_imports(path.parent / name, found)
    return found


def weight(client: Client, address: str) -> int:
    """Return the bytes that a first visit of a page costs, without card faces."""
    page = client.get(address)
    assert page.status_code == 200
    text = page.content.decode()
    files: set[Path] = set()
    for asked in ASKED.findall(text):
        if "/cards/" not in asked:
            with_imports(Path(settings.BASE_DIR) / asked.lstrip("/"), files)
    assert files
    words = [client.get(reverse("javascript-catalog")).content] if "jsi18n" in text else []
    return sum(len(gzip.compress(each)) for each in [page.content, *words, *(f.read_bytes() for f in files)])


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "et"])
def test_a_first_visit_of_any_page_of_the_games_is_light(client: Client, language: str) -> None:
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    mari = member("mari")
    client.force_login(mari)
    table = open_table("three_card_loo", mari, seats=16)
    start(table)
    pages = [
        "/",
        "/lobby/",
        "/events/",
        "/settings/",
        "/learn/",
        "/learn/three_card_loo/",
        "/rules/three_card_loo/",
        "/glossary/",
    ]
    weights = {address: weight(client, address) for address in [*pages, f"/tables/{table.pk}/"]}
    assert max(weights.values()) <= MOST, weights
    assert weights[f"/tables/{table.pk}/"] > 40_000, "the modules of the table are counted"
