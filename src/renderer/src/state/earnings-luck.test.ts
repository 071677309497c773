import { describe, expect, it } from 'vitest'
import type { EarningsRowView, EarningsView } from '../../../contract/fleet'
import { luckOf, poissonBand } from './earnings-luck'

const earnings = (...rows: readonly Partial<EarningsRowView>[]): EarningsView => ({
  from: 0,
  firstAt: 0,
  rows: rows.map((row) => ({
    pool: 'pool.example:1',
    shares: 0,
    rejected: 0,
    work: 0,
    pricedWork: 0,
    expected: '0',
    hashes: 0,
    ...row,
  })),
})

it.each([
  [1, 0.025, 5.57],
  [10, 0.48, 1.84],
  [100, 0.81, 1.22],
])('takes a Poisson count of mean %d to lie between %f and %f of it', (mean, low, high) => {
  const band = poissonBand(mean)

  expect(band.low).toBeCloseTo(low, 1)
  expect(band.high).toBeCloseTo(high, 1)
})

describe('luck', () => {
  it('is accepted work against computed hashes, over all pools but not the own node', () => {
    const rows = [
      { shares: 60, work: 60_000, hashes: 61_000 },
      { pool: 'other:1', shares: 37, work: 37_000, hashes: 39_000 },
      { pool: '', shares: 9, work: 9e9, hashes: 1 },
    ]

    const luck = luckOf({ earnings: earnings(...rows), isSolo: false, difficulty: null })

    expect(luck).toMatchObject({ percent: 97, count: 97, verdict: 'normal' })
    expect(luck?.low).toBeCloseTo(81, 0)
  })

  it.each([
    [70, 'low'],
    [130, 'high'],
  ])('of %d of 100 shares is %s', (shares, verdict) => {
    const row = { shares, work: shares * 1_000, hashes: 100_000 }

    expect(luckOf({ earnings: earnings(row), isSolo: false, difficulty: null })?.verdict).toBe(verdict)
  })

  it('without anything found is told by the present difficulty, once something was due', () => {
    const row = { pool: '', hashes: 6_000 }

    expect(luckOf({ earnings: earnings(row), isSolo: true, difficulty: 1_000 })).toMatchObject({
      percent: 0,
      verdict: 'low',
    })
    expect(luckOf({ earnings: earnings(row), isSolo: true, difficulty: 7_000 })).toBeNull()
    expect(luckOf({ earnings: earnings(row), isSolo: true, difficulty: null })).toBeNull()
  })
})
