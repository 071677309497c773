// Steps of gas prices, and the figures of the next block.
import { describe, expect, it } from 'vitest'
import type { PendingBlockInfo } from '../../../node/worker/wire/pending-shapes'
import type { AccountContentInfo } from '../../../node/worker/wire/pool-wire'
import { poolReport, priceSteps } from './explorer-handlers'

const GWEI = 10n ** 9n

describe('gas price steps', () => {
  it('are four per factor of ten, with the empty ones between', () => {
    expect(priceSteps([GWEI, 1_799_999_999n, 9n * GWEI], [1_800_000_000n])).toEqual([
      { from: '1000000000', below: '1800000000', pending: 2, queued: 0 },
      { from: '1800000000', below: '3200000000', pending: 0, queued: 1 },
      { from: '3200000000', below: '5600000000', pending: 0, queued: 0 },
      { from: '5600000000', below: '10000000000', pending: 1, queued: 0 },
    ])
  })

  it.each([
    [0n, '0', '10'],
    [9n, '0', '10'],
    [10n, '10', '18'],
    [99n, '56', '100'],
    [100n, '100', '180'],
    [10n ** 18n, '1000000000000000000', '1800000000000000000'],
  ])('put %s between %s and %s', (price, from, below) => {
    expect(priceSteps([price], [])).toEqual([{ from, below, pending: 1, queued: 0 }])
  })

  it('stay few however far prices are apart, and lose none', () => {
    const steps = priceSteps([1n, 2n ** 256n - 1n], [])

    expect(steps.length).toBeLessThanOrEqual(40)
    expect(steps.reduce((sum, { pending }) => sum + pending, 0)).toBe(2)
  })

  it('are empty if nothing waits', () => {
    expect(priceSteps([], [])).toEqual([])
  })
})

describe('the pool report', () => {
  it('adds up what the next block pays', () => {
    const paying = (gasPrice: bigint) => ({ gasPrice })
    const content = [{ pending: [paying(GWEI)], queued: [] }] as unknown as readonly AccountContentInfo[]
    const block = {
      number: 7,
      gasLimit: 30_000_000n,
      gasUsed: 63_000n,
      sizeBytes: 900,
      transactionCount: 2,
      fees: 105_000n * GWEI,
    } as unknown as PendingBlockInfo

    const { template, prices } = poolReport(content, block)

    expect(template).toEqual({
      number: 7,
      transactions: 2,
      gasUsed: 63_000,
      gasLimit: 30_000_000,
      fees: String(105_000n * GWEI),
      sizeBytes: 900,
    })
    expect(prices).toHaveLength(1)
    expect(poolReport(content, null).template).toBeNull()
  })
})
