// The cache: a chain of SHA3-512 from the seed, then three rounds of mixing. Enough to verify a hash, too slow to
// search. Written as a generator so that a host which must not block can pause between items.
import { sha3_512 } from '@noble/hashes/sha3.js'
import { ITEM_WORDS, ItemHasher, wordsOf } from './sha3-item'
import { ITEM_BYTES } from './sizes'

const ROUNDS = 3

/**
 * The cache of a seed as words (uint32; their little-endian bytes are the cache), yielding the fraction done (0..1) every
 * 16 items, about 0.2 ms apart.
 * @param seed 32 bytes
 * @param bytes a multiple of 64, see cacheBytes in sizes.ts
 * Source: prlx consensus/xhash/algorithm.go (generateCache); cases in test/vectors/chain/xhash.json
 */
export function* makeCacheSteps(seed: Uint8Array, bytes: number): Generator<number, Uint32Array, void> {
  const items = bytes / ITEM_BYTES
  const total = items * (ROUNDS + 1)
  const words = new Uint32Array(bytes / 4)
  const hasher = new ItemHasher()
  words.set(wordsOf(sha3_512(seed)))
  for (let i = 1; i < items; i++) {
    words.copyWithin(i * ITEM_WORDS, (i - 1) * ITEM_WORDS, i * ITEM_WORDS)
    hasher.hash(words, i * ITEM_WORDS)
    if (i % 16 === 0) yield i / total
  }
  for (let round = 1; round <= ROUNDS; round++) {
    for (let j = 0; j < items; j++) {
      mixItem(words, items, j)
      hasher.hash(words, j * ITEM_WORDS)
      if (j % 16 === 0) yield (round * items + j) / total
    }
  }
  return words
}

/** item j = its predecessor XOR the item that its own first word selects; the caller hashes it. */
function mixItem(words: Uint32Array, items: number, j: number): void {
  const own = j * ITEM_WORDS
  const left = ((j - 1 + items) % items) * ITEM_WORDS
  const right = ((words[own] ?? 0) % items) * ITEM_WORDS
  for (let w = 0; w < ITEM_WORDS; w++) words[own + w] = (words[left + w] ?? 0) ^ (words[right + w] ?? 0)
}
