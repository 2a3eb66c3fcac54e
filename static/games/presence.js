// Who is at the table. The server says for each seat whether somebody is there (null) or when they count as gone (epoch
// ms); this page adds it to the seats it shows and counts down. Nothing here goes into the log.

import { brief } from "./clock.js";
import { setAttr, setText } from "./dom.js";
import { fill, gettext, ngettext } from "./i18n.js";

/** What is known after a presence frame: a whole one replaces everything, another one changes what it names. */
export function learn(presence, message) {
  const before = message.whole || !presence ? { seats: {}, watchers: 0 } : presence;
  return { seats: { ...before.seats, ...message.seats }, watchers: message.watchers ?? before.watchers };
}

/** Whether a member holds the seat and plays it: bots and free seats are never away. */
const byMember = (seat) => !seat.bot && !seat.free && !seat.stand_in && !seat.left;

/** The seats with `present` and, when they are not, `gone_at`; without news from the server nobody is called away. */
export function withPresence(seats, you, presence) {
  return seats.map((seat) => {
    const at = presence?.seats[seat.seat];
    const present = !presence || seat.seat === you || !byMember(seat) || at === null;
    return { ...seat, present, gone_at: present ? null : at ?? 0 };
  });
}

/** "away 0:32" until the seat counts as gone, then "away". */
export function awayWords(goneAt, now) {
  const left = goneAt - now;
  if (left <= 0) return gettext("away");
  const seconds = Math.ceil(left / 1000);
  return fill(gettext("away %(time)s"), { time: seconds < 60 ? `0:${String(seconds).padStart(2, "0")}` : brief(left) });
}

/** Bring the countdown of a plate up to date. */
export function tickAway(plate, seat, now) {
  const mark = plate.querySelector(".mark-away");
  if (mark && seat) setText(mark, awayWords(seat.gone_at ?? 0, now));
}

/** How many watch, and by how much this page is behind. */
export function showWatching(count, delay, { table }, presence) {
  const n = presence?.watchers ?? 0;
  setAttr(count, "data-count", n > 0 ? n : null); // a phone shows the number alone, beside an eye
  setText(count.firstElementChild, n > 0 ? fill(ngettext("%(n)s watching", "%(n)s watching", n), { n }) : "");
  setAttr(delay, "hidden", table.delay ? null : "");
  setText(delay, table.delay ? fill(gettext("delayed by %(n)s s"), { n: table.delay }) : "");
}
