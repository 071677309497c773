import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { chainVectors, datasetItem } from '../../test/xhash/vectors'
import { bytesOfHex, toBareHex, toHex } from '../base/hex'
import { makeCacheSteps } from './cache'
import { buildDatasetSteps, finished } from './dataset'
import { bytesOfWords } from './sha3-item'

const sha256 = (words: Uint32Array): string => createHash('sha256').update(bytesOfWords(words)).digest('hex')
const smallCaches = chainVectors.caches.filter((row) => row.cacheBytes <= 4096)

describe.each(smallCaches)('cache $id of $cacheBytes bytes', (row) => {
  const cache = finished(makeCacheSteps(bytesOfHex(row.seed), row.cacheBytes))

  it('has the recorded content', () => {
    expect(sha256(cache)).toBe(row.cacheSha256)
    if (row.cache !== undefined) expect(toHex(bytesOfWords(cache))).toBe(row.cache)
  })

  it('gives the recorded dataset items', () => {
    const items = row.items.map(([index]) => [index, toBareHex(bytesOfWords(datasetItem(cache, index)))])

    expect(items).toEqual(row.items)
  })

  it.runIf(row.datasetBytes <= 32768)('gives the recorded dataset', () => {
    expect(sha256(finished(buildDatasetSteps(cache, row.datasetBytes)))).toBe(row.datasetSha256)
  })
})

it('yields growing fractions while it works', () => {
  const fractions = [...makeCacheSteps(new Uint8Array(32), 4096)]

  expect(fractions.length).toBeGreaterThan(10)
  expect(fractions).toEqual([...fractions].sort((a, b) => a - b))
  expect(Math.max(...fractions)).toBeLessThan(1)
})
