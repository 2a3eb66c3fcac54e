"""Whole matches in a real browser against the real site, and what must hold on the way."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.conftest import OpenPage
from tests.browser.playing import MINE, decide_least, decide_loo, finished, play_until, sit_down

pytestmark = pytest.mark.browser

PHONE, WIDE = (360, 640), (1280, 800)


def assert_one_screen(page: Page) -> None:
    """Nothing scrolls, and every card of the hand is on the screen and large enough for a thumb."""
    width, height = page.viewport_size["width"], page.viewport_size["height"]  # type: ignore[index]
    assert page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]") == [
        width,
        height,
    ]
    for card in page.locator("#hand .card").all():
        box = card.bounding_box()
        assert box is not None
        assert box["x"] >= 0 and box["x"] + box["width"] <= width
        assert box["y"] >= 0 and box["y"] + box["height"] <= height
        assert min(box["width"], box["height"]) >= 44


def test_a_match_of_loo_is_played_to_its_end_on_a_phone(open_page: OpenPage) -> None:
    page = open_page(*PHONE)
    sit_down(page, "three_card_loo", seats=5)

    def decide(page: Page) -> None:
        assert_one_screen(page)
        decide_loo(page)

    assert play_until(page, finished, decide) >= 4, "only the dealer may be left without a word (L7)"
    expect(page.locator("#result-title")).to_contain_text("The match is over")
    nets = [int(text.replace("−", "-")) for text in page.locator("#result td:last-child").all_inner_texts()]
    assert len(nets) == 5
    assert sum(nets) == 0, "what the pot took it gave back (L21)"
    expect(page.locator("#actions [data-key=again]")).to_be_visible()


def test_a_match_of_least_score_is_played_to_its_end_on_a_wide_screen(open_page: OpenPage) -> None:
    page = open_page(*WIDE)
    sit_down(page, "least_score", seats=3, threshold="25", match="first_out")

    def decide(page: Page) -> None:
        assert_one_screen(page)
        decide_least(page)

    assert play_until(page, finished, decide) >= 1, "nobody may declare on a first turn (S8)"
    totals = [int(text) for text in page.locator("#result td:last-child").all_inner_texts()]
    assert len(totals) == 3
    assert max(totals) > 25 >= min(totals), "one is knocked out and somebody survives (S14, S15)"


def test_asking_whether_to_declare_does_not_push_the_hand_off_a_phone(open_page: OpenPage) -> None:
    page = open_page(*PHONE)
    sit_down(page, "least_score", seats=2, level="random")
    declare = page.locator("#actions [data-key=declare]:not([aria-disabled])")
    play_until(page, lambda each: finished(each) or declare.count() > 0, decide_least)
    declare.click()
    expect(page.locator("#actions [data-key=yes]")).to_be_visible()
    assert_one_screen(page)
    page.locator("#actions [data-key=no]").click()
    expect(declare).to_be_focused()


def test_sixteen_seats_fit_a_phone(open_page: OpenPage) -> None:
    page = open_page(*PHONE)
    sit_down(page, "three_card_loo", seats=16, level="random")
    page.wait_for_selector(MINE, timeout=60_000)
    assert_one_screen(page)
    boxes = [plate.bounding_box() for plate in page.locator("#seats .plate").all()]
    assert len(boxes) == 15
    for box in boxes:
        assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 360


def test_a_reload_in_mid_deal_shows_the_same_table(open_page: OpenPage) -> None:
    page = open_page(*PHONE)
    sit_down(page, "three_card_loo", seats=5)
    page.wait_for_selector(MINE, timeout=60_000)

    def look(page: Page) -> tuple[object, ...]:
        hand = [card.get_attribute("aria-label") for card in page.locator("#hand .card").all()]
        plates = page.locator("#seats .plate-sentence").all_text_contents()
        return hand, plates, page.inner_text(".loo-middle"), page.inner_text("#actions")

    before = look(page)
    page.reload()
    page.wait_for_selector(MINE)
    assert look(page) == before
    second = page.context.new_page()
    second.goto(page.url)
    second.wait_for_selector(MINE)
    assert look(second) == before, "two tabs show the same"


def test_a_lost_line_comes_back_and_the_move_made_meanwhile_is_played(open_page: OpenPage) -> None:
    page = open_page(*PHONE)
    lines: list[WebSocketRoute] = []

    def through(route: WebSocketRoute) -> None:
        lines.append(route)
        route.connect_to_server()

    page.route_web_socket("**/ws/tables/**", through)
    sit_down(page, "three_card_loo", seats=5)
    page.wait_for_selector(MINE, timeout=60_000)
    lines[-1].close(code=1012)
    expect(page.locator("#link-state")).to_have_attribute("data-line", "lost")
    page.locator("#actions .act-play").click()
    expect(page.locator("#link-state")).to_have_attribute("data-line", "open")
    page.wait_for_selector(MINE, state="detached")
    expect(page.locator(".own-plate .plate-word")).to_have_text("in")
    assert len(lines) == 2


def test_a_card_that_may_not_be_played_says_why(open_page: OpenPage) -> None:
    page = open_page(*WIDE)
    sit_down(page, "three_card_loo", seats=5)
    page.wait_for_selector(MINE, timeout=60_000)
    page.locator("#hand .card").first.click(
        force=True
    )  # Playwright itself would wait for aria-disabled to go
    expect(page.locator("#hint")).to_have_text("First say whether you play.")
    expect(page.locator("#say")).to_contain_text("First say whether you play.")


def test_a_deal_is_played_by_keyboard_alone_and_the_focus_stays(open_page: OpenPage) -> None:
    page = open_page(*WIDE)
    sit_down(page, "three_card_loo", seats=5)
    played: list[str] = []

    def decide(page: Page) -> None:
        if page.get_attribute("main", "data-phase") == "announce":
            page.keyboard.press("p")
        else:
            place = page.locator("#hand .card").evaluate_all(
                "cards => cards.findIndex(card => card.dataset.can === 'playable') + 1"
            )
            page.keyboard.press(str(place))
            played.append(place)
        page.wait_for_selector(MINE, state="detached")
        if 0 < len(played) < 3:
            assert page.evaluate("document.activeElement.closest('#hand') !== null"), (
                "the focus left the hand"
            )

    def one_deal_done(page: Page) -> bool:
        return len(played) >= 3 and page.get_attribute("main", "data-status") == "between"

    play_until(page, one_deal_done, decide)
    page.keyboard.press("c")
    expect(page.locator("#say")).to_contain_text("No clock is running.")
    page.keyboard.press("?")
    expect(page.locator("#help")).to_be_visible()


def test_a_watcher_sees_the_table_but_no_hand(open_page: OpenPage) -> None:
    player, watcher = open_page(*WIDE), open_page(*PHONE)
    sit_down(player, "least_score", seats=4)
    player.wait_for_selector(MINE, timeout=60_000)
    watcher.goto(player.url)
    watcher.wait_for_selector("main[data-watching=true]")
    expect(watcher.locator("#seats .plate")).to_have_count(4)
    expect(watcher.locator("#own")).to_be_hidden()
    assert watcher.locator("#hand .card").count() == 0


def test_switching_the_language_keeps_the_page(open_page: OpenPage) -> None:
    page = open_page(*PHONE)
    page.goto("/rules/least_score/")
    page.locator("button[name=language][value=et]").click()
    expect(page.locator("html")).to_have_attribute("lang", "et")
    assert page.url.endswith("/rules/least_score/")
