import { describe, expect, it } from 'vitest'
import { Emitter } from '../../base/events'
import { silentLogger } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import { JobLag } from '../../miner/pool/job-lag'
import type { HonestyCounts } from '../../miner/pool/pool-honesty'
import { aJob, FakeWorkSource } from '../../miner/testing/fake-work-source'
import type { Job } from '../../miner/work-source'
import { createBlock, encodeBlock } from '../../node/model/block'
import { type BlockHeader, sealHash } from '../../node/model/header'
import type { NodeEvents } from '../../node/node-service'
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

async function started(history = 0, kept: Record<string, HonestyCounts> = {}) {
  const saved: unknown[] = []
  const clock = new FakeClock()
  const node = new FakeNode(clock)
  for (let i = 0; i < history; i++) node.mine(1, false)
  const pools = new FakeWorkSource()
  pools.current = POOL
  const lag = new JobLag(720, clock)
  const source = new WatchedPools({
    pools,
    node,
    clock,
    log: silentLogger,
    epochLength: 720,
    spacingSeconds: SPACING,
    lag,
    honesty: { load: async () => kept, save: async (counts) => void saved.push(counts) },
  })
  const told: string[] = []
  source.events.on('stateChanged', ({ warning }) => told.push(warning))
  await source.start(new AbortController().signal)
  return { clock, node, pools, source, lag, told, saved }
}

describe('pools as our own node sees them', () => {
  it('warns unprompted of a pool that is stuck ten blocks behind, and withdraws the warning', async () => {
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

  it('warns within two minutes after its own node has recovered', async () => {
    const { clock, node, pools, source } = await started(100)
    clock.advance(13 * SPACING * 1_000) // it is unknown whose chain is stale
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

    expect(source.state().warning).toBe('This pool found 100% of the last 201 blocks. Consider another pool.')
    expect(source.coinbases(POOL.host)).toEqual(['01'.repeat(20)])
    pools.current = { ...POOL, host: 'b.example:1' }
    pools.events.emit('stateChanged', pools.current)
    expect(source.state().warning).toBe('')
    await source.stop()
  })

  it("times a pool's work after each new block, and starts over with another pool", async () => {
    const { clock, node, pools, source, lag } = await started(100)
    pools.push(aJob(1, { height: 101 }))
    node.mine(1)
    clock.advance(700)
    pools.push(aJob(2, { height: 102 }))

    expect(lag.state()).toMatchObject({ state: 'on', head: { height: 101 }, delays: { count: 1, lastMs: 700 } })
    pools.current = { ...POOL, host: 'b.example:1' }
    pools.push(aJob(3, { height: 102 }))
    expect(lag.state()).toMatchObject({ state: 'on', delays: null })
    pools.push(null)
    expect(lag.state().state).toBe('noJob')
    await source.stop()
  })

  it("passes on jobs, shares and the pools' own warnings", async () => {
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

  const found = (job: Job) => ({
    job,
    nonce: 0n,
    mixDigest: new Uint8Array(32),
    result: new Uint8Array(32),
    replaced: false,
  })
  const signal = new AbortController().signal

  it("warns if a share that was a block isn't on the chain ten blocks later, and keeps the count", async () => {
    const { node, pools, source, saved } = await started(100)
    const job = aJob(1, { height: 101 })
    pools.push(job)
    await source.submit(found(job), signal)
    for (let i = 0; i < 10; i++) node.mine(1)
    pools.push(aJob(2, { height: 111 }))
    await settle()
    const before = source.state().warning
    node.mine(1)
    pools.push(aJob(3, { height: 112 }))
    await settle()

    expect(before).toBe('')
    expect(source.state().warning).toContain("did not appear on your own node's chain")
    expect(saved.at(-1)).toEqual({ [POOL.host]: { won: 0, appeared: 0, missing: 1 } })
    await source.stop()
  })

  it("counts one that appeared, by its job's height if the pool reports none", async () => {
    const { node, pools, source, saved } = await started(100)
    const seal = sealHash(headerOf(101, new Uint8Array(20).fill(7)))
    const job = aJob(1, { height: null, sealHash: seal })
    pools.push(job)
    await source.submit(found(job), signal)
    node.mine(7)
    await settle()

    expect(saved.at(-1)).toEqual({ [POOL.host]: { won: 1, appeared: 1, missing: 0 } })
    await source.stop()
  })

  it('ignores shares that the pool rejected, or whose height was already taken', async () => {
    const { node, pools, source, saved } = await started(100)
    const late = aJob(1, { height: 100 })
    const refused = aJob(2, { height: 101 })
    pools.push(late)
    await source.submit(found(late), signal)
    pools.decide = async () => ({ kind: 'rejected', reason: 'stale', latencyMs: 1 })
    pools.push(refused)
    await source.submit(found(refused), signal)
    for (let i = 0; i < 20; i++) node.mine(1)
    await settle()

    expect(saved).toEqual([])
    await source.stop()
  })

  it('continues with the counts from before a restart', async () => {
    const { pools, source } = await started(100, { [POOL.host]: { won: 3, appeared: 1, missing: 1 } })
    pools.push(aJob(1, { height: 101 }))

    expect(source.state().warning).toMatch(/^1 of 2 shares of yours that were blocks/)
    await source.stop()
  })
})
