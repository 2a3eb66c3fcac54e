// The check of a fair deal, as docs/fair_deal.md describes it byte by byte: seeds back to the commitment, and from
// seed and nonces the deck, the reshuffles and the first dealer. Nothing here asks the server for anything.

import { sha256 } from "../ledger/sha2.js";

const BLOCK = 64; // bytes that SHA-256 takes at a time, the size of HMAC's pads
const WORDS = 2 ** 32;
export const PACK = [..."CDHS"].flatMap((suit) => [..."23456789TJQKA"].map((rank) => rank + suit));
const ORDER = new Map(PACK.map((card, place) => [card, place]));

export function fromHex(digits) {
  if (!/^([0-9a-f]{2})*$/i.test(digits)) throw new TypeError("not hexadecimal");
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

export const toHex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

function join(...parts) {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

const integer = (value) => new Uint8Array([value >>> 24, value >>> 16, value >>> 8, value]);

function text(value) {
  const bytes = new TextEncoder().encode(value);
  return join(integer(bytes.length), bytes);
}

/** The message of a stream without its counter. */
export function encode(nonces, deal, purpose) {
  return join(integer(nonces.length), ...nonces.map(text), integer(deal), text(purpose));
}

/** HMAC-SHA-256 (RFC 2104) with a key of at most 64 bytes. */
export async function hmac(key, message) {
  const pad = (byte) => Uint8Array.from({ length: BLOCK }, (_, at) => (key[at] ?? 0) ^ byte);
  return sha256(join(pad(0x5c), await sha256(join(pad(0x36), message))));
}

/** The stream of one purpose of one deal, read as words of 4 bytes. */
export function makeStream(seed, nonces, deal, purpose) {
  const message = encode(nonces, deal, purpose);
  let counter = 0;
  let words = [];

  async function word() {
    if (words.length === 0) {
      const block = await hmac(seed, join(message, integer(counter)));
      const view = new DataView(block.buffer, block.byteOffset);
      words = Array.from({ length: block.length / 4 }, (_, at) => view.getUint32(4 * at));
      counter += 1;
    }
    return words.shift();
  }

  /** A number from 0 to `limit` - 1; words that would favour the small numbers are thrown away. */
  async function below(limit) {
    const fair = WORDS - (WORDS % limit);
    for (;;) {
      const drawn = await word();
      if (drawn < fair) return drawn % limit;
    }
  }

  /** Fisher and Yates, from the top. */
  async function shuffle(cards) {
    const order = [...cards];
    for (let top = 0; top < order.length - 1; top += 1) {
      const pick = top + (await below(order.length - top));
      [order[top], order[pick]] = [order[pick], order[top]];
    }
    return order;
  }

  return { word, below, shuffle };
}

/** The seed hashed `times` times: the seed of an earlier deal, in the end the commitment. */
export async function hashed(seed, times) {
  let now = seed;
  for (let done = 0; done < times; done += 1) now = await sha256(now);
  return now;
}

export function fairDeck(seed, nonces, deal, packs = 1) {
  return makeStream(seed, nonces, deal, "deal").shuffle(Array.from({ length: packs }, () => PACK).flat());
}

export function fairReshuffle(seed, nonces, deal, number, cards) {
  const inOrder = [...cards].sort((a, b) => ORDER.get(a) - ORDER.get(b));
  return makeStream(seed, nonces, deal, `reshuffle ${number}`).shuffle(inOrder);
}

export async function fairDealer(seed, nonces, deal, seats) {
  return seats[await makeStream(seed, nonces, deal, "first dealer").below(seats.length)];
}

/**
 * What a proof claims and the fair deal does not give, as `{code, ...}`; empty if all holds. `known` is an earlier
 * seed that was traced to the commitment, as `{deal, seed}`, so that a long chain is hashed once and not for every deal.
 */
export async function faultsOf(proof, known = { deal: 0, seed: fromHex(proof.commitment) }) {
  const { deal, nonces, packs = 1, deck, reshuffles = [] } = proof;
  const seed = fromHex(proof.seed);
  const faults = [];
  if (toHex(await hashed(seed, deal - known.deal)) !== toHex(known.seed)) faults.push({ code: "seed" });
  faults.push(...difference("deck", deck, await fairDeck(seed, nonces, deal, packs)));
  for (const [at, cards] of reshuffles.entries()) {
    const number = at + 1;
    if (!isPart(cards, deck)) faults.push({ code: "reshuffle_cards", number });
    else faults.push(...difference("reshuffle", cards, await fairReshuffle(seed, nonces, deal, number, cards), { number }));
  }
  if (proof.first_dealer !== undefined) {
    const drawn = await fairDealer(seed, nonces, deal, proof.seats);
    if (drawn !== proof.first_dealer) faults.push({ code: "dealer", found: proof.first_dealer, fair: drawn });
  }
  return faults;
}

function difference(code, found, fair, values = {}) {
  if (found.length !== fair.length) return [{ code: `${code}_length`, found: found.length, fair: fair.length, ...values }];
  const at = found.findIndex((card, place) => card !== fair[place]);
  return at < 0 ? [] : [{ code, place: at + 1, found: found[at], fair: fair[at], ...values }];
}

function isPart(cards, deck) {
  const left = new Map();
  for (const card of deck) left.set(card, (left.get(card) ?? 0) + 1);
  return cards.every((card) => {
    left.set(card, (left.get(card) ?? 0) - 1);
    return left.get(card) >= 0;
  });
}

/**
 * Check proofs of one table in the order of their deals against the commitment that the page showed, and say of each
 * `each(proof, faults)`. A proof that names another commitment is at fault whatever else it says.
 */
export async function checkAll(proofs, commitment, each) {
  let known = { deal: 0, seed: fromHex(commitment) };
  let bad = 0;
  for (const proof of [...proofs].sort((a, b) => a.deal - b.deal)) {
    const faults = await faultsOf(proof, known);
    if (proof.commitment !== commitment) faults.unshift({ code: "commitment" });
    if (!faults.some(({ code }) => code === "seed")) known = { deal: proof.deal, seed: fromHex(proof.seed) };
    bad += faults.length > 0;
    each(proof, faults);
  }
  return { checked: proofs.length, bad };
}
