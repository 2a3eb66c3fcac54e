"""Several browsers at one table: whole matches, lost lines, time-outs, two windows, and a server that is killed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import psutil
import psycopg
import pytest
from playwright.sync_api import Error, Page, expect

from tests.browser.conftest import OpenPage, Site, enter, slow_down
from tests.browser.playing import MINE, READY, decide_least, decide_loo, finished, online

pytestmark = pytest.mark.browser

PHONE, WIDE = (360, 640), (1280, 800)
BACK = "#actions [data-key=back]"
AtTable = Callable[..., Page]


@pytest.fixture
def at_table(open_page: OpenPage, page_club: dict[str, Any]) -> AtTable:
    """Open one of the club's tables as one of its members, in a browser of its own."""

    def open_one(name: str, table: str, size: tuple[int, int] = PHONE) -> Page:
        page = open_page(*size)
        enter(page, page_club, name, f"/tables/{page_club['tables'][table]}/")
        page.wait_for_selector("main[data-status]")
        return page

    return open_one


def look(page: Page) -> tuple[object, ...]:
    """What the page shows of the table: hand, plates, middle, choices."""
    hand = [card.get_attribute("aria-label") for card in page.locator("#hand .card").all()]
    plates = page.locator("#seats .plate-sentence").all_text_contents()
    return hand, plates, page.locator("#centre").inner_text(), page.locator("#actions").inner_text()


def held(page: Page) -> list[str | None]:
    return [card.get_attribute("data-card") for card in page.locator("#hand .card").all()]


def version(page: Page) -> int:
    return int(page.get_attribute("main", "data-version") or -1)


def play_together(pages: list[Page], decide: Callable[[Page], None], *, seconds: float = 600) -> set[int]:
    """Play until every page says that the match is over; returns which of the pages decided something."""
    decided: set[int] = set()
    for page in pages:
        page.set_default_timeout(6_000)
    deadline = time.monotonic() + seconds
    while not all(finished(page) for page in pages):
        assert time.monotonic() < deadline, [page.inner_text("#log")[-200:] for page in pages]
        for number, page in enumerate(pages):
            # What was asked for may be over before it is pressed: the clock runs and the others play on.
            with suppress(Error):
                if page.locator(MINE).count():
                    decide(page)
                    decided.add(number)
                elif page.locator(BACK).count():
                    page.locator(BACK).click(timeout=1_000)
                elif page.locator(READY).count():
                    page.locator(READY).click(timeout=1_000)
    for page in pages:
        page.set_default_timeout(60_000)
    return decided


@pytest.mark.parametrize(
    ("table", "names", "decide"),
    [
        ("fast_loo", ("anna", "bert"), decide_loo),
        ("fast_least", ("anna", "bert"), decide_least),
    ],
)
def test_several_browsers_play_a_match_and_see_the_same_end(
    at_table: AtTable, table: str, names: tuple[str, ...], decide: Callable[[Page], None]
) -> None:
    pages = [at_table(name, table, WIDE if n == 0 else PHONE) for n, name in enumerate(names)]
    assert len(play_together(pages, decide)) >= 2
    assert len({page.locator("#result-body table").inner_text() for page in pages}) == 1
    assert len({page.locator("#result-body tr[data-you]").inner_text() for page in pages}) == len(pages)
    for page in pages:
        expect(page.locator(".result-own")).to_contain_text("You finished in place")


def test_who_was_offline_comes_back_to_the_same_table(at_table: AtTable) -> None:
    page = at_table("bert", "offline")
    page.wait_for_selector(MINE, timeout=60_000)
    before = look(page)
    page.context.set_offline(True)
    expect(page.locator("#link-state")).to_have_attribute("data-line", "lost")
    page.context.set_offline(False)
    online(page)
    assert look(page) == before
    page.locator("#actions [data-key=play]").click()
    expect(page.locator(".own-plate .plate-word")).to_have_text("in")


def test_who_let_the_time_run_out_is_played_by_a_bot_and_takes_the_seat_back(
    at_table: AtTable, site: Site, page_club: dict[str, Any]
) -> None:
    anna, bert = at_table("anna", "absent"), at_table("bert", "absent", WIDE)
    play_until_turn_of(anna, bert)
    with psycopg.connect(site.environment["DATABASE_URL"], autocommit=True) as database:
        database.execute(
            "UPDATE games_table SET due_at = now() - interval '1 minute', turn_started_at = now() - interval '5 minutes'"
            " WHERE id = %s",
            [page_club["tables"]["absent"]],
        )
    expect(anna.locator(BACK)).to_be_visible()
    expect(anna.locator("#hint")).to_have_text("A bot plays for you.")
    expect(bert.locator("#seats .plate-sentence", has_text="Anna Tamm, a bot plays for them")).to_have_count(
        1
    )
    expect(bert.locator("#seats [data-seat='1'] .mark-stand-in")).to_be_visible()
    anna.reload()
    online(anna)
    anna.locator(BACK).click()
    expect(anna.locator(BACK)).to_have_count(0)
    expect(bert.locator("#seats [data-seat='1'] .mark-stand-in")).to_have_count(0)


def play_until_turn_of(page: Page, other: Page) -> None:
    """Let the other member play until the first is on turn."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        if page.locator(MINE).count():
            return
        with suppress(Error):
            if other.locator(MINE).count():
                decide_loo(other)
            for each in (page, other):
                if each.locator(READY).count():
                    each.locator(READY).click(timeout=1_000)
        page.wait_for_timeout(100)
    raise AssertionError("the turn does not come")


def test_two_windows_of_one_player_show_the_same_and_both_play(at_table: AtTable) -> None:
    first = at_table("carl", "tabs")
    first.wait_for_selector(MINE, timeout=60_000)
    second = slow_down(first.context.new_page())
    second.goto(first.url)
    second.wait_for_selector(MINE)
    assert look(first) == look(second)
    for page, other in ((first, second), (second, first)):
        page.wait_for_selector(MINE)
        at = version(page)
        page.locator("#hand .card").last.click()
        page.locator(".stock[data-can=playable]").click()
        other.wait_for_function("at => Number(document.querySelector('main').dataset.version) > at", arg=at)
        page.wait_for_selector(MINE)
        other.wait_for_selector(MINE)
        page.wait_for_function(
            "v => document.querySelector('main').dataset.version === v", arg=str(version(other))
        )
        assert look(first) == look(second)


def serving(site: Site) -> Iterator[psutil.Process]:
    """The processes of a site that answer browsers; others may end while one looks at them."""
    for process in psutil.Process(site.process.pid).children(recursive=True):
        with suppress(psutil.Error):
            if "config.asgi:application" in process.cmdline():
                yield process


NOTE_LOSS = """() => {
  const line = document.getElementById("link-state");
  new MutationObserver(() => { window.lost ||= line.dataset.line === "lost"; }).observe(line, {attributes: true});
}"""
"""Let the page remember that its line was lost: it may be back before anybody looks."""


def test_a_killed_server_comes_back_and_the_page_works_on_by_itself(at_table: AtTable, site: Site) -> None:
    page = at_table("anna", "restart")
    page.wait_for_selector(MINE, timeout=60_000)
    hand = held(page)
    page.evaluate("window.mark = 'the same page'")
    online(page)
    page.evaluate(NOTE_LOSS)
    web = list(serving(site))
    assert web
    for process in web:
        process.kill()
    page.wait_for_function("() => window.lost")
    page.locator("#actions [data-key=play]").click()
    expect(page.locator("#link-state")).to_have_attribute("data-line", "open", timeout=120_000)
    expect(page.locator(".own-plate .plate-word")).to_have_text("in", timeout=60_000)
    assert held(page) == hand
    assert page.evaluate("window.mark") == "the same page"
