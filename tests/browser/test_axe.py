"""axe-core on every page, on a phone in light and on a wide screen in dark: nothing to complain of.

Colours do not depend on the width, so that these two of the four combinations see everything; the second is asked of what
depends on the eye alone. The pages come from the URL patterns (tests/browser/every_page.py): a new one is looked at too.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.axe import SEEN, brought_along, complaints
from tests.browser.conftest import OpenPage, Site, club_of, enter
from tests.browser.reach import fields_out_of_reach, out_of_reach, too_wide

pytestmark = pytest.mark.browser

LOOKS = (((360, 640), "light", ()), ((1280, 800), "dark", SEEN))
ALIKE = "/history/"
"""Ending of Django's own pages that differ by the names of their rows alone: axe looks at the first of the admin's."""

NOT_THERE = ["found", "style", "style_error"]
"""Pages that this site does not have: its club is founded, and it is in earnest (DEBUG is off)."""

OF_PEOPLE = {
    "": ("/", "/lobby/", "/learn/", "{loo16}"),
    "anna": (
        "/",
        "/lobby/",
        "{seating}",
        "{loo16}",
        "{least10}",
        "{talked}",
        "{talked}report/",
        "/history/",
        "/chips/",
    ),
    "doris": ("{finished}", "{finished}history/", "{finished}deals/1/", "{finished}fair/"),
    "olga": ("/reports/{report}/",),
}
"""Pages that look otherwise to a stranger, to a player and to an organiser, and tables in every state."""


def look(page: Page, looks: Any = LOOKS) -> list[str]:
    """Return what is wrong with the page in every look."""
    found = []
    # A replay is drawn when its moves are there.
    page.wait_for_selector("#replay:not([data-phase])", state="detached")
    for (width, height), scheme, rules in looks:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        found += [f"{page.url} {width} {scheme}\n{each}" for each in complaints(page, rules)]
    return found


def plain(page: Page) -> list[str]:
    """Return what is wrong with the plain form of a page; what is printed follows other rules, and Django's own lists do
    in all but their fields and their width."""
    if "/admin/" in page.url or "/print/" in page.url:
        headings = page.locator("h1").count()
        found = [] if headings == 1 else [f"{page.url} has {headings} headings of the first order"]
        return found if "/print/" in page.url else [*found, *fields_out_of_reach(page), *too_wide(page)]
    return [*out_of_reach(page), *too_wide(page)]


def test_axe_finds_nothing_on_any_page(open_page: OpenPage, site: Site) -> None:
    told = club_of(site, "every_page")
    assert told["not_there"] == NOT_THERE, "fill the world with what these pages show"
    found: list[str] = []
    titles: dict[str, str] = {}
    page = open_page(360, 640, reduced_motion="reduce")
    brought_along(page)
    for who, addresses in told["pages"].items():
        page.context.clear_cookies()
        if session := told["sessions"].get(who):
            cookie = {"name": told["cookie"], "value": session, "url": site.address}
            page.context.add_cookies([cookie])  # type: ignore[list-item]
        assert who != "keeper" or len(addresses) > 150
        first = next((each for each in addresses if each.startswith("/admin/") and each.endswith(ALIKE)), "")
        for address in addresses:
            page.set_viewport_size({"width": 360, "height": 640})
            page.goto(address)
            found += plain(page)
            of_desk = address.startswith("/admin/") and not address.startswith("/admin/ledger/")
            if not (of_desk and address.endswith(ALIKE)) or address == first:
                found += look(page, LOOKS[:1] if of_desk else LOOKS)
            # Some pages ask first whether it is still the same person, who then is led on.
            title, path = page.title(), page.url.split("?")[0]
            if (other := titles.setdefault(title, path)) != path and not of_desk:
                found.append(f"{path} has the title of {other}: {title}")
    assert not found, "\n\n".join(found)


def test_axe_finds_nothing_at_tables_in_every_state(open_page: OpenPage, page_club: dict[str, Any]) -> None:
    tables = {each: f"/tables/{table}/" for each, table in page_club["tables"].items()}
    found = []
    for name, paths in OF_PEOPLE.items():
        page = open_page(360, 640, reduced_motion="reduce")
        if name:
            enter(page, page_club, name, "/learn/")
        for path in paths:
            page.goto(path.format(report=page_club["report"], **tables))
            if path.startswith("{") and path.endswith("}") and path != "{seating}":
                page.wait_for_selector("main[data-status]")
            found += look(page)
    assert not found, "\n\n".join(found)


def test_axe_finds_nothing_in_the_drawers_of_a_table(open_page: OpenPage, page_club: dict[str, Any]) -> None:
    page = enter(open_page(360, 640), page_club, "bert", f"/tables/{page_club['tables']['talked']}/")
    page.wait_for_selector("main[data-status=playing]")
    page.locator("#open-chat").click()
    page.wait_for_selector("#chat-lines li")
    page.locator("#chat-lines summary").first.click()
    found = look(page)
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": 360, "height": 640})
    page.locator("#open-log").click()
    found += look(page)
    page.keyboard.press("Escape")
    page.locator("#open-help").click()
    found += look(page)
    assert not found, "\n\n".join(found)
