// The 2048-bit log filter of receipts and headers. Source: yellow paper 4.3.1
import { keccak256 } from '../codec/keccak'

export const BLOOM_BYTES = 256

/** One event of a transaction, without its place in the block. */
export interface Log {
  /** 20 bytes */
  readonly address: Uint8Array
  /** 32 bytes each, at most 4 */
  readonly topics: readonly Uint8Array[]
  readonly data: Uint8Array
}

/** 256 bytes, big-endian: bit 2047 is the highest bit of byte 0. */
export function bloomOf(logs: readonly Log[]): Uint8Array {
  const bloom = new Uint8Array(BLOOM_BYTES)
  for (const log of logs) {
    addToBloom(bloom, log.address)
    for (const topic of log.topics) addToBloom(bloom, topic)
  }
  return bloom
}

function addToBloom(bloom: Uint8Array, value: Uint8Array): void {
  for (const bit of bitsOf(value)) {
    const at = BLOOM_BYTES - 1 - (bit >>> 3)
    bloom[at] = (bloom[at] ?? 0) | (1 << (bit & 7))
  }
}

/** Whether an address or topic may be in the bloom; false is certain. */
export function mayContain(bloom: Uint8Array, value: Uint8Array): boolean {
  return bitsOf(value).every((bit) => ((bloom[BLOOM_BYTES - 1 - (bit >>> 3)] ?? 0) & (1 << (bit & 7))) !== 0)
}

/** The three bits that a value sets. */
function bitsOf(value: Uint8Array): readonly number[] {
  const hash = keccak256(value)
  return [0, 2, 4].map((i) => (((hash[i] ?? 0) << 8) | (hash[i + 1] ?? 0)) & 0x7ff)
}

/** Words whose bits are remembered. */
const KNOWN_WORDS = 4_096

/** A bloom being filled: equal words, which a flood of logs repeats, are hashed once. */
export class BloomWriter {
  readonly bytes = new Uint8Array(BLOOM_BYTES)
  readonly #known = new Set<string>()

  /** @param name an address or topic, a character for each byte */
  add(name: string): void {
    if (this.#known.has(name)) return
    if (this.#known.size >= KNOWN_WORDS) this.#known.clear()
    this.#known.add(name)
    addToBloom(this.bytes, Buffer.from(name, 'latin1'))
  }
}
