// Clocks: what the server's deadline leaves, never a decision. At 0:00 the page only says that it waits.

import { fill, gettext, ngettext } from "./i18n.js";

/**
 * Read `clock` (of a state frame) at `now` (server time, epoch ms): `left` ms until the time-out, `part` (0 to 1) of
 * the ring still lit, and `phase`: `move`, `bank` (the move's own time is used up) or `waiting` (for the server).
 * During a pause the clock stands at the moment `stopped`, whatever time it is.
 */
export function reading(clock, time) {
  const now = clock.stopped ?? time;
  const bank = Number(clock.bank_left?.[String(clock.seat)] ?? 0);
  const left = clock.deadline - now;
  if (left <= 0) return { left: 0, part: 0, phase: "waiting" };
  const ofMove = left - bank;
  if (ofMove > 0) return { left, part: Math.min(1, ofMove / clock.turn_ms), phase: "move", shown: ofMove };
  return { left, part: Math.min(1, left / Math.max(1, bank)), phase: "bank", shown: left };
}

/** "12", "1:05", "3 h", "2 d": for the eye. */
export function brief(ms) {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 60) return String(seconds);
  if (seconds < 3600) return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  const hours = Math.floor(seconds / 3600);
  if (hours < 48) return fill(gettext("%(n)s h"), { n: hours });
  return fill(gettext("%(n)s d"), { n: Math.floor(hours / 24) });
}

const DAY = 86_400_000;

/** Whether a move may take a day or more: then the deadline is told as a moment, not as a countdown. */
export const inDays = (clock) => clock.turn_ms >= DAY;

/**
 * "Tue 14:05" in the page's language and time zone, as the server tells times there; `day: false` leaves the day away.
 * A browser that is older than the name of the zone tells its own time.
 */
export function moment(ms, { day = true, page = globalThis.document?.documentElement } = {}) {
  const told = { weekday: day ? "short" : undefined, hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  const inZone = (timeZone) => new Intl.DateTimeFormat(page?.lang || "en", { ...told, timeZone }).format(ms);
  try {
    return inZone(page?.dataset.zone);
  } catch {
    return inZone();
  }
}

/** "1 minute 5 seconds": for the ear. */
export function spoken(ms) {
  const seconds = Math.ceil(ms / 1000);
  const inSeconds = (n) => fill(ngettext("%(n)s second", "%(n)s seconds", n), { n });
  const inMinutes = (n) => fill(ngettext("%(n)s minute", "%(n)s minutes", n), { n });
  const inHours = (n) => fill(ngettext("%(n)s hour", "%(n)s hours", n), { n });
  if (seconds < 60) return inSeconds(seconds);
  if (seconds < 3600) return `${inMinutes(Math.floor(seconds / 60))} ${seconds % 60 ? inSeconds(seconds % 60) : ""}`.trim();
  return inHours(Math.floor(seconds / 3600));
}

/** The warnings (in s) that a clock passes between two readings: each is spoken once, when it is crossed. */
export function crossed(before, after, marks = [30, 10]) {
  return marks.filter((mark) => before > mark * 1000 && after <= mark * 1000);
}
