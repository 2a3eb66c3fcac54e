"""Learning as a newcomer does it: both lessons to their end by keyboard, wrong tries, a reload, and a hint at a table."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import complaints
from tests.browser.conftest import OpenPage
from tests.browser.playing import MINE, sit_down

pytestmark = pytest.mark.browser


def at_step(page: Page, step: int) -> None:
    """Wait until a step is there, and all that the others play in it."""
    expect(page.locator(f"main[data-step='{step}'][data-ready=true]")).to_be_visible()
    size = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    assert size == [360, 640], "everything is on the screen"
    # The table of the result takes the place of the own cards, which are all played.
    for part in ("#teach", "#result:not([hidden]), #own-plate"):
        assert page.locator(part).first.bounding_box(), part


def read_on(page: Page, step: int) -> None:
    """Press the one button there is, by keyboard."""
    page.keyboard.press("n")
    at_step(page, step)


def test_a_newcomer_plays_the_first_deal_of_loo_to_its_end(open_page: OpenPage) -> None:
    page = open_page(360, 640, reduced_motion="reduce")
    page.goto("/learn/three_card_loo/")
    at_step(page, 1)
    for step in (2, 3, 4):
        read_on(page, step)
    page.keyboard.press("m")
    expect(page.locator("#said")).to_have_text("The miss has been taken already.")
    page.keyboard.press("f")
    expect(page.locator("#said")).to_contain_text("You may fold")
    page.keyboard.press("p")
    at_step(page, 5)
    assert page.locator("#say").inner_text().count("Oskar folds.") == 1
    read_on(page, 6)
    for card, why in (("AC", "You must follow suit."), ("4H", "You must head the trick")):
        page.locator(f"#hand [data-card='{card}']").press("Enter")
        expect(page.locator("#said")).to_contain_text(why)
    page.reload()
    at_step(page, 6)
    page.locator("#hand [data-card=KH]").press("Enter")
    at_step(page, 7)
    page.locator("#hand [data-card=AC]").press("Enter")
    expect(page.locator("#said")).to_have_text("You hold a trump, so you must lead a trump.")
    page.locator("#hand [data-card='4H']").press("Enter")
    at_step(page, 8)
    page.keyboard.press("1")
    at_step(page, 9)
    expect(page.locator("#result")).to_contain_text("looed")
    assert not complaints(page)
    for step in (10, 11):
        read_on(page, step)
    page.keyboard.press("f")
    expect(page.locator("#said")).to_have_text("You may not fold here.")
    page.keyboard.press("d")
    at_step(page, 12)
    page.locator("#hand [data-card='3C']").press("Enter")
    at_step(page, 13)
    page.locator("#hand [data-card='9H']").press("Enter")
    expect(page.locator("#said")).to_contain_text("you must trump")
    page.locator("#hand [data-card='5C']").press("Enter")
    at_step(page, 14)
    page.keyboard.press("1")
    at_step(page, 15)
    expect(page.locator("#result")).to_contain_text("6 stakes stay in the pot.")
    page.get_by_role("button", name="Play now against bots").click()
    page.wait_for_url("**/tables/**")


def test_a_guest_learns_least_score_comes_back_to_the_step_and_gets_a_hint(open_page: OpenPage) -> None:
    page = open_page(360, 640, reduced_motion="reduce")
    sit_down(page, "least_score", seats=6)
    page.wait_for_selector(MINE, timeout=60_000)
    page.keyboard.press("h")
    expect(page.locator("#hint[data-advice]")).to_contain_text("Hint: ")
    assert page.locator("[data-advised]").count() >= 1
    assert "Hint: " in (page.locator("#say").text_content() or "")
    page.goto("/learn/least_score/")
    at_step(page, 1)
    for step in (2, 3):
        read_on(page, step)
    page.locator("#hand [data-card=KS]").press("Enter")
    page.keyboard.press("s")
    expect(page.locator("#said")).to_contain_text("24 points")
    page.locator("#hand [data-card=KS]").press("Enter")
    for card in ("7C", "8H", "9D"):
        page.locator(f"#hand [data-card='{card}']").press("Enter")
    with page.expect_response("**/step/"):
        page.locator("#open-set [data-card='2C']").press("Enter")
    at_step(page, 4)
    page.goto("/learn/")
    expect(page.locator("main")).to_contain_text("You were at step 4 of 9.")
    page.get_by_role("link", name="Go on").click()
    at_step(page, 4)
    read_on(page, 5)
    page.locator("#hand [data-card=KS]").press("Enter")
    page.locator("#open-set [data-card='5H']").press("Enter")
    at_step(page, 6)
    for card in ("5H", "5S"):
        page.locator(f"#hand [data-card='{card}']").press("Enter")
    page.keyboard.press("s")
    at_step(page, 7)
    read_on(page, 8)
    page.keyboard.press("d")
    expect(page.locator("#actions .act-yes")).to_be_focused()
    with page.expect_response("**/step/"):
        page.keyboard.press("Enter")
    at_step(page, 9)
    expect(page.locator("#result")).to_contain_text("+20")
    page.goto("/learn/")
    expect(page.locator("main")).to_contain_text("You have finished this lesson.")
