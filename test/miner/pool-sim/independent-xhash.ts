// The pool's own implementation of the hash function, written independently of the miner's: full-size caches, light
// evaluation.
import { hash } from 'node:crypto'

const TAG = Buffer.from('PARALLAX\x01', 'latin1')
const PRIME = 0x01000193

export interface Evaluated {
  /** 32 bytes */
  readonly mix: Buffer
  /** 32 bytes, big-endian */
  readonly final: Buffer
}

/** Bytes at epoch 0 and bytes added per epoch, before the prime rule. */
export interface PoolSizes {
  readonly cache: readonly [number, number]
  readonly dataset: readonly [number, number]
}

const FULL: PoolSizes = { cache: [16_777_216, 131_072], dataset: [1_073_741_824, 8_388_608] }
/** A 64th of them. */
export const PRACTICE_SIZES: PoolSizes = { cache: [262_144, 2_048], dataset: [16_777_216, 131_072] }

const KEPT_CACHES = 4

interface Cache {
  readonly items: number
  readonly rows: number
  readonly words: Uint32Array
}

export function epochSeed(epoch: number): Buffer {
  let seed: Buffer = Buffer.alloc(32)
  for (let e = 0; e < epoch; e++) seed = sha3('sha3-256', Buffer.concat([TAG, seed]))
  return seed
}

/** Full-size caches cost a second each: built once, kept for the last epochs. */
export class PoolHasher {
  readonly #caches = new Map<number, Cache>()

  constructor(private readonly sizes: PoolSizes = FULL) {}

  /** Builds the cache of `epoch` now, which takes seconds, instead of at its first share. */
  prepare(epoch: number): void {
    this.#cache(epoch)
  }

  evaluate(epoch: number, header: Uint8Array, nonce: bigint): Evaluated {
    const cache = this.#cache(epoch)
    const nonceBytes = Buffer.alloc(8)
    nonceBytes.writeBigUInt64LE(BigInt.asUintN(64, nonce))
    const seed = sha3('sha3-512', Buffer.concat([header, nonceBytes]))
    const first = seed.readUInt32LE(0)
    const mix = Uint32Array.from({ length: 32 }, (_, k) => seed.readUInt32LE((k % 16) * 4))
    for (let round = 0; round < 64; round++) {
      const row = (fnv(round ^ first, at(mix, round % 32)) >>> 0) % cache.rows
      const halves = [datasetHalf(cache, row * 2), datasetHalf(cache, row * 2 + 1)]
      halves.forEach((half, side) => {
        for (let k = 0; k < 16; k++) mix[side * 16 + k] = fnv(at(mix, side * 16 + k), half.readUInt32LE(k * 4))
      })
    }
    const folded = Buffer.alloc(32)
    for (let i = 0; i < 32; i += 4) {
      const word = fnv(fnv(fnv(at(mix, i), at(mix, i + 1)), at(mix, i + 2)), at(mix, i + 3))
      folded.writeUInt32LE(word >>> 0, i)
    }
    return { mix: folded, final: sha3('sha3-256', Buffer.concat([seed, folded])) }
  }

  #cache(epoch: number): Cache {
    const known = this.#caches.get(epoch)
    if (known !== undefined) return known
    const { cache, dataset } = this.sizes
    const items = primeBelow((cache[0] + cache[1] * epoch) / 64)
    const rows = primeBelow((dataset[0] + dataset[1] * epoch) / 128)
    const made = { items, rows, words: cacheWords(epoch, items) }
    this.#caches.set(epoch, made)
    const oldest = [...this.#caches.keys()][0]
    if (this.#caches.size > KEPT_CACHES && oldest !== undefined) this.#caches.delete(oldest)
    return made
  }
}

function cacheWords(epoch: number, items: number): Uint32Array {
  const bytes = Buffer.alloc(items * 64)
  let item = sha3('sha3-512', epochSeed(epoch))
  item.copy(bytes, 0)
  for (let i = 1; i < items; i++) {
    item = sha3('sha3-512', item)
    item.copy(bytes, i * 64)
  }
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, items * 16)
  const mixed = new Uint32Array(16)
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < items; i++) {
      const one = (at(words, i * 16) % items) * 16
      const other = ((items + i - 1) % items) * 16
      for (let k = 0; k < 16; k++) mixed[k] = at(words, one + k) ^ at(words, other + k)
      sha3('sha3-512', Buffer.from(mixed.buffer)).copy(bytes, i * 64)
    }
  }
  return words
}

/** 64 bytes of the dataset. */
function datasetHalf({ items, words }: Cache, index: number): Buffer {
  const start = (index % items) * 16
  const mix = words.slice(start, start + 16)
  mix[0] = at(mix, 0) ^ index
  sha3('sha3-512', Buffer.from(mix.buffer)).copy(Buffer.from(mix.buffer))
  for (let parent = 0; parent < 256; parent++) {
    const from = ((fnv(index ^ parent, at(mix, parent % 16)) >>> 0) % items) * 16
    for (let k = 0; k < 16; k++) mix[k] = fnv(at(mix, k), at(words, from + k))
  }
  return sha3('sha3-512', Buffer.from(mix.buffer))
}

function fnv(u: number, v: number): number {
  const half = Math.imul(Math.imul(u, PRIME) ^ (v & 255), PRIME) ^ ((v >>> 8) & 255)
  return Math.imul(Math.imul(half, PRIME) ^ ((v >>> 16) & 255), PRIME) ^ (v >>> 24)
}

function primeBelow(limit: number): number {
  let candidate = limit - 1
  while (!isPrime(candidate)) candidate -= 2
  return candidate
}

function isPrime(n: number): boolean {
  for (let i = 3; i * i <= n; i += 2) if (n % i === 0) return false
  return n % 2 === 1
}

function at(words: Uint32Array, index: number): number {
  return words[index] ?? 0
}

function sha3(name: 'sha3-256' | 'sha3-512', bytes: Uint8Array): Buffer {
  return hash(name, bytes, 'buffer')
}
