// The in-browser checker of receipts gives the verdict of every shared vector: with the browser's
// own cryptography, and without it as on a page that is not served over TLS.

import assert from "node:assert/strict";
import { createHash, generateKeyPairSync, randomBytes, sign, webcrypto } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { verify } from "../../static/ledger/ed25519.js";
import { receiptIn, words } from "../../static/ledger/faults.js";
import { check } from "../../static/ledger/receipt.js";
import { sha256, sha512 } from "../../static/ledger/sha2.js";

const file = new URL("../ledger/rules/receipt_vectors.json", import.meta.url);
const vectors = JSON.parse(readFileSync(file, "utf8"));

function changed(base, changes) {
  const document = structuredClone(base);
  for (const change of changes) {
    const places = change.slice(0, -2);
    const [last, value] = change.slice(-2);
    const inner = places.reduce((found, place) => found[place], document);
    if (value === "(removed)") delete inner[last];
    else inner[last] = value;
  }
  return document;
}

async function verdict({ base, changes, keys = null, heads = null }) {
  try {
    await check(changed(vectors.bases[base], changes), { keys, heads });
    return "ok";
  } catch (fault) {
    if (fault.code === undefined) throw fault;
    return fault.code;
  }
}

async function withCrypto(value, run) {
  const before = Object.getOwnPropertyDescriptor(globalThis, "crypto");
  Object.defineProperty(globalThis, "crypto", { value, configurable: true });
  try {
    await run();
  } finally {
    Object.defineProperty(globalThis, "crypto", before);
  }
}

// A browser that hashes but has not learned Ed25519 yet.
const { subtle } = webcrypto;
const withoutEd25519 = {
  subtle: {
    digest: (name, data) => subtle.digest(name, data),
    importKey: () => Promise.reject(new DOMException("unknown algorithm", "NotSupportedError")),
  },
};

for (const [name, crypto] of [
  ["WebCrypto", webcrypto],
  ["WebCrypto without Ed25519", withoutEd25519],
  ["no WebCrypto", {}],
]) {
  test(`every vector has its verdict: ${name}`, async () => {
    await withCrypto(crypto, async () => {
      for (const vector of vectors.cases) {
        assert.equal(await verdict(vector), vector.verdict, `${vector.base} ${JSON.stringify(vector.changes)}`);
      }
    });
  });
}

test("the vectors hold good and bad documents of both kinds", () => {
  const verdicts = new Set(vectors.cases.map((vector) => vector.verdict));
  assert.ok(verdicts.size >= 11);
});

test("hashes of every length around a block agree with OpenSSL", async () => {
  for (const length of [0, 1, 55, 56, 63, 64, 65, 111, 112, 119, 120, 127, 128, 129, 1000]) {
    const message = randomBytes(length);
    for (const [ours, name] of [[sha256, "sha256"], [sha512, "sha512"]]) {
      const expected = createHash(name).update(message).digest("hex");
      assert.equal(Buffer.from(await ours(message, null)).toString("hex"), expected);
    }
  }
});

test("signatures by OpenSSL verify, and no longer when a bit is turned", async () => {
  for (let round = 0; round < 8; round += 1) {
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    const key = new Uint8Array(publicKey.export({ format: "der", type: "spki" }).subarray(-32));
    const message = randomBytes(round * 9);
    const signature = new Uint8Array(sign(null, message, privateKey));
    assert.equal(await verify(key, message, signature, null), true);
    signature[round * 8] ^= 1 << round;
    assert.equal(await verify(key, message, signature, null), false);
  }
});

test("a receipt that does not hold was refused in English, whatever language the page had", () => {
  const codes = [...new Set(vectors.cases.map(({ verdict: code }) => code))].filter((code) => code !== "ok");
  globalThis.gettext = (text) => `in Estonian: ${text}`;
  try {
    for (const code of codes) assert.match(words({ code, message: "for programs" }), /^in Estonian: The (receipt does not hold: |file is )/, code);
    assert.throws(() => JSON.parse("<html>"), (fault) => words(fault) === words({ code: "malformed" }));
    assert.equal(words(new TypeError("Failed to fetch")), "in Estonian: The receipt could not be fetched. Try again.");
  } finally {
    delete globalThis.gettext;
  }
});

test("who was signed out meanwhile was told that the receipt is none", async () => {
  const answer = (type, status = 200) => new Response('{"format": "x"}', { status, headers: { "content-type": type } });
  assert.deepEqual(await receiptIn(answer("application/json")), { format: "x" });
  for (const other of [answer("text/html; charset=utf-8"), answer("text/html", 429), answer("application/json", 409)]) {
    assert.throws(() => receiptIn(other), (fault) => words(fault) === "The receipt could not be fetched. Try again.");
  }
});
