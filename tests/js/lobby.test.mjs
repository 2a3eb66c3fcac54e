// The lobby's page in values: what is known after each frame, and which rows the filters let through.

import assert from "node:assert/strict";
import { test } from "node:test";

import { empty, fits, learn } from "../../static/games/lobby_lists.js";

const frame = (whole, open, running, rows) => ({ t: "lobby", whole, order: { open, running }, rows });

test("a whole list replaces what was known, a change adds to it", () => {
  const first = learn(empty, frame(true, ["a", "b"], [], { a: "A", b: "B" }));
  const second = learn(first, frame(false, ["c", "a"], ["b"], { b: "B2", c: "C" }));
  assert.deepEqual(second, { order: { open: ["c", "a"], running: ["b"] }, rows: { a: "A", b: "B2", c: "C" } });
  assert.deepEqual(learn(second, frame(true, ["d"], [], { d: "D" })).rows, { d: "D" });
});

test("rows that are in no list any more are forgotten", () => {
  const known = learn(empty, frame(true, ["a"], ["b"], { a: "A", b: "B" }));
  assert.deepEqual(learn(known, frame(false, ["a"], [], {})).rows, { a: "A" });
});

test("learning changes nothing that was known before", () => {
  const known = learn(empty, frame(true, ["a"], [], { a: "A" }));
  learn(known, frame(false, [], [], {}));
  assert.deepEqual(known.rows, { a: "A" });
  assert.deepEqual(empty.rows, {});
});

test("a row fits when every filter that asks for something finds it", () => {
  const row = { game: "least_score", clock: "club", stakes: "without", rating: "casual", free: "1" };
  const nothing = { game: "", clock: "", stakes: "", rating: "", free: "" };
  assert.ok(fits(row, nothing));
  assert.ok(fits(row, { ...nothing, game: "least_score", free: "1" }));
  assert.ok(!fits(row, { ...nothing, rating: "rated" }));
  assert.ok(!fits({ ...row, free: "" }, { ...nothing, free: "1" }));
});
