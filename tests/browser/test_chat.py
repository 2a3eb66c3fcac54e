"""The chat in real browsers: two members and a watcher, by keyboard, on a phone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.conftest import OpenPage, Site, club_of, sign_in
from tests.browser.playing import online

pytestmark = pytest.mark.browser

PHONE, WIDE = (360, 640), (1280, 800)
Through = Callable[[WebSocketRoute], None]
SCRIPT = "<img src=x onerror=alert(1)> https://example.org/"


@pytest.fixture(scope="module")
def club(site: Site) -> dict[str, Any]:
    """Two members at a table, and one who watches."""
    return club_of(site, "chat_club")


@pytest.fixture
def at_table(open_page: OpenPage, club: dict[str, Any]) -> Any:
    """Open the table as one of the members, in a browser of its own."""

    def open_one(username: str, size: tuple[int, int], through: Through | None = None) -> Page:
        page = open_page(*size)
        if through:
            page.route_web_socket("**/ws/tables/**", through)
        sign_in(page, username, club["password"], f"/tables/{club['table']}/")
        page.wait_for_selector("main[data-status=playing]")
        online(page)
        return page

    return open_one


def answered(page: Page) -> None:
    """Wait until what was written is answered, before which nothing else can be: its line may have come earlier."""
    page.wait_for_selector("#chat-panel:not([data-waiting])")


def test_members_talk_watchers_do_not_reach_them_and_a_muted_member_is_gone(at_table: Any) -> None:
    mari, jaan, vaike = at_table("mari", PHONE), at_table("jaan", PHONE), at_table("vaike", WIDE)
    hand = mari.locator("#hand .card").first
    expect(hand).to_be_visible()
    expect(mari.locator("#chat-panel")).to_be_hidden()
    assert mari.evaluate("document.documentElement.scrollWidth") == PHONE[0]

    mari.keyboard.press("t")
    expect(mari.locator("#chat-text")).to_be_focused()
    mari.keyboard.type(SCRIPT)
    mari.keyboard.press("Enter")
    expect(mari.locator("#chat-lines .chat-words")).to_have_text([SCRIPT])
    expect(mari.locator("#chat-text")).to_have_value("")
    assert mari.evaluate("document.documentElement.scrollWidth") == PHONE[0]
    mari.keyboard.press("Escape")
    expect(mari.locator("#chat-panel")).to_be_hidden()
    expect(mari.locator("#open-chat")).to_be_focused()

    expect(jaan.locator("#chat-count")).to_have_text("1")
    expect(jaan.get_by_role("button", name="Chat 1 new line")).to_be_visible()
    assert "onerror" not in jaan.inner_text("#say")
    jaan.locator("#open-chat").click()
    expect(jaan.locator("#chat-lines .chat-words")).to_have_text([SCRIPT])
    assert jaan.locator("#chat-lines img, #chat-lines .chat-words a, #chat-lines b b").count() == 0
    expect(jaan.locator("#chat-lines b")).to_have_text(["Mari <b>Mets</b>"])
    expect(jaan.locator("#chat-count")).to_be_hidden()

    vaike.locator("#open-chat").click()
    expect(vaike.locator("#chat-label")).to_have_text("Write to the watchers")
    vaike.fill("#chat-text", "Mari holds the joker")
    vaike.keyboard.press("Enter")
    expect(vaike.locator("#chat-lines .chat-words").last).to_have_text("Mari holds the joker")
    answered(vaike)
    vaike.get_by_role("button", name="Well played!").click()
    expect(vaike.locator("#chat-lines .chat-words").last).to_have_text("Well played!")

    mari.keyboard.press("t")
    mari.get_by_role("button", name="Good luck!").click()
    expect(jaan.locator("#chat-lines .chat-words")).to_have_text([SCRIPT, "Good luck!"])
    expect(jaan.locator("#say")).to_contain_text("Good luck!")  # an open chat is read aloud
    assert "joker" not in jaan.content()

    jaan.locator("#chat-lines summary").first.click()
    report = jaan.get_by_role("link", name="Report this line").first
    assert "/report/?line=" in str(report.get_attribute("href"))
    jaan.get_by_role("button", name="Mute Mari <b>Mets</b>").first.click()
    expect(jaan.locator("#chat-lines li")).to_have_count(0)
    answered(mari)
    mari.fill("#chat-text", "Do you hear me?")
    mari.keyboard.press("Enter")
    expect(vaike.locator("#chat-lines")).to_contain_text("Do you hear me?")
    expect(jaan.locator("#chat-lines li")).to_have_count(0)
    jaan.reload()
    jaan.wait_for_selector("main[data-status=playing]")
    jaan.goto("/muted/")
    jaan.get_by_role("button", name="Unmute").click()
    expect(jaan.locator("main")).to_contain_text("You have muted nobody")


def test_the_keys_are_in_the_help_and_a_refusal_keeps_what_was_written(at_table: Any) -> None:
    jaan = at_table("jaan", WIDE)
    jaan.keyboard.press("?")
    expect(jaan.locator("#keys")).to_contain_text("Chat")
    jaan.keyboard.press("Escape")
    expect(jaan.locator("#help")).to_be_hidden()
    jaan.keyboard.press("t")
    refusal, number = jaan.locator("#chat-refusal"), 0
    while not refusal.is_visible():  # A slow machine may write more lines before it is too fast.
        number += 1
        assert number < 100
        jaan.fill("#chat-text", f"line {number}")
        jaan.keyboard.press("Enter")
        answered(jaan)
    assert number > 5
    expect(refusal).to_contain_text("too fast")
    expect(jaan.locator("#chat-text")).to_have_value(f"line {number}")


def test_a_key_pressed_as_the_help_closes_is_still_heard_by_the_table(at_table: Any) -> None:
    jaan = at_table("jaan", WIDE)
    jaan.keyboard.press("?")
    expect(jaan.locator("#help")).to_be_visible()
    jaan.evaluate(
        """() => {
            const inside = document.querySelector("#help button");
            inside.focus();
            document.getElementById("help").close();
            inside.dispatchEvent(new KeyboardEvent("keydown", { key: "t", bubbles: true }));
        }"""
    )
    expect(jaan.locator("#chat-panel")).to_be_visible()


def test_a_mute_that_the_line_swallowed_was_lost(at_table: Any) -> None:
    mari = at_table("mari", WIDE)
    mari.keyboard.press("t")
    mari.get_by_role("button", name="Good luck!").click()
    answered(mari)
    mari.close()
    swallowed: list[WebSocketRoute] = []

    def through(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def on_message(frame: str | bytes) -> None:
            if '"mute"' in str(frame) and not swallowed:
                swallowed.append(socket)
            else:
                server.send(frame)

        socket.on_message(on_message)

    vaike = at_table("vaike", WIDE, through)
    vaike.locator("#open-chat").click()
    lines = vaike.locator("#chat-lines li", has=vaike.locator("b", has_text="Mari"))
    lines.locator("summary").first.click()
    vaike.get_by_role("button", name="Mute Mari <b>Mets</b>").first.click()
    expect(lines.first).to_be_visible()
    while not swallowed:
        vaike.wait_for_timeout(50)
    assert "not read" not in vaike.inner_text("#say")
    swallowed[0].close(code=1012)
    expect(vaike.locator("#say")).to_contain_text("You will not read Mari <b>Mets</b> any more.")
    expect(lines).to_have_count(0)
