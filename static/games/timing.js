// Time on the page: the ring round the seat on turn, the countdown to the next deal, the spoken warnings.

import { brief, crossed, inDays, moment, reading, spoken } from "./clock.js";
import { setAttr, setText } from "./dom.js";
import { fill, gettext, ngettext } from "./i18n.js";
import { tickAway } from "./presence.js";
import { mySeat } from "./state.js";
import { alertReader, say } from "./voice.js";

let before = null; // {turn, left}: the last reading of the own clock

/** Bring every clock up to date; `now` is the server's time in epoch ms. */
export function tick(page, state, now) {
  const { frame } = state;
  if (!frame) return;
  for (const plate of page.querySelectorAll(".plate")) {
    showClock(page, plate, state, now);
    tickAway(plate, frame.table.seats.find(({ seat }) => seat === Number(plate.dataset.seat)), now);
  }
  countdown(page, frame, now);
}

function showClock(page, plate, state, now) {
  const { clock } = state.frame;
  const read = clock && Number(plate.dataset.seat) === clock.seat ? reading(clock, now) : null;
  const waiting = read?.phase === "waiting";
  const time = plate.querySelector(".plate-time");
  setAttr(plate, "data-clock", read?.phase ?? null);
  setAttr(plate, "data-stopped", Boolean(read && clock.stopped));
  plate.style.setProperty("--part", read ? read.part.toFixed(3) : "0");
  if (!read) {
    setText(time, "");
    setAttr(time, "data-left", null);
    setText(plate.querySelector(".plate-clock"), "");
    return;
  }
  const slow = inDays(clock);
  setText(time, waiting ? "…" : slow ? moment(clock.deadline) : brief(read.shown));
  // Where a plate has no room for day and hour the style sheet shows this in their place, without waiting for the next tick.
  setAttr(time, "data-left", slow && !waiting ? brief(read.shown) : null);
  const words = slow ? fill(gettext("time until %(moment)s"), { moment: moment(clock.deadline) })
    : fill(gettext("time bank: %(time)s, lag forgiven: up to %(lag)s s"), {
      time: brief(clock.bank_left[clock.seat] ?? 0), lag: inSeconds(clock.lag_left?.[clock.seat] ?? 0),
    });
  setAttr(time, "title", waiting ? gettext("waiting for the server") : words);
  setText(plate.querySelector(".plate-clock"), forReading(clock, read));
  if (clock.seat === mySeat(state)) warn(state.v, read);
  if (waiting) setText(page.querySelector("#line"), gettext("Time is up: waiting for the server."));
}

/** What is left, for who reads the plate: in steps, since nobody can follow words that change every second. */
function forReading(clock, read) {
  if (clock.stopped) return gettext("The clock stands still.");
  if (read.phase === "waiting") return gettext("waiting for the server");
  if (inDays(clock)) return fill(gettext("time until %(moment)s"), { moment: moment(clock.deadline) });
  const step = read.left > 60_000 ? 30_000 : read.left > 10_000 ? 5_000 : 1_000;
  return fill(gettext("%(time)s left"), { time: spoken(Math.ceil(read.left / step) * step) });
}

/** Milliseconds as seconds with one decimal place, as the page's language writes it. */
function inSeconds(ms) {
  const language = globalThis.document?.documentElement?.lang || "en";
  return (ms / 1000).toLocaleString(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

function warn(turn, read) {
  if (before?.turn === turn) {
    if (before.left > 0 && read.phase === "waiting") alertReader(gettext("Time is up: waiting for the server."));
    for (const mark of crossed(before.left, read.left)) {
      alertReader(fill(ngettext("%(n)s second left", "%(n)s seconds left", mark), { n: mark }));
    }
  }
  before = { turn, left: read.left };
}

function countdown(page, frame, now) {
  const at = frame.table.next_deal_at;
  const left = at ? Math.ceil((at - now) / 1000) : null;
  if (left !== null && frame.fair?.deal === 0) showStart(page, left);
  const small = page.querySelector("#actions .act-plain small");
  if (!small) return;
  if (left === null) setText(small, "");
  else if (left <= 0) setText(small, gettext("waiting for the server"));
  else setText(small, fill(ngettext("in %(n)s second", "in %(n)s seconds", left), { n: left }));
}

/** Before the first deal everybody sees when it comes, also those who only watch. */
function showStart(page, left) {
  const words = fill(ngettext("first deal in %(n)s second", "first deal in %(n)s seconds", left), { n: left });
  setText(page.querySelector("#course"), left > 0 ? words : gettext("waiting for the server"));
}

/** Say what is left on the running clock. */
export function hearClock(state, now) {
  const { clock } = state.frame ?? {};
  if (!clock) {
    say(gettext("No clock is running."));
    return;
  }
  const read = reading(clock, now);
  if (clock.stopped) say(gettext("The match is paused: the clock stands still."));
  if (read.phase === "waiting") {
    say(gettext("Time is up: waiting for the server."));
    return;
  }
  const name = state.frame.table.seats.find((each) => each.seat === clock.seat)?.name;
  const time = spoken(read.left);
  say(clock.seat === mySeat(state) ? fill(gettext("You have %(time)s."), { time }) : fill(gettext("%(name)s has %(time)s."), { name, time }));
}
