// What the page knows of its table, as a value. `reduce` is pure: the same state and message always give the same
// answer, and what must be done besides (ask again, speak) is returned as effects, never done here.

import { learn, withPresence } from "./presence.js";

export const initial = Object.freeze({
  v: -1,
  frame: null,      // the last state frame
  events: [],       // what happened with it
  pending: null,    // {id, v, m}: the move that waits for its answer
  refusal: null,    // {code, message}: why the last move was refused
  advice: null,     // {move, words}: the hint for this very version of the table
  presence: null,   // {seats, watchers}: who is there, as far as the server said
  line: "connecting", // connecting | open | lost
  bye: null,        // {code, message}: the server closed the door
});

const same = (state) => ({ state, effects: [] });

/** Return `{state, effects}` after `message` (a frame from the server or an action of this page). */
export function reduce(state, message) {
  switch (message.t) {
    case "state":
      return onState(state, message);
    case "ok":
      if (state.pending?.id !== message.id) return same(state);
      return {
        state: { ...state, pending: null, refusal: null },
        effects: message.v > state.v ? [{ do: "await", v: message.v }] : [],
      };
    case "refused":
      return onRefused(state, message);
    case "pong": // the newer view may be on its way: a resync would bring it without the events that led to it
      return { state, effects: message.v > state.v ? [{ do: "await", v: message.v }] : [] };
    case "waited":
      return { state, effects: message.v > state.v ? [{ do: "resync" }] : [] };
    case "hint": // of a turn that has passed it would only confuse
      return message.v === state.v ? { state: { ...state, advice: { move: message.move, words: message.words }, refusal: null }, effects: [{ do: "advise" }] } : same(state);
    case "presence":
      return onPresence(state, message);
    case "bye":
      return same({ ...state, bye: { code: message.code, message: message.message } });
    case "line":
      return same({ ...state, line: message.line });
    case "move":
      if (state.pending || !state.frame) return same(state);
      return {
        state: { ...state, pending: { id: message.id, v: state.v, m: message.m }, refusal: null },
        effects: [{ do: "send", id: message.id, v: state.v, m: message.m }],
      };
    case "explain":
      return same({ ...state, refusal: { code: message.code, message: message.message } });
    default:
      return same(state);
  }
}

function onState(state, message) {
  if (message.v <= state.v) return same(state);
  const frame = peopled(frameOf(message), state.presence);
  const pending = state.pending && state.pending.v >= message.v ? state.pending : null;
  return {
    state: { ...state, v: message.v, frame, events: message.events ?? [], pending, refusal: null, advice: null, bye: null },
    effects: [{ do: "show" }],
  };
}

/** The parts of a state frame that the page reads, the deal and the clock beside the table they belong to. */
function frameOf({ table, now }) {
  return { now, table, deal: table.deal ?? null, clock: table.clock ?? null, fair: table.fair ?? null };
}

function peopled(frame, presence) {
  const { seats, you } = frame.table;
  return { ...frame, table: { ...frame.table, seats: withPresence(seats ?? [], you, presence) } };
}

function onPresence(state, message) {
  const presence = learn(state.presence, message);
  if (!state.frame) return same({ ...state, presence });
  return { state: { ...state, presence, frame: peopled(state.frame, presence) }, effects: [{ do: "people" }] };
}

function onRefused(state, message) {
  if (message.id && state.pending && state.pending.id !== message.id) return same(state);
  const refused = { ...state, pending: null, refusal: { code: message.code, message: message.message } };
  return { state: refused, effects: message.code === "stale" ? [{ do: "resync" }] : [] };
}

/** The seat this page plays, or null for a watcher. */
export const mySeat = (state) => state.frame?.table.you ?? null;

/** Whether a pause is running: nobody moves and the clock stands still. */
export const isPaused = (frame) => frame.table.course?.pause?.running ?? false;

/** Whether this page's player is to decide now and has not yet done so. */
export function myTurn(state) {
  const frame = state.frame;
  const seat = mySeat(state);
  if (seat === null || frame.table.status !== "playing" || !frame.deal) return false;
  if (isPaused(frame)) return false;
  return frame.deal.turn === seat && !state.pending;
}

/** Whether the page calls its player: not for a turn that a bot takes in the player's place. */
export function isCalled(state) {
  return myTurn(state) && !state.frame.table.seats.find((each) => each.seat === mySeat(state))?.stand_in;
}

/** The seats in turn order beginning with the one to the left of `seat` (which comes last, or is absent). */
export function fromLeft(seats, seat) {
  const at = seats.findIndex((each) => each.seat === seat);
  if (at < 0) return seats;
  return [...seats.slice(at + 1), ...seats.slice(0, at)];
}

export const seatName = (frame, seat) => frame.table.seats.find((each) => each.seat === seat)?.name ?? `${seat}`;
