"""A whole site with its own database, and a browser in front of it.

The site is the same `config.server` that people start: web, workers and beat as processes. Tests here look at pages
only; none of them uses Django's connection, which Playwright's running event loop would not allow.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil
import psycopg
import pytest
from django.conf import settings
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from psycopg import sql

from config.embedded import database_url
from config.engines.postgres import DATABASE
from config.engines.processes import end, wait_until
from script.checks import browser as find_browser
from script.ports import free_port
from script.prepared import PREPARED, take_prepared
from tests.redis_numbers import BROWSED_SITE, redis_number

PROJECT = Path(__file__).resolve().parents[2]
# A busy machine takes its time; who waits for something stops waiting when it is there.
expect.set_options(timeout=30_000)
# What a slower machine or line would show, asked for by who looks for tests that know only a fast one: milliseconds
# until an answer begins (nothing is kept in the browser then), and how many times slower the processor is.
LATENCY, SLOWER = int(os.environ.get("TEST_LATENCY", "0")), int(os.environ.get("TEST_SLOWER", "1"))


@contextmanager
def new_database(purpose: str) -> Iterator[str]:
    """Yield the address of a database on the test server, empty or that of a prepared site; it is dropped afterwards."""
    described = settings.DATABASES["default"]
    name = f"cardclub_{purpose}_{os.getpid()}"
    server = psycopg.connect(
        host=described["HOST"] or None,
        port=described["PORT"] or None,
        user=described["USER"],
        password=described["PASSWORD"] or None,
        dbname="postgres",
        autocommit=True,
    )
    with server:
        source = sql.Identifier(DATABASE if os.environ.get(PREPARED) else "template1")
        server.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), source))
        yield database_url(
            user=described["USER"],
            password=described["PASSWORD"],
            host=described["HOST"],
            port=described["PORT"],
            name=name,
        )
        server.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


class Site:
    """A running site: its address, its processes, and the environment in which other commands find it."""

    def __init__(self, database: str, redis_url: str, folder: Path) -> None:
        port = free_port()
        self.address = f"http://127.0.0.1:{port}"
        self.said = folder / "said"
        self.environment = os.environ | {
            "DATABASE_URL": database,
            "REDIS_URL": redis_url,
            "SECRET_KEY": "only for tests, and long enough for every algorithm",
            "VAR_DIR": str(folder / "var"),
        }
        self.environment.pop("DATABASE_OWNER_URL", None)
        self.environment.pop("DEBUG", None)
        with self.said.open("w") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "config.server", "--port", str(port), "--no-demo"],
                cwd=PROJECT,
                env=self.environment,
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    def faults(self) -> str:
        """What the site's log tells of faults, the last of them."""
        lines = self.said.read_text().splitlines()
        told = [
            n for n, line in enumerate(lines) if "Traceback" in line or " ERROR " in line or '"ERROR"' in line
        ]
        return "\n".join(lines[told[-1] : told[-1] + 300]) if told else ""

    def well(self) -> bool:
        """Whether every part of the site says that it works."""
        with suppress(OSError, urllib.error.URLError):
            return urllib.request.urlopen(f"{self.address}/healthz", timeout=3).status == 200
        return False


@contextmanager
def running_site(purpose: str, redis_url: str) -> Iterator[Site]:
    """Run a site on a database of its own; ``redis_url`` is for it alone."""
    folder = Path(tempfile.mkdtemp(prefix=f"cardclub-{purpose}-"))
    folder.chmod(0o711)
    take_prepared(folder / "var", only="static")
    with new_database(purpose) as database:
        running = Site(database, redis_url, folder)
        try:
            came_up = wait_until(
                lambda: running.process.poll() is not None or running.well(), seconds=300, step=0.3
            )
            assert came_up and running.process.poll() is None, running.said.read_text()
            yield running
        finally:
            with suppress(psutil.NoSuchProcess):
                end([psutil.Process(running.process.pid)], (signal.SIGTERM, 20), (signal.SIGKILL, 5))
            running.process.wait(timeout=10)
            shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def site() -> Iterator[Site]:
    """The site, started once for all tests here."""
    with running_site("browser", redis_number(settings.REDIS_URL, BROWSED_SITE)) as running:
        yield running


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's chromium, without a window."""
    path = find_browser()
    assert path, "the browser tests need chromium: apt-get install chromium-headless-shell"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield chromium
        chromium.close()


OpenPage = Callable[..., Page]


def slow_down(page: Page) -> Page:
    """Give a new page the line and the processor that TEST_LATENCY and TEST_SLOWER ask for."""
    if LATENCY or SLOWER > 1:
        device = page.context.new_cdp_session(page)
        line = {"offline": False, "latency": LATENCY, "downloadThroughput": -1, "uploadThroughput": -1}
        device.send("Network.emulateNetworkConditions", line)
        device.send("Network.setCacheDisabled", {"cacheDisabled": bool(LATENCY)})
        device.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    return page


def club_of(site: Site, module: str) -> dict[str, Any]:
    """Run one of the modules here that fill the site with people and tables; return what it tells of them."""
    done = subprocess.run(
        [sys.executable, "-m", f"tests.browser.{module}"],
        cwd=PROJECT,
        env=site.environment,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def sign_in(page: Page, username: str, password: str, address: str) -> Page:
    """Sign in on the site's own form and go on to ``address``."""
    page.goto(f"/sign-in/?next={address}")
    page.fill("[name=login]", username)
    page.fill("[name=password]", password)
    page.locator("main form button").first.click()
    arrive(page, address)
    return page


def arrive(page: Page, path: str) -> None:
    """Wait until the page at a path is there. A pattern would find it in the ``?next=`` of the page before, too, and what
    goes on at once takes the answer to the form away."""
    page.wait_for_url(lambda url: urlsplit(url).path == path)


def enter(page: Page, club: dict[str, Any], name: str, address: str = "/") -> Page:
    """Go to ``address`` as a member of the page club who signed in earlier."""
    cookie = {"name": club["cookie"], "value": club["sessions"][name], "url": club["site"]}
    page.context.add_cookies([cookie])  # type: ignore[list-item]
    page.goto(address)
    return page


@pytest.fixture(scope="session")
def page_club(site: Site) -> dict[str, Any]:
    """A club with something on every page."""
    return club_of(site, "page_club") | {"site": site.address}


@pytest.fixture
def open_page(browser: Browser, site: Site) -> Iterator[OpenPage]:
    """Open a page of a given size as a new visitor. An error on any page, also of the content policy, fails the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def heard(kind: str, text: str, url: str) -> None:
        # A form that is refused with a sentence (422) is as it should be, and so is a line that breaks.
        if kind == "error" and not any(
            told in text for told in ("WebSocket connection", "net::ERR_", " 422 ")
        ):
            complaints.append(f"{url}: {text}")

    def open_one(width: int, height: int, **options: object) -> Page:
        context = browser.new_context(
            **{"base_url": site.address, "locale": "en", **options},
            viewport={"width": width, "height": height},
        )
        contexts.append(context)
        page = slow_down(context.new_page())
        page.set_default_timeout(60_000)
        page.on("console", lambda message: heard(message.type, message.text, message.location["url"]))
        page.on("pageerror", lambda error: complaints.append(f"{page.url}: {error.stack or error}"))
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert not complaints, f"{complaints}\n{site.faults()}"
