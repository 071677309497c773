// Powers modulo long numbers, for the contract that computes them. Its price grows with the exponent's length, so its
// work must too: the exponent is processed byte by byte from its high end and never converted to a number.
import { bigintFromBytes, bytesFromBigint, EMPTY_BYTES } from '../../../base/bytes'
import { nativePower, type PowerFunction } from '../../../native/modular-power'

/** Units of work (about a nanosecond each) between two checks of the deadline. */
const WORK_PER_LOOK = 2_000_000
/** Fixed cost of one multiplication, on top of the part that grows with its length. */
const WORK_PER_STEP = 60
/** Longest modulus for the addon, whose work grows with the square of the length; bigint's grows more slowly. */
const MAX_NATIVE_BYTES = 8192
/** Longest base for the addon: reducing it can't be interrupted. */
const MAX_NATIVE_BASE_BYTES = 1024 * 1024
/** Exponent bytes per call, which recomputes small powers; long moduli take tens of ms for a few bytes. */
const MIN_PART_BYTES = 32
const MIN_PART_BYTES_LONG = 8
const LONG_MODULUS_WORDS = 256
const EXPONENT_ONE = Uint8Array.of(1)

/** Big-endian integers of any length. */
interface ModularPower {
  readonly base: Uint8Array
  readonly exponent: Uint8Array
  readonly modulus: Uint8Array
}

/** As long as the modulus; null when aborted. */
export function modularPower(task: ModularPower, isOver: () => boolean): Uint8Array | null {
  const { base, exponent, modulus } = task
  const isShort = modulus.length <= MAX_NATIVE_BYTES && base.length <= MAX_NATIVE_BASE_BYTES
  const native = isShort ? nativePower() : null
  if (native !== null) return powerInParts(native, task, isOver)
  const by = bigintFromBytes(modulus)
  if (by === 0n) return new Uint8Array(modulus.length)
  const words = Math.ceil(modulus.length / 8)
  const result = power({ base: bigintFromBytes(base) % by, exponent, modulus: by, words }, isOver)
  return result === null ? null : bytesFromBigint(result, modulus.length)
}

/** Processes the exponent in parts of some milliseconds each. Null when aborted. */
function powerInParts(
  native: PowerFunction,
  { base, exponent, modulus }: ModularPower,
  isOver: () => boolean,
): Uint8Array | null {
  const words = Math.ceil(modulus.length / 8)
  const fewest = words > LONG_MODULUS_WORDS ? MIN_PART_BYTES_LONG : MIN_PART_BYTES
  const partBytes = Math.max(fewest, Math.floor(WORK_PER_LOOK / workPerByte(words)))
  const parts = Math.max(1, Math.ceil(exponent.length / partBytes))
  const isReduced = parts === 1 || base.length <= modulus.length
  const factor = isReduced ? base : new Uint8Array(native(base, EXPONENT_ONE, modulus, EMPTY_BYTES))
  let result = EMPTY_BYTES
  for (let part = 0; part < parts; part++) {
    if (part > 0 && isOver()) return null
    const bytes = exponent.subarray(part * partBytes, (part + 1) * partBytes)
    result = new Uint8Array(native(factor, bytes, modulus, result))
  }
  return result
}

/** Units of work per eight exponent bits. @param words 64-bit words of the modulus */
function workPerByte(words: number): number {
  return 10 * (WORK_PER_STEP + 2 * words * words)
}

interface PowerTask {
  /** Below the modulus. */
  readonly base: bigint
  /** Big-endian. */
  readonly exponent: Uint8Array
  readonly modulus: bigint
  /** 64-bit words of the modulus. */
  readonly words: number
}

/** Consumes four exponent bits at a time. Null when aborted. */
function power({ base, exponent, modulus, words }: PowerTask, isOver: () => boolean): bigint | null {
  const powers = [1n % modulus, base]
  const workOfByte = workPerByte(words)
  let work = 0
  let result = 1n % modulus
  let hasBegun = false
  for (const byte of exponent) {
    if (!hasBegun && byte === 0) continue
    work += workOfByte
    if (work >= WORK_PER_LOOK) {
      work = 0
      if (isOver()) return null
    }
    for (const digit of [byte >> 4, byte & 15]) {
      if (hasBegun) {
        result = (result * result) % modulus
        result = (result * result) % modulus
        result = (result * result) % modulus
        result = (result * result) % modulus
      }
      if (digit === 0) continue
      const factor = powerOf(powers, digit, modulus)
      result = hasBegun ? (result * factor) % modulus : factor
      hasBegun = true
    }
  }
  return result
}

/** The base to a power of 0 to 15; `powers` caches earlier results. */
function powerOf(powers: bigint[], digit: number, modulus: bigint): bigint {
  const base = powers[1] ?? 0n
  for (let known = powers.length; known <= digit; known++) powers.push(((powers[known - 1] ?? 0n) * base) % modulus)
  return powers[digit] ?? 0n
}
