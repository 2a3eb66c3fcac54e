// The page of a lesson: draws its steps with the modules of the live table, and says what a try comes to.

import { el, patchList, roving, setAttr, setLine, setText } from "./dom.js";
import { configureFaces, warmUp } from "./faces.js";
import { glide, markShown, where } from "./flip.js";
import { gettext } from "./i18n.js";
import { asked, asks, atEnd, hashOf, initial, isSettled, passed, position, ready, reduce, tableAt } from "./lesson.js";
import { readPlace, writePlace } from "./lesson_place.js";
import { lineFor } from "./log.js";
import * as least from "./render_least.js";
import * as loo from "./render_loo.js";
import { fillPanel } from "./result.js";
import { makePlate, showPlate, showSeats } from "./seats.js";
import { readSettings } from "./settings.js";
import { fromLeft, myTurn } from "./state.js";
import { say } from "./voice.js";

const PACE = 900; // ms between two moves of the others

const $ = (id) => document.getElementById(id);
const page = $("main");
const game = { three_card_loo: loo, least_score: least }[page.dataset.game];
const { steps } = JSON.parse($("lesson").textContent);
const calm = window.matchMedia("(prefers-reduced-motion: reduce)");

let state = initial;
let timer = null;
let looksAtTable = false; // the result of the deal was put aside

const act = {
  state: () => tableAt(state, steps),
  move: (m) => dispatch({ t: "move", m }),
  explain: (code, message) => dispatch({ t: "explain", code, message }),
  say,
  refresh: () => show(),
  press: (key) => $("actions").querySelector(`[data-key="${key}"]`)?.click(),
  roving: (group) => { group.settle = roving(group); },
  settle: (group) => group.settle?.(),
};

// Moving about ----------------------------------------------------------------------------------------------------

function dispatch(action) {
  const before = state;
  const places = where(page);
  const focused = document.activeElement;
  state = reduce(state, action, steps);
  if (state === before) return;
  if (calm.matches) state = reduce(state, { t: "arrive" }, steps);
  if (state.at !== before.at) looksAtTable = false;
  show();
  if (state.at !== before.at || state.shown !== before.shown) glide(page, places);
  markShown(page);
  tellReader(before);
  keepFocus(focused);
  if (state.at !== before.at) keepPlace();
  clearTimeout(timer);
  if (!ready(state, steps)) timer = setTimeout(() => dispatch({ t: "tick" }), PACE);
}

/** The address leads to the step that is shown; the server remembers it for who is signed in, else this browser. */
function keepPlace() {
  history.replaceState(null, "", hashOf(state.at));
  if ($("place")) tellPlace();
  else writePlace(page.dataset.game, state.at, steps.length);
}

let telling = false;
let untold = false; // whether the step has changed since the server was told one

/** Tell the server one step at a time, lest an older one arrive last; those passed meanwhile are left out. */
async function tellPlace() {
  untold = true;
  if (telling) return;
  telling = true;
  while (untold) await sendPlace().catch(() => {}); // the address has it too
  telling = false;
}

function sendPlace() {
  untold = false;
  const form = $("place");
  const body = new FormData(form);
  body.set("step", String(state.at + 1));
  return fetch(form.action, { method: "POST", body, keepalive: true });
}

// For the reader: the step's sentence when it is reached, the moves of the others as they are played.
function tellReader(before) {
  if (state.said && state.said !== before.said) say(state.said.text);
  if (state.at === before.at && state.shown === before.shown) return;
  for (let shown = passed(before, state); shown <= state.shown; shown += 1) {
    const { frame, events } = tableAt({ ...state, shown }, steps);
    for (const event of events) say(lineFor(event, frame)?.spoken);
  }
  if (ready(state, steps)) say(steps[state.at].say);
}

/** What had the focus may be gone: then the first choice has it, or the hand, or the sentence. */
function keepFocus(focused) {
  const now = document.activeElement;
  if (focused === document.body || (now !== document.body && now.checkVisibility())) return;
  const refuge = [$("actions").querySelector("button"), $("hand").querySelector("button[tabindex='0']"), $("teach")];
  refuge.find((node) => node?.checkVisibility())?.focus({ preventScroll: true });
}

// Drawing ---------------------------------------------------------------------------------------------------------

function show() {
  const now = tableAt(state, steps);
  const { frame } = now;
  page.dataset.status = frame.table.status;
  page.dataset.phase = frame.deal.phase;
  page.dataset.step = String(state.at + 1);
  page.dataset.ready = String(ready(state, steps));
  const settled = isSettled(state, steps) && !looksAtTable;
  if (settled) fillPanel($("result-body"), $("result-title"), frame, game, { key: "deal" });
  $("result").hidden = !settled;
  setText($("course"), position(state, steps));
  setText($("scene"), steps[state.at].title);
  setText($("teach"), steps[state.at].say);
  setLine($("said"), state.said?.text ?? "");
  setAttr($("step-back"), "aria-disabled", state.at === 0 ? "true" : null);
  showPlates(frame);
  game.showCentre($("centre"), now, act);
  showOwn(now);
}

function showPlates(frame) {
  const { seats, you } = frame.table;
  const plates = fromLeft(seats, you).filter((seat) => seat.seat !== you).map((seat) => game.plate(frame, seat));
  const narrow = game.layout(plates.length);
  setAttr($("board"), "data-rows", narrow.rows);
  showSeats($("seats"), plates, narrow, true);
}

function showOwn(now) {
  const { table } = now.frame;
  const seat = table.seats.find((each) => each.seat === table.you);
  patchList($("own-plate"), [game.ownPlate(now.frame, game.plate(now.frame, seat))], {
    key: () => `own-${seat.seat}`,
    make: (plate) => makePlate(plate, "div"),
    update: showPlate,
  });
  game.showHand($("hand"), now, act);
  $("hand").settle();
  setAttr($("hand"), "data-cards", $("hand").children.length);
  setLine($("hint"), asks(state, steps) ? game.hint(now) : "");
  setAttr($("own"), "data-turn", myTurn(now));
  if (asks(state, steps)) {
    $("actions").querySelector("[data-key=next]")?.remove();
    $("actions").keyedNodes?.delete("next");
    game.showActions($("actions"), now, act);
  } else showNext();
}

function showNext() {
  const last = atEnd(state, steps);
  $("after").hidden = !last;
  patchList($("actions"), last ? [] : [{ key: "next" }], {
    key: (item) => item.key,
    make: () => {
      const button = el("button", { type: "button", class: "act act-plain" }, el("b", {}, gettext("Next")));
      button.addEventListener("click", () => dispatch({ t: "next" }));
      return button;
    },
    update: () => {},
  });
}

// Buttons and keys ------------------------------------------------------------------------------------------------

const keys = () => [["n", "", () => dispatch({ t: "next" })], ["b", "", () => dispatch({ t: "back" })], ...game.keys(act)];

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, dialog[open]")) return;
  if (!readSettings().keys) return;
  if (/^[1-9]$/.test(event.key)) {
    const card = $("hand").children[Number(event.key) - 1];
    card?.focus();
    card?.click();
    return;
  }
  const found = keys().find(([key]) => key === event.key.toLowerCase());
  if (!found) return;
  event.preventDefault();
  found[2]();
});

function setUp() {
  const settings = readSettings();
  page.dataset.colours = settings.four ? "four" : "two";
  configureFaces({ colours: page.dataset.colours, faces: settings.plain ? "plain" : "big" });
  game.makeCentre($("centre"), act);
  $("hand").settle = roving($("hand"));
  $("step-back").addEventListener("click", () => dispatch({ t: "back" }));
  $("again").addEventListener("click", () => dispatch({ t: "go", at: 0 }));
  $("result-close").addEventListener("click", () => {
    looksAtTable = true;
    show();
    keepFocus($("result-close"));
  });
  window.addEventListener("hashchange", () => dispatch({ t: "go", at: asked(location.hash, 0, steps.length) }));
  window.addEventListener("pagehide", () => untold && sendPlace().catch(() => {}));
  window.matchMedia("(min-width: 480px)").addEventListener("change", show);
}

setUp();
const kept = $("place") ? Number(page.dataset.kept) - 1 : readPlace(page.dataset.game);
state = reduce(state, { t: "go", at: asked(location.hash, kept, steps.length) }, steps);
show();
markShown(page);
warmUp([..."CDHS"].flatMap((suit) => [..."A23456789TJQK"].map((rank) => rank + suit)));
