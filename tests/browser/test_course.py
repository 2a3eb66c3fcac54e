"""The course of a match in real browsers: a pause that outlives a reload, the early end, and the way to the next match."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage, Site, club_of, sign_in
from tests.browser.playing import online

pytestmark = pytest.mark.browser

PHONE, WIDE = (360, 640), (1280, 800)


@pytest.fixture(scope="module")
def club(site: Site) -> dict[str, Any]:
    """Two members at a table."""
    return club_of(site, "course_club")


@pytest.fixture
def at_table(open_page: OpenPage, club: dict[str, Any]) -> Any:
    """Open the table as one of the members, in a browser of its own."""

    def open_one(username: str, size: tuple[int, int]) -> Page:
        page = open_page(*size)
        sign_in(page, username, club["password"], f"/tables/{club['table']}/")
        page.wait_for_selector("main[data-status=playing]")
        online(page)
        return page

    return open_one


def press_in_help(page: Page, act: str) -> None:
    page.locator("#open-help").click()
    page.locator(f"#course-acts [data-key={act}]").click()


def test_a_pause_an_early_end_and_the_next_match(at_table: Any, club: dict[str, Any]) -> None:
    liisa, peeter = at_table("course-liisa", WIDE), at_table("course-peeter", PHONE)

    press_in_help(liisa, "pause")
    expect(peeter.locator("#notice-text")).to_contain_text("Liisa would like a pause")
    peeter.reload()
    online(peeter)
    expect(peeter.locator("#notice-text")).to_contain_text("Liisa would like a pause")
    peeter.locator("#notice-acts [data-key=agree]").click()
    expect(liisa.locator("main[data-paused]")).to_be_visible()
    liisa.reload()
    online(liisa)
    expect(liisa.locator("main[data-paused]")).to_be_visible()
    standing = liisa.locator(".plate[data-stopped] .plate-time")
    before = standing.first.inner_text()
    liisa.wait_for_timeout(1_500)
    assert standing.first.inner_text() == before, "a clock runs at a paused table"
    expect(liisa.locator("#log")).to_contain_text("Deal 1.")
    expect(liisa.locator("#log")).to_contain_text("The match is paused")
    liisa.locator("#notice-acts [data-key=go_on]").click()
    expect(peeter.locator("main[data-paused]")).to_have_count(0)

    press_in_help(peeter, "stand_in")
    liisa.locator("#notice-acts [data-key='end_now?']").click()
    sure = liisa.locator("#notice-acts [data-key=end_now]")
    liisa.wait_for_timeout(1_500)
    sure.click()
    expect(liisa.locator("main[data-status=finished]")).to_be_visible()
    expect(liisa.locator("#result-body tr").last).to_contain_text("a bot played at the end")

    liisa.locator("#actions [data-key=again]").click()
    liisa.wait_for_url(lambda url: club["table"] not in url)
    expect(peeter.locator("#notice-text")).to_contain_text("Liisa plays again")
    peeter.locator("#actions [data-key=again]").click()
    peeter.wait_for_url(liisa.url)
    peeter.wait_for_selector("main[data-status]")
    liisa.wait_for_selector("main[data-status]")
