import { describe, expect, it } from 'vitest'
import { earnedOf } from './earned'

const LAX = 10n ** 18n
const aRow = {
  pool: '',
  shares: 110,
  rejected: 0,
  work: 0,
  pricedWork: 0,
  expected: String(5_500n * LAX),
  hashes: 1,
  expectedShares: 100,
  computed: String(5_000n * LAX),
}
const earnings = (...rows: readonly (typeof aRow)[]) => ({ from: 0, firstAt: 0, rows: [...rows] })

describe('what was earned', () => {
  it('is the value of the found blocks, beside the range of 100 expected ones (81 to 120 by Poisson)', () => {
    expect(earnedOf({ earnings: earnings(aRow), isSolo: true })).toEqual({
      wei: 5_500n * LAX,
      range: { low: 4_050n * LAX, high: 6_000n * LAX },
    })
  })

  it('has no range while less than one block was expected, and is null if nothing was mined', () => {
    const young = { ...aRow, shares: 0, expected: '0', expectedShares: 0.4 }
    expect(earnedOf({ earnings: earnings(young), isSolo: true })).toEqual({ wei: 0n, range: null })
    expect(earnedOf({ earnings: earnings(aRow), isSolo: false })).toBeNull()
  })
})
