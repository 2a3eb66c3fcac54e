// SHA-256 and SHA-512 (FIPS 180-4). The browser's own WebCrypto does the work where it is offered;
// it is offered on secure pages only, so a club that serves plain HTTP in its own house needs the
// implementation below. The constants are computed from their definition: the first bits of the
// fractional parts of the square and cube roots of the first primes.

const primes = [];
for (let n = 2n; primes.length < 80; n += 1n) {
  if (primes.every((p) => n % p !== 0n)) primes.push(n);
}

function integerRoot(value, degree) {
  let low = 0n;
  let high = 1n;
  while (high ** degree <= value) high <<= 1n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** degree <= value) low = middle;
    else high = middle;
  }
  return low;
}

function fractionalRoot(prime, degree, bits) {
  return BigInt.asUintN(Number(bits), integerRoot(prime << (bits * degree), degree));
}

const SHA256 = {
  word: 32n,
  block: 64,
  size: 32,
  start: primes.slice(0, 8).map((p) => fractionalRoot(p, 2n, 32n)),
  round: primes.slice(0, 64).map((p) => fractionalRoot(p, 3n, 32n)),
  sum0: [2n, 13n, 22n],
  sum1: [6n, 11n, 25n],
  mix0: [7n, 18n, 3n],
  mix1: [17n, 19n, 10n],
};
const SHA512 = {
  word: 64n,
  block: 128,
  size: 64,
  start: primes.slice(0, 8).map((p) => fractionalRoot(p, 2n, 64n)),
  round: primes.map((p) => fractionalRoot(p, 3n, 64n)),
  sum0: [28n, 34n, 39n],
  sum1: [14n, 18n, 41n],
  mix0: [1n, 8n, 7n],
  mix1: [19n, 61n, 6n],
};

function bytesToInteger(bytes) {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return value;
}

function padded(message, block) {
  const lengthBytes = block / 8;
  const total = Math.ceil((message.length + 1 + lengthBytes) / block) * block;
  const out = new Uint8Array(total);
  out.set(message);
  out[message.length] = 0x80;
  let bits = BigInt(message.length) * 8n;
  for (let i = total - 1; bits > 0n; i -= 1) {
    out[i] = Number(bits & 0xffn);
    bits >>= 8n;
  }
  return out;
}

function compress(state, chunk, kind) {
  const { word, round } = kind;
  const cut = (value) => BigInt.asUintN(Number(word), value);
  const turn = (value, by) => cut((value >> by) | (value << (word - by)));
  const sum = (value, [a, b, c]) => turn(value, a) ^ turn(value, b) ^ turn(value, c);
  const mix = (value, [a, b, shift]) => turn(value, a) ^ turn(value, b) ^ (value >> shift);
  const step = Number(word / 8n);
  const words = [];
  for (let i = 0; i < 16; i += 1) words.push(bytesToInteger(chunk.subarray(i * step, (i + 1) * step)));
  for (let i = 16; i < round.length; i += 1) {
    words.push(cut(mix(words[i - 2], kind.mix1) + words[i - 7] + mix(words[i - 15], kind.mix0) + words[i - 16]));
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < round.length; i += 1) {
    const choice = (e & f) ^ (cut(~e) & g);
    const first = cut(h + sum(e, kind.sum1) + choice + round[i] + words[i]);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const second = cut(sum(a, kind.sum0) + majority);
    [h, g, f, e, d, c, b, a] = [g, f, e, cut(d + first), c, b, a, cut(first + second)];
  }
  return [a, b, c, d, e, f, g, h].map((value, i) => cut(value + state[i]));
}

function digestInPlainScript(message, kind) {
  const bytes = padded(message, kind.block);
  let state = kind.start;
  for (let i = 0; i < bytes.length; i += kind.block) {
    state = compress(state, bytes.subarray(i, i + kind.block), kind);
  }
  const step = kind.size / 8;
  const out = new Uint8Array(kind.size);
  state.forEach((value, i) => {
    let rest = value;
    for (let j = step - 1; j >= 0; j -= 1) {
      out[i * step + j] = Number(rest & 0xffn);
      rest >>= 8n;
    }
  });
  return out;
}

async function digest(message, name, kind, subtle) {
  if (subtle) return new Uint8Array(await subtle.digest(name, message));
  return digestInPlainScript(message, kind);
}

export const sha256 = (message, subtle = globalThis.crypto?.subtle) => digest(message, "SHA-256", SHA256, subtle);
export const sha512 = (message, subtle = globalThis.crypto?.subtle) => digest(message, "SHA-512", SHA512, subtle);
