"""Learning as a newcomer does it: both lessons to their end, every wrong try first, a reload, and a hint at a table."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Response, Route, expect

from tests.browser.axe import complaints
from tests.browser.conftest import OpenPage
from tests.browser.playing import MINE, online, sit_down

pytestmark = pytest.mark.browser

WORDS = {"fold", "play", "miss", "defend", "declare"}


def at_step(page: Page, step: int) -> None:
    """Wait until a step is there, and all that the others play in it."""
    expect(page.locator(f"main[data-step='{step}'][data-ready=true]")).to_be_visible()
    size = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    assert size == [360, 640], "everything is on the screen"
    # The table of the result takes the place of the own cards, which are all played.
    for part in ("#teach, #said:not([hidden])", "#result:not([hidden]), #own-plate"):
        assert page.locator(part).first.bounding_box(), part
    hidden = page.evaluate(
        """() => [...document.querySelectorAll(".teacher, #centre > :not([hidden]), #seats .plate")]
            .filter((node) => node.scrollHeight > node.clientHeight + 2 || node.getBoundingClientRect().bottom
                > document.getElementById("own").getBoundingClientRect().top + 2)
            .map((node) => node.className)"""
    )
    assert page.locator("#result").is_visible() or not hidden, f"step {step}: {hidden} does not fit"


def tap(page: Page, move: str) -> None:
    """Make a move of either game with the finger: a word, a card, or cards to lay and one to take."""
    if move in WORDS:
        page.locator(f"#actions [data-key={move}]").click(force=True)
        if move == "declare" and page.locator("#actions .act-yes").count():
            page.locator("#actions .act-yes").click()
        return
    laid, _, taken = move.partition(" > ")
    for card in laid.split():
        chosen = page.locator(f"#hand [data-card='{card}']")
        if not taken or chosen.get_attribute("aria-pressed") != "true":
            chosen.click(force=True)  # grey cards can be tapped, to be told why they are
    if taken:
        page.locator(".stock" if taken == "stock" else f"#open-set [data-card='{taken}']").click(force=True)


def press(page: Page, move: str) -> None:
    """Make the same move by keyboard alone."""
    if move in WORDS:
        page.keyboard.press(move[0])
        if move == "declare" and page.locator("#actions .act-yes").count():
            expect(page.locator("#actions .act-yes")).to_be_focused()
            page.keyboard.press("Enter")
        return
    laid, _, taken = move.partition(" > ")
    for card in laid.split():
        chosen = page.locator(f"#hand [data-card='{card}']")
        if not taken or chosen.get_attribute("aria-pressed") != "true":
            chosen.press("Enter")
    if taken == "stock":
        page.keyboard.press("s")
    elif taken:
        page.locator(f"#open-set [data-card='{taken}']").press("Enter")


def go_through(page: Page, make: Callable[[Page, str], None], first: int, last: int) -> None:
    """Take every step from ``first`` on until ``last`` stands there, at each decision with every wrong choice first."""
    steps: list[dict[str, Any]] = json.loads(page.locator("#lesson").text_content() or "")["steps"]
    for number in range(first, last):
        step = steps[number - 1]
        at_step(page, number)
        for move, sentence in wrong_choices(step).items():
            make(page, move)
            expect(page.locator("#said")).to_have_text(sentence)
            at_step(page, number)
        if step["ask"]:
            make(page, step["ask"][0])
        elif make is tap:
            page.get_by_role("button", name="Next").click()
        else:
            page.keyboard.press("n")
    at_step(page, last)


def wrong_choices(step: dict[str, Any]) -> dict[str, str]:
    """Return one move for each sentence with which a step answers a wrong choice."""
    refused = step["frames"][-1]["deal"].get("refused") or {}
    answers = dict(step["instead"])
    answers |= {move: step["why"][code] for move, code in refused.items() if code in step["why"]}
    moves = {sentence: move for move, sentence in answers.items()}
    return {move: sentence for sentence, move in moves.items()}


def tells(response: Response, step: int) -> bool:
    """Whether the server was told by this that the learner is at a step."""
    said = response.request.post_data or ""
    return response.url.endswith("/step/") and re.search(rf'name="step"\s+{step}\s', said) is not None


def test_a_newcomer_plays_the_first_deal_of_loo_to_its_end(open_page: OpenPage) -> None:
    """By finger, and the page is loaded anew in between: at a deal's end the button that leads on was hidden."""
    page = open_page(360, 640, reduced_motion="reduce")
    page.goto("/")
    page.get_by_role("link", name="Learn to play").click()
    page.get_by_role("link", name=re.compile("^Begin.*3-Card Loo")).click()
    go_through(page, tap, 1, 9)
    assert page.locator("#say").inner_text().count("Oskar folds.") == 1
    page.goto("/learn/three_card_loo/")
    go_through(page, tap, 9, 12)
    expect(page.locator("#result")).to_contain_text("looed")
    assert not complaints(page)
    go_through(page, tap, 12, 20)
    expect(page.locator("#result")).to_contain_text("6 stakes stay in the pot.")
    page.get_by_role("button", name="Play now against bots").click()
    page.wait_for_url("**/tables/**")


def test_a_guest_learns_least_score_comes_back_to_the_step_and_gets_a_hint(open_page: OpenPage) -> None:
    page = open_page(360, 640, reduced_motion="reduce")
    sit_down(page, "least_score", seats=6)
    page.wait_for_selector(MINE, timeout=60_000)
    online(page)
    page.keyboard.press("h")
    expect(page.locator("#hint[data-advice]")).to_contain_text("Hint: ")
    assert page.locator("[data-advised]").count() >= 1
    assert "Hint: " in (page.locator("#say").text_content() or "")
    # What is told late of an earlier step would take the learner back to it.
    late: list[Route] = []

    def hold(route: Route) -> None:
        late.append(route)

    page.route("**/step/", hold, times=1)
    page.goto("/learn/least_score/")
    go_through(page, press, 1, 6)
    while not late:  # Where the machine is slow, the step is told after the next ones are shown.
        page.wait_for_timeout(50)
    with page.expect_response(lambda response: tells(response, 6)):
        late.pop().continue_()
    page.goto("/learn/")
    expect(page.locator("main")).to_contain_text("You were at step 6 of 13.")
    page.get_by_role("link", name="Go on").click()
    go_through(page, press, 6, 12)
    expect(page.locator("#result")).to_contain_text("+20")
    with page.expect_response(lambda response: tells(response, 13)):
        go_through(page, press, 12, 13)
    page.goto("/learn/")
    expect(page.locator("main")).to_contain_text("You have finished this lesson.")
