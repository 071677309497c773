import { beforeEach, describe, expect, it } from 'vitest'
import { bytesFromBigint } from '../../base/bytes'
import { metaKeys } from '../store/keys'
import type { StoreReader } from '../store/store'
import { addressText, LoggingChain, logOf, topicText } from '../testing/test-logging-chain'
import { LogCache } from './block-logs'
import type { LogFilter } from './log-filter'
import { type LogPage, type LogPosition, searchLogs } from './search'

const everything: LogFilter = { addresses: [], topics: [] }

describe('searching logs', () => {
  let chain: LoggingChain
  beforeEach(async () => {
    chain = new LoggingChain()
    await chain.store.write([[metaKeys.logsFrom, bytesFromBigint(0n, 8)]])
  })

  /** Heights and data of the results, and how many blocks' receipts were read for them. */
  const find = (filter: LogFilter, from = 0, to = Number.MAX_SAFE_INTEGER) => {
    const read = new Set<string>()
    const store: StoreReader = {
      get: (key) => {
        if (key[0] === 'r'.charCodeAt(0)) read.add(Buffer.from(key).toString('hex'))
        return chain.store.get(key)
      },
      getStored: (key) => chain.store.getStored(key),
      keysWithPrefix: (prefix) => chain.store.keysWithPrefix(prefix),
    }
    const reads = new (chain.reads.constructor as new (store: StoreReader) => typeof chain.reads)(store)
    const found: unknown[] = []
    let pages = 0
    for (let next: LogPosition | null = { number: from, within: null }; next !== null; pages++) {
      const page: LogPage = searchLogs(filter, { from: next, to }, { store, reads, cache: new LogCache() })
      if (page.text !== '') found.push(...JSON.parse(`[${page.text}]`))
      next = page.next
    }
    const told = found as { blockNumber: string; data: string; logIndex: string; transactionIndex: string }[]
    return { rows: told.map((log) => [Number(log.blockNumber), Number(log.data)]), logs: told, read: read.size, pages }
  }

  it('reads only blocks that match', async () => {
    for (let number = 0; number < 50; number++) await chain.put(number, [[logOf(number % 10, [number % 7], number)]])

    expect(find({ addresses: [addressText(3)], topics: [] })).toMatchObject({
      rows: [3, 13, 23, 33, 43].map((n) => [n, n]),
      read: 5,
    })
    expect(find({ addresses: [addressText(3)], topics: [[topicText(2)]] })).toMatchObject({ rows: [[23, 23]], read: 1 })
    expect(find({ addresses: [addressText(77)], topics: [] })).toMatchObject({ rows: [], read: 0 })
  })

  it('finds any of several addresses and topics, by position', async () => {
    await chain.put(1, [[logOf(1, [1, 2], 11), logOf(2, [2, 1], 12)], [logOf(3, [], 13)]])
    await chain.put(2, [[logOf(1, [2], 21)]])

    expect(find({ addresses: [addressText(2), addressText(3)], topics: [] }).rows).toEqual([
      [1, 12],
      [1, 13],
    ])
    expect(find({ addresses: [], topics: [[topicText(1), topicText(2)]] }).rows).toEqual([
      [1, 11],
      [1, 12],
      [2, 21],
    ])
    expect(find({ addresses: [], topics: [[], [topicText(1)]] }).rows).toEqual([[1, 12]])
    expect(find({ addresses: [], topics: [[], []] }).rows, 'null beyond a log does not match').toEqual([
      [1, 11],
      [1, 12],
    ])
    expect(find({ addresses: [], topics: [[], [], [], [], [topicText(1)]] }).rows).toEqual([])
  })

  it.each([
    ['receipts', 'r'],
    ['body', 'b'],
    ['place in the index', 'i'],
  ])('fails for a block that has lost its %s, instead of leaving out its logs', async (_what, letter) => {
    for (const number of [1, 2, 3]) await chain.put(number, [[logOf(1, [], number)]])
    const keys = await chain.store.keysWithPrefix(Uint8Array.of(letter.charCodeAt(0)))
    await chain.store.write(keys.slice(1, 2).map((key) => [key, null] as const))
    expect(() => find(everything)).toThrow(/^the logs of block [123] cannot be read: run headframe db verify$/)
  })

  it('counts log and transaction over the block', async () => {
    await chain.put(1, [[logOf(1), logOf(1)], [logOf(2)]])

    expect(find({ addresses: [addressText(2)], topics: [] }).logs).toMatchObject([
      { logIndex: '0x2', transactionIndex: '0x1', blockNumber: '0x1', removed: false },
    ])
  })

  it('stays within the range, across sections and up to the head', async () => {
    for (const number of [0, 1, 4_095, 4_096, 4_097, 12_288]) await chain.put(number, [[logOf(1, [], number % 100)]])

    const heights = (from: number, to?: number) => find(everything, from, to).rows.map(([height]) => height)
    expect(heights(0)).toEqual([0, 1, 4_095, 4_096, 4_097, 12_288])
    expect(heights(1, 4_096)).toEqual([1, 4_095, 4_096])
    expect(heights(4_098)).toEqual([12_288])
    expect(heights(12_289)).toEqual([])
    expect(heights(5, 4)).toEqual([])
  })

  it('finds the same in a long search, which keeps no texts, as in a short one', async () => {
    for (const number of [0, 1, 2, 2_000])
      await chain.put(number, [
        number === 1 ? [] : [logOf(1, [1, 2], number)],
        [logOf(2), logOf(1, [3], number), logOf(3)],
      ])

    for (const addresses of [[], [addressText(1)], [addressText(2), addressText(3)]]) {
      const short = find({ addresses, topics: [] }, 0, 2).logs
      expect(find({ addresses, topics: [] }, 0, 2_000).logs.slice(0, short.length)).toEqual(short)
    }
  })

  it('drops a block that a reorg removes, and keeps its receipts for those who were notified', async () => {
    await chain.put(1, [[logOf(1, [], 1)]])
    const dropped = await chain.put(2, [[logOf(1, [], 2), logOf(9, [], 3)]])
    await chain.remove(dropped)
    await chain.put(2, [[logOf(1, [], 4)]])

    expect(find(everything).rows).toEqual([
      [1, 1],
      [2, 4],
    ])
    expect(find({ addresses: [addressText(9)], topics: [] })).toMatchObject({ rows: [], read: 0 })
    expect(chain.reads.receipts(dropped.hash)).toHaveLength(1)
  })

  it('reads every block below the height from which the index is complete', async () => {
    for (let number = 0; number < 6; number++) await chain.put(number, [[logOf(number, [], number)]])
    await chain.store.write([[metaKeys.logsFrom, bytesFromBigint(4n, 8)]])

    expect(find({ addresses: [addressText(1), addressText(5)], topics: [] })).toMatchObject({
      rows: [
        [1, 1],
        [5, 5],
      ],
      read: 5,
    })
    await chain.store.write([[metaKeys.logsFrom, null]])
    expect(find({ addresses: [addressText(5)], topics: [] })).toMatchObject({ rows: [[5, 5]], read: 6 })
  })

  it('ends its turn after many entries of the index, even if nothing is found', async () => {
    for (const number of [1, 4_097, 8_193, 12_289]) await chain.put(number, [[logOf(1, [], number % 250)]])
    const heads = await chain.put(16_385, [[]])
    await chain.store.write([[metaKeys.head, heads.hash]])
    const addresses = Array.from({ length: 9_999 }, (_, i) => `0x${(i + 500).toString(16).padStart(40, '0')}`)

    expect(find({ addresses, topics: [] })).toMatchObject({ rows: [], read: 0, pages: 2 }) // 3 and 2 sections
    expect(find({ addresses: [...addresses, addressText(1)], topics: [] })).toMatchObject({
      rows: [1, 4_097, 8_193, 12_289].map((number) => [number, number % 250]),
      pages: 3,
    })
  })

  it('returns long results in pages that omit nothing', async () => {
    const many = Array.from({ length: 100 }, (_, i) => logOf(1, [1, 2, 3], i))
    for (let number = 0; number < 60; number++) await chain.put(number, [many])

    const found = find(everything)

    expect(found.pages).toBeGreaterThan(1)
    expect(found.rows).toHaveLength(6_000)
    expect(new Set(found.rows.map(([height]) => height)).size).toBe(60)
  })

  it('agrees with reading everything, whatever is requested', async () => {
    let seed = 7
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed % below
    }
    const rows: { height: number; address: number; topics: number[] }[] = []
    for (let height = 4_000; height < 4_200; height++) {
      const logs = Array.from({ length: random(4) }, () => ({
        address: random(5),
        topics: Array.from({ length: random(5) }, () => random(4)),
      }))
      for (const log of logs) rows.push({ height, ...log })
      await chain.put(height, [logs.map(({ address, topics }) => logOf(address, topics))])
    }
    for (let round = 0; round < 40; round++) {
      const addresses = Array.from({ length: random(3) }, () => random(6))
      const topics = Array.from({ length: random(4) }, () => Array.from({ length: random(3) }, () => random(4)))
      const [from, to] = [4_000 + random(150), 4_050 + random(200)]
      const wanted = rows.filter(
        (row) =>
          row.height >= from &&
          row.height <= to &&
          (addresses.length === 0 || addresses.includes(row.address)) &&
          topics.length <= row.topics.length &&
          topics.every((any, at) => any.length === 0 || any.includes(row.topics[at] ?? -1)),
      )
      const filter = { addresses: addresses.map(addressText), topics: topics.map((any) => any.map(topicText)) }
      expect(find(filter, from, to).rows.map(([height]) => height)).toEqual(wanted.map(({ height }) => height))
    }
  })
})
