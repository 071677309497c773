import { beforeAll, describe, expect, it } from 'vitest'
import type { Block } from '../model/block'
import { addressText, LoggingChain, logOf, topicText } from '../testing/test-logging-chain'
import { LogCache } from './block-logs'
import { liveLineOf, writeLiveLogs } from './live-logs'
import type { LogFilter } from './log-filter'
import { LARGE_PAGE_CHARACTERS, type LogPosition, ofOneBlock, searchLogs } from './search'

const of = (...addresses: number[]): LogFilter => ({ addresses: addresses.map(addressText), topics: [] })
const FLOOD = 20_000
const LIMITS = { each: 1_000_000, together: 10_000_000 }

describe('a block that is a flood of logs, and an honest event', () => {
  const chain = new LoggingChain()
  let block: Block
  beforeAll(async () => {
    const flood = Array.from({ length: FLOOD }, () => logOf(1))
    block = await chain.put(1, [flood, [logOf(2, [5], 77)]])
  })

  const tell = (filters: readonly LogFilter[], isRemoved = false, limits = LIMITS) => {
    const told: { blockNumber: string; logIndex: string; removed: boolean; data: string }[][] = filters.map(() => [])
    const cut = new Set<number>()
    let lines = 0
    writeLiveLogs(
      chain.reads,
      { hash: block.hash, isRemoved, filters },
      (line) => {
        lines++
        const read = liveLineOf(line.slice(0, -1))
        for (const number of read.filters) {
          if (read.kind === 'cut') cut.add(number)
          else told[number]?.push(JSON.parse(read.text))
        }
        return true
      },
      limits,
    )
    return { told, cut: [...cut], lines }
  }

  it('is told to those who want the event only, with its place in the block', () => {
    const { told, cut, lines } = tell([of(2), { addresses: [], topics: [[topicText(5)]] }, of(3), of(2, 9)])

    const event = { blockNumber: '0x1', logIndex: `0x${FLOOD.toString(16)}`, transactionIndex: '0x1', removed: false }
    expect(told).toMatchObject([[event], [event], [], [event]])
    expect([cut, lines]).toEqual([[], 1])
    expect(tell([of(2)], true).told).toMatchObject([[{ ...event, removed: true }]])
  })

  it('is not read for those whom the bloom rules out', () => {
    const reads = { header: () => chain.reads.header(block.hash), storedReceipts: () => expect.fail('read') }
    const request = { hash: block.hash, isRemoved: false, filters: [of(3), of(4, 5)] }
    writeLiveLogs(reads as unknown as typeof chain.reads, request, () => expect.fail('told'))
  })

  it('ends for those who want all of it, who are named, and not for the others', () => {
    const { told, cut } = tell([of(2), of(1), of()])

    expect(told[0]).toHaveLength(1)
    expect(cut).toEqual([1, 2])
    const size = JSON.stringify(told[1]).length
    expect(size).toBeGreaterThan(LIMITS.each)
    expect(size).toBeLessThan(1.1 * LIMITS.each)
  })

  it('ends for those who get most when all together get too much', () => {
    const { told, cut } = tell([of(2), of(1), of(1, 9), of(1, 8)], false, { each: 1_000_000, together: 300_000 })

    expect(told[0]).toHaveLength(1)
    expect(cut).toEqual([1, 2, 3])
    expect(JSON.stringify(told).length).toBeLessThan(400_000)
  })

  it('is searched in pages that continue inside the block, by height and by hash', () => {
    const deps = { store: chain.store, reads: chain.reads, cache: new LogCache() }
    const number = Number(block.header.number)
    for (const range of [{ from: { number, within: null }, to: 9 }, ofOneBlock(block.hash)]) {
      let indexes = 0
      let pages = 0
      for (let from: LogPosition | null = range.from; from !== null; pages++) {
        const page = searchLogs(of(1, 2), { from, to: range.to }, deps)
        expect(page.text.length).toBeLessThan(1.01 * LARGE_PAGE_CHARACTERS)
        for (const log of JSON.parse(`[${page.text}]`)) expect(Number(log.logIndex)).toBe(indexes++)
        from = page.next
      }
      expect([indexes, pages]).toEqual([FLOOD + 1, 2])
    }
    expect(JSON.parse(`[${searchLogs(of(2), ofOneBlock(block.hash), deps).text}]`)).toHaveLength(1)
    expect(() => searchLogs(of(2), ofOneBlock(new Uint8Array(32)), deps)).toThrow('unknown block')
  })
})
