// The table page. The socket brings whole views; `state.js` keeps the newest, the game's module draws it, and what
// the player presses goes back as a move. The page decides nothing: not whose turn it is, not when time is up.

import { adviceWords, markAdvice } from "./advice.js";
import { openChat } from "./chat.js";
import { openCourse, pauseKey, playAgain, showMatch, tickCourse } from "./course.js";
import { el, patchList, roving, setAttr, setLine, setText } from "./dom.js";
import { configureFaces, warmUp } from "./faces.js";
import { glide, markShown, where, worthMoving } from "./flip.js";
import { fill, gettext } from "./i18n.js";
import { showWatching } from "./presence.js";
import * as least from "./render_least.js";
import * as loo from "./render_loo.js";
import { addRatings } from "./ratings.js";
import { reason } from "./reasons.js";
import { fillPanel, panelOf } from "./result.js";
import { makePlate, onItsSide, showPlate, showSeats } from "./seats.js";
import { readSettings, writeSettings } from "./settings.js";
import { canShake, shake, sound, soundOf, wakeSound } from "./signals.js";
import { newId, openLine } from "./socket.js";
import { fromLeft, initial, isCalled, isPaused, mySeat, myTurn, reduce } from "./state.js";
import { hearClock, tick } from "./timing.js";
import { alertReader, followLog, recall, say, tell } from "./voice.js";

const WAIT_FOR_VIEW = 700; // ms that a view announced by a pong or an answer may take before it is asked for

const $ = (id) => document.getElementById(id);
const page = $("main");
const game = { three_card_loo: loo, least_score: least }[page.dataset.game];
const settings = readSettings();

let state = initial;
let panelShown = null;
let panelClosed = null;
let wasCalled = false;

const url = new URL(page.dataset.socket, location.href);
url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
const line = openLine(url.href, receive);
const chat = openChat({ send: (frame) => line.send(frame), say, newId, settings, keep: () => writeSettings(settings) });

// What the game's modules may do ----------------------------------------------------------------------------------

const act = {
  state: () => state,
  move(m) {
    dispatch({ t: "move", id: newId(), m });
  },
  explain(code, message) {
    dispatch({ t: "explain", code, message });
    show([]);
    say(message);
  },
  say,
  refresh: () => show([]),
  press: (key) => $("actions").querySelector(`[data-key="${key}"]`)?.click(),
  roving: (group) => { group.settle = roving(group); },
  settle: (group) => group.settle?.(),
};

// Messages in, effects out ----------------------------------------------------------------------------------------

function receive(message) {
  if (message.now) line.setSkew(message.now);
  if (chat.receive(message)) return;
  const seen = state.v;
  dispatch(message);
  if (message.t === "state" && seen >= 0 && state.v > seen && state.events.length === 0) recallLines();
  if (message.t === "line") showLineState();
  if (message.t === "refused") {
    show([]);
    say(message.message);
  }
  if (message.t === "bye") showLineState();
}

/** Fill the log with what this page was not told while its line was lost. */
async function recallLines() {
  try {
    const answer = await fetch(page.dataset.log, { headers: { accept: "application/json" } });
    if (answer.ok) recall(await answer.json(), state.frame);
  } catch {
    // the lines are still in the history of the deals
  }
}

function dispatch(message) {
  const step = reduce(state, message);
  state = step.state;
  for (const effect of step.effects) {
    if (effect.do === "show") show(state.events);
    else if (effect.do === "await") setTimeout(() => dispatch({ t: "waited", v: effect.v }), WAIT_FOR_VIEW);
    else if (effect.do === "people") showPeople();
    else if (effect.do === "advise") {
      show([]);
      say(adviceWords(state.advice, game.words?.()).spoken);
    } else if (effect.do === "resync") line.send({ t: "resync" });
    else if (effect.do === "send") {
      line.move(effect);
      show([]);
    }
  }
}

// Drawing ---------------------------------------------------------------------------------------------------------

function show(events) {
  const { frame } = state;
  if (!frame) return;
  const focused = document.activeElement;
  const before = worthMoving(events) ? where(page) : null;
  showCourse(frame);
  showPlates(frame);
  showWatching($("watchers"), $("delay"), frame, state.presence);
  game.showCentre($("centre"), state, act);
  showOwn(frame);
  const told = showPanel(frame, events);
  showMatch(frame, events, say);
  showAdvice(frame);
  chat.follow(frame.table, myTurn(state));
  if (before) glide(page, before);
  markShown(page);
  tell(events, frame, state.v);
  say(told);
  if (settings.sound) sound(soundOf(events));
  keepFocus(focused);
  announceTurn();
  tick(page, state, line.serverNow());
}

/** What had the focus may be gone: then the hand has it, or the own place, or the board of who watches. */
function keepFocus(focused) {
  const now = document.activeElement;
  if (focused === document.body || (now !== document.body && now !== $("own") && now.checkVisibility())) return;
  const refuge = [$("hand").querySelector("button[tabindex='0']"), $("actions").querySelector("button"), $("own"), $("board")];
  refuge.find((node) => node?.checkVisibility())?.focus({ preventScroll: true });
}

/** Somebody came or went: the plates and the count change, nothing else. */
function showPeople() {
  const { frame, presence } = state;
  showPlates(frame);
  showWatching($("watchers"), $("delay"), frame, presence);
  tick(page, state, line.serverNow());
}

function showCourse(frame) {
  const { match, status } = frame.table;
  // Somebody left during the countdown to the first deal: the server's page of the filling seats takes over again.
  if (status === "seating" && page.dataset.status === "between") location.reload();
  const number = frame.table.fair?.deal || null;
  const all = match?.deals_in_all;
  const course = !number ? "" : all
    ? fill(gettext("deal %(n)s of %(all)s"), { n: number, all })
    : fill(gettext("deal %(n)s"), { n: number });
  setText($("course"), status === "finished" ? gettext("match over") : course);
  page.dataset.version = String(state.v);
  page.dataset.status = status;
  page.dataset.phase = frame.deal?.phase ?? "none";
  page.dataset.watching = String(frame.table.you === null);
  setText($("commitment"), frame.fair?.commitment ?? "");
  if (document.activeElement !== $("nonce")) $("nonce").value = frame.fair?.nonce ?? "";
  for (const input of $("nonce-form").elements) input.disabled = !(frame.fair?.nonces_open && frame.table.you !== null);
  patchList($("options"), frame.table.options ?? [], {
    key: (option) => option,
    make: (option) => el("li", {}, option),
    update: () => {},
  });
}

function showPlates(frame) {
  const seat = mySeat(state);
  const others = fromLeft(frame.table.seats, seat).filter((each) => each.seat !== seat);
  const plates = others.map((each) => game.plate(frame, each));
  const narrow = game.layout(plates.length, seat === null);
  setAttr($("board"), "data-rows", narrow.rows);
  showSeats($("seats"), plates, narrow, seat !== null);
}

function showOwn(frame) {
  const seat = frame.table.seats.find((each) => each.seat === frame.table.you);
  $("own").hidden = !seat;
  if (!seat) return;
  const plate = game.ownPlate(frame, game.plate(frame, seat));
  patchList($("own-plate"), [plate], {
    key: () => `own-${seat.seat}`,
    make: (item) => makePlate(item, "div"),
    update: showPlate,
  });
  game.showHand($("hand"), state, act);
  $("hand").settle();
  setAttr($("hand"), "data-cards", $("hand").children.length);
  showHint(frame, seat);
  showActions(seat);
}

function showHint(frame, seat) {
  const refusal = state.refusal?.message;
  const advice = state.advice && myTurn(state) ? adviceWords(state.advice, game.words?.()).text : null;
  const words = isPaused(frame) ? gettext("The clock stands still.") : seat.stand_in ? gettext("A bot plays for you.") : game.hint(state);
  setLine($("hint"), refusal ?? advice ?? words);
  setAttr($("hint"), "data-refusal", Boolean(refusal));
  setAttr($("hint"), "data-advice", Boolean(advice && !refusal));
  setAttr($("own"), "data-turn", myTurn(state));
}

/** A hint may be asked for where the table allows it; what it points at is marked. */
function showAdvice(frame) {
  $("ask-hint").hidden = !frame.table.hints || frame.table.you === null;
  setAttr($("ask-hint"), "aria-disabled", myTurn(state) ? null : "true");
  markAdvice(page, myTurn(state) ? state.advice : null);
}

function askHint() {
  if ($("ask-hint").hidden) return;
  if (!myTurn(state)) act.explain("not_your_turn", reason("not_your_turn"));
  else if (!line.wish({ t: "hint", id: newId() })) say(gettext("no connection, trying again …"));
}

function showActions(seat) {
  const bar = $("actions");
  const { status } = state.frame.table;
  setAttr(bar, "data-kind", status);
  if (seat.stand_in && !seat.left && status !== "finished") return plain(bar, "back", gettext("Take my seat back"), () => line.wish({ t: "back" }));
  if (status === "between") {
    const text = seat.ready ? gettext("Waiting for the others") : gettext("Next deal");
    return plain(bar, "ready", text, () => line.wish({ t: "ready" }), seat.ready || isPaused(state.frame));
  }
  if (status === "finished") return plain(bar, "again", gettext("Play again"), () => playAgain(state.frame), !state.frame.table.course?.can.includes("again"));
  game.showActions(bar, state, act);
  return null;
}

function plain(bar, key, text, run, done = false) {
  patchList(bar, [{ key, text }], {
    key: (item) => item.key,
    make: () => {
      const button = el("button", { type: "button", class: "act act-plain" }, el("b"), el("small"));
      button.addEventListener("click", () => button.getAttribute("aria-disabled") !== "true" && run());
      return button;
    },
    update: (button, item) => {
      setText(button.firstElementChild, item.text);
      setAttr(button, "aria-disabled", done ? "true" : null);
    },
  });
}

/** Show how a deal or the match ended; returns what is to be said of it when the lines of `events` are said. */
function showPanel(frame, events) {
  const panel = panelOf(frame);
  const open = panel !== null && panel.key !== panelClosed;
  let told = "";
  if (open && panelShown !== panel.key) {
    told = fillPanel($("result-body"), $("result-title"), frame, game, panel);
    // Whose line was lost hears the headline in place of the lines that never came.
    if (events.length === 0) told = `${$("result-title").textContent}. ${told}`;
    if (panel.key === "match" && frame.table.rated) addRatings($("result-body"), page.dataset.ratings);
  }
  panelShown = panel?.key ?? null;
  $("result").hidden = !open;
  return told;
}

// Whose turn, and how the line is -----------------------------------------------------------------------

function announceTurn() {
  const mine = isCalled(state);
  if (mine && !wasCalled) {
    alertReader(game.hint(state) || gettext("Your turn."));
    if (settings.sound) sound("turn");
    if (settings.shake) shake();
  }
  if (!mine) alertReader("");
  wasCalled = mine;
  document.title = `${mine ? "● " : ""}${state.frame.table.title}`;
}

function showLineState() {
  const { line: now, bye } = state;
  const text = bye?.message ?? { connecting: gettext("connecting …"), lost: gettext("no connection, trying again …"), open: "" }[now];
  setText($("link-state"), text);
  setAttr($("link-state"), "data-line", bye ? "bye" : now);
}

// Keys, drawers, settings -------------------------------------------------------------------------------------------

const keys = () => [
  ["1 … 5", gettext("Choose or play a card of your hand"), null],
  ...game.keys(act),
  ...($("ask-hint").hidden ? [] : [["h", gettext("Hint"), askHint]]),
  ["b", gettext("Offer a break, agree to one, or end it"), () => pauseKey(state.frame, say)],
  ["c", gettext("Hear the clock"), () => hearClock(state, line.serverNow())],
  ["l", gettext("What happened"), () => toggleLog()],
  ["t", gettext("Chat"), () => chat.toggle()],
  ["?", gettext("Help, keys and settings"), () => openHelp()],
];

document.addEventListener("keydown", (event) => {
  if (!settings.keys || event.ctrlKey || event.metaKey || event.altKey) return;
  // Until it is next drawn, what had the focus in a dialog keeps it although the dialog is closed.
  if (event.target.closest("input, textarea, select, dialog[open]")) return;
  if (/^[1-9]$/.test(event.key)) {
    const card = $("hand").children[Number(event.key) - 1];
    card?.focus();
    card?.click();
    return;
  }
  const found = keys().find(([key, , run]) => run && key === event.key.toLowerCase());
  if (!found) return;
  event.preventDefault();
  found[2]();
});

// Where sounds are on, every press is leave to make them.
for (const press of ["click", "keydown"]) document.addEventListener(press, () => settings.sound && wakeSound(), true);

function toggleLog(open = $("log-panel").dataset.open !== "true") {
  $("log-panel").dataset.open = String(open);
  setAttr($("open-log"), "aria-expanded", String(open));
  if (open) $("close-log").focus();
  else $("open-log").focus();
}

$("log-panel").addEventListener("keydown", (event) => event.key === "Escape" && $("log-panel").dataset.open === "true" && toggleLog(false));

function openHelp() {
  patchList($("keys"), keys(), {
    key: ([key]) => key,
    make: ([key, words]) => el("div", {}, el("dt", {}, el("kbd", {}, key)), el("dd", {}, words)),
    update: () => {},
  });
  $("help").showModal();
}

function setUp() {
  $("hand").settle = roving($("hand"));
  followLog();
  $("open-log").addEventListener("click", () => toggleLog());
  $("close-log").addEventListener("click", () => toggleLog(false));
  $("open-help").addEventListener("click", openHelp);
  $("ask-hint").addEventListener("click", askHint);
  $("shake-setting").hidden = !canShake();
  $("result-close").addEventListener("click", () => {
    panelClosed = panelShown;
    show([]);
    ($("actions").querySelector("button") ?? ($("own").hidden ? $("board") : $("own"))).focus();
  });
  $("nonce-form").addEventListener("submit", (event) => {
    event.preventDefault();
    line.wish({ t: "nonce", value: $("nonce").value.trim() });
  });
  for (const name of ["keys", "four", "plain", "sound", "shake"]) {
    const box = $(`set-${name}`);
    box.checked = settings[name];
    box.addEventListener("change", () => {
      settings[name] = box.checked;
      writeSettings(settings);
      if (settings.sound) wakeSound();
      useFaces();
      show([]);
    });
  }
  useFaces();
  game.makeCentre($("centre"), act);
}

function useFaces() {
  page.dataset.colours = settings.four ? "four" : "two";
  configureFaces({ colours: settings.four ? "four" : "two", faces: settings.plain ? "plain" : "big" });
}

openCourse({ send: line.wish, redraw: () => show([]) });
setUp();
const first = JSON.parse($("snapshot").textContent);
line.setSkew(first.now);
dispatch(first);
recall({ v: first.v, events: JSON.parse($("past").textContent) }, state.frame);
line.connect();
setInterval(() => {
  tick(page, state, line.serverNow());
  tickCourse(line.serverNow());
}, 200);
window.addEventListener("online", line.wake);
window.addEventListener("offline", line.sever);
document.addEventListener("visibilitychange", () => document.hidden || line.wake());
window.addEventListener("pageshow", line.wake);
for (const shape of [window.matchMedia("(min-width: 480px)"), onItsSide()]) shape.addEventListener("change", () => show([]));
const pack = [..."CDHS"].flatMap((suit) => [..."A23456789TJQK"].map((rank) => rank + suit));
warmUp(pack);
