// The reducer of the table page: versions, answers, refusals.

import assert from "node:assert/strict";
import { test } from "node:test";

import { fromLeft, initial, isCalled, mySeat, myTurn, reduce } from "../../static/games/state.js";

const stateFrame = (v, more = {}) => ({
  t: "state",
  v,
  now: 1000,
  events: more.events ?? [],
  table: {
    you: 2,
    status: "playing",
    seats: [1, 2, 3].map((seat) => ({ seat, name: `P${seat}` })),
    deal: { turn: 2, legal: ["AS"] },
    clock: null,
    ...more.table,
  },
});

const after = (...messages) => messages.reduce((state, message) => reduce(state, message).state, initial);

test("a newer view replaces an older one whole", () => {
  const state = after(stateFrame(3), stateFrame(7, { events: [{ type: "deal" }] }));
  assert.equal(state.v, 7);
  assert.deepEqual(state.events, [{ type: "deal" }]);
  assert.equal(state.frame.deal.turn, 2);
});

test("a view that is not newer is dropped, also an equal one", () => {
  const seen = after(stateFrame(7));
  for (const v of [7, 6]) {
    const step = reduce(seen, stateFrame(v, { table: { status: "finished" } }));
    assert.equal(step.state, seen);
    assert.deepEqual(step.effects, []);
  }
});

test("a pong ahead of the view waits for it a moment, and only then asks for a resync", () => {
  const seen = after(stateFrame(7));
  assert.deepEqual(reduce(seen, { t: "pong", v: 8 }).effects, [{ do: "await", v: 8 }]);
  assert.deepEqual(reduce(seen, { t: "waited", v: 8 }).effects, [{ do: "resync" }]);
  assert.deepEqual(reduce(seen, { t: "pong", v: 7 }).effects, []);
});

test("a pong that overtakes its view does not cost the events of that view", () => {
  const waiting = reduce(after(stateFrame(7)), { t: "pong", v: 8 }).state;
  const arrived = reduce(waiting, stateFrame(8, { events: [{ type: "card" }] })).state;
  assert.deepEqual(arrived.events, [{ type: "card" }]);
  assert.deepEqual(reduce(arrived, { t: "waited", v: 8 }).effects, []);
});

test("views arriving out of order end at the newest, whatever the order", () => {
  const frames = [4, 5, 6].map((v) => stateFrame(v));
  const orders = [[0, 1, 2], [2, 1, 0], [1, 2, 0], [0, 2, 1], [1, 0, 2], [2, 0, 1]];
  for (const order of orders) assert.equal(after(...order.map((k) => frames[k])).v, 6);
});

test("a move carries the version seen, and a second one waits for the answer", () => {
  const step = reduce(after(stateFrame(7)), { t: "move", id: "a", m: "AS" });
  assert.deepEqual(step.effects, [{ do: "send", id: "a", v: 7, m: "AS" }]);
  assert.deepEqual(reduce(step.state, { t: "move", id: "b", m: "KS" }).effects, []);
});

test("an acknowledged move is no longer pending; somebody else's answer changes nothing", () => {
  const waiting = after(stateFrame(7), { t: "move", id: "a", m: "AS" });
  assert.equal(reduce(waiting, { t: "ok", id: "zzz", v: 8 }).state, waiting);
  assert.equal(reduce(waiting, { t: "ok", id: "a", v: 8 }).state.pending, null);
});

test("the view that shows the move ends the waiting even if the answer is lost", () => {
  const state = after(stateFrame(7), { t: "move", id: "a", m: "AS" }, stateFrame(8));
  assert.equal(state.pending, null);
});

test("a refusal keeps its words and gives the choice back", () => {
  const state = after(stateFrame(7), { t: "move", id: "a", m: "2S" }, { t: "refused", id: "a", code: "must_head", message: "Head it" });
  assert.deepEqual(state.refusal, { code: "must_head", message: "Head it" });
  assert.equal(state.pending, null);
  assert.equal(after(stateFrame(7), { t: "move", id: "a", m: "2S" }, { t: "refused", id: "a", code: "must_head", message: "x" }, stateFrame(8)).refusal, null);
});

test("a stale move asks for the newest view", () => {
  const waiting = after(stateFrame(7), { t: "move", id: "a", m: "AS" });
  assert.deepEqual(reduce(waiting, { t: "refused", id: "a", code: "stale", message: "" }).effects, [{ do: "resync" }]);
});

test("it is my turn only while playing, at my seat, with nothing on its way", () => {
  assert.equal(myTurn(after(stateFrame(7))), true);
  assert.equal(myTurn(after(stateFrame(7), { t: "move", id: "a", m: "AS" })), false);
  assert.equal(myTurn(after(stateFrame(7, { table: { status: "between" } }))), false);
  assert.equal(myTurn(after(stateFrame(7, { table: { you: null } }))), false);
  assert.equal(myTurn(after(stateFrame(7, { table: { deal: { turn: 3 } } }))), false);
});

test("a page called its player, by voice, sound and title, for each turn that a bot took in the player's place", () => {
  const played = (standIn) => after(stateFrame(7, { table: { seats: [{ seat: 2, name: "P2", stand_in: standIn }] } }));
  assert.equal(isCalled(played(true)), false);
  assert.equal(isCalled(played(false)), true);
  assert.equal(isCalled(after(stateFrame(7, { table: { deal: { turn: 3 } } }))), false);
});

test("a farewell is kept until the next view, and an unknown message is harmless", () => {
  const state = after(stateFrame(7), { t: "bye", code: "restart", message: "Back soon" });
  assert.equal(state.bye.message, "Back soon");
  assert.equal(reduce(state, stateFrame(8)).state.bye, null);
  assert.equal(reduce(state, { t: "what" }).state, state);
});

test("the others stand in turn order from my left; a watcher sees the seats as they are", () => {
  const { seats } = stateFrame(1).table;
  assert.deepEqual(fromLeft(seats, 2).map(({ seat }) => seat), [3, 1]);
  assert.deepEqual(fromLeft(seats, null).map(({ seat }) => seat), [1, 2, 3]);
  assert.equal(mySeat(after(stateFrame(1, { table: { you: null } }))), null);
});
