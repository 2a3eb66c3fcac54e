// The draw counted again in the browser, by small events worked out by hand.
import assert from "node:assert/strict";
import { test } from "node:test";
import { countAgain, countMeetings, differences, pairsBound, repeatsOf, roundsBound, seatSpread } from "../../static/tournaments/draw_check.js";

const GRID = [
  [[1, 2, 3], [4, 5, 6], [7, 8, 9]],
  [[1, 4, 7], [2, 5, 8], [3, 6, 9]],
  [[1, 5, 9], [2, 6, 7], [3, 4, 8]],
];

test("nine players at three tables meet nobody twice in three rounds", () => {
  assert.deepEqual(repeatsOf(GRID), { q: 0, repeats: 0 });
  assert.equal(countMeetings(GRID).size, 27);
  assert.equal(pairsBound(GRID), 0);
  assert.equal(roundsBound(GRID), 0);
});

test("the same round twice repeats every pair, a third time costs twice more", () => {
  assert.deepEqual(repeatsOf([GRID[0], GRID[0]]), { q: 9, repeats: 9 });
  assert.deepEqual(repeatsOf([GRID[0], GRID[0], GRID[0]]), { q: 27, repeats: 18 });
});

test("two tables of five over two tables must repeat some pairs", () => {
  const rounds = [[[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]], [[1, 2, 3, 6, 7], [4, 5, 8, 9, 10]]];
  assert.equal(roundsBound(rounds), 8);
  assert.equal(repeatsOf(rounds).q, 8);
  assert.equal(pairsBound(rounds), 0);
});

test("pairs that are all used up force repeats by their number alone", () => {
  const all = [[1, 2, 3, 4]];
  assert.equal(pairsBound([all, all, all]), 18);
  assert.equal(repeatsOf([all, all, all]).q, 18);
});

test("who sits out may hide from a comparison of two rounds", () => {
  const rounds = [[[1, 2, 3]], [[2, 3, 4]]];
  assert.equal(roundsBound(rounds), 1);
  assert.equal(repeatsOf(rounds).q, 1);
});

test("seats that every table has are compared", () => {
  assert.equal(seatSpread([[[1, 2], [3, 4, 5]], [[1, 2], [4, 3, 5]]]), 2);
  assert.equal(seatSpread([[[1, 2], [3, 4]], [[2, 1], [4, 3]]]), 0);
});

test("a number that is told wrongly is named", () => {
  const again = countAgain(GRID);
  assert.deepEqual(differences(again, again), []);
  assert.deepEqual(differences({ ...again, q: 1 }, again), ["q"]);
});
