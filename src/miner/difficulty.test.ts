import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { bytesFromBigint } from '../base/bytes'
import { bytesOfHex } from '../base/hex'
import { difficultyOfTarget, expectedHashes } from './difficulty'

const vectors = z
  .object({ pairs: z.array(z.object({ difficulty: z.string(), nodeTarget: z.string() })) })
  .parse(JSON.parse(readFileSync('test/vectors/miner/difficulty.json', 'utf8')))
/** targets are rounded down, so beyond this the conversion back isn't exact */
const EXACT_BELOW = 2n ** 120n

it('recovers the difficulty that a node made the target from', () => {
  const exact = vectors.pairs.filter(({ difficulty }) => {
    const value = BigInt(`0x${difficulty}`)
    return value > 0n && value < EXACT_BELOW
  })

  expect(exact.length).toBeGreaterThan(5)
  for (const { difficulty, nodeTarget } of exact) {
    expect(difficultyOfTarget(bytesOfHex(nodeTarget))).toBe(BigInt(`0x${difficulty}`))
  }
})

it('shows 60 for a target of difficulty 60, where hashwarp shows 59', () => {
  expect(expectedHashes(bytesFromBigint((2n ** 256n - 1n) / 60n, 32))).toBe(60)
})

it('keeps the fraction', () => {
  expect(expectedHashes(bytesFromBigint((2n ** 256n / 3n) * 2n, 32))).toBeCloseTo(1.5, 12)
  expect(expectedHashes(new Uint8Array(32).fill(0xff))).toBe(1)
  expect(expectedHashes(new Uint8Array(32))).toBe(2 ** 256)
})

it('is monotone: a smaller target is never easier', () => {
  const target = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
  fc.assert(
    fc.property(target, target, (a, b) => {
      const [low, high] = a < b ? [a, b] : [b, a]
      return expectedHashes(bytesFromBigint(low, 32)) >= expectedHashes(bytesFromBigint(high, 32))
    }),
  )
})
