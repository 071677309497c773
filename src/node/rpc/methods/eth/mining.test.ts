import { describe, expect, it } from 'vitest'
import { MAIN_CONSENSUS } from '../../../consensus/params'
import { subsidyAt } from '../../../consensus/rewards'
import { suppliedUpTo } from './mining'

const COIN = 10n ** 18n

describe('the supply', () => {
  it('is the subsidies of all blocks, by eras', () => {
    expect(suppliedUpTo(MAIN_CONSENSUS, 0n)).toBe(0n)
    expect(suppliedUpTo(MAIN_CONSENSUS, -58n)).toBe(0n)
    expect(suppliedUpTo(MAIN_CONSENSUS, 42n)).toBe(2_100n * COIN)
    expect(suppliedUpTo(MAIN_CONSENSUS, 209_999n)).toBe(209_999n * 50n * COIN)
    expect(suppliedUpTo(MAIN_CONSENSUS, 210_000n)).toBe(209_999n * 50n * COIN + 25n * COIN)
  })

  it('equals adding block by block, and comes to an end', () => {
    const rules = { initialSubsidy: 1_000n, subsidyHalvingBlocks: 7 }
    let sum = 0n
    for (let number = 1n; number <= 100n; number++) {
      sum += subsidyAt(rules, number)
      expect(suppliedUpTo(rules, number)).toBe(sum)
    }
    expect(suppliedUpTo(rules, 10n ** 18n)).toBe(sum)
  })
})
