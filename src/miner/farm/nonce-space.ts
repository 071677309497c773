// The nonces each device searches for one header: disjoint segments of equal width.
import type { Extranonce } from '../work-source'

const NONCE_BITS = 64
const NONCE_MASK = 2n ** 64n - 1n

/** Nonces [start, start + 2^bits), modulo 2^64. */
export interface NonceSegment {
  readonly start: bigint
  readonly bits: number
}

interface NonceSpaceOptions {
  /** first nonce without an extranonce: 0..2^64 - 1 */
  readonly start: bigint
  readonly extranonce: Extranonce | null
  readonly devices: number
  /** requested width in bits, 10..63; an extranonce may force a smaller one */
  readonly bits: number
}

/** Hands out segments of one header's nonces. */
export class NonceSpace {
  /** width of every segment, in bits */
  readonly bits: number
  /** first nonce of the whole space */
  readonly base: bigint
  readonly #count: bigint
  readonly #devices: number
  readonly #begun = new Set<number>()
  #next: bigint

  constructor(options: NonceSpaceOptions) {
    const { extranonce, devices } = options
    const spaceBits = NONCE_BITS - (extranonce?.bits ?? 0)
    const fitting = spaceBits - Math.ceil(Math.log2(Math.max(1, devices)))
    this.bits = Math.max(0, Math.min(options.bits, fitting))
    this.base = extranonce === null ? options.start : extranonce.prefix << BigInt(spaceBits)
    this.#count = 1n << BigInt(spaceBits - this.bits)
    this.#devices = devices
    this.#next = BigInt(devices)
  }

  /**
   * The device's own segment first, then the next unassigned one (so that a pause or rebuild never searches a nonce
   * twice). Null when the space is exhausted.
   * @param device index, 0..devices - 1
   */
  take(device: number): NonceSegment | null {
    const own = device < this.#devices && !this.#begun.has(device)
    const position = own ? BigInt(device) : this.#next
    if (position >= this.#count) return null
    if (own) this.#begun.add(device)
    else this.#next += 1n
    return { start: (this.base + (position << BigInt(this.bits))) & NONCE_MASK, bits: this.bits }
  }
}
