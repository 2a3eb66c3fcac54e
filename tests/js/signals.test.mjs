// Sounds, in a browser as strict as Safari: audio begins while somebody presses something and not at the server's word.

import assert from "node:assert/strict";
import { test } from "node:test";

import { sound, soundOf, wakeSound } from "../../static/games/signals.js";

let pressing = false;
let begun = 0;
const made = [];
const knob = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };

globalThis.AudioContext = class {
  state = pressing ? "running" : "suspended";
  currentTime = 0;
  constructor() { made.push(this); }
  async resume() {
    if (!pressing) throw new Error("not allowed");
    this.state = "running";
  }
  createOscillator = () => ({ frequency: {}, connect: (next) => next, start: () => { begun += 1; }, stop() {} });
  createGain = () => ({ gain: knob, connect: (next) => next });
};

function press() {
  pressing = true;
  wakeSound();
  pressing = false;
}

test("sounds were never heard where audio begins only while somebody presses something", async () => {
  sound("turn");
  assert.equal(begun, 0, "nobody has asked for sounds");
  press();
  sound("turn");
  assert.equal(begun, 1, "the turn comes with a message, when nobody presses");
});

test("a phone that was locked sounds again from the next press on, and not all that was missed at once", async () => {
  made[0].state = "interrupted";
  sound("trick");
  wakeSound();
  await Promise.resolve();
  assert.equal(begun, 1);
  press();
  await Promise.resolve();
  sound("trick");
  assert.equal(begun, 3, "two waves");
  assert.equal(made.length, 1);
});

test("of all that happened at once the most important is heard, and nothing of what has no sound", () => {
  assert.equal(soundOf([{ type: "card" }, { type: "trick" }, { type: "deal_over" }]), "over");
  assert.equal(soundOf([{ type: "card" }, { type: "trick" }]), "trick");
  assert.equal(soundOf([{ type: "announce" }]), null);
  sound(null);
  assert.equal(begun, 3);
});
