// The line to the server, with a made-up world: sockets, timers and clock are the test's.

import assert from "node:assert/strict";
import { test } from "node:test";

import { backoff, openLine } from "../../static/games/socket.js";

function makeWorld() {
  let time = 0;
  let timers = [];
  const sockets = [];
  const heard = [];
  const world = {
    connect() {
      const socket = { readyState: 0, sent: [], send: (text) => socket.sent.push(JSON.parse(text)), close() { socket.readyState = 3; } };
      sockets.push(socket);
      return socket;
    },
    setTimeout(run, ms) {
      const timer = { run, at: time + ms };
      timers.push(timer);
      return timer;
    },
    clearTimeout(timer) {
      timers = timers.filter((each) => each !== timer);
    },
    now: () => time,
    random: () => 1,
  };
  const pass = (ms) => {
    const until = time + ms;
    for (;;) {
      const next = timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      world.clearTimeout(next);
      time = next.at;
      next.run();
    }
    time = until;
  };
  const open = () => {
    const socket = sockets.at(-1);
    socket.readyState = 1;
    socket.onopen();
    return socket;
  };
  const answer = (socket, message) => socket.onmessage({ data: JSON.stringify(message) });
  const drop = (socket) => {
    socket.readyState = 3;
    socket.onclose();
  };
  const line = openLine("ws://x", (message) => heard.push(message), world);
  return { line, sockets, heard, pass, open, answer, drop, moves: (socket) => socket.sent.filter(({ t }) => t === "move") };
}

test("the pause before coming back doubles from 0.3 s to 5 s and is jittered downwards by half at most", () => {
  assert.deepEqual([0, 1, 2, 3, 4, 5, 20].map((k) => backoff(k, () => 1)), [300, 600, 1200, 2400, 4800, 5000, 5000]);
  assert.equal(backoff(5, () => 0), 2500);
});

test("a dropped line comes back, and a second failure waits longer", () => {
  const { line, sockets, pass, open, drop } = makeWorld();
  line.connect();
  drop(open());
  pass(299);
  assert.equal(sockets.length, 1);
  pass(1);
  assert.equal(sockets.length, 2);
  drop(sockets[1]);
  pass(599);
  assert.equal(sockets.length, 2);
  pass(1);
  assert.equal(sockets.length, 3);
});

test("a ping follows each pong after 2.5 s, and a line without any answer is given up", () => {
  const { line, sockets, heard, pass, open, answer } = makeWorld();
  line.connect();
  const socket = open();
  assert.deepEqual(socket.sent, [{ t: "ping" }]);
  pass(40);
  answer(socket, { t: "pong", v: 3, now: 5020 });
  pass(2500);
  assert.equal(socket.sent.length, 2);
  pass(8000);
  assert.equal(heard.at(-1).line, "lost");
  assert.equal(socket.readyState, 3);
  pass(300);
  assert.equal(sockets.length, 2);
});

test("an unanswered move is repeated under the same id after 2.5 s and after coming back, then no more", () => {
  const { line, sockets, pass, open, answer, drop, moves } = makeWorld();
  line.connect();
  const first = open();
  line.move({ id: "a", v: 7, m: "AS" });
  pass(2500);
  assert.deepEqual(moves(first), [{ t: "move", id: "a", v: 7, m: "AS" }, { t: "move", id: "a", v: 7, m: "AS" }]);
  drop(first);
  pass(300);
  const second = open();
  assert.deepEqual(moves(second), [{ t: "move", id: "a", v: 7, m: "AS" }]);
  answer(second, { t: "ok", id: "a", v: 8 });
  pass(6000);
  assert.equal(moves(second).length, 1);
  assert.equal(sockets.length, 2);
});

test("a move made while the line is down goes out once it is up", () => {
  const { line, open, moves } = makeWorld();
  line.connect();
  line.move({ id: "b", v: 7, m: "KS" });
  assert.equal(moves(open()).length, 1);
});

test("what was pressed before the line was there goes out with it, once, the newest of a kind and nothing old", () => {
  const { line, open, drop, pass } = makeWorld();
  line.connect();
  assert.equal(line.wish({ t: "nonce", value: "a" }), false);
  line.wish({ t: "nonce", value: "b" });
  line.wish({ t: "course", do: "pause" });
  line.wish({ t: "course", do: "stand_in" });
  const first = open();
  const wishes = (socket) => socket.sent.filter(({ t }) => t !== "ping");
  assert.deepEqual(wishes(first), [{ t: "nonce", value: "b" }, { t: "course", do: "pause" }, { t: "course", do: "stand_in" }]);
  assert.equal(line.wish({ t: "ready" }), true);
  assert.equal(wishes(first).length, 4);
  drop(first);
  line.wish({ t: "back" });
  pass(300);
  const second = open();
  assert.deepEqual(wishes(second), [{ t: "back" }]);
  drop(second);
  line.wish({ t: "hint", id: "h" });
  pass(10_001);
  assert.deepEqual(wishes(open()), []);
});

test("waking up comes back at once after a long absence", () => {
  const { line, sockets, open, drop, pass } = makeWorld();
  line.connect();
  drop(open());
  for (let k = 0; k < 6; k += 1) {
    pass(5000);
    drop(sockets.at(-1));
  }
  const before = sockets.length;
  line.wake();
  assert.equal(sockets.length, before + 1);
});

test("a page that wakes does not trust a silent line for long", () => {
  const { line, sockets, pass, open } = makeWorld();
  line.connect();
  const socket = open();
  pass(100);
  line.wake();
  assert.equal(socket.sent.at(-1).t, "ping");
  pass(2000 + 300);
  assert.equal(sockets.length, 2);
});

test("when the browser says that the network is gone the page does not wait to notice, and comes back with it", () => {
  const { line, sockets, open } = makeWorld();
  line.connect();
  open();
  line.sever();
  const before = sockets.length;
  line.wake();
  assert.equal(sockets.length, before + 1);
});

test("a farewell for good stops coming back, a restart does not", () => {
  for (const [code, more] of [["signed_out", 0], ["restart", 1]]) {
    const { line, sockets, pass, open, answer, drop } = makeWorld();
    line.connect();
    const socket = open();
    answer(socket, { t: "bye", code, message: "" });
    drop(socket);
    pass(5000);
    assert.equal(sockets.length, 1 + more, code);
  }
});

test("the server's time is read from the middle of the quickest round trip", () => {
  const { line, pass, open, answer } = makeWorld();
  line.connect();
  const socket = open();
  pass(100);
  answer(socket, { t: "pong", v: 1, now: 10_050 });
  assert.equal(line.serverNow(), 10_100);
  pass(2500);
  pass(3000);
  answer(socket, { t: "pong", v: 1, now: 11_000 });
  assert.equal(line.serverNow(), 15_600, "a slow answer does not move the clock");
});

test("a frame of an older socket is not heard", () => {
  const { line, heard, pass, open, answer, drop } = makeWorld();
  line.connect();
  const old = open();
  drop(old);
  pass(300);
  open();
  const count = heard.length;
  answer(old, { t: "pong", v: 99, now: 1 });
  assert.equal(heard.length, count);
});

test("the word of a pong is sent back at once, and moves say how slow the line usually is", () => {
  const world = makeWorld();
  world.line.connect();
  const socket = world.open();
  world.line.move({ id: "a", v: 1, m: "x" });
  assert.ok(!("lag" in world.moves(socket)[0]), "nothing was measured yet");
  world.answer(socket, { t: "ok", id: "a", v: 2 });
  world.pass(120);
  world.answer(socket, { t: "pong", v: 2, now: 0, k: "5eed5eed" });
  assert.deepEqual(socket.sent.at(-1), { t: "echo", k: "5eed5eed" });
  world.line.move({ id: "b", v: 2, m: "y" });
  assert.equal(world.moves(socket).at(-1).lag, 120);
});
