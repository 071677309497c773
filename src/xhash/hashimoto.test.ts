import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chainVectors } from '../../test/xhash/vectors'
import { bytesOfHex, toHex } from '../base/hex'
import { makeCacheSteps } from './cache'
import { buildDatasetSteps, finished } from './dataset'
import { hashimotoFull, hashimotoLightSteps } from './hashimoto'

const caches = new Map(
  chainVectors.caches
    .filter((row) => row.cacheBytes <= 4096)
    .map((row) => [row.id, { row, words: finished(makeCacheSteps(bytesOfHex(row.seed), row.cacheBytes)) }]),
)
const cases = chainVectors.reducedSize.filter((row) => caches.has(row.cache))

describe('light hash over small sizes', () => {
  it.each(cases)(
    'for nonce $nonce with cache $cache is as recorded',
    ({ cache, headerHash, nonce, mixHash, result }) => {
      const { row, words } = caches.get(cache) ?? expect.fail('cache')

      const hash = finished(
        hashimotoLightSteps(words, {
          datasetBytes: row.datasetBytes,
          sealHash: bytesOfHex(headerHash),
          nonce: BigInt(nonce),
        }),
      )

      expect({ mixHash: toHex(hash.mixDigest), result: toHex(hash.result) }).toEqual({ mixHash, result })
    },
  )
})

it('gives the same from the cache and from the whole dataset', () => {
  const cache = finished(makeCacheSteps(new Uint8Array(32), 1024))
  const dataset = finished(buildDatasetSteps(cache, 32768))
  const sealHashes = fc.uint8Array({ minLength: 32, maxLength: 32 })
  const nonces = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })

  fc.assert(
    fc.property(sealHashes, nonces, (sealHash, nonce) => {
      expect(hashimotoFull(dataset, sealHash, nonce)).toEqual(
        finished(hashimotoLightSteps(cache, { datasetBytes: 32768, sealHash, nonce })),
      )
    }),
    { numRuns: 20 },
  )
})
