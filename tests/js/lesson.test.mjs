// Where a lesson stands, what a try comes to, and what the table shows meanwhile; what a hint says and points at.

import assert from "node:assert/strict";
import { test } from "node:test";

import { adviceWords, pointsAt } from "../../static/games/advice.js";
import { asked, atEnd, hashOf, initial, passed, position, ready, reduce, tableAt } from "../../static/games/lesson.js";
import { soundOf } from "../../static/games/signals.js";
import * as table from "../../static/games/state.js";

const frame = (more = {}) => ({ deal: { outcome: null, turn: 1, ...more }, match: {}, events: [] });
const seats = [{ seat: 1, name: "Mari" }];
const steps = [
  { say: "Read.", ask: [], instead: {}, frames: [frame()], table: { you: 1, seats } },
  { say: "Choose.", ask: ["KH"], instead: { "4H": "Not that one." }, frames: [frame(), frame(), frame()], table: { you: 1, seats } },
  { say: "Done.", ask: [], instead: {}, frames: [frame({ outcome: { pot: 0 } })], table: { you: 1, seats } },
];
const run = (state, ...actions) => actions.reduce((now, action) => reduce(now, typeof action === "string" ? { t: action } : action, steps), state);

test("a step that asks is left by the right move alone", () => {
  const asking = run(initial, "next", "tick", "tick");
  assert.equal(asking.at, 1);
  assert.equal(run(asking, "next").at, 1);
  const tried = run(asking, { t: "move", m: "4H" });
  assert.deepEqual([tried.at, tried.said.text], [1, "Not that one."]);
  assert.deepEqual(run(tried, { t: "move", m: "KH" }), { at: 2, shown: 0, said: null, tries: 0 });
});

test("why a card is not legal is said of the cards that lie there, and the table forgets what it had asked", () => {
  const told = [{ ...steps[1], why: { must_follow: "Hearts were led." } }];
  const at = run({ ...initial, shown: 2 });
  const refused = reduce(at, { t: "explain", code: "must_follow", message: "You must follow suit." }, told);
  assert.equal(refused.said.text, "Hearts were led.");
  assert.equal(reduce(at, { t: "explain", code: "no_cards", message: "First choose." }, told).said.text, "First choose.");
  assert.notEqual(tableAt(refused, told).v, tableAt(at, told).v);
});

test("nothing can be decided before the others have played", () => {
  const early = run(initial, "next");
  assert.equal(ready(early, steps), false);
  assert.equal(run(early, { t: "move", m: "KH" }), early);
  assert.equal(tableAt(early, steps).frame.table.status, "told");
  assert.equal(table.myTurn(tableAt(early, steps)), false);
  const there = run(early, "arrive");
  assert.equal(table.myTurn(tableAt(there, steps)), true);
  assert.equal(run(there, "tick"), there);
});

test("the result is shown with the last frame, and the ends hold", () => {
  const end = run(initial, { t: "go", at: 99 });
  assert.equal(atEnd(end, steps), true);
  assert.equal(tableAt(end, steps).frame.table.status, "between");
  assert.equal(run(end, "next").at, 2);
  assert.equal(run(initial, "back").at, 0);
  assert.equal(position(end, steps), "step 3 of 3");
});

test("every move on the way is told, also where nothing moves, and none after a leap", () => {
  const from = run(initial, "next");
  const there = run(from, "arrive");
  assert.equal(passed(initial, there), 0);
  assert.equal(passed(from, there), 1);
  assert.equal(passed(there, run(there, "back")), 1);
  assert.equal(passed(run(initial, { t: "go", at: 2 }), there), 3);
});

test("going back shows a step as it was left", () => {
  const back = run(initial, "next", "arrive", { t: "move", m: "KH" }, "back");
  assert.deepEqual([back.at, back.shown], [1, 2]);
});

test("an address leads to its step, nonsense to the beginning", () => {
  assert.equal(asked(hashOf(1), 0, 3), 1);
  assert.equal(asked("", 2, 3), 2);
  for (const hash of ["#s0", "#s4", "#m2", "#s"]) assert.equal(asked(hash, 0, 3), 0);
  assert.equal(asked("", 7, 3), 0);
});

test("a hint names the move for eye and ear", () => {
  const words = { fold: { label: "Fold" } };
  assert.deepEqual(adviceWords({ move: "fold", words: ["Why."] }, words), { text: "Hint: Fold. Why.", spoken: "Hint: Fold. Why." });
  const card = adviceWords({ move: "TD", words: [] }, words);
  assert.deepEqual([card.text, card.spoken], ["Hint: play 10♦.", "Hint: play Ten of diamonds."]);
  assert.equal(adviceWords({ move: "7H 7S > stock", words: [] }).spoken, "Hint: lay Seven of hearts and Seven of spades and take from the stock.");
  assert.equal(adviceWords({ move: "KS > 5H", words: [] }).text, "Hint: lay K♠ and take 5♥.");
});

test("a hint points at cards, the stock or a choice", () => {
  assert.deepEqual(pointsAt("7H 7S > stock"), { hand: ["7H", "7S"], open: "stock", choice: null });
  assert.deepEqual(pointsAt("KS"), { hand: ["KS"], open: null, choice: null });
  assert.deepEqual(pointsAt("declare"), { hand: [], open: null, choice: "declare" });
  assert.deepEqual(pointsAt(undefined), { hand: [], open: null, choice: null });
});

test("a hint for a turn that has passed is not shown, and a new view takes it away", () => {
  const view = (v) => ({ t: "state", v, now: 0, table: { you: 1, seats, status: "playing", deal: { turn: 1 } }, events: [] });
  const at = (state, message) => table.reduce(state, message).state;
  const seen = at(table.initial, view(4));
  assert.equal(at(seen, { t: "hint", v: 3, move: "KS", words: [] }).advice, null);
  const told = at(seen, { t: "hint", v: 4, move: "KS", words: ["Why."] });
  assert.equal(told.advice.move, "KS");
  assert.equal(at(told, view(5)).advice, null);
});

test("of several things that happened the greatest is heard", () => {
  assert.equal(soundOf([{ type: "card" }, { type: "trick" }, { type: "deal_over" }]), "over");
  assert.equal(soundOf([{ type: "card" }, { type: "trick" }]), "trick");
  assert.equal(soundOf([{ type: "discard" }]), "card");
  assert.equal(soundOf([{ type: "ready" }]), null);
});
