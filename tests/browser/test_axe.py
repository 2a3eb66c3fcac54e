"""axe-core on every page of the games, on a phone and on a wide screen, in light and in dark: nothing to complain of.

Colours do not depend on the width, so that two of the four combinations see everything: a light phone, a dark desk.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.axe import complaints
from tests.browser.conftest import OpenPage, enter

pytestmark = pytest.mark.browser

LOOKS = (((360, 640), "light"), ((1280, 800), "dark"))
PAGES = {
    "": (
        "/",
        "/lobby/",
        *("/sign-in/", "/sign-up/", "/password/"),
        "/rules/three_card_loo/",
        "/rules/least_score/",
        "/learn/",
        "/glossary/",
        "/statistics/",
        "{loo16}",
    ),
    "anna": (
        *("/", "/lobby/", "/tables/new/", "{seating}", "{loo16}", "{least10}", "{talked}", "{talked}report/"),
        *("/muted/", "/history/", "/chips/", "/chips/heads/", "/chips/check/"),
        *("/settings/", "/settings/second-factor/", "/settings/sessions/", "/people/page-anna/"),
        *("/notifications/", "/settings/notifications/"),
    ),
    "doris": (
        "{finished}",
        "{finished}history/",
        "{finished}deals/1/",
        "{finished}fair/",
        "{finished}report/?deal=1",
    ),
    "olga": ("/reports/", "/reports/{report}/", "/reports/acts/"),
}


def looked_at(page: Page) -> list[str]:
    """Return what axe says of the page in every look."""
    found = []
    for (width, height), scheme in LOOKS:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        found += [f"{page.url} {width} {scheme}\n{each}" for each in complaints(page)]
    return found


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_on_any_page(open_page: OpenPage, page_club: dict[str, Any], name: str) -> None:
    tables = {each: f"/tables/{table}/" for each, table in page_club["tables"].items()}
    page = open_page(360, 640)
    if name:
        enter(page, page_club, name)
    found = []
    for path in PAGES[name]:
        page.goto(path.format(report=page_club["report"], **tables))
        if path.startswith("{") and path.endswith("}") and path != "{seating}":
            page.wait_for_selector("main[data-status]")
        found += looked_at(page)
    assert not found, "\n\n".join(found)


def test_axe_finds_nothing_in_the_drawers_of_a_table(open_page: OpenPage, page_club: dict[str, Any]) -> None:
    page = enter(open_page(360, 640), page_club, "bert", f"/tables/{page_club['tables']['talked']}/")
    page.wait_for_selector("main[data-status=playing]")
    page.locator("#open-chat").click()
    page.wait_for_selector("#chat-lines li")
    page.locator("#chat-lines summary").first.click()
    found = looked_at(page)
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": 360, "height": 640})
    page.locator("#open-log").click()
    found += looked_at(page)
    page.keyboard.press("Escape")
    page.locator("#open-help").click()
    found += looked_at(page)
    assert not found, "\n\n".join(found)
