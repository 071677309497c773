// SHA3-512 of a 64-byte item in place, on words: no allocation in loops that run a million times.
// Item words are uint32, little-endian; only words are accessed, so the host's byte order doesn't matter.
import { keccakP } from '@noble/hashes/sha3.js'

export const ITEM_WORDS = 16
const STATE_WORDS = 50

/** One hasher per loop: it owns the 200-byte state. */
export class ItemHasher {
  readonly #state = new Uint32Array(STATE_WORDS)

  /**
   * words[offset .. offset+16) = sha3_512(the same 16 words as 64 little-endian bytes).
   * Source: FIPS 202; the padding bits of a 64-byte message at a rate of 72 bytes fall into words 16 and 17.
   */
  hash(words: Uint32Array, offset: number): void {
    const state = this.#state
    state.fill(0)
    for (let w = 0; w < ITEM_WORDS; w++) state[w] = words[offset + w] ?? 0
    state[16] = 0x06
    state[17] = 0x80000000
    keccakP(state)
    for (let w = 0; w < ITEM_WORDS; w++) words[offset + w] = state[w] ?? 0
  }
}

/** Words (uint32) of little-endian bytes; the length is a multiple of 4. */
export function wordsOf(bytes: Uint8Array): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const words = new Uint32Array(bytes.length / 4)
  // A plain loop: a cache has millions of words, and a DataView call for each costs sixteen times as much.
  for (let i = 0; i < words.length; i++) words[i] = view.getUint32(i * 4, true)
  return words
}

/** Little-endian bytes of words: the inverse of wordsOf. */
export function bytesOfWords(words: Uint32Array): Uint8Array {
  const bytes = new Uint8Array(words.length * 4)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < words.length; i++) view.setUint32(i * 4, words[i] ?? 0, true)
  return bytes
}
