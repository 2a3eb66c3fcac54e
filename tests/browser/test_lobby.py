"""The lobby and the seats before the first deal in real browsers: what one does, the other sees without a reload."""

from __future__ import annotations

import re

import psycopg
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage, Site
from tests.browser.playing import press_while_fetched

pytestmark = pytest.mark.browser

PHONE, WIDE = (360, 740), (1280, 800)


LOOK_AGAIN = """() => new Promise((seen) => {
  document.addEventListener("htmx:afterSettle", seen, {once: true});
  window.htmx.trigger("#seating", "look");
})"""


def open_table(page: Page, *, seats: int = 3, listed: bool = True) -> str:
    """Open a table of Least Score by the form and return its address."""
    page.goto("/tables/new/?game=least_score")
    page.select_option("#id_seats", str(seats))
    if not listed:
        page.uncheck("#id_listed")
    expect(page.locator("#choice-words")).to_contain_text(f"{seats} seats")
    expect(page.locator("#choice-words")).to_contain_text("shown in the lobby" if listed else "private")
    page.get_by_role("button", name="Open the table and sit down").click()
    expect(page.locator(".seat-list .own")).to_have_count(1)
    page.wait_for_load_state()  # the seats are there before the scripts
    return page.url


def path_of(address: str) -> str:
    return re.sub(r"^https?://[^/]+", "", address)


def test_a_table_is_opened_seen_and_filled_without_a_reload(
    open_page: OpenPage,
) -> None:
    host, visitor = open_page(*WIDE), open_page(*PHONE)
    visitor.goto("/lobby/")
    visitor.evaluate("window.mark = 'the same page'")
    address = path_of(open_table(host))
    row = visitor.locator(f"#open a[href='{address}']")
    expect(row).to_contain_text("2 of 3 seats free")
    expect(visitor.locator("#count")).to_contain_text("open table")
    row.focus()
    host.select_option("#bot-count", "1")
    host.select_option("#bot-level", "random")
    host.evaluate(LOOK_AGAIN)
    expect(host.locator("#bot-level")).to_have_value("random")
    expect(host.locator("#say")).to_contain_text("seats are free")
    with host.expect_navigation():
        host.locator("#call-bots").click()
    expect(row).to_contain_text("1 of 3 seats free")
    expect(row).to_be_focused()
    assert visitor.evaluate("window.mark") == "the same page"
    visitor.keyboard.press("Enter")
    host.keyboard.press("t")
    host.locator("#chat-phrases button").first.click()
    expect(host.locator("#chat-lines li")).to_have_count(1)
    host.keyboard.press("Escape")
    expect(host.locator("#open-chat")).to_be_focused()
    expect(visitor.locator("#chat-lines li")).to_have_count(1)  # unread only if the chat was there before
    visitor.locator(".seat-list button").first.click()
    for page in (host, visitor):
        expect(page.locator("#course")).to_contain_text("deal")


def test_a_press_was_lost_when_the_seats_were_fetched_anew_under_the_finger(open_page: OpenPage) -> None:
    page = open_page(*WIDE)
    open_table(page)
    press_while_fetched(page, page.get_by_role("button", name="Move here").last, "seating")
    expect(page.locator(".seat-list .own .seat-number")).to_have_text("3")


def begins_later(site: Site, address: str) -> None:
    """Let a table wait for its first deal for ten minutes, if that has not begun."""
    with psycopg.connect(site.environment["DATABASE_URL"], autocommit=True) as database:
        database.execute(
            "UPDATE games_table SET due_at = now() + interval '10 minutes'"
            " WHERE id = %s AND status = 'between' AND deal_number = 0",
            [address.split("/")[2]],
        )


def test_who_leaves_in_the_countdown_brings_the_others_back_to_the_seats(
    open_page: OpenPage, site: Site
) -> None:
    """Each page counts down and then goes back by itself; the countdown is made long. A machine that stands still for eight
    seconds before that tries again."""
    host, visitor = open_page(*WIDE), open_page(*PHONE)
    for _attempt in range(3):
        address = path_of(open_table(host, seats=2))
        visitor.goto(address)
        visitor.locator(".seat-list button").first.click()
        begins_later(site, address)
        course = host.locator("#course")
        expect(course).to_have_text(re.compile(r"first deal|waiting for the server|deal 1"))
        if "deal 1" not in course.inner_text():
            leave = visitor.locator("form[action$='/leave/']").first
            leave.wait_for(state="attached")
            leave.evaluate("form => form.submit()")
            begun = host.locator("#course", has_text=re.compile("^deal 1"))
            expect(host.locator(".seat-list").or_(begun)).to_be_visible()
            if not begun.count():
                break
    expect(host.locator(".seat-list")).to_contain_text("free")
    expect(host.locator("#call-bots")).to_be_visible()


def test_filters_act_at_once_and_a_private_table_is_never_listed(open_page: OpenPage) -> None:
    host, other, visitor = open_page(*WIDE), open_page(*WIDE), open_page(*WIDE)
    private = path_of(open_table(host, listed=False))
    listed = path_of(open_table(other))
    visitor.goto("/lobby/")
    expect(visitor.locator(f"#lists a[href='{listed}']")).to_be_visible()
    visitor.wait_for_selector("#filters.live")  # Before, a choice fetches the page anew.
    visitor.select_option("#f-game", "three_card_loo")
    expect(visitor.locator(f"#lists a[href='{listed}']")).to_have_count(0)
    expect(visitor).to_have_url(re.compile("game=three_card_loo"))
    visitor.select_option("#f-game", "least_score")
    expect(visitor.locator(f"#lists a[href='{listed}']")).to_be_visible()
    assert private not in visitor.content()


def test_a_lost_line_is_made_good_by_asking(open_page: OpenPage) -> None:
    host, visitor = open_page(*WIDE), open_page(*WIDE)
    visitor.route_web_socket(re.compile("/ws/lobby/"), lambda socket: socket.close())
    # The page asks each eight seconds; nobody waits for that here.
    visitor.add_init_script(
        "setInterval = ((old) => (what, ms) => old(what, ms === 8000 ? 500 : ms))(setInterval)"
    )
    visitor.goto("/lobby/")
    address = path_of(open_table(host))
    expect(visitor.locator(f"#open a[href='{address}']")).to_be_visible()


def test_everything_before_the_first_deal_works_without_javascript(open_page: OpenPage) -> None:
    page = open_page(*PHONE, java_script_enabled=False)
    page.goto("/tables/new/?preset=least_score_sprint")
    expect(page.locator("#choice-words")).to_contain_text("knocked out above 50 points")
    page.select_option("#id_seats", "3")
    page.get_by_role("button", name="Show my choice in words").click()
    expect(page.locator("#choice-words")).to_contain_text("3 seats")
    page.get_by_role("button", name="Open the table and sit down").click()
    expect(page.locator(".seat-list .own")).to_have_count(1)
    address = path_of(page.url)
    page.goto("/lobby/?game=least_score&free=1")
    expect(page.locator(f"#open a[href='{address}']")).to_have_count(1)
    page.select_option("#f-game", "three_card_loo")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.locator(f"#open a[href='{address}']")).to_have_count(0)
    page.goto(address)
    page.get_by_role("button", name="Move here").last.click()
    expect(page.locator(".seat-list .own")).to_contain_text("3")
    page.get_by_role("button", name="Leave the table").click()


LOW_BUTTONS = """() => [...document.querySelectorAll("button, .button, select")]
    .filter((e) => e.checkVisibility() && e.getBoundingClientRect().height < 44).map((e) => e.outerHTML)"""


def test_nothing_is_wider_than_a_phone(open_page: OpenPage) -> None:
    page = open_page(*PHONE)
    address = path_of(open_table(page))
    for path in ("/", "/lobby/", "/tables/new/?preset=club_loo", address):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0], path
        # Measured in one go: the page is live, and a button may go away while one looks at the next.
        low = page.evaluate(LOW_BUTTONS)
        assert not low, (path, low)
