import { describe, expect, it } from 'vitest'
import { findersOf, tipOf, WAITS } from './odds'

describe('who finds blocks', () => {
  it('is counted by address in any case, the most first', () => {
    expect(findersOf(['0xA', '0xb', '0xa']).map(({ address, blocks }) => [address, blocks])).toEqual([
      ['0xa', 2],
      ['0xb', 1],
    ])
  })

  it('has a band of 42 to 58 % for a half of 144 blocks', () => {
    const miners = Array.from({ length: 144 }, (_, index) => (index % 2 === 0 ? '0xa' : '0xb'))

    const [first] = findersOf(miners)

    expect(first?.share).toBe(0.5)
    expect(first?.low).toBeCloseTo(0.42, 2)
    expect(first?.high).toBeCloseTo(0.58, 2)
  })

  it('never leaves 0 to 100 %', () => {
    const [only] = findersOf(['0xa'])

    expect(only?.high).toBeLessThanOrEqual(1)
    expect(only?.low).toBeGreaterThan(0)
  })
})

describe('the tip', () => {
  it.each([
    [{ job: 101, head: 100, isConnected: true }, 'on'],
    [{ job: 102, head: 100, isConnected: true }, 'on'],
    [{ job: 100, head: 100, isConnected: true }, 'behind'],
    [{ job: 103, head: 100, isConnected: true }, 'ahead'],
    [{ job: null, head: 100, isConnected: true }, 'unknown'],
    [{ job: 101, head: null, isConnected: true }, 'unknown'],
    [{ job: 101, head: 100, isConnected: false }, 'none'],
  ] as const)('of %j is %s', (given, expected) => {
    expect(tipOf(given)).toBe(expected)
  })
})

it('a tenth, a half and nine tenths of waits are shorter', () => {
  expect(WAITS.map((factor) => Number((1 - Math.exp(-factor)).toFixed(3)))).toEqual([0.1, 0.5, 0.9])
})
