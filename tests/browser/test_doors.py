"""The doors in a real browser: a guest becomes a member, a second step, a passkey of a virtual device."""

from __future__ import annotations

import re
import secrets
import time
from pathlib import Path

import pytest
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from playwright.sync_api import Page, expect

from config.engines.processes import wait_until
from tests.browser.conftest import OpenPage, Site, arrive

pytestmark = pytest.mark.browser

PASSWORD = "a good long password"
PHONE = (360, 740)
DEVICE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


def sign_up(page: Page, name: str) -> str:
    """Sign up under a name that nobody had in an earlier run, in whose memory of mails the site might be; returns it."""
    name = f"{name}{secrets.token_hex(3)}"
    page.goto("/sign-up/")
    page.fill("[name=name]", name)
    page.fill("[name=email]", f"{name.lower()}@club.example")
    page.fill("[name=password1]", PASSWORD)
    page.get_by_role("button", name="Sign up").click()
    arrive(page, "/")
    return name.lower()


def press(page: Page, name: str) -> None:
    page.get_by_role("main").get_by_role("button", name=name, exact=True).click()


def sign_out(page: Page) -> None:
    page.get_by_role("button", name="Sign out", exact=True).click()
    expect(page.get_by_role("link", name="Sign in", exact=True)).to_be_visible()


def link_in_letter(site: Site, address: str) -> str:
    """The path in the mail to an address that asks whether it is somebody's; a worker writes it when its turn comes."""
    folder = Path(site.environment["VAR_DIR"]) / "mail"
    found: list[str] = []

    def came() -> bool:
        letters = [file.read_text() for file in folder.glob("*")]
        own = [letter for letter in letters if f"To: {address}" in letter]
        found[:] = [link[1] for letter in own if (link := re.search(r"https?://[^/]+(/email/\S+)\s", letter))]
        return bool(found)

    assert wait_until(came, seconds=60, step=0.1), f"no mail to {address}"
    return found[0]


def test_a_guest_signs_up_in_mid_match_and_plays_on_in_the_same_seat(open_page: OpenPage, site: Site) -> None:
    page = open_page(*PHONE)
    page.goto("/")
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/tables/**")
    table = page.url
    leida = sign_up(page, "Leida")
    page.goto(table)
    expect(page.get_by_role("region", name="Your place")).to_be_visible()
    expect(page.get_by_role("link", name="Sign in", exact=True)).to_have_count(0)
    page.goto(link_in_letter(site, f"{leida}@club.example"))
    with page.expect_navigation():
        press(page, "Yes, confirm it")
    page.goto("/settings/")
    expect(page.get_by_role("main")).not_to_contain_text("not confirmed")


def test_a_second_step_and_a_passkey_let_their_owner_in_and_nobody_else(
    open_page: OpenPage, site: Site
) -> None:
    # Browsers know no passkeys for a number in place of a name.
    page = open_page(*PHONE, base_url=site.address.replace("127.0.0.1", "localhost"))
    salme = sign_up(page, "Salme")
    page.goto("/settings/app/")
    page.fill("[name=password]", PASSWORD)
    press(page, "Go on")
    page.get_by_text("Or type the secret").click()
    secret = page.locator(".secret").inner_text()
    page.fill("[name=code]", format_hotp_value(hotp_value(secret, int(time.time()) // 30)))
    press(page, "Ask for codes from now on")
    spare = page.locator(".codes code").first.inner_text()

    device = page.context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    device.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})
    page.goto("/settings/passkeys/add/")
    page.fill("[name=name]", "Telephone")
    press(page, "Add a passkey")
    expect(page.locator(".messages")).to_contain_text("The passkey is kept.")

    sign_out(page)
    page.goto("/sign-in/?next=/settings/passkeys/")
    press(page, "Sign in with a passkey")
    arrive(page, "/settings/passkeys/")
    expect(page.get_by_role("main")).to_contain_text("Telephone")

    sign_out(page)
    page.goto("/sign-in/")
    page.fill("[name=login]", f"{salme}@club.example")
    page.fill("[name=password]", PASSWORD)
    press(page, "Sign in")
    page.wait_for_url("**/sign-in/code/")
    page.goto("/settings/")
    page.wait_for_url("**/sign-in/**")
    page.goto("/sign-in/code/")
    page.fill("[name=code]", "000000")
    press(page, "Sign in")
    expect(page.get_by_role("main")).to_contain_text("not right")
    page.fill("[name=code]", spare)
    press(page, "Sign in")
    arrive(page, "/")
    page.goto("/settings/")
    expect(page.get_by_role("main")).to_contain_text(f"Your user name is {salme}")
