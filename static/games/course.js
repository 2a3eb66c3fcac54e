// The course of the match beside its cards: pauses, sitting out, a bot in one's place, an early end, the match after.
// What may be done comes with the view (`table.course`); this module says it in words and sends what is pressed.

import { el, patchList, setAttr, setText } from "./dom.js";
import { brief } from "./clock.js";
import { fill, gettext, listed, ngettext } from "./i18n.js";
import { isPaused, seatName } from "./state.js";

const $ = (id) => document.getElementById(id);

/** Acts of the help panel, each with its words: what a member may do whenever the view allows it. */
const MENU = () => [
  ["pause", gettext("Offer a pause"), gettext("All who play must agree; it lasts 10 minutes at most.")],
  ["sit_out", gettext("Sit out the next deals"), gettext("After 5 deals in a row the seat counts as left.")],
  ["sit_in", gettext("Deal me in again"), ""],
  ["stand_in", gettext("Let a bot play for me"), gettext("Everybody sees it. A seat that a bot plays at the end of the match comes last.")],
];

/**
 * What is to be told about the course of the match now, or null: `{key, text, until, acts}`. `acts` are
 * `[act, label]`; `until` (server time, ms) is when it ends by itself. `asking` is the act that this page wants
 * confirmed (`end_now` or `again`).
 */
export function noticeOf(frame, asking = null) {
  const { course, status } = frame.table;
  if (!course) return null;
  const may = (act) => course.can.includes(act);
  if (status === "finished") return rematchNotice(frame, may, asking);
  if (course.pause) return pauseNotice(frame, may);
  if (may("end_now")) return endNotice(asking);
  if (may("sit_in")) return { key: "sits-out", text: gettext("You sit out."), acts: [["sit_in", gettext("Deal me in again")]] };
  return null;
}

function pauseNotice(frame, may) {
  const { pause } = frame.table.course;
  const name = (seat) => seatName(frame, seat);
  if (isPaused(frame)) {
    return { key: "paused", text: gettext("The match is paused."), until: pause.until, acts: may("go_on") ? [["go_on", gettext("Go on")]] : [] };
  }
  const [first] = pause.seats;
  const waiting = fill(gettext("Waiting for %(names)s."), { names: listed(pause.asked.map(name)) });
  if (may("agree")) {
    const text = fill(gettext("%(name)s would like a pause of up to 10 minutes."), { name: name(first) });
    return { key: "pause-asked", text, until: pause.until, acts: [["agree", gettext("Agree")], ["decline", gettext("Not now")]] };
  }
  if (may("decline")) {
    const text = `${first === frame.table.you ? gettext("You offered a pause.") : gettext("You agreed to a pause.")} ${waiting}`;
    return { key: "pause-offered", text, until: pause.until, acts: [["decline", gettext("Take it back")]] };
  }
  return { key: "pause-watched", text: `${fill(gettext("%(name)s offered a pause."), { name: name(first) })} ${waiting}`, until: pause.until, acts: [] };
}

function endNotice(asking) {
  if (asking !== "end_now") {
    return { key: "alone", text: gettext("Nobody else plays any more."), acts: [["end_now?", gettext("End the match now")]] };
  }
  const text = gettext("The deal is played out by the rules and the match is over. The seats of those who are gone come last.");
  return { key: "alone-sure", text, acts: [["end_now", gettext("End it")], ["no", gettext("Play on")]] };
}

function rematchNotice(frame, may, asking) {
  const { course, you } = frame.table;
  const next = course.rematch;
  if (asking === "again" && may("again")) {
    const text = fill(ngettext("Playing again costs a buy-in of %(n)s chip.", "Playing again costs a buy-in of %(n)s chips.", course.buy_in), { n: course.buy_in });
    return { key: "again-sure", text, acts: [["again", gettext("Pay and play")], ["no", gettext("Not now")]] };
  }
  if (!next) return null;
  if (next.seats.includes(you)) return { key: "rematch-yours", text: gettext("The next match is waiting for you."), acts: [["follow", gettext("Go there")]] };
  const text = fill(ngettext("%(names)s plays again.", "%(names)s play again.", next.seats.length), { names: listed(next.seats.map((seat) => seatName(frame, seat))) });
  return { key: "rematch", text: next.seats.length > 0 ? text : gettext("There is a next match."), acts: [["follow", gettext("Look at their table")]] };
}

/** Whether the page is to move on to the next match by itself: its member agreed to it, here or in another window. */
export function goesOn(frame, events, wanted) {
  const { course, you } = frame.table;
  if (you === null || !course?.rematch?.seats.includes(you)) return false;
  return wanted || events.some((event) => event.type === "again" && event.seat === you);
}

/** The frame to send for `act`; playing again names the price that the member agreed to. */
export function frameFor(act, course) {
  return act === "again" && course.buy_in > 0 ? { t: "course", do: act, buy_in: course.buy_in } : { t: "course", do: act };
}

// On the page ------------------------------------------------------------------------------------------------------

const local = { asking: null, wanted: false, shown: null };
let send = () => false;
let redraw = () => {};

/** Connect the module to the page: `line.wish` and a way to draw the page anew. */
export function openCourse(page) {
  send = page.send;
  redraw = page.redraw;
}

/** Play again, asking first at a staked table; also what the end panel's button does. */
export function playAgain(frame) {
  act(frame.table.course.buy_in > 0 ? "again?" : "again", frame);
}

/** What one key does about a pause, as the view allows it: end it, agree to it, or offer it. */
export function pauseKey(frame, say) {
  const found = ["go_on", "agree", "pause"].find((name) => frame?.table.course?.can.includes(name));
  if (found) act(found, frame);
  else say(gettext("No pause is possible just now."));
}

/** Bring notice and help panel up to date. */
export function showMatch(frame, events, say) {
  if (goesOn(frame, events, local.wanted)) {
    location.assign(location.pathname.replace(frame.table.id, frame.table.course.rematch.table));
    return;
  }
  if (local.asking && !frame.table.course?.can.includes(local.asking)) local.asking = null;
  const notice = noticeOf(frame, local.asking);
  const box = $("notice");
  box.hidden = !notice;
  setAttr($("main"), "data-paused", isPaused(frame));
  if (notice) {
    setText($("notice-text"), notice.text);
    setAttr(box, "data-until", notice.until ?? null);
    fillActs($("notice-acts"), notice.acts.map(([name, label]) => [name, label, ""]), frame);
  }
  if (notice && notice.key !== local.shown) say(notice.text);
  local.shown = notice?.key ?? null;
  const can = frame.table.course?.can ?? [];
  const menu = MENU().filter(([name]) => can.includes(name));
  fillActs($("course-acts"), menu, frame);
  $("course-part").hidden = menu.length === 0;
}

/** Show how long an offer or a pause still lasts; `now` is the server's time. */
export function tickCourse(now) {
  const until = Number($("notice").dataset.until ?? 0);
  setText($("notice-time"), until > now ? brief(until - now) : "");
}

function fillActs(parent, acts, frame) {
  parent.frame = frame;
  patchList(parent, acts, {
    key: ([name]) => name,
    make([name]) {
      const button = el("button", { type: "button", class: "course-act" }, el("b"), el("small"));
      button.addEventListener("click", () => act(name, parent.frame));
      return button;
    },
    update(button, [, label, means]) {
      setText(button.firstElementChild, label);
      setText(button.lastElementChild, means);
    },
  });
}

function act(name, frame) {
  const { course } = frame.table;
  if (name === "follow") {
    location.assign(location.pathname.replace(frame.table.id, course.rematch.table));
    return;
  }
  const sure = name === "again?" && course.buy_in === 0 ? "again" : name;
  if (sure.endsWith("?") || sure === "no") {
    local.asking = sure === "no" ? null : sure.slice(0, -1);
    redraw();
    $("notice-acts").querySelector("button")?.focus();
    return;
  }
  local.asking = null;
  if (sure === "again") local.wanted = true;
  $("help").close();
  send(frameFor(sure, course));
}
