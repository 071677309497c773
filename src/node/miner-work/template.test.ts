import { describe, expect, it } from 'vitest'
import type { BlockHeader } from '../model/header'
import { openTestChain } from '../testing/test-chain'
import { templateTime } from './template'

describe("a template's time", () => {
  /** Headers 0.. with these times, the last one the parent. */
  const timeAfter = async (times: readonly number[], nowSeconds: number, timeFloor: 'parent' | 'median') => {
    const { chain } = await openTestChain()
    const headers = times.map((time, number): BlockHeader => {
      return { ...chain.head.header, number: BigInt(number), timestamp: BigInt(time) }
    })
    const parent = headers.at(-1)
    if (parent === undefined) throw new Error('no headers')
    const reads = { ancestor: (_from: BlockHeader, number: bigint) => headers[Number(number)] ?? null }
    return Number(templateTime(parent, { reads, timeFloor, nowSeconds: BigInt(nowSeconds) }))
  }

  it('is now if all blocks are in the past', async () => {
    expect(await timeAfter([10, 20, 30], 31, 'parent')).toBe(31)
    expect(await timeAfter([10, 20, 30], 31, 'median')).toBe(31)
  })

  it("is after a parent that isn't in the past, or after the median only", async () => {
    expect(await timeAfter([10, 20, 31], 31, 'parent')).toBe(32)
    expect(await timeAfter([10, 20, 31], 31, 'median')).toBe(31)
  })

  it('is above the median if most blocks are in the future', async () => {
    expect(await timeAfter([50, 51, 52, 10], 31, 'parent')).toBe(52)
    expect(await timeAfter([50, 51, 52, 10], 31, 'median')).toBe(52)
  })
})
