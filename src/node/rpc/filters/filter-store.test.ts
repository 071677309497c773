import { beforeEach, describe, expect, it } from 'vitest'
import { toHex } from '../../../base/hex'
import { silentLogger } from '../../../base/logger'
import { FakeClock } from '../../../base/testing/fake-clock'
import { logTextsOf } from '../../logs/block-logs'
import { closedNode, FakeNews } from '../../testing/test-front'
import { logOf } from '../../testing/test-logging-chain'
import type { PendingBlockInfo } from '../../worker/wire/pending-shapes'
import type { BlockSummary } from '../../worker/wire/shapes'
import { ChainFeed } from './chain-feed'
import { liveLogsOf } from './eth-filters'
import { FilterStore } from './filter-store'
import { logQueryParam } from './log-query'

const MINUTE = 60_000

function summary(number: number, tag: number): BlockSummary {
  const hash = new Uint8Array(32).fill(tag)
  return {
    number,
    hash,
    parentHash: hash,
    timestamp: 0,
    miner: new Uint8Array(20),
    difficulty: 1n,
    totalDifficulty: 1n,
    gasUsed: 0n,
    gasLimit: 0n,
    transactionCount: 1,
    sizeBytes: 0,
    subsidy: 0n,
  }
}

function query(value: unknown) {
  const read = logQueryParam.read(value)
  if (!read.ok) throw new Error(read.error)
  return read.value
}

describe('filters', () => {
  const clock = new FakeClock()
  let news: FakeNews
  let feed: ChainFeed
  let filters: FilterStore
  beforeEach(() => {
    let seed = 0
    news = new FakeNews()
    feed = new ChainFeed({ node: closedNode(news), log: silentLogger })
    filters = new FilterStore({ feed, clock, randomBytes: (length) => new Uint8Array(length).fill(++seed % 250) })
    feed.start()
    filters.start()
    return () => {
      filters.stop()
      feed.stop()
    }
  })

  /** A block whose one transaction logs from this address. */
  const block = (number: number, tag: number, address = 1) => {
    const made = summary(number, tag)
    const transactions = [{ hash: new Uint8Array(32).fill(0xee), logs: [logOf(address, [tag])] }]
    news.logs.set(toHex(made.hash).slice(2), logTextsOf({ hash: made.hash, number: BigInt(number), transactions }))
    return made
  }
  const pendingOf = (tag: number) => [{ hash: new Uint8Array(32).fill(0xef), logs: [logOf(1, [tag])] }]
  const announce = async (added: readonly BlockSummary[], removed: readonly BlockSummary[] = []) => {
    const head = added.at(-1) ?? summary(0, 0)
    news.events.emit('head', { head, added: [...added], removed: [...removed] })
    await feed.settled()
  }
  const changes = (id: string) => filters.changes(id).map((text) => JSON.parse(text))
  const addLogs = (filter: unknown) => {
    const wanted = query(filter)
    return filters.addLogs(wanted, liveLogsOf(wanted, 50))
  }

  it('reports each block and each pending transaction once', async () => {
    const blocks = filters.addBlocks()
    const pending = filters.addPending()
    await announce([block(1, 1), block(2, 2)])
    news.events.emit('pending', [new Uint8Array(32).fill(9)])
    await feed.settled()

    expect(changes(blocks)).toEqual([`0x${'01'.repeat(32)}`, `0x${'02'.repeat(32)}`])
    expect(changes(pending)).toEqual([`0x${'09'.repeat(32)}`])
    expect([changes(blocks), changes(pending)]).toEqual([[], []])
  })

  it('reports the logs of dropped blocks again as removed, then those of the new branch, in chain order', async () => {
    const id = addLogs({})
    const [old1, old2] = [block(1, 1), block(2, 2)]
    await announce([old1, old2])
    changes(id)

    await announce([block(1, 3), block(2, 4), block(3, 5)], [old1, old2])

    expect(changes(id).map((log) => [log.blockNumber, log.topics[0].slice(-2), log.removed])).toEqual([
      ['0x1', '01', true],
      ['0x2', '02', true],
      ['0x1', '03', false],
      ['0x2', '04', false],
      ['0x3', '05', false],
    ])
  })

  it('filters by addresses, topics and heights', async () => {
    const byAddress = addLogs({ address: `0x${'02'.repeat(20)}` })
    const byHeight = addLogs({ fromBlock: '0x2', toBlock: '0x2' })
    const fromHeight = addLogs({ fromBlock: '0x2', toBlock: 'latest' })
    await announce([block(1, 1, 2), block(2, 2, 1), block(3, 3, 1)])

    expect(changes(byAddress).map((log) => log.blockNumber)).toEqual(['0x1'])
    expect(changes(byHeight).map((log) => log.blockNumber)).toEqual(['0x2'])
    expect(changes(fromHeight).map((log) => log.blockNumber)).toEqual(['0x2', '0x3'])
  })

  it.each([
    [
      { fromBlock: 'latest', toBlock: 'pending' },
      { mined: { from: 0, to: Number.POSITIVE_INFINITY }, pending: true },
    ],
    [
      { fromBlock: '0x5', toBlock: 'pending' },
      { mined: { from: 5, to: Number.POSITIVE_INFINITY }, pending: true },
    ],
    [
      { fromBlock: 'pending', toBlock: 'pending' },
      { mined: null, pending: true },
    ],
    [{ fromBlock: '0x5' }, { mined: { from: 5, to: Number.POSITIVE_INFINITY }, pending: false }],
  ])('follows the range %j, up to the pending block if it ends there', (range, live) => {
    expect(liveLogsOf(query(range), 50)).toEqual(live)
  })

  it('reports the logs of new blocks and the pending one to a filter that wants both', async () => {
    const id = addLogs({ fromBlock: 'latest', toBlock: 'pending' })
    await announce([block(1, 1)])
    feed.logs.tellPending(logTextsOf({ hash: new Uint8Array(32), number: 2n, transactions: pendingOf(7) }))

    expect(changes(id).map((log) => log.blockNumber)).toEqual(['0x1', '0x2'])
  })

  it.each([
    { fromBlock: '0xa', toBlock: '0x5' },
    { fromBlock: 'latest', toBlock: '0x5' },
    { fromBlock: 'pending', toBlock: 'latest' },
    { fromBlock: 'pending', toBlock: '0x5' },
    { fromBlock: 'safe', toBlock: 'finalized' },
  ])('rejects the range %j', (range) => {
    expect(() => addLogs(range)).toThrow('invalid from and to block combination: from > to')
  })

  it('rejects a block by its hash: what is there already is no news', () => {
    expect(() => addLogs({ blockHash: `0x${'01'.repeat(32)}` })).toThrow('blockHash names a block that exists')
  })

  it("tells those who wait for heads of a block that can't be found", async () => {
    const node = closedNode(news)
    const unknown = { ...node, reader: { ...node.reader, header: async () => null } }
    const told = new ChainFeed({ node: unknown, log: silentLogger })
    const gaps: unknown[] = []
    told.events.on('heads', (heads) => gaps.push(heads))
    told.events.on('missedHeads', (gap) => gaps.push(gap))
    told.start()
    news.events.emit('head', { head: block(1, 1), added: [block(1, 1)], removed: [] })
    await told.settled()
    told.stop()
    expect(gaps).toEqual([{ from: 1, to: 1, reason: 'the block is no longer stored' }])
  })

  it("removes what isn't polled for five minutes, checking every five", async () => {
    const polled = filters.addBlocks()
    const left = filters.addBlocks()
    clock.advance(4 * MINUTE)
    changes(polled)
    clock.advance(MINUTE)

    expect(() => filters.changes(left)).toThrow('filter not found')
    expect(changes(polled)).toEqual([])
    clock.advance(10 * MINUTE)
    expect(() => filters.changes(polled)).toThrow('filter not found')
    expect(feed.events.listenerCount('blocks')).toBe(0)
  })

  it('knows only log filters by their query, and removes once', () => {
    const blocks = filters.addBlocks()
    const logs = addLogs({})

    expect(() => filters.query(blocks)).toThrow('filter not found')
    expect(filters.query(logs)).toMatchObject({ blockHash: null })
    expect([filters.remove(logs), filters.remove(logs)]).toEqual([true, false])
  })

  it('has a limit for each caller, and says so', () => {
    const many = new FilterStore({ feed, clock, randomBytes: countingBytes() })
    for (let i = 0; i < 1_024; i++) many.addBlocks('greedy')

    expect(() => many.addBlocks('greedy')).toThrow('too many filters: at most 1024, uninstall some')
    expect(many.changes(many.addBlocks('modest'))).toEqual([])
    many.stop()
    expect(feed.events.listenerCount('blocks')).toBe(0)
  })

  it('takes from the caller with the most if all are taken', () => {
    const many = new FilterStore({ feed, clock, randomBytes: countingBytes() })
    const modest = many.addBlocks('modest')
    clock.advance(1) // its filter is the one not polled for longest
    const greedy = Array.from({ length: 1_024 }, () => many.addBlocks('greedy'))
    for (let i = 0; i < 3_071; i++) many.addBlocks(`other ${i % 4}`)

    const late = many.addBlocks('late')

    expect([many.changes(modest), many.changes(late)]).toEqual([[], []])
    expect(() => many.changes(greedy[0] ?? '')).toThrow('filter not found')
    many.stop()
  })

  it('drops a filter that collects too much', async () => {
    const id = filters.addPending()
    const batch = Array.from({ length: 50_001 }, () => new Uint8Array(32))
    for (let i = 0; i < 2; i++) news.events.emit('pending', batch)
    await feed.settled()

    expect(() => filters.changes(id)).toThrow('filter not found')
  })

  it('drops the filter not polled for longest if all together collect too much', async () => {
    const ids = Array.from({ length: 25 }, () => filters.addPending())
    clock.advance(1)
    for (const id of ids.slice(1)) filters.changes(id)
    news.events.emit(
      'pending',
      Array.from({ length: 81_000 }, () => new Uint8Array(32)),
    )
    await feed.settled()

    expect(() => filters.changes(ids[0] ?? '')).toThrow('filter not found')
    expect(filters.changes(ids[1] ?? '')).toHaveLength(81_000)
    news.events.emit(
      'pending',
      Array.from({ length: 10_000 }, () => new Uint8Array(32)),
    )
    await feed.settled()
    expect(filters.changes(ids[24] ?? '')).toHaveLength(91_000)
  })

  it('reads no logs without listeners, and continues after a failure', async () => {
    await announce([summary(1, 0x77)])
    const id = addLogs({})
    await announce([summary(2, 0x78)])
    await announce([block(3, 3)])

    expect(() => changes(id)).toThrow('blocks 2 to 2 were missed: not there; read them with eth_getLogs')
    expect(changes(id).map((log) => log.blockNumber)).toEqual(['0x3'])
    expect(changes(id)).toEqual([])
  })

  it('tells a client that the pending block has more logs than this thread reads', async () => {
    const node = closedNode(news)
    const large = { number: 2, receipts: new Uint8Array(5 * 1024 * 1024), transactions: new Uint8Array(0) }
    const reader = { ...node.reader, pendingBlock: async () => large as unknown as PendingBlockInfo }
    const other = new ChainFeed({ node: { ...node, reader }, log: silentLogger })
    const store = new FilterStore({ feed: other, clock, randomBytes: (length) => new Uint8Array(length).fill(1) })
    other.start()
    store.start()
    const wanted = query({ fromBlock: 'pending', toBlock: 'pending' })
    const id = store.addLogs(wanted, liveLogsOf(wanted, 50))
    news.events.emit('pending', [new Uint8Array(32).fill(9)])
    await other.settled()
    expect(() => store.changes(id)).toThrow('blocks 2 to 2 were missed: ')
    store.stop()
    other.stop()
  })

  it('tells a client that it missed logs that nobody polled', async () => {
    const id = addLogs({})
    const many = block(7, 7)
    const log = logTextsOf({ hash: many.hash, number: 7n, transactions: pendingOf(7) })
    news.logs.set(toHex(many.hash).slice(2), Array.from({ length: 100_001 }, () => log).flat())
    await announce([many, block(8, 8)])

    expect(() => changes(id)).toThrow('blocks 7 to 7 were missed: more than 100000 logs were not polled')
    expect(changes(id).map((one) => one.blockNumber)).toEqual(['0x8'])
  })

  it('bounds the addresses and topics of a caller, and of all', () => {
    const words = query({ address: Array.from({ length: 10_000 }, (_, i) => `0x${i.toString(16).padStart(40, '0')}`) })
    const live = liveLogsOf(query({}), 50)
    const ids = Array.from({ length: 10 }, () => filters.addLogs(words, live, 'greedy'))

    expect(() => filters.addLogs(words, live, 'greedy')).toThrow('at most 100000 of one caller')
    filters.remove(ids[0] ?? '')
    filters.addLogs(words, live, 'greedy')
    for (let i = 0; i < 90; i++) filters.addLogs(words, live, `other ${i % 9}`)
    expect(() => filters.addLogs(words, live, 'late')).toThrow('at most 1000000 of all callers together')
    filters.addLogs(query({}), live, 'late')
  })
})

function countingBytes() {
  let count = 0
  return (length: number): Uint8Array => {
    const bytes = new Uint8Array(length)
    new DataView(bytes.buffer).setUint32(0, ++count)
    return bytes
  }
}
