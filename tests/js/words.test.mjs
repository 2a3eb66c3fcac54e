// Names, lines, clocks, sets and places: the pure words and numbers of the table page.

import assert from "node:assert/strict";
import { test } from "node:test";

import { byRank, bySuit, cardName, cardSign, deckName, keyed, points } from "../../static/games/cards.js";
import { brief, crossed, reading, spoken } from "../../static/games/clock.js";
import { fill } from "../../static/games/i18n.js";
import { lineFor, summary } from "../../static/games/log.js";
import { reason } from "../../static/games/reasons.js";
import { oval, ring, strip } from "../../static/games/seats.js";
import { canGrow, problem, targetsOf } from "../../static/games/sets.js";

const frame = { table: { you: 2, seats: [{ seat: 1, name: "Mari" }, { seat: 2, name: "Jaan" }, { seat: 3, name: "Kadri" }] } };
const text = (event) => lineFor(event, frame)?.text;

test("cards have names for the ear and signs for the eye", () => {
  assert.equal(cardName("QH"), "Queen of hearts");
  assert.equal(cardSign("TD"), "10♦");
  assert.deepEqual(["AS", "TH", "KD", "7C"].map(points), [1, 10, 10, 7]);
});

test("hands are sorted: trumps first in Loo, low ranks first in Least Score", () => {
  assert.deepEqual(bySuit(["2S", "KD", "3H", "AS"], "D"), ["KD", "AS", "2S", "3H"]);
  assert.deepEqual(byRank(["KD", "AS", "TH", "2C"]), ["AS", "2C", "TH", "KD"]);
});

test("two equal cards of two packs have keys of their own", () => {
  assert.deepEqual(keyed(["7H", "7H", "8S"]).map(({ key }) => key), ["7H", "7H#2", "8S"]);
});

test("small screens and the usual wish have big indices", () => {
  assert.equal(deckName(), "four-big");
  assert.equal(deckName({ colours: "two", faces: "plain" }, true), "two");
  assert.equal(deckName({ colours: "two", faces: "plain" }, false), "two-big");
});

test("places in texts are filled, unknown ones stay visible", () => {
  assert.equal(fill("%(a)s and %(b)s", { a: 1 }), "1 and %(b)s");
});

test("events are told in the second person to whom they happen", () => {
  assert.equal(text({ type: "announce", seat: 2, move: "fold" }), "You fold.");
  assert.equal(text({ type: "announce", seat: 1, move: "miss" }), "Mari takes the miss.");
  assert.equal(text({ type: "card", seat: 3, card: "TD" }), "Kadri plays 10♦.");
  assert.equal(lineFor({ type: "card", seat: 3, card: "TD" }, frame).spoken, "Kadri plays Ten of diamonds.");
  assert.equal(text({ type: "stakes", from: 2, to: 0, amount: 1, reason: "loo" }), "You are looed and pay 1 stake.");
  assert.equal(text({ type: "stakes", from: 0, to: 1, amount: 6, reason: "trick" }), "Mari wins 6 stakes for tricks.");
  assert.equal(text({ type: "stakes", from: 1, to: 3, amount: 2, reason: "per_point" }), "Mari pays Kadri 2 stakes.");
  assert.equal(text({ type: "discard", seat: 1, cards: ["7H", "7S"] }), "Mari lays 7♥ 7♠.");
});

test("a card drawn from the stock is named to its drawer alone", () => {
  assert.equal(text({ type: "take", seat: 2, from: "stock", card: "QS" }), "You draw Q♠ from the stock.");
  assert.equal(text({ type: "take", seat: 1, from: "stock" }), "Mari draws from the stock.");
  assert.equal(text({ type: "take", seat: 1, from: "open", card: "QS" }), "Mari takes Q♠.");
});

test("an event nobody needs to hear of, or an unknown one, makes no line", () => {
  assert.equal(text({ type: "deal_scored" }), undefined);
  assert.equal(text({ type: "something_new" }), undefined);
});

test("the line under the board holds the last two things if they fit", () => {
  const lines = (...texts) => texts.map((each) => ({ text: each, quiet: false }));
  assert.equal(summary(lines("One.", "Two.", "Three.")), "Two. Three.");
  assert.equal(summary(lines("A very long sentence that fills the line.", "Another one that is long.")), "Another one that is long.");
  // Suits are wider than letters: as many signs do not fit.
  assert.equal(summary(lines("Your cards: A♦ 5♦ 7♦ 9♥ 10♣.", "Turned up: 5♥.")), "Turned up: 5♥.");
  assert.equal(summary([]), "");
});

test("a clock shows the move's time first, then the bank, then only waits for the server", () => {
  const clock = { seat: 3, deadline: 100_000, turn_ms: 15_000, bank_left: { 3: 40_000 } };
  assert.deepEqual(reading(clock, 50_000), { left: 50_000, part: 10 / 15, phase: "move", shown: 10_000 });
  assert.deepEqual(reading(clock, 80_000), { left: 20_000, part: 0.5, phase: "bank", shown: 20_000 });
  assert.deepEqual(reading(clock, 100_000), { left: 0, part: 0, phase: "waiting" });
  assert.equal(reading(clock, 999_999).phase, "waiting");
});

test("times are short for the eye and whole for the ear", () => {
  assert.deepEqual([9_400, 65_000, 7_300_000, 200_000_000].map(brief), ["10", "1:05", "2 h", "2 d"]);
  assert.equal(spoken(65_000), "1 minute 5 seconds");
  assert.equal(spoken(1_000), "1 second");
});

test("each warning is given once, when it is crossed", () => {
  assert.deepEqual(crossed(31_000, 29_000), [30]);
  assert.deepEqual(crossed(29_000, 28_000), []);
  assert.deepEqual(crossed(40_000, 9_000), [30, 10]);
});

test("chosen cards find their moves whatever their order", () => {
  const legal = ["7S > stock", "7S > KD", "7H 7S > stock", "7H 7S > KD", "declare"];
  assert.equal(targetsOf(legal, ["7S", "7H"]).get("KD"), "7H 7S > KD");
  assert.equal(targetsOf(legal, ["7H"]), null);
  assert.equal(canGrow(legal, ["7H"]), true);
  assert.equal(canGrow(legal, ["7H", "8C"]), false);
});

test("two equal cards are a pair, not one card twice", () => {
  const legal = ["7H > stock", "7H 7H > stock"];
  assert.equal(targetsOf(legal, ["7H", "7H"]).get("stock"), "7H 7H > stock");
  assert.equal(canGrow(legal, ["7H", "7H", "7H"]), false);
});

test("why cards are not a set is said as exactly as the rules do", () => {
  const cases = [
    ["", "no_cards"], ["KS KD KH", "three_of_a_kind"], ["2S 3D 4H 5C", "run_of_four"], ["KS AD 2H", "ace_in_the_middle"],
    ["7S 7D 8H 8C", "two_pairs"], ["2S 5S 9S KS", "short_flush"], ["2S 9D", "not_a_set"], ["QS KD AH 2C", "ace_in_the_middle"],
  ];
  for (const [cards, code] of cases) assert.equal(problem(cards.split(" ").filter(Boolean)), code, cards);
  assert.equal(problem(["2S", "3D", "4S"], { runs: "one_suit" }), "mixed_suits");
});

test("every refusal of the rules has words", () => {
  assert.equal(reason("must_head"), "You must head the trick: play a card that beats it.");
  assert.equal(reason("some_new_code"), "some new code");
});

test("2 to 16 seats have places that do not lie on each other, on phones and on wide boards", () => {
  const apart = (places, [w, h], [pw, ph], what) => {
    places.forEach((a, i) => places.slice(i + 1).forEach((b, k) => {
      const free = Math.abs(a.x - b.x) * (w - pw) >= pw || Math.abs(a.y - b.y) * (h - ph) >= ph;
      assert.ok(free, `${what}: places ${i} and ${i + k + 1} overlap`);
    }));
  };
  for (let n = 1; n <= 16; n += 1) {
    const phone = ring(n);
    assert.equal(phone.places.length, n);
    apart(phone.places, [342, 322], [(342 - 4 * (phone.columns - 1)) / phone.columns, Math.min(n <= 7 ? 78 : 54, (322 - 4 * (phone.rows - 1)) / phone.rows)], `ring of ${n}`);
    const size = n >= 10 ? [122, 76] : n >= 8 ? [150, 104] : [172, 104];
    apart(oval(n), [905, 480], size, `oval of ${n}`);
    apart(oval(n, false), [905, 560], size, `watched oval of ${n}`);
    const tablet = n >= 10 ? [100, 76] : n >= 8 ? [120, 104] : [136, 104];
    apart(oval(n), [716, 600], tablet, `oval of ${n} on a tablet`);
    apart(oval(n, false), [716, 700], tablet, `watched oval of ${n} on a tablet`);
  }
  for (let n = 1; n <= 9; n += 1) {
    const { places, rows, columns } = strip(n, 3);
    apart(places, [342, rows * 58 - 4], [(342 - 4 * (columns - 1)) / columns, 54], `strip of ${n}`);
  }
});
