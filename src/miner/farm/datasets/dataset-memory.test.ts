import { expect, it } from 'vitest'
import { XHASH_FULL, XHASH_TEST } from '../../../xhash/params'
import { lastFittingEpoch, neededBytes } from './dataset-memory'

const GIB = 2 ** 30

it('finds the last epoch whose dataset, cache and reserve fit', () => {
  const last = lastFittingEpoch(XHASH_FULL, 8 * GIB) ?? -1

  expect(last).toBeGreaterThan(800)
  expect(neededBytes(XHASH_FULL, last)).toBeLessThanOrEqual(8 * GIB)
  expect(neededBytes(XHASH_FULL, last + 1)).toBeGreaterThan(8 * GIB)
})

it('says so if not even the first epoch fits, and if every one does', () => {
  expect(lastFittingEpoch(XHASH_FULL, GIB)).toBeNull()
  expect(lastFittingEpoch(XHASH_TEST, GIB)).toBe(32_639)
})
