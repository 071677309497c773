import { describe, expect, it } from 'vitest'
import { findersOf, shareOf, WAITS } from './odds'

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
