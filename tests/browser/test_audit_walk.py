"""An auditor who trusts nobody walks through the book in a real browser, and a second person decides."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PROJECT, OpenPage, Site, sign_in

pytestmark = pytest.mark.browser

PHONE, WIDE = (360, 740), (1280, 900)


@pytest.fixture(scope="module")
def club(site: Site) -> dict[str, Any]:
    """People, chips and a match with stakes that was played."""
    return json.loads(run(site, "-m", "tests.browser.audit_club"))  # type: ignore[no-any-return]


def run(site: Site, *command: str) -> str:
    """Run a Python command on the site's database and return what it said."""
    done = subprocess.run(
        [sys.executable, *command],
        cwd=PROJECT,
        env=site.environment,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout


def assert_fits(page: Page) -> None:
    """The page itself does not scroll sideways; wide tables do so by themselves."""
    assert page.viewport_size is not None
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]


def reload_until(page: Page, text: str, *, seconds: float = 300) -> None:
    """Look again until the sealer has passed."""
    deadline = time.monotonic() + seconds
    while page.get_by_text(text).count() == 0:
        assert time.monotonic() < deadline, page.inner_text("#content")
        page.wait_for_timeout(1_000)
        page.reload()


def test_an_auditor_finds_a_disputed_stake_and_has_it_reversed_by_somebody_else(
    open_page: OpenPage, site: Site, club: dict[str, Any]
) -> None:
    auditor = open_page(*WIDE)
    sign_in(auditor, "ave", club["password"], "/admin/")
    auditor.get_by_role("link", name="Audit desk").first.click()
    expect(auditor.locator(".signs .good").first).to_contain_text("0 for every kind of chips")
    expect(auditor.locator(".signs .bad")).to_have_count(0)
    assert_fits(auditor)

    # Anna says that she never paid the first ante of that table.
    auditor.get_by_role("link", name="Find a transaction").click()
    auditor.locator("summary", has_text="Filter").click()
    auditor.get_by_label("Kind").select_option("ante")
    auditor.get_by_label("Member").fill("Anna")
    auditor.get_by_label("Table or tournament").fill(club["table"])
    auditor.get_by_role("button", name="Show", exact=True).click()
    expect(auditor.locator("#result_list .field-moved").last).to_contain_text("seat of Anna Audit → pot")
    auditor.locator("#result_list th a").last.click()
    auditor.wait_for_url(f"**/admin/ledger/transaction/{club['disputed']}/change/**")
    disputed = auditor.url

    # The deal that caused it, and back.
    auditor.locator("dl.desk-facts a[href*='/deals/']").click()
    auditor.wait_for_url(re.compile(rf"/tables/{club['table']}/deals/\d+/"))
    expect(auditor.locator("main h1").first).to_be_visible()
    auditor.goto(disputed)

    # The proof, on the page and in the auditor's own browser.
    reload_until(auditor, "The proof holds")
    expect(auditor.locator(".steps li")).to_have_count(6)
    expect(auditor.locator(".steps")).to_contain_text("in the file of heads, outside the database")
    auditor.goto(f"/chips/transactions/{club['disputed']}/")
    auditor.locator("#check-receipt").click()
    expect(auditor.locator("#check-result")).to_have_attribute("data-state", "good")

    # A reversal, asked for with a reason; the auditor cannot approve it.
    auditor.goto(disputed)
    auditor.get_by_role("link", name="Ask for a reversal").click()
    auditor.get_by_label("Reason").fill("Anna was not at the table yet")
    auditor.get_by_role("button", name="Ask for the reversal").click()
    expect(auditor.locator(".messagelist")).to_contain_text("Somebody else must approve it")
    expect(auditor.get_by_role("button", name="Approve and reverse")).to_have_count(0)

    # Somebody else, on a phone.
    approver = open_page(*PHONE)
    sign_in(approver, "aime", club["password"], "/admin/")
    approver.get_by_role("link", name="Audit desk").first.click()
    assert_fits(approver)
    approver.locator(".signs a", has_text="1 waits for a decision").click()
    approver.locator("#result_list th a").first.click()
    expect(approver.locator("dl.desk-facts")).to_contain_text("Anna was not at the table yet")
    assert_fits(approver)
    approver.get_by_role("button", name="Approve and reverse").click()
    expect(approver.locator(".messagelist")).to_contain_text("the transaction is reversed")

    # The book once more, by the command and on the page.
    auditor.goto(disputed)
    auditor.locator("dt:has-text('Reversed by') + dd a").click()
    reload_until(auditor, "The proof holds")
    report = json.loads(run(site, "manage.py", "verify_ledger", "--json"))
    assert report["passed"], report
    auditor.goto("/admin/ledger/dashboard/")
    expect(auditor.locator(".signs")).to_contain_text("in order")
    expect(auditor.locator("#suspense")).to_contain_text("CHIPS: −30")
    expect(auditor.locator(".signs .bad")).to_have_count(0)

    # The pot had paid those chips out; the treasurer takes them back from whoever won them.
    treasurer = open_page(*PHONE)
    sign_in(treasurer, "tiit", club["password"], "/admin/")
    treasurer.goto("/admin/ledger/dashboard/")
    treasurer.get_by_role("link", name="Clear suspense").click()
    assert_fits(treasurer)
    treasurer.get_by_label("Chips").select_option("CHIPS")
    treasurer.get_by_label("Direction").select_option("from_member")
    treasurer.get_by_label("Member").select_option(label="Bert Audit")
    treasurer.get_by_label("Amount").fill("30")
    treasurer.get_by_label("Reason").fill("won an ante that was not due")
    treasurer.get_by_role("button", name="Clear suspense").click()
    expect(treasurer.locator(".messages")).to_contain_text("Clear suspense")
    auditor.reload()
    expect(auditor.locator("#suspense")).to_contain_text("Empty, as it must be at every close.")


def test_an_export_is_made_while_its_page_waits(open_page: OpenPage, club: dict[str, Any]) -> None:
    page = open_page(*PHONE)
    sign_in(page, "ave", club["password"], "/admin/")
    page.goto("/admin/ledger/export/add/?format=csv&kind=ante")
    assert_fits(page)
    page.get_by_role("button", name="Export").click()
    expect(page.locator("#export-progress")).to_contain_text("Done.", timeout=120_000)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    lines = download.value.path().read_text().splitlines()
    assert len(lines) > 5 and all(",ante," in line for line in lines[1:])
    assert_fits(page)
