"""From a new site to a club that plays: founded, two invited, chips given out, a table and an event, by the pages alone."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PROJECT, OpenPage, Site, running_site, slow_down
from tests.redis_numbers import FOUNDED_SITE, redis_number

pytestmark = pytest.mark.browser

PASSWORD = "a good long password"


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    """A site of its own: founding a club gives the whole site another name and other people."""
    with running_site("founding", redis_number(settings.REDIS_URL, FOUNDED_SITE)) as running:
        yield running


def printed(site: Site) -> str:
    """The address that the server prints for the founder."""
    command = [sys.executable, "manage.py", "found_club", "--site", site.address]
    said = subprocess.run(
        command, cwd=PROJECT, env=site.environment, check=True, stdout=subprocess.PIPE, text=True
    )
    return said.stdout.split()[-1]


def send(page: Page, name: str) -> None:
    page.get_by_role("main").get_by_role("button", name=name, exact=True).click()


def test_an_owner_sets_a_club_up_with_the_pages_alone(
    open_page: OpenPage, site: Site, browser: Browser
) -> None:
    page = open_page(360, 740)
    page.goto(printed(site))
    page.get_by_label("The club’s name").fill("Rannaklubi")
    page.get_by_label("Your name").fill("Mari Maasikas")
    page.get_by_label("E-mail address").fill("mari@club.example")
    page.get_by_label("Password").fill(PASSWORD)
    send(page, "Found the club")
    page.wait_for_url(re.compile("/clubs/rannaklubi/$"))
    expect(page.get_by_role("banner")).to_contain_text("Rannaklubi")

    page.get_by_role("link", name="Invitations").click()
    page.get_by_label("For how many people").fill("2")
    send(page, "Make an invitation")
    link = page.locator("#link").inner_text()
    for name in ("Anna Aava", "Berta Bee"):
        join(browser, link, name)
    page.reload()
    expect(page.get_by_role("main")).to_contain_text("no longer holds")

    page.goto("/chips/desk/kind/")
    page.locator("[name=asset]").fill("RANNA")
    with page.expect_navigation():
        page.locator("main button.button").click()
    page.goto("/chips/desk/issue/")
    page.locator("[name=member]").select_option(label="Anna Aava")
    page.locator("[name=amount]").fill("500")
    page.locator("[name=reference]").fill("a first stack")
    page.locator("main button.button").click()
    page.wait_for_url(re.compile("/chips/desk/$"))

    page.goto("/tables/new/")
    page.locator("main form button.button").last.click()
    page.wait_for_url(re.compile("/tables/[0-9a-f-]{36}/"))
    page.goto("/events/new/")
    page.locator("[name=name]").fill("First evening")
    page.locator("main form button.button").last.click()
    page.wait_for_url(re.compile("/desk/$"))

    page.goto("/clubs/rannaklubi/log/")
    log = page.get_by_role("main")
    for said in ("founded the club", "joined by invitation", "500 RANNA", "First evening"):
        expect(log).to_contain_text(said)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def join(browser: Browser, link: str, name: str) -> None:
    """Follow the link as somebody new: sign up, come back to it, and join."""
    context = browser.new_context(locale="en-GB")
    page = slow_down(context.new_page())
    page.set_default_timeout(60_000)
    page.goto(link)
    page.get_by_role("main").get_by_role("link", name="Sign up", exact=True).click()
    page.fill("[name=name]", name)
    page.fill("[name=email]", f"{name.split()[0].lower()}@club.example")
    page.fill("[name=password1]", PASSWORD)
    page.locator("main button.button").click()
    page.wait_for_url(link)
    send(page, f"Join as {name}")
    page.wait_for_url(re.compile("/clubs/rannaklubi/$"))
    context.close()
