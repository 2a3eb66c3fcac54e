// Checks receipts and prefix proofs of the ledger (docs/seals.md) wherever JavaScript runs. Nothing
// is asked of the site: every hash and the signature are worked out here, from the document alone.

import { verify } from "./ed25519.js";
import { sha256 } from "./sha2.js";

export const RECEIPT_FORMAT = "club-ledger-receipt/1";
export const PREFIX_FORMAT = "club-ledger-prefix/1";

// What does not hold: `code` is stable, `message` an English sentence.
export class BadReceipt extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

function demand(condition, code, sentence) {
  if (!condition) throw new BadReceipt(code, sentence);
}

// --- Values, strictly as the format has them --------------------------------------------------------------------

function fields(value, names, also = []) {
  const required = names.split(" ");
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  const fine =
    isObject &&
    required.every((name) => Object.hasOwn(value, name)) &&
    Object.keys(value).every((name) => required.includes(name) || also.includes(name));
  demand(fine, "malformed", `expected the fields ${required.join(", ")}`);
  return required.map((name) => value[name]);
}

function list(value) {
  demand(Array.isArray(value), "malformed", "expected a list");
  return value;
}

function integer(value) {
  const fine = typeof value === "string" && /^(0|-?[1-9][0-9]{0,18})$/.test(value);
  demand(fine && BigInt.asIntN(64, BigInt(value)) === BigInt(value), "malformed", `not a 64-bit integer: ${value}`);
  return BigInt(value);
}

function hex(value, size = null) {
  const fine = typeof value === "string" && /^([0-9a-f]{2})*$/.test(value);
  demand(fine && (size === null || value.length === 2 * size), "malformed", `not hexadecimal of that length: ${value}`);
  return Uint8Array.from({ length: value.length / 2 }, (_, i) => Number.parseInt(value.slice(2 * i, 2 * i + 2), 16));
}

// Half a surrogate pair has no UTF-8; the encoder would quietly put another character in its place.
function isWellFormed(value) {
  try {
    encodeURIComponent(value);
    return true;
  } catch {
    return false;
  }
}

function text(value) {
  demand(typeof value === "string" && isWellFormed(value), "malformed", "not a text");
  return new TextEncoder().encode(value);
}

function time(value) {
  const match = typeof value === "string" && /^([12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.)(\d{3})(\d{3})Z$/.exec(value);
  demand(match, "malformed", `not a time: ${value}`);
  const moment = new Date(`${match[1]}${match[2]}Z`);
  // A date that does not exist either fails to parse or comes out as another one.
  const exists = !Number.isNaN(moment.getTime()) && moment.toISOString() === `${match[1]}${match[2]}Z`;
  demand(exists, "malformed", `not a time: ${value}`);
  return BigInt(moment.getTime()) * 1000n + BigInt(match[3]);
}

const optional = (value, read) => (value === null ? null : read(value));
const hash = (value) => hex(value, 32);
const hashes = (value) => list(value).map(hash);

// --- Canonical bytes --------------------------------------------------------------------------------------------

function join(...parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let place = 0;
  for (const part of parts) {
    whole.set(part, place);
    place += part.length;
  }
  return whole;
}

// One field: its length in four bytes, then its value. Integers take eight bytes, a missing value none.
function field(value) {
  let bytes = value ?? new Uint8Array(0);
  if (typeof value === "bigint") {
    bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setBigInt64(0, value);
  }
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, bytes.length);
  return join(length, bytes);
}

const record = (...values) => join(...values.map(field));
const magic = (name) => join(text(`club-ledger ${name}`), Uint8Array.of(0, 1));

function account(value) {
  const [id, kind, ref, owner, asset, scale] = fields(value, "id kind ref owner asset scale");
  const holder = optional(owner, (each) => hex(each, 16));
  return record(integer(id), text(kind), text(ref), holder, text(asset), integer(scale));
}

function posting(value) {
  const names = "n debit credit amount debit_after debit_seq credit_after credit_seq";
  const [n, debit, credit, ...numbers] = fields(value, names);
  return record(integer(n), account(debit), account(credit), ...numbers.map(integer));
}

function transactionBytes(value) {
  const names = "id key fingerprint kind state resolves reverses source salt note_hash at xid postings";
  const [id, key, fingerprint, kind, state, resolves, reverses, source, salt, note, at, xid, postings] = fields(
    value,
    names,
  );
  const moves = list(postings).map(posting);
  return join(
    magic("transaction"),
    record(integer(id), text(key), hex(fingerprint), text(kind), text(state)),
    record(optional(resolves, integer), optional(reverses, integer), text(source), hex(salt)),
    record(optional(note, hash), time(at), integer(xid), BigInt(moves.length), ...moves),
  );
}

function sealBytes(value) {
  const names = "seq epoch from_xid to_xid n previous root totals sealed_at hash";
  const [seq, epoch, fromXid, toXid, n, previous, root, totals, sealedAt] = fields(value, names);
  const lines = list(totals).map((total) => {
    const [asset, ...numbers] = fields(total, "asset scale postings amount");
    return record(text(asset), ...numbers.map(integer));
  });
  return join(
    magic("seal"),
    record(...[seq, epoch, fromXid, toXid, n].map(integer), hash(previous), hash(root), time(sealedAt)),
    record(BigInt(lines.length), ...lines),
  );
}

// --- Trees (RFC 9162, section 2.1) ------------------------------------------------------------------------------

const same = (a, b) => a.length === b.length && a.every((byte, i) => byte === b[i]);
const leafHash = (data) => sha256(join(Uint8Array.of(0), data));
const nodeHash = (left, right) => sha256(join(Uint8Array.of(1), left, right));

// Follows a path from place `index` up in a tree of `size` leaves. One node gives its root; two nodes
// give the old and the new root of a prefix proof, where the old one has nothing on its right.
async function climb(index, size, path, code, nodes) {
  demand(index >= 0n && index < size, code, "the place is not in the tree");
  let place = index;
  let last = size - 1n;
  let roots = nodes;
  for (const sibling of path) {
    demand(last > 0n, code, "the path is too long");
    if (place & 1n || place === last) {
      roots = await Promise.all(roots.map((node) => nodeHash(sibling, node)));
      while (place > 0n && !(place & 1n)) {
        place >>= 1n;
        last >>= 1n;
      }
    } else {
      roots = [...roots.slice(0, -1), await nodeHash(roots.at(-1), sibling)];
    }
    place >>= 1n;
    last >>= 1n;
  }
  demand(last === 0n, code, "the path is too short");
  return roots;
}

// --- Checking ---------------------------------------------------------------------------------------------------

function readHead(value) {
  const names = "seq hash log_root sealed_at key_id public_key signature";
  const [seq, sealHash, logRoot, sealedAt, keyId, publicKey, signature] = fields(value, names);
  return {
    seq: integer(seq),
    hash: hash(sealHash),
    root: hash(logRoot),
    at: time(sealedAt),
    name: text(keyId),
    publicKey: hex(publicKey, 32),
    signature: hex(signature, 64),
    shown: value,
  };
}

const asHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

async function checkHead(head, { keys, heads }) {
  const name = asHex(await sha256(head.publicKey)).slice(0, 16);
  demand(same(text(name), head.name), "key_mismatch", "the key's name does not belong to the public key");
  const message = join(magic("head"), record(head.seq, head.hash, head.root, head.at, head.name));
  const signed = await verify(head.publicKey, message, head.signature);
  demand(signed, "signature_invalid", "the head's signature is not by its key");
  const trusted = !keys || keys.includes(asHex(head.publicKey));
  demand(trusted, "key_untrusted", `key ${name} is not one of the keys to trust`);
  const published = !heads || heads[String(head.seq)] === asHex(head.root);
  demand(published, "head_unpublished", `head ${head.seq} is not among the published heads`);
}

async function checkSeal(seal) {
  const sealed = await leafHash(sealBytes(seal));
  demand(same(sealed, hash(seal.hash)), "seal_mismatch", "the seal's fields do not give the seal's hash");
  return sealed;
}

async function checkLeaf(leaf, data, seal) {
  const [shown, index, path] = fields(leaf, "hash index path");
  const [leafShown, place, steps] = [hash(shown), integer(index), hashes(path)];
  const found = await leafHash(data);
  demand(same(found, leafShown), "transaction_mismatch", "the transaction's fields do not give the hash that was sealed");
  const [root] = await climb(place, integer(seal.n), steps, "path_mismatch", [leafShown]);
  demand(same(root, hash(seal.root)), "path_mismatch", "the path does not lead to the seal's root");
}

async function checkReceipt(receipt, trust) {
  const [, moved, leaf, seal, log, shownHead] = fields(receipt, "format transaction leaf seal log head", ["note"]);
  const data = transactionBytes(moved);
  if (Object.hasOwn(receipt, "note")) {
    const [salt, words] = fields(receipt.note, "salt text");
    const digest = asHex(await sha256(join(hex(salt), text(words))));
    demand(digest === moved.note_hash, "note_mismatch", "the note is not the one this transaction was written with");
  }
  const sealed = await checkSeal(seal);
  await checkLeaf(leaf, data, seal);
  const head = readHead(shownHead);
  const seq = integer(seal.seq);
  const [path] = fields(log, "path");
  const [root] = await climb(seq - 1n, head.seq, hashes(path), "log_mismatch", [sealed]);
  const fits = same(root, head.root) && (seq !== head.seq || same(sealed, head.hash));
  demand(fits, "log_mismatch", "the path from the seal does not lead to the head's root");
  await checkHead(head, trust);
  return { format: RECEIPT_FORMAT, transaction: moved, seal, head: head.shown };
}

async function checkPrefix(proof, trust) {
  const [, shownOld, shownNew, shownPath] = fields(proof, "format old new path");
  const [older, newer] = [readHead(shownOld), readHead(shownNew)];
  const code = "prefix_mismatch";
  let path = hashes(shownPath);
  demand(older.seq > 0n && older.seq <= newer.seq, code, "the older head comes after the newer");
  if (older.seq === newer.seq) {
    demand(path.length === 0 && same(older.root, newer.root), code, "two heads of one number differ");
  } else {
    if ((older.seq & (older.seq - 1n)) === 0n) path = [older.root, ...path];
    demand(path.length > 0, code, "the path is too short");
    let [place, last] = [older.seq - 1n, newer.seq - 1n];
    while (place & 1n) [place, last] = [place >> 1n, last >> 1n];
    const roots = await climb(place, last + 1n, path.slice(1), code, [path[0], path[0]]);
    demand(same(roots[0], older.root) && same(roots[1], newer.root), code, "the path does not lead to both roots");
  }
  await checkHead(older, trust);
  await checkHead(newer, trust);
  return { format: PREFIX_FORMAT, old: older.shown, new: newer.shown };
}

// Resolves to what the document proves, rejects with BadReceipt when it proves nothing. `keys` are
// the public keys to trust and `heads` the published roots by number, all in hexadecimal; without
// them the holder of any key could have signed.
export async function check(value, { keys = null, heads = null } = {}) {
  const format = typeof value === "object" && value !== null ? value.format : undefined;
  const checks = { [RECEIPT_FORMAT]: checkReceipt, [PREFIX_FORMAT]: checkPrefix };
  demand(typeof format === "string" && Object.hasOwn(checks, format), "malformed", `unknown format ${format}`);
  return checks[format](value, { keys, heads });
}
