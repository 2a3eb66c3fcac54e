"""Replay, fair deal and statistics in a real browser: what is told when, by keyboard, on a phone, without JavaScript."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.conftest import OpenPage, Site, slow_down

pytestmark = pytest.mark.browser

PHONE, WIDE = (360, 640), (1280, 800)


@pytest.fixture(scope="module")
def table(page_club: dict[str, Any]) -> str:
    """The address of a table with one deal that is over, which everybody may look at."""
    return f"{page_club['site']}/tables/{page_club['tables']['one_deal']}/"


def at_replay(page: Page, table: str, more: str = "") -> None:
    """Open the replay of the first deal and wait until it is drawn."""
    page.goto(f"{table}deals/1/{more}")
    page.wait_for_selector("#replay:not([hidden]) #log li", state="attached")


def position(page: Page) -> str:
    return page.inner_text("#position")


def assert_not_sideways(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.url


def test_a_replay_begins_before_the_first_move_and_tells_no_end(open_page: OpenPage, table: str) -> None:
    page = open_page(*PHONE)
    page.goto(f"{table}history/?results=hidden")
    expect(page.locator(".deal-outcome")).to_have_count(0)
    page.get_by_role("link", name="Deal 1 Replay").click()
    page.wait_for_selector("#replay:not([hidden]) #log li", state="attached")
    assert position(page) == "Dealt"
    expect(page.locator("#log li")).to_have_count(1)
    expect(page.locator("#result")).to_be_hidden()
    expect(page.locator(".all-moves table")).to_be_hidden()
    assert_not_sideways(page)
    for control in page.locator(".step, .look select, .replay-bar :is(a, button):visible").all():
        box = control.bounding_box()
        assert box is not None and min(box["width"], box["height"]) >= 44


def test_arrows_home_and_end_go_through_the_deal(open_page: OpenPage, table: str) -> None:
    page = open_page(*WIDE)
    at_replay(page, table)
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(page.locator("#position")).to_have_text("Move 3")
    expect(page).to_have_url(re.compile("#m3$"))
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#position")).to_have_text("Move 2")
    expect(page.locator("#log li")).to_have_count(4)
    expect(page.locator("#log [aria-current=step]")).to_have_count(1)
    page.keyboard.press("End")
    expect(page.locator("#position")).to_have_text(re.compile("^Move .* of "))
    last = re.fullmatch(r"Move (\d+) of (\d+)", position(page))
    assert last and last[1] == last[2]
    expect(page.locator("#result")).to_be_visible()
    expect(page.locator("#say")).to_contain_text("The deal is over.")
    page.locator("#result-close").click()
    expect(page.locator("#result")).to_be_hidden()
    page.keyboard.press("Home")
    expect(page.locator("#position")).to_have_text(re.compile("^Move 0 of"))


def test_the_address_leads_back_to_the_move(open_page: OpenPage, table: str) -> None:
    page = open_page(*PHONE)
    at_replay(page, table)
    page.locator("#to-next").click()
    page.locator("#to-next").click()
    expect(page).to_have_url(re.compile("#m2$"))
    said = page.inner_text("#line")
    page.reload()
    page.wait_for_selector("#log li", state="attached")
    assert (position(page), page.inner_text("#line")) == ("Move 2", said)
    page.evaluate("location.hash = '#m1'")
    expect(page.locator("#position")).to_have_text("Move 1")
    version = page.locator(".all-moves tbody tr").nth(2).get_attribute("id")
    assert version
    at_replay(page, table, f"?v={version.removeprefix('v')}")
    assert position(page) == "Move 2"
    expect(page.locator(".all-moves .marked")).to_be_visible()


def test_it_plays_by_itself_until_a_key_is_pressed(open_page: OpenPage, table: str) -> None:
    page = open_page(*WIDE)
    at_replay(page, table)
    page.keyboard.press(" ")
    expect(page.locator("#auto")).to_have_attribute("aria-pressed", "true")
    # A slow machine may see a later one first.
    expect(page.locator("#position")).to_have_text(re.compile(r"^Move ([2-9]|\d\d)"))
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#auto")).to_have_attribute("aria-pressed", "false")
    stopped = position(page)
    page.wait_for_timeout(2_000)
    assert position(page) == stopped


def test_a_deal_is_seen_from_any_seat_and_with_open_hands(open_page: OpenPage, table: str) -> None:
    page = open_page(*WIDE)
    at_replay(page, table)
    expect(page.locator("#own")).to_be_hidden()
    expect(page.locator("#seats .plate")).to_have_count(5)
    expect(page.locator("#seats .mini")).to_have_count(0)
    page.select_option("#seat", "3")
    expect(page.locator("#hand .card")).to_have_count(3)
    expect(page.locator("#seats .plate")).to_have_count(4)
    hand = page.locator("#hand .card").evaluate_all("cards => cards.map((card) => card.ariaLabel)")
    page.check("#open-hands")
    expect(page.locator("#seats .mini")).to_have_count(12)
    page.select_option("#seat", "")
    expect(page.locator("#seats .mini")).to_have_count(15)
    sentence = page.locator("#seats [data-seat='3'] .plate-sentence").text_content() or ""
    assert all(card.lower() in sentence.lower() for card in hand)
    for seat in page.locator("#seats button, #centre button").all():
        assert seat.get_attribute("tabindex") == "-1", "nothing on the board can be played"


MOVED = """
window.moved = 0;
new PerformanceObserver((list) => list.getEntries().forEach((each) => { window.moved += each.value; }))
  .observe({type: "layout-shift", buffered: true});
"""


def test_nothing_jumped_when_a_module_had_drawn_its_page(open_page: OpenPage, table: str) -> None:
    """The notes below a replay went down by a whole screen, and hand and board of a table by a third of one."""
    for size in (PHONE, WIDE):
        page = open_page(*size)
        page.add_init_script(MOVED)
        for address in (f"{table}deals/1/", table, "/learn/three_card_loo/", "/learn/least_score/"):
            page.goto(address)
            page.wait_for_selector("main[data-status], #replay[data-phase]")
            # What a frame moved is told after it.
            page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100)))")
            assert page.evaluate("moved") < 0.01, (size, address)


def test_without_javascript_the_moves_are_a_list(browser: Browser, site: Site, table: str) -> None:
    context = browser.new_context(base_url=site.address, java_script_enabled=False, locale="en")
    page = slow_down(context.new_page())
    page.goto(f"{table}deals/1/")
    expect(page.locator("#replay")).to_be_hidden()
    expect(page.locator("h1")).to_be_visible()
    expect(page.locator(".all-moves table")).to_be_hidden()
    page.locator(".all-moves summary").click()
    moves = page.request.get(f"{table}deals/1/record.json").json()["moves"]
    # The dealer's stake stands before the first move.
    expect(page.locator(".all-moves tbody tr")).to_have_count(1 + len(moves))
    page.goto(f"{table}fair/")
    expect(page.locator("#check-all")).to_be_hidden()
    expect(page.locator(".seed")).to_have_count(1)
    context.close()


def test_all_deals_are_checked_with_one_press(open_page: OpenPage, table: str) -> None:
    page = open_page(*PHONE)
    page.goto(f"{table}fair/")
    assert_not_sideways(page)
    page.locator("#check-all").click()
    expect(page.locator("#check-said")).to_have_text("1 deal was checked: it is fair.")
    expect(page.locator("[data-deal='1'] .check-result")).to_have_text("fair")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("deck", "card 1 from the top is"),
        ("seed", "The seed does not lead back to the commitment."),
        ("nonces", "are not those that this page shows"),
        ("first_dealer", "The first dealer should have been seat"),
        ("nothing", "The server gave no proof of this deal."),
    ],
)
def test_a_forged_proof_is_found_out(open_page: OpenPage, table: str, change: str, said: str) -> None:
    page = open_page(*WIDE)

    def forge(route: Route) -> None:
        answer = route.fetch()
        body = answer.json()
        proof = body["proofs"][0]
        if change == "deck":
            proof["deck"].reverse()
        elif change == "seed":
            proof["seed"] = proof["commitment"]
        elif change == "nonces":
            proof["nonces"] = ["forged", *proof["nonces"][1:]]
        elif change == "first_dealer":
            proof["first_dealer"] = proof["first_dealer"] % 5 + 1
        else:
            body["proofs"] = []
        route.fulfill(response=answer, body=json.dumps(body))

    page.route("**/fair/proofs.json*", forge)
    page.goto(f"{table}fair/")
    page.locator("#check-all").click()
    expect(page.locator("#check-said")).to_contain_text("Tell the club.")
    expect(page.locator("[data-deal='1'] .check-result")).to_contain_text(said)
    expect(page.locator("[data-deal='1'] .check-result")).to_have_attribute("data-state", "bad")


@pytest.mark.parametrize("size", [PHONE, WIDE])
def test_lists_and_statistics_fit_every_screen(
    open_page: OpenPage, table: str, size: tuple[int, int]
) -> None:
    page = open_page(*size)
    for address in (f"{table}history/", f"{table}deals/1/", f"{table}fair/", "/statistics/"):
        if "/deals/" in address:
            at_replay(page, table)
        else:
            page.goto(address)
        expect(page.locator("h1")).to_be_visible()
        assert_not_sideways(page)
