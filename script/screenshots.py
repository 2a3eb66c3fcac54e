"""``python -m script.screenshots [--only PART]``: a picture of every page, in both languages, sizes and colour schemes.

Starts a site of its own with a club that has something on every page, asks the site for its addresses, so that a new
page cannot be forgotten, and writes screenshots/NAME.PERSON.LANGUAGE.WIDTH.SCHEME.png and screenshots/index.html, where
all can be looked at. Faults are told at the end: a page without an example, one that does not open, one that is wider
than its screen or says something to the browser's console, and what stands in one row but not on one line.
"""

from __future__ import annotations

import argparse
import html
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import APIResponse, BrowserContext, Error, Page, sync_playwright

from config.engines.processes import wait_until
from script.checks import PROJECT, browser
from script.in_line import out_of_line
from script.ports import free_port

FOLDER = PROJECT / "screenshots"
LANGUAGES = ("et", "en")
SIZES = ((360, 740), (1280, 800))
SCHEMES = ("light", "dark")
WHO = ("anna", "carl", "bert", "dora", "owner", "")
"""Who is asked to look, in this order: a member, those with a role, the keeper of the site, a visitor ("")."""
DOORS = ("login", "account_", "mfa_authenticate", "mfa_login", "found", "invitation")
"""Beginnings of the names of pages at which visitors look first."""
PAPER = (
    "ledger:statement",
    "ledger:transaction",
    "ledger:own_chips",
    "tournaments:result",
    "tournaments:standings",
)
"""Pages that people print, besides those that are made for paper: they are taken as they come out on A4, too."""
A4 = 794
SENT_ON = ("account_reset_password_from_key",)
"""Pages to which one is sent by the link in a mail."""
NO_PAGE = ("200", "405", "sent on", "looked at")
"""What an address answers somebody at which there is nothing to see: data, only forms, another address; or it is among the
views that are looked at besides."""
FOUNDING = "found"
"""The name of the page on which a site's club is founded: there is none once it is, so that it is looked at last."""
LONGEST = 12_000
"""Pixels of a page's height beyond which a picture ends."""

HEADS = """() => {
  const found = [];
  const side = (cell) => getComputedStyle(cell).textAlign.replace("end", "right");
  for (const {tHead, tBodies} of document.querySelectorAll("table")) {
    const [heads, cells] = [tHead?.rows[0]?.cells ?? [], tBodies[0]?.rows[0]?.cells ?? []];
    if (heads.length !== cells.length) continue;
    [...heads].forEach((head, at) => {
      const over = head.textContent.trim() && getComputedStyle(cells[at]).display === "table-cell" && side(cells[at]) === "right";
      if (over && side(head) !== "right") found.push(`“${head.textContent.trim()}” does not stand over its numbers`);
    });
  }
  return found;
}"""
"""Which heads of tables do not stand over their numbers."""


class View(NamedTuple):
    """A page, who looks at it, and what is typed into its form and sent before it is looked at."""

    name: str
    person: str
    address: str
    typed: dict[str, str] | None = None

    @property
    def label(self) -> str:
        """The beginning of its pictures' names."""
        return f"{self.name.replace(':', '_')}.{self.person or 'visitor'}"


@dataclass
class Report:
    """What was seen: pictures by page, faults, and addresses at which there is no page to see."""

    pictures: dict[str, list[str]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    no_pages: list[str] = field(default_factory=list)


def main() -> int:
    """Take the pictures; return 1 when there are faults."""
    parser = argparse.ArgumentParser(prog="python -m script.screenshots", description=__doc__)
    parser.add_argument(
        "--only",
        nargs="+",
        default=[""],
        metavar="PART",
        help="only pages with this in their name or address",
    )
    parser.add_argument("--languages", nargs="+", default=LANGUAGES, choices=LANGUAGES)
    options = parser.parse_args()
    report = Report()
    with running_site(debug=True) as (address, club), sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser(), args=["--no-sandbox"])
        looks = Looks(address, club, chromium, report)
        views = list(looks.views(options.only))
        FOLDER.mkdir(exist_ok=True)
        looks.take_all(views, options.languages)
        if any(part in FOUNDING for part in options.only):
            looks.take_all([View(FOUNDING, "", club["unfound"]())], options.languages)
        chromium.close()
    write_index(report)
    for line in report.no_pages:
        print(f"no page: {line}")
    for line in report.faults:
        print(f"FAULT: {line}")
    taken = sum(map(len, report.pictures.values()))
    print(f"{taken} pictures of {len(report.pictures)} pages in {FOLDER}; {len(report.faults)} faults")
    return 1 if report.faults else 0


@contextmanager
def running_site(*, debug: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    """Run a site with engines of its own; yields its address and its club. With DEBUG, which the page of all parts needs,
    that is the whole club, else the demo club, of which nothing is told."""
    folder = Path(tempfile.mkdtemp(prefix="cardclub-screenshots-"))
    folder.chmod(0o711)
    port = free_port()
    left_out = ("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "SECRET_KEY", "DEBUG")
    environment = {name: value for name, value in os.environ.items() if name not in left_out}
    environment |= {"VAR_DIR": str(folder / "var")} | ({"DEBUG": "1"} if debug else {})
    said = folder / "said"
    with said.open("w") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "config.server", "--port", str(port)],
            cwd=PROJECT,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    address = f"http://127.0.0.1:{port}"
    try:
        wait_until(lambda: process.poll() is not None or _answers(address), seconds=600, step=0.5)
        if not _answers(address):
            raise SystemExit(said.read_text())
        if not debug:
            yield address, {}
            return
        yield address, _club(environment) | {"unfound": partial(_club, environment, "unfound")}
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        process.wait(timeout=60)
        shutil.rmtree(folder, ignore_errors=True)


def _club(environment: dict[str, str], *words: str) -> Any:
    """Let the club be filled, or what else the words say, and return what is told of it."""
    command = [sys.executable, "-m", "tests.browser.whole_club", *words]
    done = subprocess.run(
        command, cwd=PROJECT, env=environment, check=True, stdout=subprocess.PIPE, text=True
    )
    return json.loads(done.stdout)


def _answers(address: str) -> bool:
    with suppress(OSError, urllib.error.URLError):
        return bool(urllib.request.urlopen(f"{address}/rules/least_score/", timeout=20).status == 200)
    return False


class Looks:
    """A browser that looks at the site as each person in turn."""

    def __init__(self, site: str, club: dict[str, Any], chromium: Any, report: Report) -> None:
        self.site, self.club, self.chromium, self.report = site, club, chromium, report
        self.contexts: dict[tuple[str, str], BrowserContext] = {}
        self.pages: dict[tuple[str, str], Page] = {}
        self.heard: list[str] = []

    def views(self, parts: Sequence[str]) -> Iterator[View]:
        """Yield every page with one of ``parts`` in its name or address, with the first person who gets to see it; addresses
        without a page go into the report."""
        self.report.faults += [f"{name}: no example of its address" for name in self.club["missing"]]
        for name, address in self.club["pages"].items():
            if not any(part in name or part in address for part in parts):
                continue
            view, why = self._seen_by(name, address)
            if view is not None:
                yield view
            elif "500" in why or not any(answer in why for answer in NO_PAGE):
                self.report.faults.append(f"{name} {address}: {why}")
            else:
                self.report.no_pages.append(f"{name} {address}: {why}")
        for name, person, address in self.club["more"]:
            if any(part in name or part in address for part in parts):
                yield View(name, person, address)
        for name, person, address, typed in self.club["forms"]:
            if any(part in name or part in address for part in parts):
                yield View(name, person, address, typed)

    def _seen_by(self, name: str, address: str) -> tuple[View | None, str]:
        """Return the page with who sees it, or why nobody does."""
        if address.startswith("/style/") and address != "/style/":
            return None, "among the views that are looked at besides"
        if name == FOUNDING:
            return None, "looked at last"
        why = []
        for person in sorted(WHO, key=bool) if name.startswith(DOORS) else WHO:
            most = 5 if name in SENT_ON else 0
            answer = self.context(person, "en").request.get(self.site + address, max_redirects=most)
            kind = answer.headers.get("content-type", "").partition(";")[0]
            if answer.status == 200 and kind == "text/html" and "<html" in answer.text():
                return View(name, person, address), ""
            why.append(f"{answer.status} {kind}" if answer.status != 302 else _sent(name, answer))
            if answer.status in (200, 405):
                break
        return None, ", ".join(dict.fromkeys(why))

    def context(self, person: str, language: str) -> BrowserContext:
        """Return the browser's memory of one person in one language."""
        if (person, language) not in self.contexts:
            made = self.chromium.new_context(base_url=self.site, locale=language, reduced_motion="reduce")
            made.add_cookies([{"name": "django_language", "value": language, "url": self.site}])
            if session := self.club["sessions"].get(person):
                made.add_cookies([{"name": self.club["cookie"], "value": session, "url": self.site}])
            self.contexts[person, language] = made
        return self.contexts[person, language]

    def page(self, person: str, language: str) -> Page:
        """Return the window of one person in one language; what its pages complain of is heard."""
        if (person, language) not in self.pages:
            page = self.context(person, language).new_page()
            page.set_default_timeout(60_000)
            page.on("console", lambda message: message.type == "error" and self.heard.append(message.text))
            page.on("pageerror", lambda error: self.heard.append(str(error)))
            self.pages[person, language] = page
        return self.pages[person, language]

    def take_all(self, views: Sequence[View], languages: Sequence[str]) -> None:
        """Take the pictures of all pages in every language; a page that cannot be taken is a fault."""
        for language in languages:
            for view in views:
                try:
                    self.take(view, language)
                except Error as error:
                    self.report.faults.append(f"{view.label} {language}: {error.message.splitlines()[0]}")

    def take(self, view: View, language: str) -> None:
        """Take the pictures of one page in one language."""
        page = self.page(view.person, language)
        self.heard.clear()
        page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})
        page.goto(view.address)
        if view.typed:
            self._send(page, view.typed)
        if page.locator("main[data-socket]").count():
            page.wait_for_selector("main[data-status]")
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            for scheme in SCHEMES:
                page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
                name = f"{view.label}.{language}.{width}.{scheme}.png"
                long = page.evaluate("document.documentElement.scrollHeight")
                page.screenshot(
                    path=FOLDER / name,
                    full_page=True,
                    animations="disabled",
                    clip={"x": 0, "y": 0, "width": width, "height": min(max(long, height), LONGEST)},
                )
                self.report.pictures.setdefault(view.label, []).append(name)
            self._measure(page, view, language, width)
        if view.name in PAPER or "print" in view.address:
            self._print(page, view, language)
        # A page of an error says its own number to the console.
        said = [text for text in self.heard if "the server responded with a status of" not in text]
        self.report.faults += [f"{view.label} {language}: {text}" for text in dict.fromkeys(said)]

    def _send(self, page: Page, typed: dict[str, str]) -> None:
        """Fill a form in and send it, whatever the browser itself has against it."""
        form = page.locator("main form", has=page.locator(f"[name={next(iter(typed))}]")).first
        for name, text in typed.items():
            form.locator(f"[name={name}]").fill(text)
        with page.expect_navigation():
            form.evaluate("form => { form.noValidate = true; form.requestSubmit(); }")

    def _print(self, page: Page, view: View, language: str) -> None:
        page.set_viewport_size({"width": A4, "height": round(A4 * 1.414)})
        page.emulate_media(media="print", color_scheme="dark")
        name = f"{view.label}.{language}.paper.png"
        page.screenshot(path=FOLDER / name, full_page=True)
        self.report.pictures.setdefault(view.label, []).append(name)
        page.emulate_media(media="screen")

    def _measure(self, page: Page, view: View, language: str, width: int) -> None:
        wide = page.evaluate("document.documentElement.scrollWidth")
        if wide > width and "print" not in view.address:
            self.report.faults.append(f"{view.label} {language}: {wide} px wide on a screen of {width}")
        if not view.name.startswith("admin:"):
            told = page.evaluate(HEADS)
            self.report.faults += [f"{view.label} {language} {width}: {each}" for each in told]
        self.report.faults += [f"{view.label} {language} {width}: {each}" for each in out_of_line(page)]


def _sent(name: str, answer: APIResponse) -> str:
    """Return what a redirection means: only a door's own page sends visitors to the door without asking for anybody."""
    to_door = "/sign-in/" in answer.headers.get("location", "")
    return "asked who" if to_door and not name.startswith(DOORS) else "sent on"


def write_index(report: Report) -> None:
    """Write one page that shows all pictures, page by page."""
    parts = []
    for label, names in sorted(report.pictures.items()):
        shown = "".join(
            f'<a href="{html.escape(name)}"><img loading="lazy" height="420" src="{html.escape(name)}" alt=""></a> '
            for name in names
        )
        parts.append(f"<h2>{html.escape(label)}</h2><p>{shown}</p>")
    (FOLDER / "index.html").write_text(
        f'<!doctype html><meta charset="utf-8"><title>{len(parts)} pages</title>{"".join(parts)}'
    )


if __name__ == "__main__":
    sys.exit(main())
