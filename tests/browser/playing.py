"""How the tests play: what a person at the table would press, one decision at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from playwright.sync_api import Error, Locator, Page, expect

MINE = "#own[data-turn]"
READY = "#actions [data-key=ready]:not([aria-disabled])"
SETTLED = f"{MINE}, {READY}, main[data-status=finished]"


def sit_down(page: Page, game: str, *, seats: int, level: str = "steady", **options: str) -> None:
    """Open a table at which nobody's clock hurries from the home page as a guest, with the named options of its rules."""
    page.goto(f"/?game={game}")
    page.select_option("[name=seats]", str(seats))
    page.select_option("[name=level]", level)
    page.select_option("[name=clock]", "days")
    if options:
        page.click("summary")
    for name, value in options.items():
        page.select_option(f"[name={name}]", value)
    page.click("#play-now button")
    page.wait_for_url("**/tables/**")
    page.wait_for_selector("main[data-status]")


def online(page: Page) -> None:
    """Wait until the page of a table has its line: a press waits for it a few seconds only."""
    expect(page.locator("#link-state")).to_have_attribute("data-line", "open")


def play_until(
    page: Page, done: Callable[[Page], bool], decide: Callable[[Page], None], *, seconds: float = 600
) -> int:
    """Decide whenever it is this page's turn and go on to the next deal; returns the number of decisions."""
    decisions, deadline = 0, time.monotonic() + seconds
    while not done(page):
        assert time.monotonic() < deadline, f"the match did not end: {page.inner_text('#log')[-400:]}"
        page.wait_for_selector(SETTLED, timeout=60_000)
        if done(page):
            break
        if page.locator(MINE).count():
            decide(page)
            decisions += 1
        elif page.locator(READY).count():
            # The next deal may begin by itself meanwhile, and a press that nobody heard is made again.
            with suppress(Error):
                page.locator(READY).click(timeout=2_000)
                page.wait_for_selector(READY, state="detached", timeout=10_000)
    return decisions


def finished(page: Page) -> bool:
    """Whether the match is over."""
    return page.get_attribute("main", "data-status", timeout=60_000) == "finished"


def decide_loo(page: Page) -> None:
    """Play whenever that may be announced, and then the first card that may be played."""
    with going_on(page):
        if page.get_attribute("main", "data-phase") == "announce":
            page.locator("#actions [data-key=play]").click()
        else:
            page.locator("#hand .card[data-can=playable]").first.click()


def decide_least(page: Page) -> None:
    """Declare with 9 or less; else lay the dearest card, with its pair if there is one, and take from the stock."""
    total = int(page.inner_text(".own-plate .plate-word").split()[-1])
    declare = page.locator("#actions [data-key=declare]:not([aria-disabled])")
    with going_on(page):
        if total <= 9 and declare.count():
            declare.click()
            page.locator("#actions [data-key=yes]").click()
        else:
            lay_the_dearest(page)


def lay_the_dearest(page: Page) -> None:
    """Lay the last cards of one rank in the hand and take from the stock."""
    cards = page.locator("#hand .card")
    held: list[list[str]] = cards.evaluate_all(
        "cards => cards.map((card) => [card.dataset.card, card.ariaPressed])"
    )
    rank = held[-1][0][0]
    wanted = [place for place, (card, _pressed) in enumerate(held) if card[0] == rank][-2:]
    chosen = [place for place, (_card, pressed) in enumerate(held) if pressed == "true"]
    # Some may be chosen already, by who was interrupted.
    for place in [*(set(chosen) - set(wanted)), *(place for place in wanted if place not in chosen)]:
        cards.nth(place).click()
    page.locator(".stock[data-can=playable]").click()


INSIDE = """(selectors) => {
  for (const moving of document.getAnimations()) moving.finish(); // where a card is on its way says nothing
  const wrong = [], root = document.documentElement, {innerWidth: width, innerHeight: height} = window;
  if (root.scrollWidth !== width || root.scrollHeight !== height) wrong.push(`scrolls: ${root.scrollWidth} ${root.scrollHeight}`);
  for (const selector of selectors) {
    const shown = selector.endsWith(":visible");
    const nodes = [...document.querySelectorAll(selector.replace(":visible", ""))].filter((node) => !shown || node.checkVisibility());
    if (!nodes.length) wrong.push(`none: ${selector}`);
    for (const node of nodes) {
      const box = node.getBoundingClientRect(), words = `${selector}: ${node.outerHTML.slice(0, 120)}`;
      if (!box.width || !box.height) wrong.push(`not shown ${words}`);
      if (box.left < 0 || box.right > width + .5 || box.top < 0 || box.bottom > height + .5) wrong.push(`off the screen ${words}`);
      if (node.closest("#hand") && Math.min(box.width, box.height) < 44) wrong.push(`too small ${words}`);
    }
  }
  return wrong;
}"""


def assert_inside(page: Page, *selectors: str) -> None:
    """Nothing scrolls, what is named is on the screen, and every card of the hand is large enough for a thumb."""
    wrong = page.evaluate(INSIDE, list(selectors))
    assert not wrong, (page.viewport_size, wrong)


RESIZED = """([width, height]) => new Promise((done) => {
  const look = () => innerWidth === width && innerHeight === height ? done() : requestAnimationFrame(look);
  requestAnimationFrame(look);
})"""


def resize(page: Page, width: int, height: int) -> None:
    """Give the page another size and wait for the frame in which it has drawn itself anew: it hears of the size only then."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(RESIZED, [width, height])


FETCHED = """(id) => new Promise((fetched) => {
  const part = document.getElementById(id);
  document.addEventListener("htmx:afterRequest", fetched, {once: true});
  htmx.ajax("GET", part.getAttribute("hx-get"), {source: part});
})"""


def press_while_fetched(page: Page, button: Locator, part: str) -> None:
    """Press a button of a part of the page that is fetched anew between the moment the finger comes down and its lifting."""
    button.hover()
    page.mouse.down()
    page.evaluate(FETCHED, part)
    page.mouse.up()


@contextmanager
def going_on(page: Page) -> Iterator[None]:
    """Wait until the table has gone on from what was done inside: the turn may be this player's again at once."""
    version = page.get_attribute("main", "data-version")
    yield
    page.wait_for_selector(f'main:not([data-version="{version}"])')
