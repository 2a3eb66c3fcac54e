"""An evening of 17 at the club, run from a telephone: from the form of the event to its prizes."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage, Site, club_of, sign_in
from tests.browser.playing import press_while_fetched

pytestmark = pytest.mark.browser

PHONE = (390, 844)
GUESTS = [f"Guest {n}" for n in range(1, 13)]


@pytest.fixture(scope="module")
def club(site: Site) -> dict[str, Any]:
    """An organiser, members and chips."""
    return club_of(site, "evening_club")


class Evening:
    """The organiser's telephone."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.at = ""

    def go(self, path: str) -> None:
        """Open a page of the event; it does not scroll sideways."""
        self.page.goto(self.at + path)
        self.fits()

    def fits(self) -> None:
        width = self.page.evaluate("document.documentElement.scrollWidth")
        assert width <= PHONE[0], f"{self.page.url} is {width} wide"

    def press(self, act: str) -> None:
        """Press the button of an act, and be told that it is done."""
        with self.page.expect_navigation():
            self.page.locator(f"#go-{act}").click()
        expect(self.page.locator(".messages")).to_contain_text(re.compile("done", re.IGNORECASE))
        self.fits()

    def press_with_reason(self, act: str, reason: str) -> None:
        """Open an act that needs a reason, say it, and be told that it is done."""
        self.page.locator("#round-acts > summary").click()
        self.page.locator(f"#why-{act} > summary").click()
        self.page.fill(f"#reason-{act}", reason)
        self.press(act)

    def create(self) -> None:
        """Make the draft from a usual event, and open its registration."""
        page = self.page
        page.goto("/events/new/?preset=least_evening")
        page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
        for name, value in {
            "name": "Evening",
            "rounds": "2",
            "guaranteed": "100",
            "prizes": "1: 50 30 20",
        }.items():
            page.fill(f"[name={name}]", value)
        page.select_option("[name=asset]", "EVENING")
        page.locator("form.sheet .save button").click()
        page.wait_for_url(lambda url: "/new/" not in url)
        self.at = "/".join(page.url.split("/")[:5]) + "/"
        self.go("desk/")
        self.press("open_registration")

    def enter_names(self, members: list[str]) -> None:
        """Paste everybody; a name that is there twice is told before anything is entered, and mended."""
        page = self.page
        lines = ["username,name", *(f"{username}," for username in members), *(f",{name}" for name in GUESTS)]
        self.go("players/")
        page.locator("#import > summary").click()
        page.fill("#text", "\n".join([*lines, ",guest 1"]))
        page.locator("#import [name=preview]").click()
        expect(page.locator("#import [role=status]")).to_contain_text("1 line is wrong")
        expect(page.locator("#import .wrong")).to_contain_text("Somebody of that name is entered already")
        page.fill("#text", "\n".join(lines))
        page.locator("#import [name=preview]").click()
        expect(page.locator("#import [role=status]")).to_contain_text("17 lines, all right")
        page.locator("#import [name=enter]").click()
        expect(page.locator("main")).to_contain_text("17 players are in")

    def start(self) -> None:
        """Check everybody in, one by one press and the rest at once, and begin."""
        self.go("desk/")
        self.press("open_check_in")
        self.go("players/")
        self.page.locator("#check-1").click()
        expect(self.page.locator("#check-1")).to_have_attribute("aria-pressed", "true")
        # A press was lost when the page was fetched anew under the finger.
        with self.page.expect_navigation():
            press_while_fetched(self.page, self.page.locator("#check_in_all button"), "live")
        expect(self.page.locator("main")).to_contain_text("17 checked in")
        self.page.locator("#check-1").click()
        expect(self.page.locator("#check-1")).to_have_attribute("aria-pressed", "false")
        self.go("desk/")
        self.page.locator("#go-start").click()
        expect(self.page.locator("#sure-title")).to_contain_text("1 player is not checked in")
        self.fits()
        self.page.get_by_role("link", name="Check in who is here").click()
        self.page.locator("#check-1").click()
        expect(self.page.locator("#check-1")).to_have_attribute("aria-pressed", "true")
        self.go("desk/")
        self.press("start")

    def release(self, number: int, *, draw: bool) -> None:
        """Draw (if need be), confirm and release a round."""
        self.go("desk/")
        for act in ("draw", "confirm_draw", "release") if draw else ("confirm_draw", "release"):
            self.press(act)
        expect(self.page.locator("h1")).to_contain_text(f"Round {number}")

    def table_of_two(self, names: list[str]) -> tuple[int, list[str]]:
        """Return a table at which two of the named members sit, and who they are."""
        for card in self.page.locator(".table-card").all():
            seated = [name for name in names if name in card.inner_text()]
            if len(seated) > 1:
                return int(card.get_attribute("aria-labelledby").rpartition("-")[2]), seated[:2]  # type: ignore[union-attr]
        raise AssertionError("five members at four tables, and no two at one")


def enter_deals(page: Page, address: str) -> int:
    """Enter every deal of a table: the first player of the sheet declares with 4, the next have 7 more each."""
    page.goto(address)
    seats = page.locator("#enter input[name^=total-]").count()
    for deal in range(1, seats + 1):
        expect(page.locator("#enter-title")).to_contain_text(f"Deal {deal}:")
        fill_sheet(page)
        with page.expect_navigation():
            page.locator("#enter button").click()
        expect(page.locator(f"#deal-{deal}")).to_contain_text("21")
        if deal < seats:  # Nobody scrolls down to every sheet.
            expect(page.locator("#enter-title")).to_be_in_viewport()
    assert page.locator("#enter").count() == 0
    return seats


def fill_sheet(page: Page) -> None:
    """Fill the sheet of the next deal in."""
    totals = page.locator("#enter input[name^=total-]")
    first = totals.first.get_attribute("name") or ""
    for place, field in enumerate(totals.all()):
        field.fill(str(4 + 7 * place))
    page.select_option("#enter [name=declarer]", first.removeprefix("total-"))


def enter_wrongly(page: Page, address: str) -> None:
    """A total that no hand has is told by the rules, and what was typed stays."""
    page.goto(address)
    fill_sheet(page)
    page.locator("#enter input[name^=total-]").last.fill("51")
    page.locator("#enter button").click()
    expect(page.locator(".refused")).to_contain_text("A total is a whole number from 1 to 50.")
    expect(page.locator("#enter input[name^=total-]").first).to_have_value("4")
    assert page.locator("#deal-1").count() == 0


def test_an_organiser_runs_an_evening_of_17_from_a_telephone(
    open_page: OpenPage, club: dict[str, Any]
) -> None:
    olga = Evening(
        sign_in(open_page(*PHONE, has_touch=True), club["organiser"], club["password"], "/events/")
    )
    olga.create()
    olga.enter_names(list(club["members"]))
    olga.start()
    olga.release(1, draw=True)
    first_round(olga, open_page, club)
    mend_after_confirmation(olga)
    second_round(olga)
    olga.go("desk/")
    olga.press("finish")
    olga.press("pay")
    olga.go("result/")
    expect(olga.page.locator("main")).to_contain_text("100 EVENING were paid out")
    assert olga.page.locator(".standings tbody tr").count() == 17


def first_round(olga: Evening, open_page: OpenPage, club: dict[str, Any]) -> None:
    """All deals by hand: a member enters those of one table and a second confirms them, the organiser the others'."""
    shared, (one, other) = olga.table_of_two(list(club["members"].values()))
    usernames = {name: username for username, name in club["members"].items()}
    address = f"{olga.at}rounds/1/tables/{shared}/"
    phones = [
        sign_in(open_page(*PHONE, has_touch=True), usernames[name], club["password"], "/events/")
        for name in (one, other)
    ]
    enter_wrongly(phones[0], address)
    seats = enter_deals(phones[0], address)
    assert phones[0].get_by_text("Yes, confirm them").count() == 0, "a second player confirms"
    phones[1].goto(address)
    phones[1].get_by_text("Yes, confirm them").click()
    expect(phones[1].locator("main")).to_contain_text(f"Confirmed by {other}")
    for table in {1, 2, 3, 4} - {shared}:
        seats += enter_deals(olga.page, f"{olga.at}rounds/1/tables/{table}/")
        olga.fits()
    assert seats == 17
    olga.go("rounds/1/")
    olga.press("confirm")


def mend_after_confirmation(olga: Evening) -> None:
    """A wrong total is found when the round is confirmed: reopened with a reason, corrected as a second version."""
    page = olga.page
    page.goto(f"{olga.at}rounds/1/tables/1/")
    assert page.get_by_text("Correct", exact=False).locator("visible=true").count() == 0
    olga.go("rounds/1/")
    olga.press_with_reason("reopen", "Table 1 added up wrongly")
    olga.go("rounds/1/tables/1/?correct=2")
    page.locator("#correct input[name^=total-]").last.fill("39")
    page.fill("#correct-reason", "39, not less")
    page.locator("#correct button").first.click()
    expect(page.locator("#deal-2")).to_contain_text("35")
    expect(page.locator("#deal-2")).to_contain_text("2 versions")
    olga.fits()
    olga.go("rounds/1/")
    olga.press("confirm")


def second_round(olga: Evening) -> None:
    """Whole rounds at once; the round is undone and brought back with everything."""
    page = olga.page
    olga.release(2, draw=False)
    for table in (1, 2, 3, 4):
        page.goto(f"{olga.at}rounds/2/tables/{table}/")
        page.locator("#whole > summary").click()
        for place, field in enumerate(page.locator("#whole input:not([type=hidden])").all()):
            field.fill(str(10 * place))
        with page.expect_navigation():
            page.locator("#whole button").click()
        expect(page.locator("main .state-done").first).to_be_visible()
    olga.go("rounds/2/")
    olga.press_with_reason("undo", "the wrong draw was on the wall")
    olga.press_with_reason("redo", "it was the right one")
    olga.go("rounds/2/")
    olga.press("confirm")
