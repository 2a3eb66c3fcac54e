// Who is there: what presence frames make of the seats a page shows.

import assert from "node:assert/strict";
import { test } from "node:test";

import { awayWords, learn, withPresence } from "../../static/games/presence.js";
import { initial, reduce } from "../../static/games/state.js";

const seat = (number, more = {}) => ({ seat: number, name: `N${number}`, bot: false, free: false, stand_in: false, left: false, ...more });

test("a whole frame replaces what was known and a difference changes what it names", () => {
  const whole = learn(null, { t: "presence", whole: true, seats: { 1: null, 2: 5000 }, watchers: 3 });
  assert.deepEqual(whole, { seats: { 1: null, 2: 5000 }, watchers: 3 });
  assert.deepEqual(learn(whole, { t: "presence", seats: { 2: null } }), { seats: { 1: null, 2: null }, watchers: 3 });
  assert.deepEqual(learn(whole, { t: "presence", seats: {}, watchers: 0 }).watchers, 0);
  assert.deepEqual(learn(whole, { t: "presence", whole: true, seats: { 4: null }, watchers: 1 }), { seats: { 4: null }, watchers: 1 });
});

test("nobody is called away before the server said anything, nor a bot, a free seat or the own one ever", () => {
  const seats = [seat(1), seat(2), seat(3, { bot: true }), seat(4, { free: true }), seat(5, { stand_in: true }), seat(6), seat(7)];
  assert.ok(withPresence(seats, 1, null).every(({ present }) => present));
  const known = { seats: { 2: 9000, 6: null }, watchers: 0 };
  assert.deepEqual(withPresence(seats, 1, known).map(({ present }) => present), [true, false, true, true, true, true, false]);
  assert.equal(withPresence(seats, 1, known)[1].gone_at, 9000);
});

test("the countdown says in words that somebody is away", () => {
  assert.equal(awayWords(32_000, 0), "away 0:32");
  assert.equal(awayWords(9_100, 0), "away 0:10");
  assert.equal(awayWords(75_000, 0), "away 1:15");
  assert.equal(awayWords(0, 1), "away");
});

test("presence changes the seats shown now and those of later views, and draws the plates alone", () => {
  const frame = (v) => ({ t: "state", v, now: 0, table: { you: null, status: "playing", seats: [seat(1), seat(2)] } });
  let step = reduce(initial, frame(1));
  step = reduce(step.state, { t: "presence", whole: true, seats: { 1: null, 2: 700 }, watchers: 2 });
  assert.deepEqual(step.effects, [{ do: "people" }]);
  assert.deepEqual(step.state.frame.table.seats.map(({ present }) => present), [true, false]);
  step = reduce(step.state, frame(2));
  assert.deepEqual(step.state.frame.table.seats.map(({ present }) => present), [true, false]);
  assert.deepEqual(reduce(initial, { t: "presence", seats: {}, watchers: 1 }).effects, []);
});
