import { expect, it } from 'vitest'
import { bytesFromBigint } from '../base/bytes'
import { meetsTarget, targetOfDifficulty } from './target'

it('is the whole part of (2^256 - 1) / difficulty', () => {
  expect(targetOfDifficulty(1n)).toBe(2n ** 256n - 1n)
  expect(targetOfDifficulty(0n)).toBe(2n ** 256n - 1n)
  expect(targetOfDifficulty(2n)).toBe(2n ** 255n - 1n)
  expect(targetOfDifficulty(2n ** 255n)).toBe(1n)
  expect(targetOfDifficulty(2n ** 256n)).toBe(0n)
})

it('counts a result equal to the target as a hit, but not the next one', () => {
  expect(meetsTarget(bytesFromBigint(1000n, 32), 1000n)).toBe(true)
  expect(meetsTarget(bytesFromBigint(1001n, 32), 1000n)).toBe(false)
})
