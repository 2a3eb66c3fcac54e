"""Whole matches in a real browser against the real site, and what must hold on the way."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.conftest import OpenPage, enter, slow_down
from tests.browser.playing import (
    MINE,
    assert_inside,
    decide_least,
    decide_loo,
    finished,
    online,
    play_until,
    sit_down,
)

pytestmark = pytest.mark.browser

PHONE, WIDE = (360, 640), (1280, 800)
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
RANKS = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "ten"} | dict(
    zip("23456789", ["two", "three", "four", "five", "six", "seven", "eight", "nine"], strict=True)
)


def at_table(page: Page, club: dict[str, Any], table: str) -> Page:
    """Open one of the club's tables, at which nobody pauses, as Anna."""
    enter(page, club, "anna", f"/tables/{club['tables'][table]}/")
    page.wait_for_selector("main[data-status]")
    return page


def in_words(card: str) -> str:
    return f"{RANKS[card[0]]} of {SUITS[card[1]]}"


def assert_a_reader_hears_the_tricks(page: Page) -> int:
    """All that the deal's frame knows is in the words of the table, and no sign stands for one; returns the trick."""
    page.reload()
    page.wait_for_selector(MINE)
    table = json.loads(page.inner_html("#snapshot"))["table"]
    deal = table["deal"]
    board, own = (page.locator(part).aria_snapshot().lower() for part in ("#board", "#own"))
    lines = {table["you"]: own} | {
        int(plate.get_attribute("data-seat") or 0): (plate.text_content() or "").lower()
        for plate in page.locator("#seats .plate").all()
    }
    assert set(lines) == {seat["seat"] for seat in table["seats"]}
    for seat in table["seats"]:
        said = lines[seat["seat"]]
        assert seat["name"].lower() in said and "net " in said
        if seat["seat"] in deal["in"]:
            assert re.search(r"\b(in|took the miss|defends)\b.*\b\d tricks?", said), said
        else:
            assert "folded" in said or "sits out" in said, said
    for trick in deal["tricks"]:
        for seat, card in trick["cards"]:
            assert in_words(card) in lines[seat], (card, seat)
    for card in deal["hand"]:
        assert f'button "{in_words(card)}' in own
    assert (
        "on turn" in own
        and SUITS[deal["trump"]] in board
        and f"turned up: {in_words(deal['turn_up'])}" in board
    )
    assert re.search(rf"pot\W+{deal['pot']}\W+{deal['third']} a trick", board), board
    assert not set("♣♦♥♠") & set(board + own), "a sign is no word"
    return len(deal["tricks"])


def test_a_match_of_loo_is_played_to_its_end_on_a_phone(
    open_page: OpenPage, page_club: dict[str, Any]
) -> None:
    page = at_table(open_page(*PHONE), page_club, "alone_loo")

    told: set[int] = set()

    def decide(page: Page) -> None:
        assert_inside(page, *(["#hand .card"] if page.locator("#hand .card").count() else []))
        if page.get_attribute("main", "data-phase") == "play" and len(told) < 2:
            told.add(assert_a_reader_hears_the_tricks(page))
        decide_loo(page)

    assert play_until(page, finished, decide) >= 4, "only the dealer may be left without a word (L7)"
    assert told, "no trick was begun by others in a whole match"
    expect(page.locator("#result-title")).to_contain_text("The match is over")
    nets = [int(text.replace("−", "-")) for text in page.locator("#result td:last-child").all_inner_texts()]
    assert len(nets) == 5
    assert sum(nets) == 0, "what the pot took it gave back (L21)"
    expect(page.locator("#actions [data-key=again]")).to_be_visible()


def test_a_match_of_least_score_is_played_to_its_end_on_a_wide_screen(
    open_page: OpenPage, page_club: dict[str, Any]
) -> None:
    page = at_table(open_page(*WIDE), page_club, "alone_least")

    def decide(page: Page) -> None:
        assert_inside(page, "#hand .card")
        decide_least(page)

    assert play_until(page, finished, decide) >= 1, "nobody may declare on a first turn (S8)"
    totals = [int(text) for text in page.locator("#result td:last-child").all_inner_texts()]
    assert len(totals) == 3
    assert max(totals) > 25 >= min(totals), "one is knocked out and somebody survives (S14, S15)"


def test_asking_whether_to_declare_does_not_push_the_hand_off_a_phone(
    open_page: OpenPage, page_club: dict[str, Any]
) -> None:
    page = at_table(open_page(*PHONE), page_club, "asked")
    declare = page.locator("#actions [data-key=declare]:not([aria-disabled])")
    play_until(page, lambda each: finished(each) or declare.count() > 0, decide_least)
    declare.click()
    expect(page.locator("#actions [data-key=yes]")).to_be_visible()
    assert_inside(page, "#hand .card")
    page.locator("#actions [data-key=no]").click()
    expect(declare).to_be_focused()


def test_a_reload_in_mid_deal_shows_the_same_table(open_page: OpenPage) -> None:
    """Whoever has no account plays at once, from the home page, and is known again."""
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
    second = slow_down(page.context.new_page())
    second.goto(page.url)
    second.wait_for_selector(MINE)
    assert look(second) == before, "two tabs show the same"


def test_a_lost_line_comes_back_and_the_move_made_meanwhile_is_played(
    open_page: OpenPage, page_club: dict[str, Any]
) -> None:
    page = open_page(*PHONE)
    lines: list[WebSocketRoute] = []
    away = False

    def through(route: WebSocketRoute) -> None:
        if away:
            route.close(code=1012)
            return
        lines.append(route)
        route.connect_to_server()

    page.route_web_socket("**/ws/tables/**", through)
    at_table(page, page_club, "lost_line")
    page.wait_for_selector(MINE, timeout=60_000)
    online(page)
    away = True
    lines[-1].close(code=1012)
    expect(page.locator("#link-state")).to_have_attribute("data-line", "lost")
    page.locator("#actions .act-play").click()
    expect(page.locator("#actions .act-play")).to_have_attribute("data-sent", "")
    away = False
    online(page)
    expect(page.locator(".own-plate .plate-word")).to_have_text("in")
    assert len(lines) == 2


SENSES = """
window.shaken = []; navigator.vibrate = (pulses) => Boolean(shaken.push(pulses.length));
const Audio = AudioContext;
window.AudioContext = class extends Audio { constructor() { super(); window.woken = this; } };
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) { document.body.dataset.audio = this.context.state; start.apply(this, when); };
"""


def test_a_phone_shakes_at_the_own_turn_and_sounds_from_when_that_is_asked_for(open_page: OpenPage) -> None:
    page = open_page(*PHONE, has_touch=True, is_mobile=True)
    page.add_init_script(SENSES)
    sit_down(page, "three_card_loo", seats=5)
    page.wait_for_selector(MINE, timeout=60_000)
    assert set(page.evaluate("shaken")) == {3}, "two pulses and the rest between them"
    expect(page.locator("body:not([data-audio])")).to_be_visible()
    page.locator("#open-help").tap()
    page.get_by_label("Soft sounds").tap()
    # While the machine wakes its sound, what would be heard is left out.
    page.wait_for_function("() => window.woken?.state === 'running'")
    page.keyboard.press("Escape")
    page.wait_for_selector(MINE, timeout=60_000)
    page.locator("#actions [data-key=play]").tap()
    expect(page.locator("body[data-audio]")).to_have_attribute("data-audio", "running", timeout=60_000)


def test_a_card_that_may_not_be_played_says_why(open_page: OpenPage, page_club: dict[str, Any]) -> None:
    page = at_table(open_page(*WIDE), page_club, "loo16")
    page.wait_for_selector(MINE, timeout=60_000)
    page.locator("#hand .card").first.click(
        force=True
    )  # Playwright itself would wait for aria-disabled to go
    expect(page.locator("#hint")).to_have_text("First say whether you play.")
    expect(page.locator("#say")).to_contain_text("First say whether you play.")


def test_a_watcher_sees_the_table_but_no_hand(open_page: OpenPage, page_club: dict[str, Any]) -> None:
    watcher = open_page(*PHONE)
    watcher.goto(f"/tables/{page_club['tables']['least6']}/")
    watcher.wait_for_selector("main[data-watching=true]")
    expect(watcher.locator("#seats .plate")).to_have_count(6)
    expect(watcher.locator("#own")).to_be_hidden()
    assert watcher.locator("#hand .card").count() == 0


def test_switching_the_language_keeps_the_page(open_page: OpenPage) -> None:
    page = open_page(*PHONE)
    page.goto("/rules/least_score/")
    page.locator("button[name=language][value=et]").click()
    expect(page.locator("html")).to_have_attribute("lang", "et")
    assert page.url.endswith("/rules/least_score/")
