// A map by 256-bit words. The runtime hashes a bigint by its lowest 64 bits alone and always in the same way, so whoever chooses
// the keys (addresses, storage slots) could put all of them into one bucket: 30,000 such slots took 25 seconds. Here a word's
// place is found with a factor that nobody outside knows.
import { randomBytes } from 'node:crypto'
import { wordOfBytes } from './word'

/** Odd, drawn at each start. */
const FACTOR = wordOfBytes(randomBytes(32)) | 1n

interface Entry<V> {
  readonly key: bigint
  value: V
  /** Another key at the same place: one pair in 2^63. */
  next: Entry<V> | null
}

/** Keys are bigints of up to 256 bits. A factor drawn at startup spreads them, so chosen keys don't collide. */
export class WordMap<V> {
  readonly #places = new Map<bigint, Entry<V>>()
  /** The one that was asked for last: programs ask several times in a row. */
  #last: Entry<V> | null = null

  /** @param placeOf where a key belongs; another one in tests */
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

  /** In no order that means anything. */
  *entries(): Generator<readonly [bigint, V]> {
    for (const first of this.#places.values())
      for (let entry: Entry<V> | null = first; entry !== null; entry = entry.next) yield [entry.key, entry.value]
  }
}

/** The upper 64 bits of the product: any two keys meet with a chance of about 2^-63. */
function secretPlace(key: bigint): bigint {
  return BigInt.asUintN(256, key * FACTOR) >> 192n
}
