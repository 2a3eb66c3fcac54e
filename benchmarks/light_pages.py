"""How quickly pages are there on a slow phone: `python -m benchmarks.light_pages`.

Starts a site of its own with the demo club and opens pages in Chromium as somebody who was never here: a line of
slow 4G (150 ms to and fro, 1.6 Mbit/s down, 0.75 up) and a processor a quarter as quick. It prints, for each page, when
the answer began and when the first words were painted (medians of several visits), how far the layout moved afterwards, and what the site's
own files weigh as they are sent, beside card faces. Files that a browser may not keep, and those sent unpacked, are
named at the end; exit code 1 when there are any or when a page is heavier than it should be.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from script.checks import browser
from script.screenshots import running_site

LINE = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 94_000}
"""Milliseconds and bytes a second, as Chromium's `Network.emulateNetworkConditions` takes them."""
SLOWER = 4
PHONE = {"width": 360, "height": 740}
MOST_BYTES = 150_000
PAGES = (
    "/",
    "/lobby/",
    "/events/",
    "/learn/",
    "/learn/least_score/",
    "/rules/three_card_loo/",
    "/sign-in/",
    "TABLE",
)
PACKED = ("text/css", "text/javascript", "image/svg+xml", "text/html")

WATCH = """
window.moved = 0;
new PerformanceObserver(list => list.getEntries().forEach(each => { if (!each.hadRecentInput) window.moved += each.value; }))
  .observe({type: "layout-shift", buffered: true});
"""


@dataclass
class Visit:
    """What one first visit of a page cost."""

    answered: float = 0.0
    painted: float = 0.0
    moved: float = 0.0
    own: int = 0
    cards: int = 0
    complaints: set[str] = field(default_factory=set)


def main() -> int:
    """Measure and print; return 1 when something is not as it should be."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--visits", type=int, default=5)
    parser.add_argument("--pages", nargs="+", default=PAGES, help="addresses; TABLE is a table of the lobby")
    options = parser.parse_args()
    complaints: set[str] = set()
    print(
        f"{'page':26} {'first byte':>11} {'first paint':>11} {'shift':>7} {'own bytes':>10} {'card faces':>11}"
    )
    with running_site(debug=False) as (address, _club), sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser(), args=["--no-sandbox"])
        for name in options.pages:
            path = _some_table(chromium, address) if name == "TABLE" else name
            visit(chromium, address + path)  # the server's own first time
            visits = [visit(chromium, address + path) for _ in range(options.visits)]
            complaints |= told(name, visits)
        chromium.close()
    for line in sorted(complaints):
        print(f"NOT WELL: {line}")
    return 1 if complaints else 0


def told(name: str, visits: list[Visit]) -> set[str]:
    """Print the line of a page and return what is wrong with it."""
    painted = statistics.median(each.painted for each in visits)
    answered = statistics.median(each.answered for each in visits)
    moved, own = max(each.moved for each in visits), max(each.own for each in visits)
    cards = max(each.cards for each in visits)
    print(
        f"{name:26} {answered:>8.0f} ms {painted:>8.0f} ms {moved:>7.3f} {own:>10,} {cards:>11,}", flush=True
    )
    found = {line for each in visits for line in each.complaints}
    if own > MOST_BYTES:
        found.add(f"{name} weighs {own:,} bytes, more than {MOST_BYTES:,}")
    if moved > 0:
        found.add(f"{name} moves by {moved:.3f} after its first paint")
    return found


def visit(chromium: Browser, address: str) -> Visit:
    """Open a page with an empty cache on a slow line and return what that cost."""
    context = chromium.new_context(viewport=PHONE, locale="en")  # type: ignore[arg-type]
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.add_init_script(WATCH)
    devtools = context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.send("Network.emulateNetworkConditions", LINE)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    answers: dict[str, Any] = {}
    sizes: dict[str, int] = {}
    devtools.on(
        "Network.responseReceived", lambda event: answers.update({event["requestId"]: event["response"]})
    )
    devtools.on(
        "Network.loadingFinished",
        lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}),
    )
    page.goto(address, wait_until="load")
    page.wait_for_timeout(1_000)
    made = Visit()
    made.answered = page.evaluate("performance.getEntriesByType('navigation')[0].responseStart")
    made.painted = page.evaluate(
        "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN"
    )
    made.moved = page.evaluate("window.moved")
    for number, answer in answers.items():
        size = sizes.get(number, 0)
        if "/static/cards/" in answer["url"]:
            made.cards += size
        else:
            made.own += size
    made.complaints = set(wrong(answers.values()))
    context.close()
    return made


def wrong(answers: Iterable[dict[str, Any]]) -> Iterable[str]:
    """Yield what is wrong with the answers' headers: files that cannot be kept, texts that are sent unpacked."""
    for answer in answers:
        headers = {name.lower(): value for name, value in answer["headers"].items()}
        kept = "immutable" in headers.get("cache-control", "")
        path = answer["url"].split("/", 3)[-1]
        if "/static/" in answer["url"] and not kept:
            yield f"{path} may not be kept by a browser"
        long = int(headers.get("content-length", 0)) > 1_000
        if answer["mimeType"] in PACKED and long and not headers.get("content-encoding"):
            yield f"{path.partition('?')[0] or 'the front page'} is sent unpacked"


def _some_table(chromium: Browser, address: str) -> str:
    """Return the address of a table that the lobby shows."""
    page = chromium.new_page()
    page.goto(f"{address}/lobby/")
    found = page.locator("#open a").first.get_attribute("href")
    page.context.close()
    assert found
    return found


if __name__ == "__main__":
    sys.exit(main())
