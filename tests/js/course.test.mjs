// The course of a match in words: which notice a page shows, and when it goes on to the next match by itself.

import assert from "node:assert/strict";
import { test } from "node:test";

import { inDays, moment, reading } from "../../static/games/clock.js";
import { frameFor, goesOn, noticeOf } from "../../static/games/course.js";
import { lineFor } from "../../static/games/log.js";
import { presence } from "../../static/games/seats.js";
import { initial, myTurn, reduce } from "../../static/games/state.js";

const seats = [{ seat: 1, name: "Mari" }, { seat: 2, name: "Jaan" }, { seat: 3, name: "Kadri" }];
const frame = (course, more = {}) => ({
  table: { id: "old", you: 2, status: "playing", seats, course: { can: [], pause: null, abandoned: [], rematch: null, buy_in: 0, ...course }, ...more },
});
const offer = { running: false, seats: [1], asked: [2, 3], until: 61_000 };
const text = (event) => lineFor(event, frame({}))?.text;

test("an offered pause asks those who have not answered, and tells the others who is waited for", () => {
  const asked = noticeOf(frame({ pause: offer, can: ["agree", "decline"] }));
  assert.equal(asked.text, "Mari would like a pause of up to 10 minutes.");
  assert.deepEqual(asked.acts.map(([act]) => act), ["agree", "decline"]);
  assert.equal(asked.until, 61_000);
  const agreed = noticeOf(frame({ pause: { ...offer, seats: [1, 2], asked: [3] }, can: ["decline"] }));
  assert.equal(agreed.text, "You agreed to a pause. Waiting for Kadri.");
  const watched = noticeOf(frame({ pause: offer }, { you: null }));
  assert.equal(watched.text, "Mari offered a pause. Waiting for Jaan and Kadri.");
  assert.deepEqual(watched.acts, []);
});

test("during a pause nobody is on turn and the clock stands, also after a reload", () => {
  const pause = { ...offer, running: true, until: 600_000 };
  const paused = frame({ pause, can: ["go_on"] });
  assert.deepEqual(noticeOf(paused).acts.map(([act]) => act), ["go_on"]);
  assert.deepEqual(noticeOf(frame({ pause })).acts, []);
  const table = { ...paused.table, deal: { turn: 2 }, clock: null };
  const running = { ...table, course: { ...table.course, pause: null } };
  assert.equal(myTurn(reduce(initial, { t: "state", v: 1, table: running }).state), true);
  assert.equal(myTurn(reduce(initial, { t: "state", v: 1, table }).state), false);
  const clock = { seat: 3, deadline: 100_000, turn_ms: 15_000, bank_left: { 3: 40_000 }, stopped: 50_000 };
  assert.deepEqual(reading(clock, 999_000), reading({ ...clock, stopped: null }, 50_000));
});

test("the early end is asked for twice, and the question stays while it may be asked", () => {
  const alone = frame({ can: ["end_now"] });
  assert.deepEqual(noticeOf(alone).acts.map(([act]) => act), ["end_now?"]);
  assert.deepEqual(noticeOf(alone, "end_now").acts.map(([act]) => act), ["end_now", "no"]);
  assert.equal(noticeOf(alone, "end_now").key, noticeOf({ ...alone }, "end_now").key);
  assert.equal(noticeOf(frame({}), "end_now"), null);
});

test("who sits out can come back", () => {
  assert.deepEqual(noticeOf(frame({ can: ["sit_in"] })).acts.map(([act]) => act), ["sit_in"]);
});

test("after the match a page says who plays again, asks for the price, and follows its own member only", () => {
  const over = (course) => frame(course, { status: "finished" });
  assert.equal(noticeOf(over({ can: ["again"] })), null);
  const waits = over({ can: ["again"], rematch: { table: "new", seats: [1, 3] } });
  assert.equal(noticeOf(waits).text, "Mari and Kadri play again.");
  assert.deepEqual(noticeOf(waits).acts.map(([act]) => act), ["follow"]);
  const price = over({ can: ["again"], buy_in: 200 });
  assert.equal(noticeOf(price, "again").text, "Playing again costs a buy-in of 200 chips.");
  assert.deepEqual(frameFor("again", price.table.course), { t: "course", do: "again", buy_in: 200 });
  assert.deepEqual(frameFor("again", waits.table.course), { t: "course", do: "again" });
  assert.equal(goesOn(waits, [], true), false);
  const mine = over({ can: ["again"], rematch: { table: "new", seats: [1, 2] } });
  assert.equal(goesOn(mine, [], true), true);
  assert.equal(goesOn(mine, [{ type: "again", seat: 2 }], false), true);
  assert.equal(goesOn(mine, [{ type: "again", seat: 1 }], false), false, "a page that is looked at again stays");
  assert.equal(goesOn(over({ rematch: { table: "new", seats: [1] } }, { you: null }), [], true), false);
});

test("a deadline days away is told as a moment", () => {
  assert.equal(inDays({ turn_ms: 86_400_000 }), true);
  assert.equal(inDays({ turn_ms: 40_000 }), false);
});

test("times are told in the zone of the page, not of the device", () => {
  const at = Date.UTC(2026, 0, 6, 22, 5);
  const page = (lang, zone) => ({ lang, dataset: { zone } });
  assert.match(moment(at, { page: page("en", "Europe/Tallinn") }), /^Wed,? 00:05$/);
  assert.match(moment(at, { page: page("et", "America/New_York") }), /^T,? 17:05$/);
  assert.equal(moment(at, { page: page("en", "Asia/Kathmandu"), day: false }), "03:50");
  assert.match(moment(at, { page: page("en") }), /^\w{3},? \d{2}:\d5$/);
});

test("the page of a table stopped where the browser was older than the name of the zone", () => {
  const told = (zone) => moment(Date.UTC(2026, 0, 6, 22, 5), { page: { lang: "en", dataset: { zone } } });
  assert.equal(told("Europe/Atlantis"), told());
});

test("what happens to the course of a match has its lines", () => {
  assert.equal(text({ type: "pause_offered", seat: 1 }), "Mari offers a pause.");
  assert.equal(text({ type: "paused", seconds: 600, number: 1 }), "The match is paused for up to 10 minutes.");
  assert.equal(text({ type: "resumed", seat: null }), "The pause is over.");
  assert.equal(text({ type: "resumed", seat: 2 }), "You end the pause.");
  assert.equal(text({ type: "stand_in", seat: 1, asked: true }), "Mari lets a bot play for them.");
  assert.equal(text({ type: "stand_in", seat: 1 }), "Mari is away: a bot plays for them.");
  assert.equal(text({ type: "left", seat: 1, why: "sat_out" }), "Mari sat out too long: the seat counts as left.");
  assert.equal(text({ type: "sits_in", seat: 3, why: "needed" }), "Kadri is dealt in again: too few were left.");
  assert.equal(text({ type: "ended_early", seat: 2 }), "You end the match: nobody else plays any more.");
  assert.equal(text({ type: "again", seat: 1, table: "new" }), "Mari plays again.");
  assert.equal(text({ type: "final", ranking: [[2, 1], [2, 2]], abandoned: [1, 2] }), "The match is over.");
});

test("a deal names who is not dealt in", () => {
  assert.equal(text({ type: "deal", number: 2, dealer: 1, sat_out: [] }), "Deal 2. Mari deals.");
  assert.equal(text({ type: "deal", number: 2, dealer: 1, sat_out: [3] }), "Deal 2. Mari deals. Kadri is not dealt in.");
});

test("a plate says who is gone and who only sits out", () => {
  assert.equal(presence({ stand_in: true, left: true }), "left the table, a bot plays");
  assert.equal(presence({ stand_in: true }), "a bot plays for them");
  assert.equal(presence({ program: true, present: false }), "a program plays");
  assert.equal(presence({ sitting_out: true }), "sits out");
});
