import { expect, it } from 'vitest'
import { chainVectors } from '../../test/xhash/vectors'
import { fnv1 } from './fnv'

it.each(chainVectors.fnv)('folds %i and %i into %i', (a, b, result) => {
  expect(fnv1(a, b)).toBe(result)
})

it("differs from Ethash's word-wise FNV for words over one byte", () => {
  expect(fnv1(1, 0x01020304)).not.toBe((0x01000193 ^ 0x01020304) >>> 0)
})
