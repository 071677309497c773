// BLAKE2b's compression function with a caller-chosen number of rounds, up to 2^32 - 1 for one gas each: in 32-bit
// halves, several times as fast as the library's, and interruptible, since it may run for minutes. Source: RFC 7693
// 3.2, EIP-152; checked against @ethereumjs/evm in blake2f.test.ts

/** rounds (4, big-endian), h (64), m (128), t (16), all little-endian, and the final flag */
export const BLAKE2F_BYTES = 213
const H = 4
const M = 68
const T = 196
const FLAG = 212
/** Rounds between two polls of `isOver`; some milliseconds. */
const ROUNDS_PER_LOOK = 65_536

/** High and low half of each word. */
const IV = [
  0x6a09e667, 0xf3bcc908, 0xbb67ae85, 0x84caa73b, 0x3c6ef372, 0xfe94f82b, 0xa54ff53a, 0x5f1d36f1, 0x510e527f,
  0xade682d1, 0x9b05688c, 0x2b3e6c1f, 0x1f83d9ab, 0xfb41bd6b, 0x5be0cd19, 0x137e2179,
]
const SIGMA = [
  '0123456789abcdef',
  'ea489fd61c02b753',
  'b8c052fdae367194',
  '7931dcbe265a40f8',
  '905724afe1bc683d',
  '2c6a0b834d75fe19',
  'c51fed4a0763928b',
  'db7ec13950f4862a',
  '6fe9b308c2d714a5',
  'a2847615fb9e3cd0',
].map((row) => Uint8Array.from(row, (digit) => 2 * Number.parseInt(digit, 16)))
/** The four state words that each of a round's eight steps mixes. */
const LANES = ['048c', '159d', '26ae', '37bf', '05af', '16bc', '278d', '349e'].map((lane) =>
  Uint8Array.from(lane, (digit) => 2 * Number.parseInt(digit, 16)),
)

/**
 * @param input 213 bytes, the last one 0 or 1
 * @param isOver polled every few milliseconds
 * @returns 64 bytes; null when aborted
 */
export function blake2f(input: Uint8Array, isOver: () => boolean): Uint8Array | null {
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength)
  const v = new Uint32Array(32)
  const m = new Uint32Array(32)
  for (let at = 0; at < 16; at++) {
    v[at] = view.getUint32(H + 4 * at, true)
    v[16 + at] = IV[at ^ 1] ?? 0
  }
  for (let at = 0; at < 32; at++) m[at] = view.getUint32(M + 4 * at, true)
  for (let at = 0; at < 4; at++) v[24 + at] = (v[24 + at] ?? 0) ^ view.getUint32(T + 4 * at, true)
  if (input[FLAG] === 1) for (const at of [28, 29]) v[at] = ~(v[at] ?? 0)
  const rounds = view.getUint32(0)
  for (let round = 0; round < rounds; round++) {
    if (round % ROUNDS_PER_LOOK === ROUNDS_PER_LOOK - 1 && isOver()) return null
    const row = SIGMA[round % 10]
    if (row !== undefined) mixRound(v, m, row)
  }
  const output = new DataView(new ArrayBuffer(64))
  for (let at = 0; at < 16; at++) {
    output.setUint32(4 * at, view.getUint32(H + 4 * at, true) ^ (v[at] ?? 0) ^ (v[16 + at] ?? 0), true)
  }
  return new Uint8Array(output.buffer)
}

function mixRound(v: Uint32Array, m: Uint32Array, row: Uint8Array): void {
  for (let step = 0; step < 8; step++) {
    const lane = LANES[step]
    const x = row[2 * step] ?? 0
    const y = row[2 * step + 1] ?? 0
    if (lane === undefined) continue
    add(v, lane, m[x] ?? 0, m[x + 1] ?? 0)
    turn(v, lane, 32, 24)
    add(v, lane, m[y] ?? 0, m[y + 1] ?? 0)
    turn(v, lane, 16, 63)
  }
}

/** a += b + the message word. */
function add(v: Uint32Array, lane: Uint8Array, low: number, high: number): void {
  const a = lane[0] ?? 0
  const b = lane[1] ?? 0
  const sum = (v[a] ?? 0) + (v[b] ?? 0) + low
  v[a] = sum
  v[a + 1] = (v[a + 1] ?? 0) + (v[b + 1] ?? 0) + high + Math.floor(sum / 0x1_0000_0000)
}

/** d = (d ^ a) rotated right by `first` bits, c += d, b = (b ^ c) rotated right by `second`. */
function turn(v: Uint32Array, lane: Uint8Array, first: 32 | 16, second: 24 | 63): void {
  const a = lane[0] ?? 0
  const b = lane[1] ?? 0
  const c = lane[2] ?? 0
  const d = lane[3] ?? 0
  const dLow = (v[d] ?? 0) ^ (v[a] ?? 0)
  const dHigh = (v[d + 1] ?? 0) ^ (v[a + 1] ?? 0)
  v[d] = first === 32 ? dHigh : (dLow >>> 16) | (dHigh << 16)
  v[d + 1] = first === 32 ? dLow : (dHigh >>> 16) | (dLow << 16)
  const sum = (v[c] ?? 0) + (v[d] ?? 0)
  v[c] = sum
  v[c + 1] = (v[c + 1] ?? 0) + (v[d + 1] ?? 0) + Math.floor(sum / 0x1_0000_0000)
  const bLow = (v[b] ?? 0) ^ (v[c] ?? 0)
  const bHigh = (v[b + 1] ?? 0) ^ (v[c + 1] ?? 0)
  v[b] = second === 24 ? (bLow >>> 24) | (bHigh << 8) : (bLow << 1) | (bHigh >>> 31)
  v[b + 1] = second === 24 ? (bHigh >>> 24) | (bLow << 8) : (bHigh << 1) | (bLow >>> 31)
}
