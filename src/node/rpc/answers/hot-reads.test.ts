import { beforeEach, describe, expect, it } from 'vitest'
import { Emitter } from '../../../base/events'
import type { ChainReader } from '../../chain-reader'
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
    const reader = { block, gasPrice: async () => BigInt(++prices) } as unknown as ChainReader
    const head = (): BlockSummary | null => chain.at(-1) ?? null
    hot = new HotReads({ reader, head, headChanged: (listener) => events.on('head', listener) })
    hot.start()
    return () => hot.stop()
  })
  const hashOf = async (id: BlockId) => JSON.parse((await hot.block(id, false)) ?? 'null')?.hash?.slice(2, 4)

  it('reads a block once, however it is named', async () => {
    await hot.block(1, false)
    expect(typeof hot.block(1, false)).toBe('string')
    expect(typeof hot.block(new Uint8Array(32).fill(11), false)).toBe('string')
    expect(await hashOf('head')).toBe('0c')
    expect(typeof hot.block(2, false), 'the head has a height').toBe('string')
    expect(asked).toEqual([1, 'head'])
  })

  it('keeps the two forms of a block apart', async () => {
    await hot.block(1, false)
    expect(hot.block(1, true)).toBeInstanceOf(Promise)
  })

  it("doesn't cache that a block is missing", async () => {
    expect(await hot.block(3, false)).toBeNull()
    chain.push(blockAt(3, 13))
    expect(await hashOf(3)).toBe('0d')
  })

  it('drops the heights of dropped blocks, but not those below', async () => {
    for (const number of [1, 2]) await hot.block(number, false)
    const [dropped] = chain.splice(2, 1, blockAt(2, 22))
    const joined = chain[2]
    if (dropped === undefined || joined === undefined) throw new Error('no block')
    events.emit('head', { head: joined, removed: [dropped], added: [joined] })

    expect(await hashOf(2)).toBe('16')
    expect(typeof hot.block(1, false)).toBe('string')
  })

  it("doesn't know blocks by hash that the chain has removed, even if they were being read", async () => {
    await hot.block(2, true)
    const [dropped] = chain.slice(2)
    if (dropped === undefined) throw new Error('no block')
    const late = hot.block(dropped.hash, false)
    chain.splice(2)
    events.emit('head', { head: blockAt(1, 11), removed: [dropped], added: [] })
    await late

    expect(await hot.block(dropped.hash, true)).toBeNull()
    expect(await hot.block(dropped.hash, false)).toBeNull()
  })

  it("doesn't cache an answer that a reorg has overtaken", async () => {
    const late = hot.block(2, false)
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
