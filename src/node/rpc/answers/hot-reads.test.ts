import { beforeEach, describe, expect, it } from 'vitest'
import { Emitter } from '../../../base/events'
import { JsonText, StreamedResult } from '../../../net/json-rpc/json-rpc'
import { encodeBlock } from '../../query/encoding'
import { type NodeQueries, TOO_LONG } from '../../query/query-wire'
import type { BlockDetail, BlockId, BlockSummary, HeadChange } from '../../worker/wire/shapes'
import { HotReads } from './hot-reads'

function blockAt(number: number, tag: number): BlockDetail {
  const hash = new Uint8Array(32).fill(tag)
  const none = new Uint8Array(0)
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
    transactionCount: 0,
    sizeBytes: 0,
    subsidy: 0n,
    canonical: true,
    stateRoot: hash,
    txRoot: hash,
    receiptRoot: hash,
    logsBloom: none,
    epochStartTime: 0,
    extraData: none,
    mixHash: hash,
    nonce: 0n,
    sealHash: hash,
    epoch: 0,
    unlockHeight: 0,
    transactions: [],
  }
}

/** A block whose text is too long to be kept. */
const LONG = 9
const caller = { signal: new AbortController().signal }

describe('hot reads', () => {
  const events = new Emitter<{ head: HeadChange }>()
  let chain: BlockDetail[]
  let asked: BlockId[]
  let prices: number
  let hot: HotReads
  beforeEach(() => {
    chain = [blockAt(0, 10), blockAt(1, 11), blockAt(2, 12)]
    asked = []
    prices = 0
    const block = async (id: BlockId) => {
      asked.push(id)
      if (id === 'head') return chain.at(-1) ?? null
      if (typeof id === 'number') return chain[id] ?? null
      return chain.find((one) => one.hash[0] === id[0]) ?? null
    }
    const queries: NodeQueries = {
      ask: async (request) => {
        if (request.kind !== 'block') throw new Error('not asked here')
        const found = await block(request.block)
        if (found === null) return 'null'
        return found.number === LONG ? TOO_LONG : JSON.stringify(encodeBlock(found, false))
      },
      stream: async function* () {
        yield '{}'
      },
    }
    const reader = { gasPrice: async () => BigInt(++prices) }
    const head = (): BlockSummary | null => chain.at(-1) ?? null
    hot = new HotReads({ reader, queries, head, headChanged: (listener) => events.on('head', listener) })
    hot.start()
    return () => hot.stop()
  })
  const read = async (id: BlockId, full = false) => {
    const answer = await hot.block(id, full, caller)
    return answer instanceof JsonText ? JSON.parse(answer.text) : answer
  }
  const hashOf = async (id: BlockId) => (await read(id))?.hash?.slice(2, 4)
  const isKept = (id: BlockId, full = false) => hot.block(id, full, caller) instanceof JsonText

  it('reads a block once, however it is named', async () => {
    await read(1)
    expect(isKept(1)).toBe(true)
    expect(isKept(new Uint8Array(32).fill(11))).toBe(true)
    expect(await hashOf('head')).toBe('0c')
    expect(isKept(2), 'the head has a height').toBe(true)
    expect(asked).toEqual([1, 'head'])
  })

  it('keeps the two forms of a block apart', async () => {
    await read(1)
    expect(isKept(1, true)).toBe(false)
  })

  it("doesn't cache that a block is missing", async () => {
    expect(await read(3)).toBeNull()
    chain.push(blockAt(3, 13))
    expect(await hashOf(3)).toBe('0d')
  })

  it('streams what is too long for one text, and keeps none of it', async () => {
    chain = [blockAt(LONG, 19)]
    for (const _twice of [1, 2]) expect(await read('head')).toBeInstanceOf(StreamedResult)
    expect(asked).toEqual(['head', 'head'])
  })

  it('drops the heights of dropped blocks, but not those below', async () => {
    for (const number of [1, 2]) await read(number)
    const [dropped] = chain.splice(2, 1, blockAt(2, 22))
    const joined = chain[2]
    if (dropped === undefined || joined === undefined) throw new Error('no block')
    events.emit('head', { head: joined, removed: [dropped], added: [joined] })

    expect(await hashOf(2)).toBe('16')
    expect(isKept(1)).toBe(true)
  })

  it("doesn't know blocks by hash that the chain has removed, even if they were being read", async () => {
    await read(2, true)
    const [dropped] = chain.slice(2)
    if (dropped === undefined) throw new Error('no block')
    const late = read(dropped.hash)
    chain.splice(2)
    events.emit('head', { head: blockAt(1, 11), removed: [dropped], added: [] })
    await late

    expect(await read(dropped.hash, true)).toBeNull()
    expect(await read(dropped.hash)).toBeNull()
  })

  it("doesn't cache an answer that a reorg has overtaken", async () => {
    const late = read(2)
    const old = chain[2]
    chain[2] = blockAt(2, 22)
    if (old === undefined) throw new Error('no block')
    events.emit('head', { head: chain[2], removed: [old], added: [chain[2]] })
    await late

    expect(await hashOf(2)).toBe('16')
  })

  it('computes the price once for each head', async () => {
    expect([await hot.gasPrice(), await hot.gasPrice()]).toEqual([1n, 1n])
    chain.push(blockAt(3, 13))
    expect(await hot.gasPrice()).toBe(2n)
  })
})
