// Verification of Ed25519 signatures (RFC 8032, section 5.1.7): by the browser where it knows the
// algorithm, otherwise by the arithmetic below. Only public values are handled, so nothing here
// needs to run in constant time. The equation is the one without the cofactor, as OpenSSL has it.

import { sha512 } from "./sha2.js";

const P = 2n ** 255n - 19n;
const L = 2n ** 252n + 27742317777372353535851937790883648493n;
const modulo = (value) => ((value % P) + P) % P;

function power(base, exponent) {
  let result = 1n;
  let square = modulo(base);
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = modulo(result * square);
    square = modulo(square * square);
  }
  return result;
}

const inverse = (value) => power(value, P - 2n);
const D = modulo(-121665n * inverse(121666n));
const SQRT_MINUS_1 = power(2n, (P - 1n) / 4n);

// Points are [X, Y, Z, T] with x = X/Z, y = Y/Z, xy = T/Z.
const NEUTRAL = [0n, 1n, 1n, 0n];

function add([x1, y1, z1, t1], [x2, y2, z2, t2]) {
  const a = modulo((y1 - x1) * (y2 - x2));
  const b = modulo((y1 + x1) * (y2 + x2));
  const c = modulo(2n * t1 * t2 * D);
  const d = modulo(2n * z1 * z2);
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return [modulo(e * f), modulo(g * h), modulo(f * g), modulo(e * h)];
}

function multiply(point, scalar) {
  let result = NEUTRAL;
  let doubled = point;
  for (let rest = scalar; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = add(result, doubled);
    doubled = add(doubled, doubled);
  }
  return result;
}

function littleEndian(bytes) {
  let value = 0n;
  for (let i = bytes.length - 1; i >= 0; i -= 1) value = (value << 8n) | BigInt(bytes[i]);
  return value;
}

// The x that belongs to y, or null when y is on no point of the curve.
function recoverX(y, odd) {
  const square = modulo((y * y - 1n) * inverse(D * y * y + 1n));
  if (square === 0n) return odd ? null : 0n;
  let x = power(square, (P + 3n) / 8n);
  if (modulo(x * x - square) !== 0n) x = modulo(x * SQRT_MINUS_1);
  if (modulo(x * x - square) !== 0n) return null;
  return (x & 1n) === (odd ? 1n : 0n) ? x : P - x;
}

function decode(bytes) {
  const value = littleEndian(bytes);
  const y = value & (2n ** 255n - 1n);
  if (y >= P) return null;
  const x = recoverX(y, value >> 255n === 1n);
  return x === null ? null : [x, y, 1n, modulo(x * y)];
}

function encode([x, y, z]) {
  const scale = inverse(z);
  let value = modulo(y * scale) | ((modulo(x * scale) & 1n) << 255n);
  const out = new Uint8Array(32);
  for (let i = 0; i < 32; i += 1) {
    out[i] = Number(value & 0xffn);
    value >>= 8n;
  }
  return out;
}

const BASE_Y = modulo(4n * inverse(5n));
const BASE_X = recoverX(BASE_Y, false);
const BASE = [BASE_X, BASE_Y, 1n, modulo(BASE_X * BASE_Y)];

async function verifyInPlainScript(publicKey, message, signature, subtle) {
  const point = decode(publicKey);
  const s = littleEndian(signature.subarray(32));
  if (point === null || s >= L) return false;
  const hashed = new Uint8Array(64 + message.length);
  hashed.set(signature.subarray(0, 32));
  hashed.set(publicKey, 32);
  hashed.set(message, 64);
  const h = littleEndian(await sha512(hashed, subtle)) % L;
  const [x, y, z, t] = point;
  const sum = add(multiply(BASE, s), multiply([P - x, y, z, P - t], h));
  const expected = encode(sum);
  return expected.every((byte, i) => byte === signature[i]);
}

// True when `signature` (64 bytes) over `message` is by the holder of `publicKey` (32 bytes).
export async function verify(publicKey, message, signature, subtle = globalThis.crypto?.subtle) {
  if (publicKey.length !== 32 || signature.length !== 64) return false;
  if (subtle) {
    try {
      const key = await subtle.importKey("raw", publicKey, { name: "Ed25519" }, false, ["verify"]);
      return await subtle.verify({ name: "Ed25519" }, key, signature, message);
    } catch {
      // This browser does not know Ed25519, or refuses the key: the arithmetic decides.
    }
  }
  return verifyInPlainScript(publicKey, message, signature, subtle);
}
