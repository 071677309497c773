import { describe, expect, it } from 'vitest'
import { epochRows, minerVectors } from '../../test/xhash/vectors'
import { epochOfHeight, XHASH_FULL, XHASH_PRACTICE, XHASH_TEST } from './params'
import { cacheBytes, datasetBytes } from './sizes'

describe('full sizes', () => {
  it('agree with every row of the chain vectors', () => {
    const sizes = epochRows.map(([epoch]) => [epoch, cacheBytes(XHASH_FULL, epoch), datasetBytes(XHASH_FULL, epoch)])

    expect(sizes).toEqual(epochRows.map((row) => row.slice(0, 3)))
  })

  it.each(minerVectors.sizes)('agree with the miner vectors in epoch $epoch', (row) => {
    expect(cacheBytes(XHASH_FULL, row.epoch)).toBe(row.cacheBytes)
    expect(datasetBytes(XHASH_FULL, row.epoch)).toBe(row.datasetBytes)
  })
})

it('keeps practice sizes under a 64th of the full ones, by the same prime rule', () => {
  expect(cacheBytes(XHASH_PRACTICE, 0)).toBe(64 * 4093)
  expect(datasetBytes(XHASH_PRACTICE, 0)).toBe(128 * 131071)
})

it('has the same tiny sizes in every test-mode epoch', () => {
  expect([cacheBytes(XHASH_TEST, 7), datasetBytes(XHASH_TEST, 7)]).toEqual([1024, 32768])
})

it('changes the epoch at multiples of 720', () => {
  expect([0, 719, 720, 1440].map((height) => epochOfHeight(XHASH_FULL, height))).toEqual([0, 0, 1, 2])
})
