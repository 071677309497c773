// The vectors through TypeScript. Full-size caches take 4 s and more each here: only npm run test:deep builds those of
// epochs 0 and 1 from their seeds; the other epochs' items and seals are computed over caches built by the addon.
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { toBareHex } from '../../src/base/hex'
import { makeCacheSteps } from '../../src/xhash/cache'
import { buildDatasetSteps, finished } from '../../src/xhash/dataset'
import { hashimotoFull, hashimotoLightSteps } from '../../src/xhash/hashimoto'
import { XHASH_FULL } from '../../src/xhash/params'
import { nextSeedHash, seedHash } from '../../src/xhash/seed'
import { bytesOfWords, wordsOf } from '../../src/xhash/sha3-item'
import { cacheBytes, datasetBytes } from '../../src/xhash/sizes'
import { byDepth, DEEP_ONLY, IS_DEEP } from '../depth'
import { addon, FullCaches, skipReason, theAddon } from './addon'
import { chainVectors, datasetItem, epochRows, minerVectors, mockCacheBytes } from './vectors'

/** The last one's dataset has more bytes than 32 bits can count. */
const EPOCHS = byDepth([0, 24, 500], [2, 13, 24, 89, 166, 176, 500])
const SEARCHES = minerVectors.searches.filter(({ epoch }) => byDepth(EPOCHS.includes(epoch), true))
/** Of 400 in a recorded search. */
const NONCES = byDepth(20, 60)
const bare = (text: string): string => text.replace(/^0x/, '')
const unhex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(bare(text), 'hex'))
const row128 = (cache: Uint32Array, index: number): string =>
  toBareHex(bytesOfWords(datasetItem(cache, 2 * index))) + toBareHex(bytesOfWords(datasetItem(cache, 2 * index + 1)))

function light(cache: Uint32Array, dataset: number, seal: string, nonce: string): string {
  const number = BigInt(nonce.startsWith('0x') ? nonce : `0x${nonce}`)
  const hash = finished(hashimotoLightSteps(cache, { datasetBytes: dataset, sealHash: unhex(seal), nonce: number }))
  return toBareHex(hash.mixDigest) + toBareHex(hash.result)
}

it('names every recorded epoch, up to the last possible one', () => {
  const wanted = new Map(epochRows.map(([epoch, , , seed]) => [epoch, seed]))
  let seed = seedHash(0)
  for (let epoch = 0; epoch <= Math.max(...wanted.keys()); epoch++) {
    if (wanted.has(epoch)) expect(toBareHex(seed)).toBe(wanted.get(epoch))
    seed = nextSeedHash(seed)
  }
  for (const { epoch, seed: recorded } of minerVectors.seeds)
    expect(toBareHex(seedHash(epoch))).toBe(toBareHex(unhex(recorded)))
})

it('builds the small and middle caches, and checks every seal of reduced size', () => {
  for (const row of chainVectors.caches) {
    const cache = finished(makeCacheSteps(unhex(row.seed), row.cacheBytes))
    expect(createHash('sha256').update(bytesOfWords(cache)).digest('hex')).toBe(row.cacheSha256)
    for (const [index, item] of row.items) expect(toBareHex(bytesOfWords(datasetItem(cache, index)))).toBe(item)
    for (const one of chainVectors.reducedSize.filter((c) => c.cache === row.id)) {
      expect(light(cache, row.datasetBytes, one.headerHash, one.nonce)).toBe(bare(one.mixHash) + bare(one.result))
    }
  }
})

it.skipIf(!IS_DEEP).each(chainVectors.fullSizeCaches)(
  `builds the full-size cache of epoch $epoch, its items and seals${DEEP_ONLY}`,
  (row) => {
    const cache = finished(makeCacheSteps(seedHash(row.epoch), cacheBytes(XHASH_FULL, row.epoch)))

    expect(createHash('sha256').update(bytesOfWords(cache)).digest('hex')).toBe(row.cacheSha256)
    for (const [index, item] of row.items) expect(toBareHex(bytesOfWords(datasetItem(cache, index)))).toBe(item)
    expectEpoch(row.epoch, cache)
  },
)

describe.skipIf(addon === null)(`over caches that the addon built${skipReason}`, () => {
  const caches = new FullCaches()

  it.each(EPOCHS)('items and seals of epoch %i', async (epoch) => {
    expectEpoch(epoch, wordsOf(theAddon().cacheContent(await caches.get(epoch))))
  })

  it.each(SEARCHES)(`search in epoch $epoch from $start (first ${NONCES} of 400 nonces, for time)`, async (row) => {
    const cache = wordsOf(theAddon().cacheContent(await caches.get(row.epoch)))
    const start = BigInt(`0x${row.start}`)
    const nonces = Array.from({ length: NONCES }, (_, i) => digits(start + BigInt(i)))
    const also = row.solutions.map((solution) => solution.nonce)

    const found = [...new Set([...nonces, ...also])]
      .map((nonce) => ({ nonce, hash: light(cache, datasetBytes(XHASH_FULL, row.epoch), row.header, nonce) }))
      .filter(({ hash }) => hash.slice(64) <= row.target)
      .map(({ nonce, hash }) => ({ nonce, mix: hash.slice(0, 64), final: hash.slice(64) }))

    expect(found).toEqual(row.solutions)
  })
})

it('gives the items of the mock cache, and its searches over 501 rows', () => {
  const cache = wordsOf(mockCacheBytes())
  for (const row of minerVectors.mock.items) expect(row128(cache, row.index)).toBe(row.item)
  const { smallDataset } = minerVectors.mock
  const dataset = finished(buildDatasetSteps(cache, smallDataset.datasetItems * 128))
  for (const row of smallDataset.searches) {
    const found = Array.from({ length: smallDataset.count }, (_, i) => BigInt(row.start) + BigInt(i))
      .map((nonce) => ({ nonce, ...hashimotoFull(dataset, new Uint8Array(32), nonce) }))
      .filter(({ result }) => toBareHex(result) <= smallDataset.target)
      .map(({ nonce, mixDigest, result }) => ({
        nonce: digits(nonce),
        mix: toBareHex(mixDigest),
        final: toBareHex(result),
      }))
    expect(found).toEqual(row.solutions)
  }
})

function expectEpoch(epoch: number, cache: Uint32Array): void {
  const size = datasetBytes(XHASH_FULL, epoch)
  for (const row of minerVectors.datasetItems.filter((r) => r.epoch === epoch)) {
    expect(row128(cache, row.index)).toBe(row.item)
  }
  for (const row of chainVectors.fullSize.filter((r) => r.epoch === epoch)) {
    expect(light(cache, size, row.headerHash, row.nonce)).toBe(bare(row.mixHash) + bare(row.result))
  }
  for (const row of minerVectors.hashes.filter((r) => r.epoch === epoch)) {
    expect(light(cache, size, row.header, row.nonce)).toBe(row.mix + row.final)
  }
}

/** 16 digits of a nonce modulo 2^64 */
function digits(nonce: bigint): string {
  return BigInt.asUintN(64, nonce).toString(16).padStart(16, '0')
}
