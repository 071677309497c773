// Dataset items from the cache. One item costs 256 cache reads, so a whole dataset is built once and searched for days.
import { fnv1, foldItem } from './fnv'
import { ITEM_WORDS, ItemHasher } from './sha3-item'
import { ITEM_BYTES } from './sizes'

const PARENTS = 256

/** Computes items one at a time without allocating; owns its 200-byte hash state. */
export class DatasetItemMaker {
  readonly #hasher = new ItemHasher()

  constructor(private readonly cache: Uint32Array) {}

  /**
   * Writes item `index` (uint32) as 16 words to out[offset ..].
   * Source: prlx consensus/xhash/algorithm.go (generateDatasetItem); cases in test/vectors/chain/xhash.json
   */
  write(index: number, out: Uint32Array, offset: number): void {
    const cache = this.cache
    const items = cache.length / ITEM_WORDS
    const start = (index % items) * ITEM_WORDS
    for (let w = 0; w < ITEM_WORDS; w++) out[offset + w] = cache[start + w] ?? 0
    out[offset] = ((out[offset] ?? 0) ^ index) >>> 0
    this.#hasher.hash(out, offset)
    for (let k = 0; k < PARENTS; k++) {
      const parent = (fnv1(index ^ k, out[offset + (k % ITEM_WORDS)] ?? 0) % items) * ITEM_WORDS
      foldItem(out, offset, cache, parent)
    }
    this.#hasher.hash(out, offset)
  }
}

/** The whole dataset as words, about 0.1 ms per item; yields the fraction done (0..1) after each. */
export function* buildDatasetSteps(cache: Uint32Array, bytes: number): Generator<number, Uint32Array, void> {
  const items = bytes / ITEM_BYTES
  const words = new Uint32Array(bytes / 4)
  const maker = new DatasetItemMaker(cache)
  for (let index = 0; index < items; index++) {
    maker.write(index, words, index * ITEM_WORDS)
    yield (index + 1) / items
  }
  return words
}

/** The end of such steps, at once. */
export function finished<T>(steps: Generator<number, T, void>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
