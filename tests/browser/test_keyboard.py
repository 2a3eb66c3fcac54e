"""The whole evening by keyboard alone: nothing is clicked, and wherever the focus goes it can be seen."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import OpenPage, Site, club_of
from tests.browser.playing import MINE, going_on

pytestmark = pytest.mark.browser

FOCUS = """(wanted) => {
  const at = document.activeElement;
  const shown = (node) => {
    const style = getComputedStyle(node), box = node.getBoundingClientRect();
    return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2 && box.width > 0 && box.height > 0 &&
      box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  };
  return [at === wanted, at === document.body ? "" : at.outerHTML.slice(0, 200), at.matches(":focus-visible") && shown(at)];
}"""


class Keyboard:
    """A person at the page who has nothing but keys."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def go(self, wanted: Locator, key: str = "Tab", *, most: int = 250) -> None:
        """Press Tab until something has the focus, which is seen at every step."""
        wanted.wait_for()
        for _ in range(most):
            self.press(key)
            there, what, seen = self.page.evaluate(FOCUS, wanted.element_handle())
            assert seen or not what, f"on {self.page.url} nobody sees that the focus is at {what}"
            if there:
                return
        raise AssertionError(f"Tab does not lead to {wanted} on {self.page.url}")

    def follow(self, wanted: Locator, address: str) -> None:
        """Go to a link or a button, press it, and come to an address."""
        self.go(wanted)
        self.press("Enter")
        self.page.wait_for_url(address)

    def skip(self) -> None:
        """Skip to the content, the first thing that Tab leads to on every page."""
        self.go(self.page.locator(".skip"), most=1)
        self.press("Enter")
        expect(self.page.locator("#main")).to_be_focused()


def sit_down(keys: Keyboard, table: str) -> None:
    """From any page with the head of the site: to the tables, to one of them, to its free seat."""
    page = keys.page
    keys.follow(page.get_by_role("banner").get_by_role("link", name="Tables"), "**/lobby/**")
    keys.skip()
    keys.follow(page.locator(f"#open a[href='/tables/{table}/']"), f"**/tables/{table}/")
    keys.go(page.locator(".seat-list button").first)
    keys.press("Enter")
    page.wait_for_selector("main[data-status]")


def choose_a_game(keys: Keyboard) -> None:
    """Choose the other game on the home page: its form is fetched anew, and the focus stays where it was."""
    page = keys.page
    keys.go(page.locator("#game-three_card_loo"))
    keys.press("ArrowDown")
    expect(page.locator("#play-now [name=seats] option").first).to_have_attribute("value", "2")
    expect(page.locator("#game-least_score")).to_be_focused()


def show_the_keys(keys: Keyboard) -> None:
    """See which keys there are, and switch single keys off and on again, with the keys that are left."""
    page = keys.page
    keys.press("?")
    box = page.locator("#single-keys")
    keys.go(box)
    keys.press("Space")
    keys.press("Escape")
    expect(page.locator("#game-least_score")).to_be_focused()
    keys.press("?")
    expect(page.locator("#keys-help")).to_be_hidden()
    keys.go(page.locator("[data-keys]"))
    keys.press("Enter")
    keys.go(box)
    keys.press("Space")
    keys.press("Escape")
    expect(page.locator("[data-keys]")).to_be_focused()


def play_deal(keys: Keyboard, move: Any) -> None:
    """Play one deal; at every turn the move is made by keys and the focus is on something that is seen.

    The next deal begins at once: the page may never have been told that this one is over.
    """
    page = keys.page
    page.wait_for_selector("main[data-status=playing]")
    deal = page.inner_text("#course")
    while page.get_attribute("main", "data-status") == "playing" and page.inner_text("#course") == deal:
        page.wait_for_selector(f"{MINE}, main:not([data-status=playing])")
        if page.locator(MINE).count():
            with going_on(page):
                move(page)
            _there, what, seen = page.evaluate(FOCUS, None)
            assert seen or not what or "tabindex" in what, what


def loo_move(page: Page) -> None:
    if page.get_attribute("main", "data-phase") == "announce":
        page.keyboard.press("p")
    else:
        cards = "cards => cards.findIndex(card => card.dataset.can === 'playable') + 1"
        page.keyboard.press(str(page.locator("#hand .card").evaluate_all(cards)))


def least_move(page: Page) -> None:
    if page.locator("#actions [data-key=declare]:not([aria-disabled])").count():
        page.keyboard.press("d")
        expect(page.locator("#actions [data-key=yes]")).to_be_focused()
        page.keyboard.press("Enter")
    else:
        page.keyboard.press("1")
        expect(page.locator("#hand .card[aria-pressed=true]")).to_be_focused()
        page.keyboard.press("s")


def look_into_further_pages(keys: Keyboard) -> None:
    """On a phone: open the sheet of further pages, walk through and out of it; Escape closes it and gives the focus back."""
    page = keys.page
    page.set_viewport_size({"width": 360, "height": 740})
    page.reload()
    more, sheet = page.get_by_role("button", name="More"), page.locator("#more-pages")
    keys.go(more)
    keys.press("Enter")
    expect(sheet).to_be_visible()
    for name in ("Chips", "Settings"):
        keys.go(sheet.get_by_role("link", name=name), most=1)
    keys.go(page.locator("#bell"), most=1)
    keys.go(more, "Shift+Tab", most=3)
    keys.press("Escape")
    expect(sheet).to_be_hidden()
    keys.press("Enter")
    keys.press("Tab")
    keys.press("Escape")
    expect(sheet).to_be_hidden()
    expect(more).to_be_focused()


def test_a_whole_evening_is_spent_by_keyboard_alone(open_page: OpenPage, site: Site) -> None:
    club = club_of(site, "keyboard_club")
    page = open_page(1280, 800, reduced_motion="reduce")
    keys = Keyboard(page)
    page.goto("/")
    choose_a_game(keys)
    show_the_keys(keys)
    keys.follow(page.get_by_role("banner").get_by_role("link", name="Sign in"), "**/sign-in/**")
    keys.go(page.locator("[name=login]"))
    keys.press("?")
    expect(page.locator("#keys-help")).to_be_hidden()
    expect(page.locator("[name=login]")).to_have_value("?")
    keys.press("Backspace")
    page.keyboard.type("mai")
    keys.go(page.locator("[name=password]"))
    page.keyboard.type(club["password"])
    keys.press("Enter")
    expect(page.get_by_role("link", name="Mai Keys")).to_be_visible()

    for game, move in (("three_card_loo", loo_move), ("least_score", least_move)):
        sit_down(keys, club["tables"][game])
        play_deal(keys, move)
        expect(page.locator("#log")).to_contain_text(
            "The deal is over." if game == "three_card_loo" else "Points: "
        )
        keys.press("?")
        expect(page.locator("#keys")).to_contain_text("What happened")
        keys.press("Escape")
        keys.follow(page.get_by_role("link", name="Leave the table page"), f"{site.address}/")

    keys.follow(page.get_by_role("banner").get_by_role("link", name="Tournaments"), "**/events/")
    keys.skip()
    keys.follow(page.locator(f"a[href='/events/{club['event']}/']").first, f"**/{club['event']}/")
    keys.skip()
    keys.go(page.locator("#go-register"))
    keys.press("Enter")
    expect(page.get_by_role("main")).to_contain_text("You take part as number 1.")

    keys.follow(page.get_by_role("banner").get_by_role("link", name="Chips"), "**/chips/")
    keys.skip()
    keys.follow(page.get_by_role("link", name="All lines, to print or to take away"), "**/chips/accounts/**")
    expect(page.get_by_role("main")).to_contain_text("evening by keyboard")
    keys.skip()
    keys.go(page.get_by_role("main").get_by_role("link").last)
    look_into_further_pages(keys)
