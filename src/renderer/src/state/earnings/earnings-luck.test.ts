import { describe, expect, it } from 'vitest'
import type { EarningsRowView, EarningsView } from '../../../../contract/fleet'
import { luckOf } from './earnings-luck'

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
    expectedShares: 0,
    computed: '0',
    ...row,
  })),
})

describe('luck', () => {
  it('is accepted work against computed hashes, over all pools but not our own node', () => {
    const rows = [
      { shares: 60, work: 60_000, hashes: 61_000, expectedShares: 61 },
      { pool: 'other:1', shares: 37, work: 37_000, hashes: 39_000, expectedShares: 39 },
      { pool: '', shares: 9, work: 9e9, hashes: 1 },
    ]

    const luck = luckOf({ earnings: earnings(...rows), isSolo: false })

    expect(luck).toMatchObject({ percent: 97, count: 97, verdict: 'normal' })
    expect(luck?.low).toBeCloseTo(81, 0)
  })

  it.each([
    [70, 'low'],
    [130, 'high'],
  ])('of %d of 100 shares is %s', (shares, verdict) => {
    const row = { shares, work: shares * 1_000, hashes: 100_000, expectedShares: 100 }

    expect(luckOf({ earnings: earnings(row), isSolo: false })?.verdict).toBe(verdict)
  })

  it("without anything found is low once that isn't chance anymore", () => {
    const nothing = (expectedShares: number) =>
      luckOf({ earnings: earnings({ pool: '', expectedShares }), isSolo: true })

    expect(nothing(0.9)).toBeNull()
    expect(nothing(1)).toMatchObject({ percent: 0, verdict: 'normal' })
    expect(nothing(3.6)).toMatchObject({ percent: 0, verdict: 'normal' })
    expect(nothing(6)).toMatchObject({ percent: 0, verdict: 'low' })
  })
})
