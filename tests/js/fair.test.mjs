// The check in the browser against the test vectors of docs/fair_deal.md, and against proofs with one thing wrong.

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { checkAll, encode, fairDealer, fairDeck, fairReshuffle, faultsOf, fromHex, hashed, hmac, makeStream, toHex } from "../../static/games/fair.js";

const page = readFileSync(new URL("../../docs/fair_deal.md", import.meta.url), "utf8");
const [proof, vectors] = [...page.matchAll(/```json\n([\s\S]*?)\n```/g)].map(([, json]) => JSON.parse(json));
const { nonces, deal, seats, chain } = vectors;
const seed = fromHex(chain[deal]);
const cards = (line) => line.split(" ");
const words = async (stream, n) => {
  const all = [];
  while (all.length < n) all.push(await stream.word());
  return all;
};

test("the chain of the page leads from its last seed to the commitment", async () => {
  const last = fromHex(chain.at(-1));
  for (const [k, wanted] of chain.entries()) assert.equal(toHex(await hashed(last, chain.length - 1 - k)), wanted);
});

test("the message and the words of the stream are those of the page", async () => {
  assert.equal(toHex(encode(nonces, deal, "deal")), vectors.message);
  assert.deepEqual(await words(makeStream(seed, nonces, deal, "deal"), vectors.words.length), vectors.words);
});

test("numbers below a limit throw the same words away as the page", async () => {
  const stream = makeStream(seed, nonces, deal, "deal");
  const drawn = [];
  while (drawn.length < vectors.below_3000000000.length) drawn.push(await stream.below(3_000_000_000));
  assert.deepEqual(drawn, vectors.below_3000000000);
});

test("decks, reshuffles and the first dealer are those of the page", async () => {
  assert.deepEqual(await fairDeck(seed, nonces, deal, 1), cards(vectors.deck_1_pack));
  assert.deepEqual(await fairDeck(seed, nonces, deal, 2), cards(vectors.deck_2_packs));
  for (const n of [1, 2]) assert.deepEqual(await fairReshuffle(seed, nonces, deal, n, cards(vectors.to_reshuffle)), cards(vectors[`reshuffle_${n}`]));
  assert.equal(await fairDealer(fromHex(chain[1]), nonces, 1, seats), vectors.first_dealer_of_deal_1);
});

test("the keyed hash is HMAC-SHA-256", async () => {
  for (const size of [0, 1, 55, 64, 200]) {
    const message = Uint8Array.from({ length: size }, (_, at) => at);
    assert.equal(toHex(await hmac(seed, message)), createHmac("sha256", seed).update(message).digest("hex"));
  }
});

test("the proof of the page holds, also traced from an earlier seed", async () => {
  assert.deepEqual(await faultsOf(proof), []);
  const second = { ...proof, deal: 2, seed: chain[2], deck: await fairDeck(seed, proof.nonces, 2), reshuffles: [], first_dealer: undefined };
  assert.deepEqual(await faultsOf(second, { deal: 1, seed: fromHex(chain[1]) }), []);
});

const swapped = (list, a, b) => list.map((card, at) => (at === a ? list[b] : at === b ? list[a] : card));
const WRONG = {
  "another seed": [{ seed: chain[2] }, "seed"],
  "two cards of the deck exchanged": [{ deck: swapped(proof.deck, 3, 40) }, "deck"],
  "a card missing from the deck": [{ deck: proof.deck.slice(1) }, "deck_length"],
  "another nonce": [{ nonces: ["1", "viis kuud", "õun", "4", "7"] }, "deck"],
  "another number of the deal": [{ deal: 2 }, "seed"],
  "two cards of a reshuffle exchanged": [{ reshuffles: [swapped(proof.reshuffles[0], 0, 1)] }, "reshuffle"],
  "a reshuffle with a card twice": [{ reshuffles: [["AC", "AC"]] }, "reshuffle_cards"],
  "another first dealer": [{ first_dealer: 3 }, "dealer"],
};

for (const [name, [change, code]] of Object.entries(WRONG)) {
  test(`a proof is caught with ${name}`, async () => {
    assert.ok((await faultsOf({ ...proof, ...change })).some((fault) => fault.code === code));
  });
}

test("what differs is named: the first place, what lies there and what should", async () => {
  const [fault] = await faultsOf({ ...proof, deck: swapped(proof.deck, 3, 40) });
  assert.deepEqual(fault, { code: "deck", place: 4, found: proof.deck[40], fair: proof.deck[3] });
});

test("all deals are checked in order, and a wrong seed in the middle spoils only its own deal", async () => {
  const proofs = await Promise.all([1, 2, 3].map(async (k) => ({
    commitment: chain[0], deal: k, seed: chain[k], nonces, deck: await fairDeck(fromHex(chain[k]), nonces, k),
  })));
  const said = [];
  const each = ({ deal: k }, faults) => said.push([k, faults.map(({ code }) => code)]);
  assert.deepEqual(await checkAll([proofs[2], proofs[0], proofs[1]], chain[0], each), { checked: 3, bad: 0 });
  assert.deepEqual(said.splice(0), [[1, []], [2, []], [3, []]]);
  const forged = { ...proofs[1], seed: chain[0], deck: await fairDeck(fromHex(chain[0]), nonces, 2) };
  assert.deepEqual(await checkAll([proofs[0], forged, proofs[2]], chain[0], each), { checked: 3, bad: 1 });
  assert.deepEqual(said.splice(0), [[1, []], [2, ["seed"]], [3, []]]);
});

test("a commitment that is not the one shown is at fault even if the chain fits it", async () => {
  const result = [];
  await checkAll([proof], chain[1], (_, faults) => result.push(faults.map(({ code }) => code)));
  assert.ok(result[0].includes("commitment"));
});

test("without the browser's own hashing the result is the same", async () => {
  const own = globalThis.crypto;
  Object.defineProperty(globalThis, "crypto", { value: undefined, configurable: true });
  try {
    assert.deepEqual(await faultsOf(proof), []);
  } finally {
    Object.defineProperty(globalThis, "crypto", { value: own, configurable: true });
  }
});
