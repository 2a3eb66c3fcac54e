// The page of a replay: fetches the steps, draws them with the modules of the live table, and listens to buttons and keys.

import { el, patchList, setAttr, setText } from "./dom.js";
import { configureFaces, makeShown, warmUp } from "./faces.js";
import { glide, markShown, where } from "./flip.js";
import { gettext } from "./i18n.js";
import * as least from "./render_least.js";
import * as loo from "./render_loo.js";
import { asked, handAt, hashOf, initial, linesAt, position, reduce, stateAt, withHand } from "./replay.js";
import { fillPanel } from "./result.js";
import { makePlate, showPlate, showSeats } from "./seats.js";
import { readSettings } from "./settings.js";
import { fromLeft } from "./state.js";
import { say } from "./voice.js";

const PACE = 1600; // ms between two steps that go on by themselves

const $ = (id) => document.getElementById(id);
const page = $("replay");
const game = { three_card_loo: loo, least_score: least }[page.dataset.game];

let state = initial;
let data = null;
let timer = null;
let asking = 0; // the number of the last question to the server: an older answer is not waited for any more
let panelFor = null;

/** The games' modules may look at the table, and that is all: nothing is played here. */
const nothing = () => {};
const act = { state: () => stateAt(data, state.at), move: nothing, explain: nothing, say: nothing, refresh: nothing, press: nothing, roving: nothing, settle: nothing };

// Loading ---------------------------------------------------------------------------------------------------------

async function load() {
  const address = new URL(page.dataset.steps, location.href);
  if ($("seat").value) address.searchParams.set("seat", $("seat").value);
  if ($("open-hands").checked) address.searchParams.set("hands", "open");
  const question = ++asking;
  const answer = await fetch(address, { headers: { Accept: "application/json" } });
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.message);
  if (question !== asking) return;
  data = body;
  const v = Number(new URLSearchParams(location.search).get("v")) || 0;
  state = reduce(state, { t: "loaded", count: data.steps.length, at: asked(data.steps, location.hash, v) });
}

async function reload() {
  try {
    await load();
    if (data) show();
  } catch (error) {
    const text = error.message || gettext("The moves could not be fetched. Reload the page.");
    setText($("line"), text);
    say(text);
  }
}

// Moving about ----------------------------------------------------------------------------------------------------

function dispatch(action) {
  if (!data) return;
  const before = state;
  const places = where(page);
  state = reduce(state, action);
  setTimer();
  if (before.at === state.at) {
    showControls();
    return;
  }
  show();
  if (Math.abs(before.at - state.at) === 1) glide(page, places);
  markShown(page);
  tellReader();
  keepAddress();
}

function setTimer() {
  clearInterval(timer);
  timer = state.playing ? setInterval(() => dispatch({ t: "tick" }), PACE) : null;
}

/** The address of the page always leads to the step that is shown. */
function keepAddress() {
  const url = new URL(location.href);
  url.searchParams.delete("v");
  url.hash = hashOf(state.at);
  history.replaceState(null, "", url);
}

function tellReader() {
  say([`${position(state)}.`, ...linesAt(data, state.at).map((line) => line.spoken)].filter(Boolean).join(" "));
}

// Drawing ---------------------------------------------------------------------------------------------------------

function show() {
  const now = stateAt(data, state.at);
  const { frame } = now;
  const open = data.steps[state.at].hands ?? null;
  page.dataset.phase = open ? "open" : frame.deal.phase;
  page.dataset.watching = String(frame.table.you === null);
  showPlates(frame, open);
  game.showCentre($("centre"), now, act);
  for (const button of $("centre").querySelectorAll("button")) button.tabIndex = -1;
  showOwn(now);
  showResult(frame);
  showWords();
  showControls();
}

function plateOf(frame, seat, open) {
  const plate = game.plate(frame, seat);
  return game === loo && open ? withHand(plate, open[String(seat.seat)], frame.deal.trump) : plate;
}

function showPlates(frame, open) {
  const { seats, you } = frame.table;
  const plates = fromLeft(seats, you).filter((seat) => seat.seat !== you).map((seat) => plateOf(frame, seat, open));
  const narrow = game.layout(plates.length);
  setAttr($("board"), "data-rows", narrow.rows);
  showSeats($("seats"), plates, narrow, you !== null);
}

function showOwn(now) {
  const { table } = now.frame;
  const seat = table.seats.find((each) => each.seat === table.you);
  $("own").hidden = !seat;
  if (!seat) return;
  patchList($("own-plate"), [game.ownPlate(now.frame, game.plate(now.frame, seat))], {
    key: () => `own-${seat.seat}`,
    make: (plate) => makePlate(plate, "div"),
    update: showPlate,
  });
  const seen = new Map();
  const { cards, thrown } = handAt(now);
  const hand = cards.map((card) => {
    seen.set(card, (seen.get(card) ?? 0) + 1);
    return { card, key: seen.get(card) > 1 ? `${card}#${seen.get(card)}` : card };
  });
  patchList($("hand"), hand, { key: ({ key }) => key, make: ({ card, key }) => makeShown(card, { flip: key }), update: nothing });
  setAttr($("hand"), "data-cards", hand.length);
  setAttr($("hand"), "data-thrown", thrown);
}

/** The result is part of the last step, and can be put aside to look at the table. */
function showResult(frame) {
  const last = state.count > 1 && state.at === state.count - 1 && frame.deal.outcome;
  if (last) fillPanel($("result-body"), $("result-title"), frame, game, { key: "deal" });
  if (!last) panelFor = null;
  $("result").hidden = !last || panelFor === "closed";
}

function showWords() {
  const lines = linesAt(data, state.at);
  setText($("line"), lines.filter((line) => !line.quiet).slice(-2).map((line) => line.brief ?? line.text).join(" ") || position(state));
  const told = Array.from({ length: state.seen + 1 }, (_, at) => at);
  patchList($("log"), told, { key: (at) => `m${at}`, make: logLine, update: (node, at) => setAttr(node.firstElementChild, "aria-current", at === state.at ? "step" : null) });
  $("log").querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
}

function logLine(at) {
  const lines = linesAt(data, at);
  const button = el("button", { type: "button", class: "log-step" }, ...lines.map((line) => el("span", { class: line.quiet ? "quiet" : null }, line.text)));
  button.addEventListener("click", () => dispatch({ t: "go", at }));
  return el("li", {}, button);
}

function showControls() {
  setText($("position"), position(state));
  const first = state.at === 0;
  const last = state.at === state.count - 1;
  for (const name of ["first", "back"]) setAttr($(`to-${name}`), "aria-disabled", first ? "true" : null);
  for (const name of ["next", "last"]) setAttr($(`to-${name}`), "aria-disabled", last ? "true" : null);
  setAttr($("auto"), "aria-pressed", String(state.playing));
}

// Buttons and keys ------------------------------------------------------------------------------------------------

const KEYS = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" };

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (event.target.closest("input, select, textarea, dialog, .notes")) return;
  if (KEYS[event.key]) dispatch({ t: KEYS[event.key] });
  else if (event.key === " " && !event.target.closest("button, a, summary")) dispatch({ t: state.playing ? "pause" : "play" });
  else return;
  event.preventDefault();
});

async function copyLink() {
  keepAddress();
  let text = gettext("The address of this page now leads to this move.");
  try {
    await navigator.clipboard.writeText(location.href);
    text = gettext("The link to this move is copied.");
  } catch {
    // on a page without TLS the browser has no clipboard to offer
  }
  setText($("line"), text);
  say(text);
}

function toggleLog(open = $("log-panel").dataset.open !== "true") {
  $("log-panel").dataset.open = String(open);
  setAttr($("open-log"), "aria-expanded", String(open));
  if (open) $("close-log").focus();
  else $("open-log").focus();
}

function setUp() {
  const settings = readSettings();
  page.dataset.colours = settings.four ? "four" : "two";
  configureFaces({ colours: page.dataset.colours, faces: settings.plain ? "plain" : "big" });
  game.makeCentre($("centre"), act);
  for (const name of ["first", "back", "next", "last"]) $(`to-${name}`).addEventListener("click", () => dispatch({ t: name }));
  $("auto").addEventListener("click", () => dispatch({ t: state.playing ? "pause" : "play" }));
  $("copy-link").addEventListener("click", copyLink);
  $("seat").addEventListener("change", reload);
  $("open-hands").addEventListener("change", reload);
  $("open-log").addEventListener("click", () => toggleLog());
  $("close-log").addEventListener("click", () => toggleLog(false));
  $("log-panel").addEventListener("keydown", (event) => event.key === "Escape" && $("log-panel").dataset.open === "true" && toggleLog(false));
  $("result-close").addEventListener("click", () => {
    panelFor = "closed";
    $("result").hidden = true;
    $("to-back").focus();
  });
  window.addEventListener("hashchange", () => data && dispatch({ t: "go", at: asked(data.steps, location.hash, 0) }));
  window.matchMedia("(min-width: 480px)").addEventListener("change", () => data && show());
  for (const node of document.querySelectorAll("[data-needs-script]")) node.hidden = false;
}

setUp();
await reload();
warmUp([..."CDHS"].flatMap((suit) => [..."A23456789TJQK"].map((rank) => rank + suit)));
