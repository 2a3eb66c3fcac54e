// Where a replay stands, what its address means, and what is told at each step.

import assert from "node:assert/strict";
import { test } from "node:test";

import { asked, handAt, hashOf, initial, linesAt, position, reduce, stateAt, withHand } from "../../static/games/replay.js";

const run = (state, ...actions) => actions.reduce((now, action) => reduce(now, typeof action === "string" ? { t: action } : action), state);
const loaded = run(initial, { t: "loaded", count: 5, at: 0 });

test("a replay starts before the first move, whatever its length", () => {
  assert.equal(loaded.at, 0);
  assert.equal(loaded.seen, 0);
  assert.equal(loaded.playing, false);
});

test("steps go to both sides and stop at the ends", () => {
  assert.equal(run(loaded, "back").at, 0);
  assert.equal(run(loaded, "next", "next").at, 2);
  assert.equal(run(loaded, "next", "next", "back").at, 1);
  assert.equal(run(loaded, "last").at, 4);
  assert.equal(run(loaded, "last", "next").at, 4);
  assert.equal(run(loaded, "last", "first").at, 0);
  assert.equal(run(loaded, { t: "go", at: 99 }).at, 4);
  assert.equal(run(loaded, { t: "go", at: -1 }).at, 0);
});

test("what was seen once stays seen", () => {
  const state = run(loaded, "next", "next", "next", "first");
  assert.deepEqual([state.at, state.seen], [0, 3]);
});

test("it plays by itself up to the end, and a press stops it", () => {
  let state = run(loaded, "play");
  assert.equal(state.playing, true);
  state = run(state, "tick", "tick");
  assert.deepEqual([state.at, state.playing], [2, true]);
  assert.equal(run(state, "next").playing, false);
  assert.equal(run(state, "pause").playing, false);
  state = run(state, "tick", "tick");
  assert.deepEqual([state.at, state.playing], [4, false]);
  assert.deepEqual(run(state, "tick").at, 4);
  assert.deepEqual([run(state, "play").at, run(state, "play").playing], [0, true]);
});

test("a deal without moves cannot play by itself", () => {
  assert.equal(run(initial, { t: "loaded", count: 1, at: 0 }, "play").playing, false);
});

test("looking from another seat keeps the step", () => {
  const state = run(loaded, "next", "next", { t: "loaded", count: 5, at: 0 });
  assert.equal(state.at, 2);
});

test("an address names a step by its number or by a version of the log", () => {
  const steps = [{ v: 10 }, { v: 12 }, { v: 15 }];
  assert.equal(asked(steps, "#m2", 0), 2);
  assert.equal(asked(steps, hashOf(1), 15), 1);
  assert.equal(asked(steps, "", 12), 1);
  assert.equal(asked(steps, "", 14), 1);
  assert.equal(asked(steps, "", 99), 2);
  assert.equal(asked(steps, "", 3), 0);
  assert.equal(asked(steps, "", 0), 0);
  for (const odd of ["#mx", "#m-1", "#m", "m1", "#m123456"]) assert.equal(asked(steps, odd, 0), 0);
});

test("how long the deal is stays untold until its end was seen", () => {
  assert.equal(position(loaded), "Dealt");
  assert.equal(position(run(loaded, "next", "next")), "Move 2");
  assert.equal(position(run(loaded, "last")), "Move 4 of 4");
  assert.equal(position(run(loaded, "last", "back")), "Move 3 of 4");
});

const seats = [{ seat: 1, name: "Mari" }, { seat: 2, name: "Jaan" }];
const loo = {
  table: { game: "three_card_loo", you: 1, status: "replay", seats, match: { net: { 1: 0, 2: 0 } }, fair: { deal: 3 } },
  after: { net: { 1: 5, 2: -5 } },
  steps: [
    { v: 1, at: 5, by: "table", events: [{ type: "deal", number: 3, dealer: 2 }], deal: { trump: "H", hand: ["2C", "AH", "KH"], announced: {}, outcome: null } },
    { v: 2, at: 6, by: "clock", events: [{ type: "announce", seat: 1, move: "fold" }], deal: { trump: "H", hand: [], thrown: ["2C", "AH", "KH"], announced: { 1: "fold" }, outcome: null } },
    { v: 3, at: 7, by: "bot", events: [], deal: { trump: "H", hand: [], thrown: ["2C", "AH", "KH"], announced: { 1: "fold" }, outcome: { deltas: {} } } },
  ],
};

test("the match stands as the deal found it, and after the end as the deal left it", () => {
  assert.deepEqual(stateAt(loo, 0).frame.table.match.net, { 1: 0, 2: 0 });
  assert.deepEqual(stateAt(loo, 1).frame.table.match.net, { 1: 0, 2: 0 });
  assert.deepEqual(stateAt(loo, 2).frame.table.match.net, { 1: 5, 2: -5 });
  assert.deepEqual(stateAt({ ...loo, after: null }, 2).frame.table.match.net, { 1: 0, 2: 0 });
});

test("everybody is told of by name, also the seat that is looked from", () => {
  assert.deepEqual(linesAt(loo, 0).map(({ text }) => text), ["Deal 3. Jaan deals."]);
  assert.deepEqual(linesAt(loo, 1).map(({ text }) => text), ["Mari folds.", "The time had run out."]);
});

test("a hand is sorted as at the table, and stays visible after it was thrown", () => {
  assert.deepEqual(handAt(stateAt(loo, 0)), { cards: ["AH", "KH", "2C"], thrown: false });
  assert.deepEqual(handAt(stateAt(loo, 1)), { cards: ["AH", "KH", "2C"], thrown: true });
});

test("open hands stand beside the cards played, and a thrown hand only where nothing was played", () => {
  const plate = { cards: [{ card: "QH", won: true }] };
  const shown = withHand(plate, { hand: ["2C", "AH"], thrown: ["3S"] }, "H");
  assert.deepEqual(shown.cards.map(({ card }) => card), ["QH", "AH", "2C"]);
  assert.deepEqual(withHand({ cards: [] }, { hand: [], thrown: ["3S"] }, "H").cards.map(({ card }) => card), ["3S"]);
  assert.deepEqual(withHand(plate, { hand: [], thrown: ["3S"] }, "H").cards.map(({ card }) => card), ["QH"]);
  assert.equal(withHand(plate, undefined, "H"), plate);
});

test("open hands of Least Score are put where the table shows them after a deal", () => {
  const least = {
    table: { ...loo.table, game: "least_score" },
    after: null,
    steps: [{ v: 1, at: 5, by: "table", events: [], deal: { hands: null, outcome: null }, hands: { 1: { hand: ["2C"], thrown: [] }, 2: { hand: ["3C", "4C"], thrown: [] } } }],
  };
  assert.deepEqual(stateAt(least, 0).frame.deal.hands, { 1: ["2C"], 2: ["3C", "4C"] });
  assert.equal(least.steps[0].deal.hands, null, "what the server gave is left as it is");
});

test("nobody is to move in a replay", async () => {
  const { myTurn } = await import("../../static/games/state.js");
  const deal = { ...loo.steps[0].deal, turn: 1 };
  assert.equal(myTurn(stateAt({ ...loo, steps: [{ ...loo.steps[0], deal }] }, 0)), false);
});
