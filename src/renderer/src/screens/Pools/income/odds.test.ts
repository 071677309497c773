import { describe, expect, it } from 'vitest'
import { WAITS } from '../../../state/earnings/earnings'
import { outlook } from './Calculator'
import { findersOf, shareOf } from './odds'

describe('finders of blocks', () => {
  it('are counted whatever the case of their address, most blocks first', () => {
    const finders = findersOf(['0xAA', '0xbb', '0xaa', '0xcc', '0xAa'])

    expect(finders.map(({ address, blocks }) => [address, blocks])).toEqual([
      ['0xaa', 3],
      ['0xbb', 1],
      ['0xcc', 1],
    ])
  })

  it('have a range that holds the true share 95% of the time', () => {
    const half = shareOf(72, 144)

    expect(half.share).toBe(0.5)
    expect(half.low).toBeCloseTo(0.42, 2)
    expect(half.high).toBeCloseTo(0.58, 2)
  })

  it('have a range within 0 and 1 even if there are few blocks', () => {
    expect(shareOf(1, 1)).toMatchObject({ share: 1, high: 1 })
    expect(shareOf(0, 3)).toMatchObject({ share: 0, low: 0 })
  })
})

it('waits for a block for 0.105, 0.693 and 2.303 means', () => {
  expect(WAITS.map((factor) => factor.toFixed(3))).toEqual(['0.105', '0.693', '2.303'])
})

describe('thirty days, pool or solo', () => {
  const LAX = 10n ** 18n
  const given = { hashrate: 1_000, subsidy: String(50n * LAX), fee: 1, shareDifficulty: null }

  it('has the same mean, less the fee, and the range of chance for whole blocks only', () => {
    const four = outlook({ ...given, difficulty: (1_000 * 30 * 86_400) / 4 })

    expect([four.mean, four.low, four.high, four.each]).toEqual([4, 1, 8, 50])
    expect(four.pool).toBeCloseTo(198, 9)
    expect(four.give).toBeNull()
  })

  it("narrows a pool's range by the number of shares", () => {
    const hashes = 1_000 * 30 * 86_400
    const { pool, give } = outlook({ ...given, difficulty: hashes / 4, shareDifficulty: hashes / 10_000 })

    expect(give).toBeCloseTo(((pool ?? 0) * 1.96) / 100, 9)
  })

  it('says nothing of a pool without a fee', () => {
    expect(outlook({ ...given, difficulty: 1e9, fee: null }).pool).toBeNull()
  })
})
