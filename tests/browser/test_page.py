"""What the table page is to eye, ear and hand: layout, zoom, colours, calm, the focus, and what a reader hears of it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.conftest import OpenPage, enter
from tests.browser.playing import (
    MINE,
    assert_inside,
    decide_loo,
    going_on,
    lay_the_dearest,
    online,
    play_until,
    resize,
)
from tests.browser.preview import deal_states, frame, scene

pytestmark = pytest.mark.browser

PHONE, TABLET, SIDE, WIDE = (360, 640), (768, 1024), (844, 390), (1280, 800)
SUITS = {"♣": "clubs", "♦": "diamonds", "♥": "hearts", "♠": "spades"}
AtTable = Callable[..., Page]


@pytest.fixture
def at_table(open_page: OpenPage, page_club: dict[str, Any]) -> AtTable:
    """Open one of the club's tables as Anna, whose turn it is there."""

    def open_one(table: str, size: tuple[int, int] = PHONE, **options: Any) -> Page:
        page = open_page(*size, **options)
        lines: list[WebSocketRoute] = []

        def through(route: WebSocketRoute) -> None:
            def pass_on(message: str | bytes) -> None:
                if page.hears_states or json.loads(message).get("t") != "state":  # type: ignore[attr-defined]
                    route.send(message)

            lines.append(route)
            route.connect_to_server().on_message(pass_on)

        page.route_web_socket("**/ws/tables/**", through)
        page.lines, page.hears_states = lines, True  # type: ignore[attr-defined]
        enter(page, page_club, "anna", f"/tables/{page_club['tables'][table]}/")
        page.wait_for_selector(MINE, timeout=60_000)
        return page

    return open_one


def assert_nothing_lies_on_another(page: Page) -> None:
    """No two plates, and no plate and card of the middle, lie on each other."""
    overlaps = page.evaluate(
        """() => {
          for (const moving of document.getAnimations()) moving.finish(); // a card that glides is over others for a moment
          const boxes = [...document.querySelectorAll("#seats .plate, #centre .card, #centre span, #centre small, #centre b")].filter((node) => node.checkVisibility())
            .map((node) => [node, node.getBoundingClientRect()]);
          const found = [];
          boxes.forEach(([a, x], i) => boxes.slice(i + 1).forEach(([b, y]) => {
            if (!a.matches(".plate") && !b.matches(".plate")) return; // cards of the middle may be fanned
            if (x.right - 1 > y.left && y.right - 1 > x.left && x.bottom - 1 > y.top && y.bottom - 1 > x.top) found.push(`${a.innerText} / ${b.innerText}`);
          }));
          return found;
        }"""
    )
    assert not overlaps, overlaps


@pytest.mark.parametrize("table", ["loo16", "least6", "least10"])
def test_hand_pot_turn_and_clock_of_a_full_table_are_on_every_screen(at_table: AtTable, table: str) -> None:
    page = at_table(table)
    middle = (".turn-up", ".trump-name", ".pot") if table == "loo16" else (".stock", "#open-set .card")
    for size in (PHONE, (360, 740), TABLET, SIDE, (1024, 600), WIDE):
        resize(page, *size)
        assert_inside(
            page,
            "#hand .card",
            ".own-plate .plate[data-turn]",
            ".own-plate .plate-time",
            ".own-plate .plate-score",
            "#seats .plate",
            "#actions button",
            ".bar-button:visible",
            *middle,
        )
        assert_nothing_lies_on_another(page)
        assert page.locator("#seats .plate").count() == {"loo16": 15, "least6": 5, "least10": 9}[table]


STICKS_OUT = """() => {
  const wrong = [], left = (node) => node.getBoundingClientRect().left, right = (node) => node.getBoundingClientRect().right;
  for (const plate of document.querySelectorAll(".plate")) {
    const name = plate.querySelector(".plate-name"), edge = right(plate) + 1;
    if (!plate.checkVisibility()) continue;
    if (name.clientWidth < 20) wrong.push(`no room for a name: ${name.textContent} ${name.clientWidth}`);
    if (getComputedStyle(name).overflowY !== "visible" && name.clientHeight < name.scrollHeight) wrong.push(`cut above or below: ${name.textContent}`);
    for (const part of plate.querySelectorAll(".plate-name, .plate-word, .plate-score, .plate-time, .mini"))
      if (part.checkVisibility() && right(part) > edge) wrong.push(`sticks out of its plate: ${name.textContent}, ${part.textContent}`);
    const time = plate.querySelector(".plate-time");
    if (time.checkVisibility() && left(time) < left(plate) - 1) wrong.push(`a time sticks out of its plate at the left: ${time.textContent}`);
    if (time.textContent && getComputedStyle(time).position !== "absolute" && right(time) > edge - 5) wrong.push(`a time touches the ring: ${time.textContent}`);
  }
  for (const node of document.querySelectorAll(".act, .result-scroll"))
    if (node.checkVisibility() && node.scrollWidth > node.clientWidth) wrong.push(`cut at its side: ${node.innerText}`);
  return wrong;
}"""
MIDDLE = {
    "phases_loo": (".turn-up", ".trump-name", ".pot"),
    "phases_least": (".stock", "#open-set .card"),
}
OWN = ("#hand .card", *(f".own-plate .plate{part}" for part in ("[data-turn]", "-name", "-time", "-score")))
ON_TURN = tuple(f"#seats .plate[data-turn]{part}" for part in ("", " .plate-name", " .plate-time"))


@pytest.mark.parametrize("table", MIDDLE)
def test_every_phase_is_whole_on_every_screen_for_player_and_watcher(
    at_table: AtTable, open_page: OpenPage, page_club: dict[str, Any], table: str
) -> None:
    page, watcher = at_table(table), open_page(*PHONE)
    decisions = 0
    # Its clocks do not tick: whoever turns a phone sees the plates before the next tick, too.
    watcher.add_init_script(
        "setInterval = ((old) => (what, ms) => ms === 200 ? 0 : old(what, ms))(setInterval)"
    )
    watcher.goto(f"/tables/{page_club['tables'][table]}/")

    def look(player: tuple[str, ...], others: tuple[str, ...] = ()) -> None:
        if others:
            watcher.wait_for_selector(f'main[data-version="{page.get_attribute("main", "data-version")}"]')
        for width, height in (PHONE, (640, 360), TABLET, (1024, 768)):
            for each, wanted in ((page, player), (watcher, others)):
                if not wanted:
                    continue
                resize(each, width, height)
                assert_inside(each, *wanted)
                wrong = each.evaluate(STICKS_OUT)
                assert not wrong, (each is watcher, width, wrong)
                if not each.locator("#result").is_visible():
                    assert_nothing_lies_on_another(each)

    def decide(_page: Page) -> None:
        nonlocal decisions
        decisions += 1
        look((*OWN, *MIDDLE[table]), (*ON_TURN, *MIDDLE[table]))
        resize(page, *WIDE)
        if table == "phases_loo":
            decide_loo(page)
        elif (declare := page.locator("#actions [data-key=declare]:not([aria-disabled])")).count():
            with going_on(page):
                declare.click()
                page.locator("#actions [data-key=yes]").click()
        else:
            with going_on(page):
                lay_the_dearest(page)

    def deal_over(_page: Page) -> bool:
        """A deal of one decision, after which a bot declared, shows too little: then another is played."""
        return decisions > 1 and page.get_attribute("main", "data-status") != "playing"

    play_until(page, deal_over, decide)
    look(("#result", "#result-close", "#actions button"))


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        ("least_score", 6, {"declare_cap": 5}),
        ("least_score", 10, {"packs": 2, "declare_cap": 5}),
        ("three_card_loo", 12, {}),
        ("three_card_loo", 16, {}),
    ],
)
def test_moments_of_a_chance_deal_that_few_tables_come_to_push_nothing_aside(
    at_table: AtTable, game: str, seats: int, options: dict[str, Any]
) -> None:
    """The end of a deal is told, a name beside a clock and two marks, hands full of tens: frames of the real rules."""
    moments = list(rare_moments(game, seats, options))  # Before there is a line that would wait for it.
    page = at_table("least6" if game == "least_score" else "loo16")
    online(page)
    page.hears_states = False  # type: ignore[attr-defined]
    version = int(page.get_attribute("main", "data-version") or 0)
    for number, shown in enumerate(moments, start=version + 1):
        page.lines[-1].send(json.dumps(shown | {"v": number}))  # type: ignore[attr-defined]
        page.wait_for_selector(f'main[data-version="{number}"]')
        for width, height in (PHONE, (640, 360), TABLET):
            resize(page, width, height)
            assert_nothing_lies_on_another(page)
            wrong = page.evaluate(STICKS_OUT)
            assert not wrong, (number, width, height, wrong)


def test_a_dealer_who_defended_and_took_a_trick_is_told_whole_on_a_phone(at_table: AtTable) -> None:
    def defended(rules: Any, _match: Any, state: Any) -> bool:
        defender = rules.view_for(state, 2)["defender"]
        return bool(defender) and rules.outcome_json(state)["tricks"].get(str(defender), 0) > 0

    shown = scene("three_card_loo", 5, 2, defended, "between")
    page = at_table("loo16")
    online(page)
    page.hears_states = False  # type: ignore[attr-defined]
    version = int(page.get_attribute("main", "data-version") or 0) + 1
    page.lines[-1].send(json.dumps(shown | {"v": version}))  # type: ignore[attr-defined]
    expect(page.locator("#result-body")).to_contain_text("defended, ")
    wrong = page.evaluate(STICKS_OUT)
    assert not wrong, wrong


def rare_moments(
    game: str, seats: int, options: dict[str, Any], *, many: int = 16
) -> Iterator[dict[str, Any]]:
    """Yield frames of seat 2 at a days-a-move table: of chance deals each ninth state, and what comes after the stock ran out."""
    deals = enumerate(deal_states(game, seats, 7, **options))
    frames = (
        frame(game, seats, 2, match, state, "playing")
        for number, (match, state, _events) in deals
        if number % 3 == 0
    )
    running = (shown for shown in frames if shown["table"]["clock"])
    rare = (
        shown
        for number, shown in enumerate(running)
        if number % 3 == 0 or shown["table"]["deal"].get("show_in")
    )
    for shown in islice(rare, many):
        shown["table"]["clock"] |= {
            "turn_ms": 86_400_000,
            "bank_left": {},
            "deadline": shown["now"] + 3_590_000,
        }
        yield shown


def test_the_page_at_200_percent_is_still_a_whole_table(at_table: AtTable) -> None:
    """A desk of 1280 x 800 at 200 % is 640 x 400 for the page."""
    page = at_table("loo16", (640, 400), device_scale_factor=2)
    assert_inside(page, "#hand .card", ".own-plate .plate-time", ".pot", ".trump-name", "#actions button")


def test_every_suit_has_its_colour_its_sign_and_its_name(at_table: AtTable) -> None:
    page = at_table("loo16", WIDE)
    assert page.get_attribute("main", "data-colours") == "four"
    colours = page.evaluate(
        """() => ["C", "D", "H", "S"].map((suit) => {
          const card = document.querySelector("#seats .plate-cards").appendChild(document.createElement("i"));
          card.className = `mini suit-${suit}`;
          const colour = getComputedStyle(card).color;
          card.remove();
          return colour;
        })"""
    )
    assert len(set(colours)) == 4
    sign, name = page.inner_text(".trump-sign"), page.inner_text(".trump-suit")
    assert SUITS[sign] == name
    page.keyboard.press("?")
    page.uncheck("#set-four")
    assert page.get_attribute("main", "data-colours") == "two"


def without_log(said: str) -> str:
    """What is said of the table beside its log, whose lines tell cards by their signs as newspapers do."""
    board, _, _after = said.partition('complementary "What happened"')
    return board


PARTS = (
    'region "Table"',
    'list "Players in turn order"',
    'region "Your place"',
    'group "Your hand"',
    'group "Your choices"',
    "- log",
)
"""What a reader jumps to, and the log that is read out by itself: without its role nobody heard what happened."""


def test_a_reader_hears_the_whole_table(at_table: AtTable) -> None:
    page = at_table("loo16")
    said = page.locator("main").aria_snapshot()
    hand = [str(card.get_attribute("aria-label")) for card in page.locator("#hand .card").all()]
    assert len(hand) == 3
    assert [part for part in PARTS if part not in said] == []
    for card in hand:
        assert f'button "{card}"' in said
    for name in page.locator("#seats .plate-name").all_text_contents():
        assert re.search(rf"listitem: {re.escape(name)}, .*net ", said), name
    assert "turned up: " in said
    assert re.search(rf"Trump\W+{page.inner_text('.trump-suit')}", said)
    assert re.search(r"Pot\W+\d+", said)
    assert page.inner_text(".miss-word") in said
    for label in ("Fold", "Play", "Miss"):
        assert f'button "{label} ' in said
    own = page.locator(".own-plate .plate-sentence").text_content() or ""
    assert "Anna Tamm" in own and "on turn" in own
    assert "Anna Tamm" in said and "on turn" in said
    assert page.locator("#alert").text_content() == "Your turn: will you play?"
    for sign in SUITS:
        assert sign not in without_log(said), "a sign is no word"


def test_a_reader_hears_the_whole_table_of_least_score(at_table: AtTable) -> None:
    page = at_table("least6")
    said = page.locator("main").aria_snapshot()
    hand = [str(card.get_attribute("aria-label")) for card in page.locator("#hand .card").all()]
    assert len(hand) == 5
    assert [part for part in PARTS if part not in said] == []
    for card in hand:
        assert f'button "{card}"' in said
    for name in page.locator("#seats .plate-name").all_text_contents():
        assert re.search(rf"listitem: {re.escape(name)}, .*0 points in all, holds \d cards?", said), name
    opened = page.locator("#open-set .card").first.get_attribute("aria-label") or ""
    assert opened.startswith("open: ") and f'button "{opened}"' in said
    assert f'button "stock, {page.inner_text(".stock-count")} cards"' in said
    assert re.search(r'group "Open cards"', said) and re.search(r"(Laid by|Turned up)", said)
    own = page.locator(".own-plate .plate-sentence").text_content() or ""
    assert "Anna Tamm" in own and "on turn" in own
    assert re.search(r'button "Declare ', said)
    assert page.locator("#alert").text_content() == "Your turn: choose what to lay."
    for sign in SUITS:
        assert sign not in without_log(said), "a sign is no word"
    page.locator("#hand .card").last.click()
    chosen = page.locator("main").aria_snapshot()
    assert re.search(r'button "[^"]+" \[pressed\]', chosen)
    assert 'button "lay and take from the stock, ' in chosen


def test_chat_pause_log_and_help_are_reached_by_keyboard_and_give_the_focus_back(at_table: AtTable) -> None:
    page = at_table("lone")
    online(page)
    page.keyboard.press("t")
    expect(page.locator("#chat-text")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#open-chat")).to_be_focused()
    # A log that was filled while nobody saw it was opened at its oldest line.
    page.locator("#log").evaluate(
        "log => { for (let n = 0; n < 99; n++) log.append(log.lastChild.cloneNode(true)); }"
    )
    page.keyboard.press("l")
    expect(page.locator("#close-log")).to_be_focused()
    page.wait_for_function(
        "() => log.scrollTop > 0 && log.scrollTop + log.clientHeight >= log.scrollHeight - 2"
    )
    page.keyboard.press("Tab")
    expect(page.locator("#log")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#log-panel")).to_be_hidden()
    expect(page.locator("#open-log")).to_be_focused()
    page.keyboard.press("c")
    expect(page.locator("#say p").last).to_have_text(re.compile("^You have "))
    page.locator("#open-help").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#help")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#open-help")).to_be_focused()


def test_the_focus_is_kept_when_what_had_it_goes_away(at_table: AtTable) -> None:
    page = at_table("lone", WIDE)
    page.locator("#actions [data-key=play]").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#actions [data-key=play]", state="detached")
    assert page.evaluate("document.activeElement.closest('#own') !== null"), "the focus is lost"
    page.wait_for_selector(MINE)
    expect(page.locator("#hand :focus")).to_have_count(1)


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_table_is_right_at_once_whatever_moves(at_table: AtTable, motion: str) -> None:
    page = at_table("least10", WIDE, reduced_motion=motion)
    page.reload()  # What the page was sent with is now the table as it stands: nobody but its player goes on.
    page.wait_for_selector(MINE)
    online(page)
    frame = json.loads(page.inner_html("#snapshot"))
    version = int(page.get_attribute("main", "data-version") or 0)
    stock = page.locator(".stock-count").inner_text()
    page.evaluate(
        """() => { window.seen = []; new MutationObserver(() => window.seen.push([
             document.querySelector("main").dataset.version, document.querySelector(".stock-count").textContent,
             document.querySelectorAll("#open-set .card").length, document.getAnimations().length,
           ])).observe(document.querySelector("main"), {attributes: true, attributeFilter: ["data-version"]}); }"""
    )
    spades = [f"{rank}S" for rank in "A23456789TJQK"]
    opened = [card for card in spades if card not in frame["table"]["deal"]["hand"]]
    for more in range(1, 5):
        frame["v"] = version + more
        frame["table"]["deal"]["stock"] = int(stock) - more
        frame["table"]["deal"]["open"] = opened[: 1 + more % 2]
        frame["events"] = [{"type": "laid", "seat": 2, "cards": opened[:1]}]
        page.lines[-1].send(json.dumps(frame))  # type: ignore[attr-defined]
    page.wait_for_function("v => document.querySelector('main').dataset.version === v", arg=str(version + 4))
    seen = page.evaluate("window.seen")
    assert seen[-1][:3] == [str(version + 4), str(int(stock) - 4), 1], "the end state is in the page at once"
    if motion == "reduce":
        assert all(moving == 0 for *_, moving in seen)
