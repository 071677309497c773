import { describe, expect, it } from 'vitest'
import { toHex } from '../../base/hex'
import type { ExecutionEngine } from '../execution/engine'
import { applyStateChanges } from '../execution/state-changes'
import { headState } from '../execution/state-reader'
import { StoreLayer } from '../store/store'
import { openTestChain } from '../testing/test-chain'
import { MiningSettings, type MiningValues } from './mining-settings'
import { PendingBlocks } from './pending-block'

const receiver = new Uint8Array(20).fill(7)
const local = { local: true }

/** Builds like `inner`; each build takes `costMs` of the test's time and may be delayed. */
class SlowEngine implements ExecutionEngine {
  readonly kind = 'slow'
  builds = 0
  costMs = 0
  gate: Promise<void> = Promise.resolve()

  constructor(
    private readonly inner: ExecutionEngine,
    private readonly pass: (ms: number) => void,
  ) {}

  executeBlock(...call: Parameters<ExecutionEngine['executeBlock']>): ReturnType<ExecutionEngine['executeBlock']> {
    return this.inner.executeBlock(...call)
  }

  async buildBlock(...call: Parameters<ExecutionEngine['buildBlock']>): ReturnType<ExecutionEngine['buildBlock']> {
    this.builds++
    const built = await this.inner.buildBlock(...call)
    await this.gate
    this.pass(this.costMs)
    return built
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

async function asking(values: Partial<MiningValues> = {}) {
  const test = await openTestChain()
  const { chain, pool, clock } = test
  const engine = new SlowEngine(test.engine, (ms) => clock.advance(ms))
  const settings = new MiningSettings({
    mining: false,
    coinbase: null,
    extraData: Uint8Array.of(1),
    gasLimitGoal: 40_000_000n,
    gasPrice: 1n,
    recommitMs: 20_000,
    ...values,
  })
  const pending = new PendingBlocks({ timeFloor: 'parent' }, { chain, engine, pool, settings, clock })
  pending.start()
  return { ...test, engine, settings, pending }
}

describe('the pending block', () => {
  it('is the head plus what can run, even if nobody mines', async () => {
    const { chain, pool, rich, pending } = await asking()
    const [first, gap] = [rich.sign({ value: 5n }), rich.sign({ nonce: 2n })]
    pool.add(first, local)
    pool.add(gap, local)

    const { block, parent, built } = await pending.get()

    expect(parent.hash).toEqual(chain.head.hash)
    expect(block.header).toMatchObject({ number: 1n, parentHash: chain.head.hash, coinbase: new Uint8Array(20) })
    expect(block.header.gasLimit).toBe(30_000_000n + 30_000_000n / 1024n - 1n)
    expect(block.transactions.map((tx) => toHex(tx.hash))).toEqual([toHex(first.hash)])
    expect(built.receipts.map(({ succeeded, gasUsed }) => ({ succeeded, gasUsed }))).toEqual([
      { succeeded: true, gasUsed: 21_000n },
    ])
  })

  it('pays the chosen coinbase', async () => {
    const coinbase = new Uint8Array(20).fill(0xcb)
    const { pending } = await asking({ coinbase })
    expect((await pending.get()).block.header.coinbase).toEqual(coinbase)
  })

  it("reports what it changes in the head's state", async () => {
    const { store, pool, rich, pending } = await asking()
    pool.add(rich.sign({ value: 5n, to: receiver }), local)

    const { built } = await pending.get()

    const layer = new StoreLayer(store)
    applyStateChanges(layer, { number: 1n, hash: new Uint8Array(32) }, built.changes)
    expect(headState(layer).account(receiver)?.balance).toBe(5n)
    expect(headState(layer).account(rich.address)?.nonce).toBe(1n)
    expect(headState(store).account(receiver)).toBeNull()
  })

  it('is kept until the pool, the head or its parameters change', async () => {
    const { chain, pool, rich, engine, settings, pending, nextBlock } = await asking()
    const first = await pending.get()
    expect((await pending.get()).id).toBe(first.id)

    pool.add(rich.sign(), local)
    expect((await pending.get()).block.transactions).toHaveLength(1)
    await chain.importBlock(await nextBlock())
    expect((await pending.get()).block.header.number).toBe(2n)
    settings.change({ coinbase: receiver })
    expect((await pending.get()).block.header.coinbase).toEqual(receiver)
    expect((await pending.get()).id).toBe(first.id + 3)
    expect(engine.builds).toBe(4)
  })

  it('gets a new time after the recommit interval', async () => {
    const { clock, pending } = await asking()
    const first = await pending.get()
    clock.advance(20_000)
    const second = await pending.get()
    expect(second.block.header.timestamp - first.block.header.timestamp).toBe(20n)
  })

  it('is built once for many callers, and again for a caller after a change', async () => {
    const { pool, rich, engine, pending } = await asking()
    let open = (): void => undefined
    engine.gate = new Promise((resolve) => {
      open = resolve
    })
    const early = [pending.get(), pending.get()]
    await turn()
    pool.add(rich.sign(), local)
    const late = [pending.get(), pending.get()]
    open()

    expect((await Promise.all(early)).map(({ block }) => block.transactions.length)).toContain(0)
    expect((await Promise.all(late)).map(({ block }) => block.transactions.length)).toEqual([1, 1])
    expect(engine.builds).toBe(2)
  })

  it('rests after a build for three times its duration', async () => {
    const { clock, pool, rich, engine, pending } = await asking()
    engine.costMs = 100
    await pending.get()
    pool.add(rich.sign(), local)
    let done = false
    const second = pending.get().finally(() => {
      done = true
    })
    await turn()
    clock.advance(299)
    await turn()
    expect(done).toBe(false)
    expect(engine.builds).toBe(1)

    clock.advance(1)
    expect((await second).block.transactions).toHaveLength(1)
  })

  it('answers waiting callers when it is stopped, and leaves no timer', async () => {
    const { clock, pool, rich, engine, pending } = await asking()
    engine.costMs = 100
    await pending.get()
    pool.add(rich.sign(), local)
    const waiting = expect(pending.get()).rejects.toMatchObject({ code: 'CHAIN_NOT_OPEN' })
    await turn()

    await pending.stop()

    await waiting
    expect(clock.pending).toBe(0)
  })
})
