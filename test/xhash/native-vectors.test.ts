// The proof-of-work vectors through the addon, with each instruction set of this CPU. Full-size caches take most of the
// time: `npm test` builds two with each set and one for a dataset of more than 4 GiB with the best, `npm run test:deep`
// all of them.
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { toBareHex } from '../../src/base/hex'
import type { NativeCache } from '../../src/native/addon'
import { XHASH_FULL } from '../../src/xhash/params'
import { datasetBytes } from '../../src/xhash/sizes'
import { byDepth } from '../depth'
import { addon, FullCaches, skipReason, theAddon } from './addon'
import { chainVectors, epochRows, minerVectors, mockCacheBytes } from './vectors'

const bare = (text: string): string => text.replace(/^0x/, '')
const unhex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(bare(text), 'hex'))
/** Epochs whose full-size caches are built. */
const NEAR = [0, 24]
/** Its dataset has more bytes than 32 bits can count. */
const FAR = 500
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** mix digest and result, as 128 digits */
async function light(cache: NativeCache, dataset: number, seal: string, nonce: string): Promise<string> {
  const number = BigInt(nonce.startsWith('0x') ? nonce : `0x${nonce}`)
  return toBareHex(await theAddon().hashLight(cache, dataset, unhex(seal), number))
}

describe.skipIf(addon === null)(`native, independent of the instruction set${skipReason}`, () => {
  it('folds as in the vectors', () => {
    expect(chainVectors.fnv.map(([a, b]) => [a, b, theAddon().fnv1(a, b)])).toEqual(chainVectors.fnv)
  })

  it('has the sizes and seeds of every recorded epoch', () => {
    const native = theAddon()
    const rows = epochRows.map(([epoch]) => [
      epoch,
      native.cacheBytes(XHASH_FULL, epoch),
      native.datasetBytes(XHASH_FULL, epoch),
      toBareHex(native.seedHash(epoch)),
    ])
    const sizes = minerVectors.sizes.map(({ epoch }) => [
      native.cacheBytes(XHASH_FULL, epoch),
      native.datasetBytes(XHASH_FULL, epoch),
    ])
    const seeds = minerVectors.seeds.map(({ epoch }) => ({ epoch, seed: toBareHex(native.seedHash(epoch)) }))

    expect(rows).toEqual(epochRows)
    expect(sizes).toEqual(minerVectors.sizes.map((row) => [row.cacheBytes, row.datasetBytes]))
    expect(seeds).toEqual(minerVectors.seeds.map(({ epoch, seed }) => ({ epoch, seed })))
  })
})

/** The best is the last. */
const levels = addon?.simdLevels ?? ['none']

describe.each(levels)(`native vectors, %s${skipReason}`, (simd) => {
  const epochs = simd === levels.at(-1) ? [...NEAR, FAR] : NEAR
  const isWanted = ({ epoch }: { readonly epoch: number }): boolean => byDepth(epochs.includes(epoch), true)
  const caches = new FullCaches()
  const when = it.skipIf(addon === null)

  when('small caches, their items, datasets and seals', async () => {
    const native = theAddon()
    for (const row of chainVectors.caches) {
      const cache = await native.createCache(unhex(row.seed), row.cacheBytes, simd)
      expect(sha256(native.cacheContent(cache))).toBe(row.cacheSha256)
      const items = native.datasetItems(
        cache,
        Uint32Array.from(row.items, ([index]) => index),
      )
      expect(toBareHex(items)).toBe(row.items.map(([, item]) => item).join(''))
      if (row.datasetSha256 !== undefined && row.datasetBytes <= 2 ** 21) {
        const dataset = await native.startDataset(cache, row.datasetBytes, 2).ready
        expect(sha256(native.datasetContent(dataset, 0, row.datasetBytes))).toBe(row.datasetSha256)
      }
      const cases = chainVectors.reducedSize.filter((one) => one.cache === row.id)
      const hashes = await Promise.all(cases.map((c) => light(cache, row.datasetBytes, c.headerHash, c.nonce)))
      expect(hashes).toEqual(cases.map((c) => bare(c.mixHash) + bare(c.result)))
    }
  })

  when('full-size caches and items', async () => {
    const native = theAddon()
    for (const row of chainVectors.fullSizeCaches.filter(isWanted)) {
      const cache = await caches.get(row.epoch, simd)
      expect(sha256(native.cacheContent(cache))).toBe(row.cacheSha256)
      const items = native.datasetItems(
        cache,
        Uint32Array.from(row.items, ([index]) => index),
      )
      expect(toBareHex(items)).toBe(row.items.map(([, item]) => item).join(''))
    }
    for (const row of minerVectors.caches.filter(isWanted)) {
      const content = native.cacheContent(await caches.get(row.epoch, simd))
      expect(toBareHex(native.sha3_256(content))).toBe(row.sha3_256)
      expect([toBareHex(content.subarray(0, 64)), toBareHex(content.subarray(-64))]).toEqual([row.first, row.last])
    }
    for (const row of minerVectors.datasetItems.filter(isWanted)) {
      const halves = Uint32Array.of(2 * row.index, 2 * row.index + 1)
      expect(toBareHex(native.datasetItems(await caches.get(row.epoch, simd), halves))).toBe(row.item)
    }
  })

  when('full-size seals', async () => {
    for (const row of chainVectors.fullSize.filter(isWanted)) {
      const hash = await light(await caches.get(row.epoch, simd), sizeOf(row.epoch), row.headerHash, row.nonce)
      expect(hash).toBe(bare(row.mixHash) + bare(row.result))
    }
    for (const row of minerVectors.hashes.filter(isWanted)) {
      const hash = await light(await caches.get(row.epoch, simd), sizeOf(row.epoch), row.header, row.nonce)
      expect(hash).toBe(row.mix + row.final)
    }
  })

  when('searches: all nonces of the range and no others, by light hashes', async () => {
    for (const row of minerVectors.searches.filter(isWanted)) {
      const cache = await caches.get(row.epoch, simd)
      const nonces = Array.from({ length: row.count }, (_, i) => wrapped(BigInt(`0x${row.start}`) + BigInt(i)))
      const hashes = await Promise.all(nonces.map((nonce) => light(cache, sizeOf(row.epoch), row.header, nonce)))
      const found = nonces
        .map((nonce, i) => ({ nonce, mix: hashes[i]?.slice(0, 64) ?? '', final: hashes[i]?.slice(64) ?? '' }))
        .filter(({ final }) => final <= row.target)
      expect(found).toEqual(row.solutions)
    }
  })

  when('the mock cache: items, and searches over a dataset of 501 rows', async () => {
    const native = theAddon()
    const cache = native.cacheFromBytes(mockCacheBytes(), simd)
    for (const row of minerVectors.mock.items) {
      const halves = Uint32Array.of(2 * row.index, 2 * row.index + 1)
      expect(toBareHex(native.datasetItems(cache, halves))).toBe(row.item)
    }
    const { smallDataset } = minerVectors.mock
    const dataset = await native.startDataset(cache, smallDataset.datasetItems * 128, 2).ready
    for (const row of smallDataset.searches) {
      const nonces = Array.from({ length: smallDataset.count }, (_, i) => BigInt(row.start) + BigInt(i))
      const found = nonces
        .map((nonce) => ({ nonce, hash: toBareHex(native.hashFull(dataset, new Uint8Array(32), nonce)) }))
        .filter(({ hash }) => hash.slice(64) <= smallDataset.target)
        .map(({ nonce, hash }) => ({ nonce: wrapped(nonce), mix: hash.slice(0, 64), final: hash.slice(64) }))
      expect(found).toEqual(row.solutions)
    }
  })
})

function sizeOf(epoch: number): number {
  return datasetBytes(XHASH_FULL, epoch)
}

/** 16 digits of a nonce modulo 2^64 */
function wrapped(nonce: bigint): string {
  return BigInt.asUintN(64, nonce).toString(16).padStart(16, '0')
}
