// A lesson as values: which step is shown, how far its moves were played, and what was said to a try. All of it is pure.
// `steps` come from the server, with the views that the rules give after every move (games/lessons).

import { fill, gettext } from "./i18n.js";

export const initial = Object.freeze({
  at: 0,      // the step that is shown
  shown: 0,   // which of its frames is on the table
  said: null, // {good, text}: what is said to the last try, or null
  tries: 0,   // how many tries the step has answered: after each the table forgets a question it had asked
});

/** Return the lesson's state after `action`; an action that leads nowhere returns the same state. */
export function reduce(state, action, steps) {
  switch (action.t) {
    case "go":
      return to(state, action.at, steps, true);
    case "back":
      return to(state, state.at - 1, steps, true);
    case "next":
      return asks(state, steps) ? state : to(state, state.at + 1, steps);
    case "tick":
      return ready(state, steps) ? state : { ...state, shown: state.shown + 1 };
    case "arrive": // what is still to be seen is not waited for
      return ready(state, steps) ? state : { ...state, shown: steps[state.at].frames.length - 1 };
    case "move":
      return tried(state, action.m, steps);
    case "explain": // the lesson knows the cards, the table only the rule
      return told(state, steps[state.at].why?.[action.code] ?? action.message);
    default:
      return state;
  }
}

/** Another step: on the way forward its moves are played one by one, on any other way they are there at once. */
function to(state, wanted, steps, whole = false) {
  const at = Math.max(0, Math.min(wanted, steps.length - 1));
  if (at === state.at && !whole) return state;
  return { at, shown: whole ? steps[at].frames.length - 1 : 0, said: null, tries: 0 };
}

const told = (state, text) => ({ ...state, said: { good: false, text }, tries: state.tries + 1 });

function tried(state, move, steps) {
  const { ask, instead } = steps[state.at];
  if (!ready(state, steps)) return state;
  if (ask.includes(move)) return to(state, state.at + 1, steps);
  return instead[move] ? told(state, instead[move]) : state;
}

/** Whether all moves of the step were played, so that it can be answered. */
export const ready = (state, steps) => state.shown >= steps[state.at].frames.length - 1;

/** Whether the step waits for a decision. */
export const asks = (state, steps) => steps[state.at].ask.length > 0;

export const atEnd = (state, steps) => state.at === steps.length - 1;

/** Whether the deal of the scene is over on the table, so that its result is shown. */
export const isSettled = (state, steps) => Boolean(steps[state.at].frames[state.shown].deal.outcome);

/** The first frame that was not told when the lesson went on from `before` to `now`; leaps tell none. */
export function passed(before, now) {
  if (now.at === before.at) return before.shown + 1;
  return now.at === before.at + 1 ? 0 : now.shown + 1;
}

/** What the games' modules draw: like the state of a live table. Only a step that asks lets the learner act. */
export function tableAt(state, steps) {
  const step = steps[state.at];
  const { deal, match, events } = step.frames[state.shown];
  const acting = ready(state, steps) && step.ask.length > 0;
  const status = deal.outcome ? "between" : acting ? "playing" : "told";
  const table = { ...step.table, match, deal, status, course: null };
  return { v: `${state.at}.${state.shown}.${state.tries}`, pending: null, refusal: null, events, frame: { now: 0, table, deal, clock: null, fair: null } };
}

/** The step that an address asks for (`#s3`), else the one where the learner was, else the first. */
export function asked(hash, kept, count) {
  const named = /^#s(\d{1,3})$/.exec(hash);
  const wanted = named ? Number(named[1]) - 1 : kept;
  return wanted >= 0 && wanted < count ? wanted : 0;
}

export const hashOf = (at) => `#s${at + 1}`;

export const position = (state, steps) => fill(gettext("step %(n)s of %(all)s"), { n: state.at + 1, all: steps.length });
