// The reducer of the chat: lines once and in order, what was missed, unread counts, answers.

import assert from "node:assert/strict";
import { test } from "node:test";

import { initialChat, isMine, reduceChat, unread } from "../../static/games/chat_state.js";

const line = (id, more = {}) => ({ id, room: "table", seat: 1, name: "Mari", own: false, erased: false, phrase: null, text: `line ${id}`, at: 1000 * id, ...more });

const chat = (ids, more = {}) => ({
  t: "chat", all: false, after: ids[0] - 1, to: ids.at(-1), rooms: ["table"], room: "table", write: "text", closed: false, signed_in: true,
  lines: ids.map((id) => (typeof id === "number" ? line(id) : id)),
  ...more,
});
const history = (ids, more = {}) => chat(ids, { all: true, after: 0, ...more });
const after = (...messages) => messages.reduce((state, message) => reduceChat(state, message).state, initialChat);
const ids = (state) => state.lines.map((each) => each.id);
const kinds = (step) => step.effects.map((effect) => effect.do);

test("the first history is no news: nothing unread, nothing spoken", () => {
  const step = reduceChat(initialChat, history([3, 4, 5]));
  assert.deepEqual(ids(step.state), [3, 4, 5]);
  assert.equal(unread(step.state), 0);
  assert.deepEqual(kinds(step), ["show"]);
});

test("a new line of somebody else is unread and spoken once; doubled frames change nothing", () => {
  const first = reduceChat(after(history([3])), chat([4], { after: 3 }));
  assert.equal(unread(first.state), 1);
  assert.deepEqual(first.effects.at(-1), { do: "speak", lines: [line(4)] });
  const again = reduceChat(first.state, chat([4], { after: 3 }));
  assert.deepEqual(ids(again.state), [3, 4]);
  assert.equal(unread(again.state), 1);
  assert.deepEqual(kinds(again), ["show"]);
});

test("a frame that begins after what is known asks for the gap, and the answer fills it in order", () => {
  const step = reduceChat(after(history([3])), chat([7], { after: 6 }));
  assert.deepEqual(ids(step.state), [3, 7]);
  assert.equal(step.state.to, 3);
  assert.deepEqual(step.effects.filter((each) => each.do === "send"), [{ do: "send", frame: { t: "chat_since", id: 3 } }]);
  const filled = reduceChat(step.state, chat([4, 5, 7], { after: 3 }));
  assert.deepEqual(ids(filled.state), [3, 4, 5, 7]);
  assert.equal(filled.state.to, 7);
  assert.deepEqual(filled.effects.at(-1).lines.map((each) => each.id), [4, 5]);
});

test("a history that replaces takes lines away: a mute or a hidden line", () => {
  const state = after(history([3]), chat([4, 5], { after: 3 }), history([5]));
  assert.deepEqual(ids(state), [5]);
  assert.equal(unread(state), 1);
});

test("opening the drawer reads everything, and nothing is unread while it is open", () => {
  let state = after(history([3]), chat([4], { after: 3 }), { t: "drawer", open: true });
  assert.equal(unread(state), 0);
  state = reduceChat(state, chat([5], { after: 4 })).state;
  state = reduceChat(state, { t: "drawer", open: false }).state;
  assert.equal(unread(state), 0);
  assert.equal(unread(reduceChat(state, chat([6], { after: 5 })).state), 1);
});

test("a drawer that was opened before the chat was told offers the line to write in once it is", () => {
  const early = reduceChat(after({ t: "drawer", open: true }), history([3]));
  assert.deepEqual(kinds(early), ["show", "offer"]);
  assert.deepEqual(kinds(reduceChat(early.state, chat([4], { after: 3, to: 4 }))), ["show", "speak"]);
  assert.deepEqual(kinds(reduceChat(after(), history([3]))), ["show"]);
});

test("own lines are never unread nor spoken", () => {
  const step = reduceChat(after(history([3])), chat([line(4, { own: true })], { after: 3, to: 4 }));
  assert.equal(unread(step.state), 0);
  assert.deepEqual(kinds(step), ["show"]);
});

const frame = { t: "say", id: "a1", room: "table", text: "Hello" };

test("one line waits at a time; its answer brings the line before the chat does", () => {
  const sent = reduceChat(after(history([3])), { t: "say", frame });
  assert.deepEqual(sent.effects[0], { do: "send", frame });
  assert.deepEqual(reduceChat(sent.state, { t: "say", frame: { ...frame, id: "a2" } }).effects, []);
  const answered = reduceChat(sent.state, { t: "ok", id: "a1", line: line(4, { own: true }) });
  assert.deepEqual(ids(answered.state), [3, 4]);
  assert.equal(answered.state.sending, null);
  assert.deepEqual(answered.effects.at(-1), { do: "sent", frame });
  assert.deepEqual(ids(reduceChat(answered.state, chat([line(4, { own: true })], { after: 3, to: 4 })).state), [3, 4]);
});

test("a refusal is kept for the reader and leaves the text to be changed; the next try clears it", () => {
  const sent = after(history([3]), { t: "say", frame });
  const step = reduceChat(sent, { t: "refused", id: "a1", code: "chat_too_fast", message: "Too fast." });
  assert.equal(step.state.refusal, "Too fast.");
  assert.deepEqual(kinds(step), ["show"]);
  assert.equal(reduceChat(step.state, { t: "say", frame }).state.refusal, "");
});

test("answers to moves and to other commands are not the chat's", () => {
  const sent = after(history([3]), { t: "say", frame });
  for (const message of [{ t: "ok", id: "b1", v: 7 }, { t: "refused", id: "b1", message: "x" }, { t: "refused", id: null, message: "x" }]) {
    assert.equal(isMine(sent, message), false);
    assert.equal(reduceChat(sent, message).state, sent);
  }
  assert.equal(isMine(sent, { t: "refused", id: "mute-4" }), true);
});

test("a line that waits when the connection comes back is sent again under its id", () => {
  const sent = after(history([3]), { t: "say", frame });
  assert.deepEqual(reduceChat(sent, { t: "line", line: "lost" }).effects, []);
  assert.deepEqual(reduceChat(sent, { t: "line", line: "open" }).effects, [{ do: "send", frame }]);
  assert.deepEqual(reduceChat(after(history([3])), { t: "line", line: "open" }).effects, []);
});

test("lines are asked for anew when the seat or the end of the match changes what may be read", () => {
  let state = after({ t: "place", you: 1, over: false }, history([3]));
  assert.deepEqual(reduceChat(state, { t: "place", you: 1, over: false }).effects, []);
  const over = reduceChat(state, { t: "place", you: 1, over: true });
  assert.deepEqual(over.effects, [{ do: "send", frame: { t: "chat_since", id: 0 } }]);
  const left = reduceChat(state, { t: "place", you: null, over: false });
  assert.deepEqual(left.effects, [{ do: "send", frame: { t: "chat_since", id: 0 } }]);
  assert.deepEqual(reduceChat(initialChat, { t: "place", you: 1, over: true }).effects, []);
});

test("muting sends the line's number and no name, and is told when the lines are gone", () => {
  const step = reduceChat(after(history([3, 4])), { t: "mute", id: 3, name: "Mari" });
  const frame = { t: "mute", id: "mute-3", line: 3 };
  assert.deepEqual(step.effects, [{ do: "send", frame }, { do: "show" }]);
  const other = reduceChat(step.state, chat([5], { after: 4 }));
  assert.deepEqual(kinds(other), ["show", "speak"]);
  const gone = reduceChat(other.state, history([]));
  assert.deepEqual(gone.effects, [{ do: "show" }, { do: "muted", name: "Mari" }]);
  assert.deepEqual(reduceChat(gone.state, history([])).effects, [{ do: "show" }]);
});

test("a mute that was pressed while the line was down was lost: it is sent again until its lines are gone", () => {
  const frame = { t: "mute", id: "mute-3", line: 3 };
  let state = after(history([3, 4]), { t: "line", line: "lost" }, { t: "mute", id: 3, name: "Mari" });
  const back = reduceChat(state, { t: "line", line: "open" });
  assert.deepEqual(back.effects, [{ do: "send", frame }]);
  state = reduceChat(back.state, history([3, 4])).state; // what the server knew before it heard of it
  assert.deepEqual(reduceChat(state, { t: "line", line: "open" }).effects, [{ do: "send", frame }]);
  state = reduceChat(state, history([4])).state;
  assert.deepEqual(reduceChat(state, { t: "line", line: "open" }).effects, []);
  assert.equal(reduceChat(state, { t: "refused", id: "mute-3", message: "No such line." }).state.refusal, "", "the second of two was not needed");
});

test("a mute that is refused is told and not sent again", () => {
  const state = after(history([3]), { t: "mute", id: 3, name: "Mari" });
  const refused = reduceChat(state, { t: "refused", id: "mute-3", message: "No such line." });
  assert.equal(refused.state.refusal, "No such line.");
  assert.deepEqual(reduceChat(refused.state, { t: "line", line: "open" }).effects, []);
});

test("the page keeps the last two hundred lines", () => {
  const many = Array.from({ length: 250 }, (_, n) => n + 1);
  let state = after(history([1]));
  for (const id of many.slice(1)) state = reduceChat(state, chat([id], { after: id - 1 })).state;
  assert.deepEqual(ids(state), many.slice(50));
});
