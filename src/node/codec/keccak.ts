// Keccak-256 as the chain uses it. Importing a block takes some forty hashes per transaction, most of short messages.
import { keccak_256 } from '@noble/hashes/sha3.js'

// The WebAssembly module that computes keccak: assembled here, so that there is no binary file to trust. Ten times as
// fast as JavaScript, which lacks 64-bit words, and without the cost of a call into the addon. Source: FIPS 202 section
// 3 (theta, rho, pi, chi, iota); WebAssembly core specification 1.0, chapter 5.

/** Bytes absorbed per permutation, of the state's 200. */
export const RATE_BYTES = 136
/** Layout of the module's first memory page: round constants, the hash, then the padded message. */
export const MEMORY_BYTES = 65_536
const HASH_AT = 192
export const MESSAGE_AT = 256

const ROUNDS = 24
const LANE_BYTES = 8
const LANES = 25

const I32 = 0x7f
const I64 = 0x7e
const LOOP = [0x03, 0x40]
const END = 0x0b
const REPEAT_IF = [0x0d, 0x00]
const I32_LESS = 0x48
const I32_ADD = 0x6a
const I32_SUB = 0x6b
const AND = 0x83
const XOR = 0x85
const ROTATE = 0x89

// Indexes of the function's parameter and locals.
const BLOCKS = 0
const AT = 1
const ROUND = 2
const STATE = 3
const MOVED = STATE + LANES
const COLUMN = MOVED + LANES
const MIX = COLUMN + 5
const WORDS = MIX + 1 - STATE

/** Exports `memory` and `hash(blocks)`: hashes so many of 136 bytes from MESSAGE_AT, and writes 32 bytes to HASH_AT. */
function keccakModule(): Uint8Array<ArrayBuffer> {
  const body = [
    ...list([
      [2, I32],
      [WORDS, I64],
    ]),
    ...hashCode(),
    END,
  ]
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, list([[0x60, 1, I32, 0]])),
    ...section(3, list([[0]])),
    ...section(5, list([[0, 1]])),
    ...section(7, list([exported('memory', 2), exported('hash', 0)])),
    ...section(10, list([sized(body)])),
    ...section(11, list([[0, ...constant(0), END, ...sized(roundConstants())]])),
  ])
}

function hashCode(): number[] {
  const absorb: number[] = []
  for (let lane = 0; lane * LANE_BYTES < RATE_BYTES; lane++)
    absorb.push(...get(STATE + lane), ...get(AT), ...load(MESSAGE_AT + LANE_BYTES * lane), XOR, ...set(STATE + lane))
  const nextRound = [...get(ROUND), ...constant(LANE_BYTES), I32_ADD, ...tee(ROUND)]
  const rounds = [
    ...[...constant(0), ...set(ROUND), ...LOOP, ...thetaRhoPi(), ...chiIota()],
    ...[...nextRound, ...constant(ROUNDS * LANE_BYTES), I32_LESS, ...REPEAT_IF, END],
  ]
  const nextBlock = [
    ...[...get(AT), ...constant(RATE_BYTES), I32_ADD, ...set(AT)],
    ...[...get(BLOCKS), ...constant(1), I32_SUB, ...tee(BLOCKS), ...REPEAT_IF],
  ]
  const squeeze: number[] = []
  for (let lane = 0; lane < 4; lane++)
    squeeze.push(...constant(0), ...get(STATE + lane), ...store(HASH_AT + LANE_BYTES * lane))
  return [...LOOP, ...absorb, ...rounds, ...nextBlock, END, ...squeeze]
}

/** Lane x, y of the state is local STATE + x + 5y; rho and pi write to MOVED, which chi reads. */
function thetaRhoPi(): number[] {
  const code: number[] = []
  const turns = rotations()
  for (let x = 0; x < 5; x++) {
    code.push(...get(STATE + x))
    for (let y = 5; y < LANES; y += 5) code.push(...get(STATE + x + y), XOR)
    code.push(...set(COLUMN + x))
  }
  for (let x = 0; x < 5; x++) {
    code.push(...get(COLUMN + ((x + 4) % 5)), ...get(COLUMN + ((x + 1) % 5)), ...word(1), ROTATE, XOR, ...set(MIX))
    for (let y = 0; y < 5; y++) {
      const lane = x + 5 * y
      const target = y + 5 * ((2 * x + 3 * y) % 5)
      code.push(...get(STATE + lane), ...get(MIX), XOR, ...word(turns[lane] ?? 0), ROTATE, ...set(MOVED + target))
    }
  }
  return code
}

function chiIota(): number[] {
  const code: number[] = []
  for (let lane = 0; lane < LANES; lane++) {
    const row = lane - (lane % 5)
    const [next, afterNext] = [row + ((lane + 1) % 5), row + ((lane + 2) % 5)]
    code.push(...get(MOVED + lane), ...get(MOVED + next), ...word(-1), XOR, ...get(MOVED + afterNext), AND, XOR)
    if (lane === 0) code.push(...get(ROUND), ...load(0), XOR)
    code.push(...set(STATE + lane))
  }
  return code
}

/** Rotation offsets of rho, in bits. */
function rotations(): number[] {
  const turns = [0]
  let [x, y] = [1, 0]
  for (let step = 1; step <= ROUNDS; step++) {
    turns[x + 5 * y] = ((step * (step + 1)) / 2) % 64
    ;[x, y] = [y, (2 * x + 3 * y) % 5]
  }
  return turns
}

/** For all rounds, little-endian; the bits come from an LFSR. */
function roundConstants(): number[] {
  const bytes: number[] = []
  let register = 1
  for (let round = 0; round < ROUNDS; round++) {
    const lane = new Array<number>(LANE_BYTES).fill(0)
    for (let power = 0; power < 7; power++) {
      const bit = 2 ** power - 1
      if ((register & 1) === 1) lane[bit >>> 3] = (lane[bit >>> 3] ?? 0) | (1 << (bit & 7))
      register = (register << 1) ^ ((register >>> 7) * 0x171)
    }
    bytes.push(...lane)
  }
  return bytes
}

const get = (local: number): number[] => [0x20, ...unsigned(local)]
const set = (local: number): number[] => [0x21, ...unsigned(local)]
const tee = (local: number): number[] => [0x22, ...unsigned(local)]
const load = (offset: number): number[] => [0x29, 3, ...unsigned(offset)]
const store = (offset: number): number[] => [0x37, 3, ...unsigned(offset)]
const constant = (value: number): number[] => [0x41, ...signed(value)]
const word = (value: number): number[] => [0x42, ...signed(value)]

function section(id: number, content: readonly number[]): number[] {
  return [id, ...sized(content)]
}

function sized(content: readonly number[]): number[] {
  return [...unsigned(content.length), ...content]
}

function list(items: readonly (readonly number[])[]): number[] {
  return [...unsigned(items.length), ...items.flat()]
}

function exported(name: string, kind: number): number[] {
  return [...sized([...new TextEncoder().encode(name)]), kind, 0]
}

/** Unsigned LEB128. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]
}

function signed(value: number): number[] {
  return value >= -0x40 && value < 0x40 ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)]
}

/** 32 bytes; the original padding, not NIST SHA-3. */
export type Keccak256 = (data: Uint8Array) => Uint8Array

const HASH_BYTES = 32
/** A program can pay for messages of 17 MB; the module's memory grows as needed and never shrinks. */
const MAX_BYTES = 32 * 1024 * 1024

export const keccak256: Keccak256 = wasmKeccak() ?? keccak_256

/** Null when WebAssembly is disabled. */
function wasmKeccak(): Keccak256 | null {
  if (typeof WebAssembly === 'undefined') return null
  const { memory, hash } = new WebAssembly.Instance(new WebAssembly.Module(keccakModule())).exports
  if (!(memory instanceof WebAssembly.Memory) || typeof hash !== 'function') return null
  let bytes = new Uint8Array(memory.buffer)
  return (data) => {
    const { length } = data
    if (length > MAX_BYTES) return keccak_256(data)
    const missing = MESSAGE_AT + length + RATE_BYTES - bytes.length
    if (missing > 0) {
      memory.grow(Math.ceil(missing / MEMORY_BYTES))
      bytes = new Uint8Array(memory.buffer)
    }
    const blocks = Math.floor(length / RATE_BYTES) + 1
    const [padding, end] = [MESSAGE_AT + length, MESSAGE_AT + blocks * RATE_BYTES]
    bytes.set(data, MESSAGE_AT)
    bytes.fill(0, padding, end)
    bytes[padding] = 1
    bytes[end - 1] = (bytes[end - 1] ?? 0) | 0x80
    hash(blocks)
    return bytes.slice(HASH_AT, HASH_AT + HASH_BYTES)
  }
}
