// What a block is worth, by our own node's head.
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../base/testing/fake-clock'
import { blockWorth } from './create-money'

const LAX = 10n ** 18n
const RULES = { initialSubsidy: 50n * LAX, subsidyHalvingBlocks: 1_000, targetSpacingSeconds: 10 }

function worthAt(number: number, secondsAgo = 5) {
  const clock = new FakeClock()
  const timestamp = Math.floor(clock.now() / 1_000) - secondsAgo
  return blockWorth({ number, difficulty: 7_000n, timestamp }, RULES, clock)
}

describe('blockWorth', () => {
  it('is that of the block being mined: on the genesis block, which pays nothing, the first block pays', () => {
    expect(worthAt(0)).toEqual({ difficulty: 7_000, subsidyWei: 50n * LAX })
  })

  it('follows a halving with the first block that it concerns', () => {
    expect(worthAt(998)?.subsidyWei).toBe(50n * LAX)
    expect(worthAt(999)?.subsidyWei).toBe(25n * LAX)
  })

  it('has no difficulty while the head is old, and is unknown without a head', () => {
    expect(worthAt(12, 121)).toEqual({ difficulty: null, subsidyWei: 50n * LAX })
    expect(blockWorth(null, RULES, new FakeClock())).toBeNull()
  })
})
