// A replay as values: where it stands, what the page shows there, and what happened in words. All of it is pure.
// `data` is what the server gives for a deal that is over (steps.json): the table, the match after it, the steps.

import { byRank, bySuit } from "./cards.js";
import { fill, gettext } from "./i18n.js";
import { lineFor } from "./log.js";

export const initial = Object.freeze({
  count: 0,       // how many steps there are
  at: 0,          // the step that is shown; 0 is the dealing
  seen: 0,        // the furthest step shown so far: nothing after it is told
  playing: false, // whether the steps go on by themselves
});

/** Return the replay's state after `action`. */
export function reduce(state, action) {
  switch (action.t) {
    case "loaded":
      return to({ ...state, count: action.count }, state.count ? state.at : action.at);
    case "first":
      return to(state, 0);
    case "back":
      return to(state, state.at - 1);
    case "next":
      return to(state, state.at + 1);
    case "last":
      return to(state, state.count - 1);
    case "go":
      return to(state, action.at);
    case "play": // from the end it begins anew
      return { ...(atEnd(state) ? to(state, 0) : state), playing: state.count > 1 };
    case "pause":
      return { ...state, playing: false };
    case "tick": {
      if (!state.playing) return state;
      const next = to(state, state.at + 1);
      return { ...next, playing: !atEnd(next) };
    }
    default:
      return state;
  }
}

const atEnd = (state) => state.at >= state.count - 1;

function to(state, wanted) {
  const at = Math.max(0, Math.min(wanted, state.count - 1));
  return { ...state, at, seen: Math.max(state.seen, at), playing: false };
}

/** The step that an address asks for: `#m7`, else the last one not after version `v` of the log, else the dealing. */
export function asked(steps, hash, v) {
  const named = /^#m(\d{1,5})$/.exec(hash);
  if (named) return Number(named[1]);
  return v ? Math.max(0, steps.findLastIndex((step) => step.v <= v)) : 0;
}

export const hashOf = (at) => `#m${at}`;

/** "Move 3", and of how many once the end was seen: the length of a deal tells how it ends. */
export function position({ at, seen, count }) {
  if (at === 0 && seen < count - 1) return gettext("Dealt");
  return seen >= count - 1 ? fill(gettext("Move %(n)s of %(all)s"), { n: at, all: count - 1 }) : fill(gettext("Move %(n)s"), { n: at });
}

/** What the games' modules draw at a step: like the state of a live table, but nobody is to move. */
export function stateAt(data, at) {
  const step = data.steps[at];
  const open = step.hands ?? null;
  const deal = open && data.table.game === "least_score" ? { ...step.deal, hands: handsOnly(open) } : step.deal;
  const match = step.deal.outcome && data.after ? data.after : data.table.match;
  const table = { ...data.table, match, deal };
  return { v: step.v, pending: null, refusal: null, events: step.events, frame: { now: step.at, table, deal, clock: null, fair: table.fair } };
}

const handsOnly = (open) => Object.fromEntries(Object.entries(open).map(([seat, { hand }]) => [seat, hand]));

/** A plate of 3-Card Loo with the seat's hand beside the cards it has played; `held` is the seat's part of `hands`. */
export function withHand(plate, held, trump) {
  if (!held) return plate;
  const hand = held.hand.length > 0 || plate.cards.length > 0 ? held.hand : held.thrown;
  const cards = bySuit(hand, trump).map((card) => ({ card, key: `held-${card}`, flip: card }));
  return { ...plate, cards: [...plate.cards, ...cards], cardsWords: gettext("cards %(cards)s") };
}

/** The viewer's own hand in the order of the table; after folding the hand that was thrown. */
export function handAt({ frame: { deal, table } }) {
  const thrown = deal.announced?.[String(table.you)] === "fold";
  const hand = (thrown ? deal.thrown : deal.hand) ?? [];
  return { cards: table.game === "three_card_loo" ? bySuit(hand, deal.trump) : byRank(hand), thrown };
}

/** What happened in a step, by name for everybody: whoever looks at a replay sits nowhere. */
export function linesAt(data, at) {
  const step = data.steps[at];
  const frame = { table: { ...data.table, you: null }, deal: step.deal };
  const lines = step.events.map((event) => lineFor(event, frame)).filter(Boolean);
  return [...lines, ...played(step)];
}

function played({ by }) {
  const words = { clock: gettext("The time had run out."), stand_in: gettext("A bot played in the member’s place.") }[by];
  return words ? [{ text: words, spoken: words, quiet: true }] : [];
}
