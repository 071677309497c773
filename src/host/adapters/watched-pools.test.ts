import { describe, expect, it } from 'vitest'
import { Emitter } from '../../base/events'
import { FakeClock } from '../../base/fake-clock'
import { silentLogger } from '../../base/logger'
import { aJob, FakeWorkSource } from '../../miner/fake-work-source'
import { createBlock, encodeBlock } from '../../node/chain/block'
import { type BlockHeader, sealHash } from '../../node/chain/header'
import type { NodeEvents } from '../../node/node-service'
import { TipWatch } from '../tip-watch'
import { WatchedPools } from './watched-pools'

type Summary = NodeEvents['headChanged']['head']

const SPACING = 600
const POOL = {
  kind: 'pool',
  connected: true,
  host: 'a.example:1',
  url: 'stratum://a.example:1',
  switches: 0,
  warning: '',
} as const

async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}

function headerOf(number: number, coinbase: Uint8Array): BlockHeader {
  const hash = new Uint8Array(32)
  return {
    parentHash: hash,
    coinbase,
    stateRoot: hash,
    txRoot: hash,
    receiptRoot: hash,
    logsBloom: new Uint8Array(256),
    difficulty: 1n,
    number: BigInt(number),
    gasLimit: 1n,
    gasUsed: 0n,
    timestamp: 0n,
    epochStartTime: 0n,
    extraData: new Uint8Array(0),
    mixHash: hash,
    nonce: 0n,
  }
}

class FakeNode {
  readonly events = new Emitter<NodeEvents>()
  readonly #bytes = new Map<string, Uint8Array>()
  blocks: Summary[] = []
  readonly reader = {
    blocksDown: async (): Promise<Summary[]> => [...this.blocks].reverse(),
    blockBytes: async (hash: unknown): Promise<Uint8Array | null> => this.#bytes.get(String(hash)) ?? null,
  }

  constructor(private readonly clock: FakeClock) {}

  head(): Summary | null {
    return this.blocks.at(-1) ?? null
  }

  /** @param fill every byte of the coinbase. @returns the seal hash of the block */
  mine(fill: number, isTold = true): Uint8Array {
    const number = this.blocks.length + 1
    const miner = new Uint8Array(20).fill(fill)
    const header = headerOf(number, miner)
    const hash = new Uint8Array(32).fill(number & 0xff).fill(number >> 8, 0, 1)
    this.#bytes.set(String(hash), encodeBlock(createBlock(header, [])))
    const none = { difficulty: 1n, totalDifficulty: 1n, gasUsed: 0n, gasLimit: 0n, subsidy: 0n }
    const timestamp = Math.floor(this.clock.now() / 1_000)
    const block = { number, hash, parentHash: hash, timestamp, miner, transactionCount: 0, sizeBytes: 0, ...none }
    this.blocks.push(block)
    if (isTold) this.events.emit('headChanged', { head: block, removed: [], added: [block] })
    return sealHash(header)
  }
}

async function started(history = 0) {
  const clock = new FakeClock()
  const node = new FakeNode(clock)
  for (let i = 0; i < history; i++) node.mine(1, false)
  const pools = new FakeWorkSource()
  pools.current = POOL
  const tip = new TipWatch(720, clock)
  const source = new WatchedPools({
    pools,
    node,
    clock,
    log: silentLogger,
    epochLength: 720,
    spacingSeconds: SPACING,
    tip,
  })
  const told: string[] = []
  source.events.on('stateChanged', ({ warning }) => told.push(warning))
  await source.start(new AbortController().signal)
  return { clock, node, pools, source, tip, told }
}

describe('pools in the eyes of the own node', () => {
  it('warns of a pool that is stuck ten blocks behind, without being asked, and takes it back', async () => {
    const { node, pools, source, told } = await started(100)
    pools.push(aJob(1, { height: 101 }))
    for (let i = 0; i < 9; i++) node.mine(1)
    const before = source.state().warning
    node.mine(1)
    const behind = source.state().warning
    pools.push(aJob(2, { height: 111 }))

    expect(before).toBe('')
    expect(behind).toContain('10 blocks behind')
    expect(source.state().warning).toBe('')
    expect(told).toEqual([behind, ''])
    await source.stop()
  })

  it('warns within two minutes of its own node being in order again', async () => {
    const { clock, node, pools, source } = await started(100)
    clock.advance(13 * SPACING * 1_000) // nobody knows whose chain is the old one
    pools.push(aJob(1, { height: 50 }))
    const unsure = source.state().warning
    node.mine(1)
    clock.advance(120_000)

    expect(unsure).toBe('')
    expect(source.state().warning).toContain('52 blocks behind')
    await source.stop()
  })

  it("learns a pool's coinbase from its job headers, and warns when it finds most blocks", async () => {
    const { node, pools, source } = await started(200)
    const next = new FakeNode(new FakeClock())
    next.blocks = [...node.blocks]
    pools.push(aJob(1, { sealHash: next.mine(1), height: null })) // the block that the pool is about to find

    node.mine(1)
    await settle()

    expect(source.state().warning).toBe('This pool found 100 % of the last 201 blocks. Consider another pool.')
    expect(source.coinbases(POOL.host)).toEqual(['01'.repeat(20)])
    pools.current = { ...POOL, host: 'b.example:1' }
    pools.events.emit('stateChanged', pools.current)
    expect(source.state().warning).toBe('')
    await source.stop()
  })

  it('times the work of a pool after each new head, and begins anew with another pool', async () => {
    const { clock, node, pools, source, tip } = await started(100)
    pools.push(aJob(1, { height: 101 }))
    node.mine(1)
    clock.advance(700)
    pools.push(aJob(2, { height: 102 }))

    expect(tip.state()).toMatchObject({ state: 'on', head: { height: 101 }, delays: { count: 1, lastMs: 700 } })
    pools.current = { ...POOL, host: 'b.example:1' }
    pools.push(aJob(3, { height: 102 }))
    expect(tip.state()).toMatchObject({ state: 'on', delays: null })
    pools.push(null)
    expect(tip.state().state).toBe('noJob')
    await source.stop()
  })

  it('hands on jobs, shares and what the pools themselves warn of', async () => {
    const { pools, source } = await started(5)
    const jobs: unknown[] = []
    source.events.on('jobChanged', (job) => jobs.push(job))
    const job = aJob(1, { height: 6 })
    pools.push(job)
    pools.push(null)
    pools.current = { ...POOL, warning: 'difficulty too low for this rig' }
    const share = { job, nonce: 1n, mixDigest: new Uint8Array(32), result: new Uint8Array(32), replaced: false }

    expect(await source.submit(share, new AbortController().signal)).toMatchObject({ kind: 'accepted' })
    expect(jobs).toEqual([job, null])
    expect(source.state().warning).toBe('difficulty too low for this rig')
    await source.stop()
    expect(pools.started).toBe(false)
  })
})
