"""The page of every part: for those who build the site alone; and what it shows of colours is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings as site
from django.test import Client

from config.style import ERRORS, LEAST_CONTRAST, contrast, pairs


@pytest.mark.django_db
def test_it_is_there_while_debug_is_on_and_not_where_people_play(client: Client, settings) -> None:
    assert [client.get(address).status_code for address in ("/style/", "/style/500/")] == [404, 404]
    settings.DEBUG = True
    page = client.get("/style/")
    assert page.status_code == 200 and b'class="empty"' in page.content
    for code in ERRORS:
        answer = client.get(f"/style/{code}/")
        assert answer.status_code == code and b'class="error-page"' in answer.content
    assert client.get("/style/418/").status_code == 404


def test_every_ink_is_read_on_its_ground_in_both_schemes() -> None:
    assert contrast("#000000", "#ffffff") == 21 and contrast("#777777", "#ffffff") == 4.5
    low = [
        (pair.ink.name, pair.ground.name, pair.light, pair.dark)
        for pair in pairs()
        if min(pair.light, pair.dark) < LEAST_CONTRAST
    ]
    assert not low


def test_every_drawing_is_named_or_hidden_from_readers() -> None:
    """A chart without its role was a row of loose numbers to who hears the page."""
    drawings = [
        (path.name, tag)
        for path in Path(site.BASE_DIR / "templates").rglob("*.html")
        for tag in re.findall(r"<svg\b(?:\{%.*?%\}|[^>])*>", path.read_text("utf-8"), re.DOTALL)
    ]
    assert len(drawings) > 8
    named = re.compile(r'aria-hidden="true"|role="img" aria-label(ledby)?="')
    assert [each for each in drawings if not named.search(each[1])] == []
