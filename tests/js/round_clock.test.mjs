import assert from "node:assert/strict";
import test from "node:test";
import { aheadBy, inWords, leftAt } from "../../static/tournaments/round_clock.js";

test("the clock counts down to 0:00 and stays there", () => {
  assert.deepEqual([3_600_000, 3_599_001, 61_000, 1_000, 1, 0, -5_000].map(inWords), ["1:00:00", "1:00:00", "1:01", "0:01", "0:01", "0:00", "0:00"]);
});

test("a stopped clock shows what was left when it was stopped", () => {
  assert.equal(leftAt(90_000, 100_000), 10_000);
  assert.equal(leftAt(90_000, 100_000, 40_000), 60_000);
  assert.equal(leftAt(130_000, 100_000), -30_000);
});

test("of several answers the quickest says what time it is at the server", () => {
  const samples = [{ sent: 0, trip: 2000, server: 9000 }, { sent: 10_000, trip: 20, server: 15_010 }, { sent: 20_000, trip: 900, server: 25_900 }];
  assert.equal(aheadBy(samples), 5_000);
});
