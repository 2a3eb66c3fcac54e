// Where the players sit and what their plates show. Positions are pure: shares (0 to 1) of the free room of the board,
// for the wide oval and for the narrow ring of a phone.

import { cardName, cardSign } from "./cards.js";
import { el, patchList, setAttr, setText } from "./dom.js";
import { fill, gettext, listed, ngettext } from "./i18n.js";

/** Numbers of seats at the top, at each side and at each side of the bottom's middle, for a wide board with many. */
const LONG = {
  8: [4, 2, 0], 9: [5, 2, 0], 10: [4, 2, 1], 11: [5, 2, 1], 12: [6, 2, 1], 13: [5, 3, 1], 14: [6, 3, 1], 15: [5, 3, 2],
  16: [6, 3, 2],
};

/** The wide board: `n` seats clockwise from the player's left; `gap` leaves the player's own place free. */
export function oval(n, gap = true) {
  if (LONG[n]) return long(...LONG[n]);
  const line = outline(720);
  const total = line.at(-1).run;
  const shares = Array.from({ length: n }, (_, k) => (gap ? (k + 1) / (n + 1) : (k + 0.5) / n));
  return shares.map((share) => {
    const { x, y } = line.find((point) => point.run >= share * total);
    return { x: (x + 1) / 2, y: (y + 1) / 2 };
  });
}

/** A long table: the ends of the rows are set in a little, so that it still looks round. */
function long(top, side, low) {
  const row = (k) => (k + 1) / (side + 1);
  const left = Array.from({ length: side }, (_, k) => ({ x: 0, y: low > 0 ? 1 - row(k) : 1 - row(k - 0.5) }));
  const along = Array.from({ length: top }, (_, k) => ({ x: 0.06 + (0.88 * k) / (top - 1), y: 0 }));
  const belowLeft = Array.from({ length: low }, (_, k) => ({ x: 0.06 + 0.19 * (low - 1 - k), y: 1 }));
  const mirrored = (places) => places.map(({ x, y }) => ({ x: 1 - x, y })).reverse();
  return [...belowLeft, ...left, ...along, ...mirrored(left), ...mirrored(belowLeft)];
}

/** Points of a rounded oval twice as wide as high, from the bottom clockwise, with the way run so far. */
function outline(steps) {
  const points = [];
  let run = 0;
  for (let step = 0; step <= steps; step += 1) {
    const angle = Math.PI / 2 + (2 * Math.PI * step) / steps;
    const soft = (value) => Math.sign(value) * Math.abs(value) ** 0.62;
    const x = soft(Math.cos(angle));
    const y = soft(Math.sin(angle));
    const before = points.at(-1);
    if (before) run += Math.hypot((x - before.x) * 2, y - before.y);
    points.push({ x, y, run });
  }
  return points;
}

/** Numbers of seats at the top, at each side and in the middle of the bottom row of a phone's ring. */
const RINGS = {
  1: [1, 0, 0], 2: [2, 0, 0], 3: [3, 0, 0], 4: [4, 0, 0], 5: [3, 1, 0], 6: [4, 1, 0], 7: [3, 2, 0], 8: [4, 2, 0],
  9: [3, 3, 0], 10: [4, 3, 0], 11: [3, 4, 0], 12: [4, 4, 0], 13: [3, 5, 0], 14: [4, 5, 0], 15: [4, 5, 1], 16: [4, 5, 2],
};

/** The ring of a phone: clockwise up the left side, along the top, down the right side; with its rows and columns. */
export function ring(n) {
  const [top, side, bottom] = RINGS[n] ?? [0, 0, 0];
  const row = (k) => (side === 0 ? 0 : k / side);
  const below = bottom > 0 ? [{ x: 1 / 3, y: 1 }] : [];
  const left = Array.from({ length: side }, (_, k) => ({ x: 0, y: row(side - k) }));
  const along = Array.from({ length: top }, (_, k) => ({ x: alongTop(top, k), y: 0 }));
  const right = Array.from({ length: side }, (_, k) => ({ x: 1, y: row(k + 1) }));
  const last = bottom > 1 ? [{ x: 2 / 3, y: 1 }] : [];
  return { places: [...below, ...left, ...along, ...right, ...last], rows: side + 1, columns: n > 3 ? 4 : 3 };
}

function alongTop(top, k) {
  if (top === 1) return 0.5;
  return top === 2 ? [0.1, 0.9][k] : k / (top - 1);
}

/** A phone on its side, as the style sheet knows it. */
export const onItsSide = () => globalThis.matchMedia("(max-height: 639.98px) and (min-width: 560px)");

/** Rows of at most `most` above the middle of the board, for games whose middle needs the whole width. */
export function strip(n, most = 5) {
  const rows = Math.max(1, Math.ceil(n / most));
  const perRow = Math.ceil(n / rows);
  const places = Array.from({ length: n }, (_, k) => {
    const row = Math.floor(k / perRow);
    const inRow = Math.min(perRow, n - row * perRow);
    const x = perRow === 1 ? 0.5 : ((k % perRow) + (perRow - inRow) / 2) / (perRow - 1);
    return { x, y: rows === 1 ? 0 : row / (rows - 1) };
  });
  return { places, rows, columns: perRow };
}

/** The badges of a seat in words: who plays it and whether they are there. */
export function presence(seat) {
  if (seat.left) return gettext("left the table, a bot plays");
  if (seat.stand_in) return gettext("a bot plays for them");
  if (seat.sitting_out) return gettext("sits out");
  if (seat.bot) return gettext("bot");
  if (seat.program) return gettext("a program plays");
  return seat.present === false ? gettext("away") : "";
}

/** One sentence that tells a reader everything a plate shows. */
export function sentence(plate) {
  const parts = [plate.name, presence(plate.seat)];
  if (plate.dealer) parts.push(gettext("dealer"));
  if (plate.turn) parts.push(gettext("on turn"));
  parts.push(plate.word, plate.scoreWords, ...plate.extra);
  const shown = plate.cards.filter(({ back }) => !back).map(({ card }) => cardName(card));
  if (shown.length > 0) parts.push(fill(plate.cardsWords ?? gettext("played %(cards)s"), { cards: listed(shown) }));
  return parts.filter(Boolean).join(", ");
}

/** Bring the ring of plates up to date; `plates` are in turn order from the player's left. */
export function showSeats(list, plates, narrow, gap) {
  const wide = oval(plates.length, gap);
  setAttr(list, "data-count", plates.length);
  list.classList.toggle("roomy", plates.length <= 7);
  list.style.setProperty("--rows", narrow.rows);
  list.style.setProperty("--columns", narrow.columns);
  patchList(list, plates, {
    key: (plate) => `seat-${plate.seat.seat}`,
    make: makePlate,
    update(node, plate, index) {
      node.style.setProperty("--wx", wide[index].x.toFixed(4));
      node.style.setProperty("--wy", wide[index].y.toFixed(4));
      node.style.setProperty("--nx", narrow.places[index].x.toFixed(4));
      node.style.setProperty("--ny", narrow.places[index].y.toFixed(4));
      showPlate(node, plate);
    },
  });
}

export function makePlate(plate, tag = "li") {
  const node = el(
    tag,
    { class: "plate", "data-place": `seat-${plate.seat.seat}`, "data-seat": plate.seat.seat },
    el("span", { class: "vh plate-sentence" }),
    el("span", { class: "vh plate-clock" }),
    el("span", { class: "plate-name", "aria-hidden": "true" }),
    el("span", { class: "plate-marks", "aria-hidden": "true" }),
    el("span", { class: "plate-time", "aria-hidden": "true" }),
    el("span", { class: "plate-word", "aria-hidden": "true" }),
    el("span", { class: "plate-score", "aria-hidden": "true" }),
    el("span", { class: "plate-cards", "aria-hidden": "true" }),
  );
  return node;
}

/** A small card: its rank and suit as text; a ten has three signs for the room of two. */
export const makeMini = (card, attributes = {}) => el("i", { class: `mini suit-${card[1]}`, "data-ten": card[0] === "T", ...attributes }, cardSign(card));

export function showPlate(node, plate) {
  const part = (name) => node.querySelector(`.plate-${name}`);
  setText(part("sentence"), sentence(plate));
  setText(part("name"), plate.name);
  setText(part("word"), plate.short ?? plate.word);
  setText(part("score"), plate.score);
  setAttr(node, "data-turn", plate.turn);
  setAttr(node, "data-out", plate.out);
  setAttr(node, "data-away", plate.seat.present === false && !plate.seat.bot);
  setAttr(node, "data-word", plate.tone || null);
  showMarks(part("marks"), plate);
  patchList(part("cards"), plate.cards, {
    key: (item) => item.key ?? item.card,
    make: (item) => (item.back ? el("i", { class: "mini back" }) : makeMini(item.card, { "data-flip": item.flip ?? item.card })),
    update: (mini, item) => {
      setAttr(mini, "data-won", item.won);
      setAttr(mini, "data-past", item.now === false);
      if (!item.back) setAttr(mini, "data-from", `seat-${plate.seat.seat}`);
    },
  });
}

function showMarks(node, plate) {
  const marks = [];
  if (plate.dealer) marks.push({ key: "dealer", text: gettext("D"), title: gettext("dealer") });
  if (plate.seat.stand_in) marks.push({ key: "stand-in", text: "", title: presence(plate.seat) });
  else if (plate.seat.bot || plate.seat.program) marks.push({ key: "bot", text: "", title: presence(plate.seat) });
  else if (plate.seat.present === false) marks.push({ key: "away", text: null, title: gettext("away") });
  patchList(node, marks, {
    key: (mark) => mark.key,
    make: (mark) => el("b", { class: `mark mark-${mark.key}`, title: mark.title }),
    update: (mark, { text }) => text === null || setText(mark, text), // the countdown is written by the clock
  });
}
