import { describe, expect, it, vi } from 'vitest'
import { bigintFromBytes } from '../../base/bytes'
import { toHex } from '../../base/hex'
import { silentLogger } from '../../base/logger'
import type { FakeClock } from '../../base/testing/fake-clock'
import { XHASH_PRACTICE } from '../../xhash/params'
import type { CandidateQueue, ExecutionEngine } from '../execution/engine'
import { openTestChain } from '../testing/test-chain'
import { MiningSettings } from './mining-settings'
import { type Work, WorkServer } from './work-server'

const zero = new Uint8Array(32)

/** Builds blocks like `inner` while it is `whole`. */
class BreakableEngine implements ExecutionEngine {
  readonly kind = 'breakable'
  whole = true
  failures = 0
  /** How much of the test's time each transaction of a template takes. */
  perTransactionMs = 0
  clock: FakeClock | null = null
  /** Called when a template's first transaction is reached. */
  onFirst: (() => void) | null = null

  constructor(private readonly inner: ExecutionEngine) {}

  executeBlock(...call: Parameters<ExecutionEngine['executeBlock']>): ReturnType<ExecutionEngine['executeBlock']> {
    return this.inner.executeBlock(...call)
  }

  async buildBlock(...call: Parameters<ExecutionEngine['buildBlock']>): ReturnType<ExecutionEngine['buildBlock']> {
    const [context, candidates, ...rest] = call
    const timed: CandidateQueue = {
      peek: () => candidates.peek(),
      pop: () => candidates.pop(),
      shift: () => {
        this.onFirst?.()
        this.onFirst = null
        this.clock?.advance(this.perTransactionMs)
        candidates.shift()
      },
    }
    if (this.whole) return this.inner.buildBlock(context, timed, ...rest)
    this.failures++
    throw new Error('broken')
  }
}

/** Until everything that was started has finished. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

async function working(coinbase: Uint8Array | null = new Uint8Array(20).fill(0xcb)) {
  const test = await openTestChain()
  const { chain, pool, clock } = test
  const engine = new BreakableEngine(test.engine)
  const settings = new MiningSettings({
    mining: true,
    coinbase,
    extraData: new Uint8Array(0),
    gasLimitGoal: 30_000_000n,
    gasPrice: 1n,
    recommitMs: 20_000,
  })
  const server = new WorkServer(
    { xhash: XHASH_PRACTICE, timeFloor: 'median', poolDelayMs: 1000 },
    { chain, engine, pool, settings, clock, log: silentLogger },
  )
  const given: Work[] = []
  const waiting: (() => void)[] = []
  server.events.on('workChanged', (work) => {
    given.push(work)
    for (const wake of waiting.splice(0)) wake()
  })
  /** Resolves once this many works were given in total. */
  const until = async (count: number): Promise<Work> => {
    while (given.length < count) await new Promise<void>((resolve) => waiting.push(resolve))
    const work = given[count - 1]
    if (work === undefined) throw new Error('no work')
    return work
  }
  server.start()
  return { ...test, engine, server, settings, given, until }
}

describe('work', () => {
  it('is given for the block after the head', async () => {
    const { server, until } = await working()

    const work = await until(1)

    expect(work).toMatchObject({ height: 1, epoch: 0, difficulty: 131_072n })
    expect(bigintFromBytes(work.target)).toBe((2n ** 256n - 1n) / 131_072n)
    expect(work.seedHash).toEqual(zero)
    expect(server.work()).toEqual(work)
    await server.stop()
  })

  it("isn't given without a coinbase", async () => {
    const { server, settings, until } = await working(null)
    expect(server.work()).toBeNull()
    settings.change({ coinbase: new Uint8Array(20).fill(1) })
    expect((await until(1)).height).toBe(1)
    await server.stop()
  })

  it('becomes a block when sealed, and is immediately renewed for the next height', async () => {
    const { server, chain, until } = await working()
    const work = await until(1)

    expect(await server.submit({ nonce: 7n, sealHash: work.sealHash, mixDigest: zero })).toBe('accepted')

    expect((await until(2)).height).toBe(2)
    expect(chain.head.header).toMatchObject({ number: 1n, nonce: 7n })
    await server.stop()
  })

  it('is rejected if wrong, and stale if unknown or for a height that has its block', async () => {
    const { server, chain, until } = await working()
    const work = await until(1)
    expect(await server.submit({ nonce: 1n, sealHash: zero, mixDigest: zero })).toBe('stale')
    expect(await server.submit({ nonce: 1n, sealHash: work.sealHash, mixDigest: new Uint8Array(32).fill(1) })).toBe(
      'rejected',
    )
    await server.submit({ nonce: 1n, sealHash: work.sealHash, mixDigest: zero })

    expect(await server.submit({ nonce: 2n, sealHash: work.sealHash, mixDigest: zero })).toBe('stale')

    expect(chain.head.header.nonce).toBe(1n)
    const second = await until(2)
    await server.submit({ nonce: 3n, sealHash: second.sealHash, mixDigest: zero })
    expect(await server.submit({ nonce: 4n, sealHash: work.sealHash, mixDigest: zero })).toBe('stale')
    await server.stop()
  })

  it('becomes one block, however many seals arrive at once, and the next template waits for none of the others', async () => {
    const { server, chain, until } = await working()
    const work = await until(1)
    const imports = vi.spyOn(chain, 'importBlock')
    const answered: string[] = []

    const seals = Array.from({ length: 500 }, async (_, nonce) => {
      answered.push(await server.submit({ nonce: BigInt(nonce), sealHash: work.sealHash, mixDigest: zero }))
    })
    await until(2)
    await Promise.all(seals)

    expect(imports).toHaveBeenCalledTimes(1)
    expect(answered.filter((answer) => answer === 'accepted')).toHaveLength(1)
    expect(answered.filter((answer) => answer === 'stale')).toHaveLength(499)
    await server.stop()
  })

  it('lets a template in between wrong seals, each of which takes its turn', async () => {
    const { server, chain, settings, until } = await working()
    const work = await until(1)
    await settled()
    const wrong = { sealHash: work.sealHash, mixDigest: new Uint8Array(32).fill(1) }
    let answered = 0
    const seals = Array.from({ length: 50 }, async (_, nonce) => {
      await server.submit({ ...wrong, nonce: BigInt(nonce) })
      answered++
    })

    settings.change({ extraData: Uint8Array.of(1) })
    await until(2)

    expect(answered).toBeLessThan(10)
    await Promise.all(seals)
    expect(chain.head.header.number).toBe(0n)
    await server.stop()
  })

  it('is accepted beside a block that came from elsewhere, once', async () => {
    const { server, chain, nextBlock, until } = await working()
    const work = await until(1)
    await chain.importBlock(await nextBlock({ tag: 5 }))
    await until(2)

    const answers = [1n, 2n].map((nonce) => server.submit({ nonce, sealHash: work.sealHash, mixDigest: zero }))

    expect(await Promise.all(answers)).toEqual(['accepted', 'stale'])
    expect(chain.head.header.number).toBe(1n)
    await server.stop()
  })

  it('is accepted again for a height whose block a rollback removed', async () => {
    const { server, chain, until } = await working()
    const work = await until(1)
    await server.submit({ nonce: 1n, sealHash: work.sealHash, mixDigest: zero })
    await until(2)
    expect(await chain.goBackTo(0n)).toBeNull()

    const again = await until(3)

    expect(again.height).toBe(1)
    expect(await server.submit({ nonce: 2n, sealHash: again.sealHash, mixDigest: zero })).toBe('accepted')
    expect(chain.head.header.nonce).toBe(2n)
    await server.stop()
  })

  it('includes new transactions, at most once a second', async () => {
    const { server, chain, clock, pool, rich, given, until } = await working()
    await until(1)
    pool.add(rich.sign(), { local: true })
    pool.add(rich.sign({ nonce: 1n }), { local: true })
    await chain.exclusive(async () => undefined)
    expect(given).toHaveLength(1)

    clock.advance(1000)

    const filled = await until(2)
    await server.submit({ nonce: 1n, sealHash: filled.sealHash, mixDigest: zero })
    expect(chain.reads.block(chain.head.hash)?.transactions.map((tx) => toHex(tx.hash))).toEqual([
      toHex(rich.sign().hash),
      toHex(rich.sign({ nonce: 1n }).hash),
    ])
    await server.stop()
  })

  it('gives an empty block first if transactions wait, then the filled one', async () => {
    const { server, chain, pool, rich, until } = await working()
    const first = await until(1)
    pool.add(rich.sign(), { local: true })
    await server.submit({ nonce: 1n, sealHash: first.sealHash, mixDigest: zero })

    const [empty, filled] = [await until(2), await until(3)]

    expect([empty.height, filled.height]).toEqual([2, 2])
    expect(chain.head.header.number).toBe(1n)
    await server.submit({ nonce: 1n, sealHash: filled.sealHash, mixDigest: zero })
    expect(chain.reads.block(chain.head.hash)?.transactions).toHaveLength(1)
    await server.stop()
  })

  it('is renewed after the recommit time, and leaves no timer when stopped', async () => {
    const { server, clock, until } = await working()
    await until(1)
    await new Promise((resolve) => setImmediate(resolve))
    clock.advance(20_000)
    expect((await until(2)).height).toBe(1)
    await server.stop()
    expect(clock.pending).toBe(0)
  })

  it('follows the coinbase, even back to an earlier one in the same second', async () => {
    const { server, settings, until } = await working()
    const first = await until(1)
    settings.change({ coinbase: new Uint8Array(20).fill(1) })
    await until(2)

    settings.change({ coinbase: new Uint8Array(20).fill(0xcb) })

    expect((await until(3)).sealHash).toEqual(first.sealHash)
    expect(server.work()?.sealHash).toEqual(first.sealHash)
    await server.stop()
  })

  it('waits after a failure as long as after a success', async () => {
    const { server, engine, clock, until } = await working()
    await until(1)
    await settled()
    engine.whole = false
    clock.advance(20_000)
    await settled()
    expect(engine.failures).toBe(1)

    clock.advance(19_999)
    await settled()
    expect(engine.failures).toBe(1)

    engine.whole = true
    clock.advance(1)
    expect((await until(2)).height).toBe(1)
    await server.stop()
  })

  it('ends while mining is off, and is announced again when it is back on', async () => {
    const { server, settings, clock, given, until } = await working()
    const first = await until(1)
    await settled()
    settings.change({ mining: false })
    expect(server.work()).toBeNull()
    clock.advance(60_000)
    await settled()
    expect(given).toHaveLength(1)
    expect(await server.submit({ nonce: 1n, sealHash: first.sealHash, mixDigest: zero })).toBe('accepted')

    settings.change({ mining: true })

    expect((await until(2)).height).toBe(2)
    await server.stop()
  })

  it('is built with what changed in the meantime', async () => {
    const { server, settings, chain, until } = await working()
    await until(1)
    settings.change({ extraData: Uint8Array.of(9), gasLimitGoal: 5000n })
    const work = await until(2)
    await server.submit({ nonce: 1n, sealHash: work.sealHash, mixDigest: zero })
    const { extraData, gasLimit } = chain.head.header
    expect(extraData).toEqual(Uint8Array.of(9))
    expect(gasLimit).toBe(30_000_000n - (30_000_000n / 1024n - 1n))
    await server.stop()
  })

  it('lets an import through within a moment, however much waits in the pool', async () => {
    const { server, engine, chain, clock, pool, rich, until, nextBlock } = await working()
    await until(1)
    const block = await nextBlock({ tag: 5 })
    for (let nonce = 0n; nonce < 50n; nonce++) pool.add(rich.sign({ nonce }), { local: true })
    engine.perTransactionMs = 10
    engine.clock = clock
    let importing: Promise<unknown> | null = null
    engine.onFirst = () => {
      importing = chain.importBlock(block)
    }
    clock.advance(1000)

    const filled = await until(2)
    const spent = clock.monotonic() - 1000
    await server.submit({ nonce: 1n, sealHash: filled.sealHash, mixDigest: zero })

    expect(spent).toBeLessThanOrEqual(110)
    expect(importing).not.toBeNull()
    await server.stop()
  })

  it('leaves a busy pool alone for three times the duration of the last build', async () => {
    const { server, engine, clock, pool, rich, given, until } = await working()
    await until(1)
    await settled()
    for (let nonce = 0n; nonce < 50n; nonce++) pool.add(rich.sign({ nonce }), { local: true })
    engine.perTransactionMs = 10
    engine.clock = clock
    clock.advance(1000)
    await until(2)
    await settled()
    pool.add(rich.sign({ nonce: 50n }), { local: true })

    clock.advance(1499)
    await settled()
    expect(given).toHaveLength(2)
    clock.advance(1)
    await until(3)
    await server.stop()
  })

  it('is dropped after many later ones, however long a height lasts', async () => {
    const { server, clock, given, until } = await working()
    const first = await until(1)
    for (let count = 2; count <= 300; count++) {
      await settled()
      clock.advance(20_000)
      await until(count)
    }
    const [recent = first] = given.slice(-200)

    expect(await server.submit({ nonce: 1n, sealHash: first.sealHash, mixDigest: zero })).toBe('stale')
    expect(await server.submit({ nonce: 1n, sealHash: recent.sealHash, mixDigest: zero })).toBe('accepted')
    await server.stop()
  })
})
