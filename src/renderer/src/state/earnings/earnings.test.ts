import { describe, expect, it } from 'vitest'
import { costPerLax, expectedPerDay, expectedSeconds } from './earnings'

const SUBSIDY = String(50n * 10n ** 18n)

describe('a share or block', () => {
  it('is expected after difficulty divided by hashrate', () => {
    expect(expectedSeconds(71_300, 14_260)).toBe(5)
    expect(expectedSeconds(1_000, 10)).toBe(100)
    expect(expectedSeconds(71_300, 0)).toBeNull()
    expect(expectedSeconds(null, 1)).toBeNull()
  })
})

describe('earnings', () => {
  it("are the network share of a day's blocks", () => {
    // The whole network finds a block every 600 s; a hundredth of it finds 1.44 blocks a day.
    const given = { hashrate: 1_000_000, networkDifficulty: 60_000_000_000, subsidy: SUBSIDY, spacingSeconds: 600 }

    expect(expectedPerDay(given)).toBe(72n * 10n ** 18n)
  })

  it('are no more precise than an estimate', () => {
    const given = { hashrate: 1_234_567, networkDifficulty: 60_000_000_000, subsidy: SUBSIDY, spacingSeconds: 600 }

    expect(expectedPerDay(given)).toBe(88_890_000n * 10n ** 12n)
  })

  it('are never more than the chain finds at its pace', () => {
    const alone = { hashrate: 1e12, networkDifficulty: 60_000, subsidy: SUBSIDY, spacingSeconds: 5 }

    expect(expectedPerDay(alone)).toBe(864_000n * 10n ** 18n)
  })

  it.each([
    [{ hashrate: null, networkDifficulty: 1, subsidy: SUBSIDY, spacingSeconds: 600 }],
    [{ hashrate: 1, networkDifficulty: null, subsidy: SUBSIDY, spacingSeconds: 600 }],
    [{ hashrate: 1, networkDifficulty: 0, subsidy: SUBSIDY, spacingSeconds: 600 }],
    [{ hashrate: 1, networkDifficulty: 1, subsidy: null, spacingSeconds: 600 }],
  ])('are unknown for %j', (given) => {
    expect(expectedPerDay(given)).toBeNull()
  })

  it('are compared with cost', () => {
    expect(costPerLax(3, 2n * 10n ** 18n)).toBe(1.5)
    expect(costPerLax(3, 0n)).toBeNull()
    expect(costPerLax(null, 1n)).toBeNull()
  })
})
