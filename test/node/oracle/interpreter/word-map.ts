// A map keyed by 256-bit words. The runtime hashes a bigint by its lowest 64 bits only and without a seed, so whoever
// chooses the keys (addresses, storage slots) could put them all into one bucket: 30,000 such slots took 25 seconds.
// Here a secret factor determines a word's bucket.
import { randomBytes } from 'node:crypto'
import { wordOfBytes } from './word'

/** Odd, random per process. */
const FACTOR = wordOfBytes(randomBytes(32)) | 1n

interface Entry<V> {
  readonly key: bigint
  value: V
  /** Another key in the same bucket: one pair in 2^63. */
  next: Entry<V> | null
}

/** Keys are bigints of up to 256 bits. A random factor spreads them, so chosen keys don't collide. */
export class WordMap<V> {
  readonly #places = new Map<bigint, Entry<V>>()
  /** The entry accessed last: contracts often access one several times in a row. */
  #last: Entry<V> | null = null

  /** @param placeOf a key's bucket; replaced in tests */
  constructor(private readonly placeOf: (key: bigint) => bigint = secretPlace) {}

  get(key: bigint): V | undefined {
    if (this.#last !== null && this.#last.key === key) return this.#last.value
    let entry = this.#places.get(this.placeOf(key)) ?? null
    while (entry !== null && entry.key !== key) entry = entry.next
    if (entry === null) return undefined
    this.#last = entry
    return entry.value
  }

  set(key: bigint, value: V): void {
    const place = this.placeOf(key)
    const first = this.#places.get(place) ?? null
    let entry = first
    while (entry !== null && entry.key !== key) entry = entry.next
    if (entry !== null) entry.value = value
    else this.#places.set(place, { key, value, next: first })
  }

  delete(key: bigint): void {
    this.#last = null
    const place = this.placeOf(key)
    const others: Entry<V>[] = []
    for (let entry = this.#places.get(place) ?? null; entry !== null; entry = entry.next)
      if (entry.key !== key) others.push(entry)
    let chain: Entry<V> | null = null
    for (const { key: other, value } of others) chain = { key: other, value, next: chain }
    if (chain === null) this.#places.delete(place)
    else this.#places.set(place, chain)
  }

  clear(): void {
    this.#last = null
    this.#places.clear()
  }

  /** In no particular order. */
  *entries(): Generator<readonly [bigint, V]> {
    for (const first of this.#places.values())
      for (let entry: Entry<V> | null = first; entry !== null; entry = entry.next) yield [entry.key, entry.value]
  }
}

/** The upper 64 bits of the product: any two keys collide with a probability of about 2^-63. */
function secretPlace(key: bigint): bigint {
  return BigInt.asUintN(256, key * FACTOR) >> 192n
}
