import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chainVectors } from '../../test/xhash/vectors'
import { bytesOfHex, toHex } from '../base/hex'
import { makeCache } from './cache'
import { buildDataset } from './dataset'
import { hashimotoFull, hashimotoLight } from './hashimoto'

const caches = new Map(
  chainVectors.caches
    .filter((row) => row.cacheBytes <= 4096)
    .map((row) => [row.id, { row, words: makeCache(bytesOfHex(row.seed), row.cacheBytes) }]),
)
const cases = chainVectors.reducedSize.filter((row) => caches.has(row.cache))

describe('light hash over small sizes', () => {
  it.each(cases)(
    'for nonce $nonce with cache $cache is as recorded',
    ({ cache, headerHash, nonce, mixHash, result }) => {
      const { row, words } = caches.get(cache) ?? expect.fail('cache')

      const hash = hashimotoLight(words, row.datasetBytes, bytesOfHex(headerHash), BigInt(nonce))

      expect({ mixHash: toHex(hash.mixDigest), result: toHex(hash.result) }).toEqual({ mixHash, result })
    },
  )
})

it('gives the same from the cache and from the whole dataset', () => {
  const cache = makeCache(new Uint8Array(32), 1024)
  const dataset = buildDataset(cache, 32768)
  const sealHashes = fc.uint8Array({ minLength: 32, maxLength: 32 })
  const nonces = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })

  fc.assert(
    fc.property(sealHashes, nonces, (sealHash, nonce) => {
      expect(hashimotoFull(dataset, sealHash, nonce)).toEqual(hashimotoLight(cache, 32768, sealHash, nonce))
    }),
    { numRuns: 20 },
  )
})
