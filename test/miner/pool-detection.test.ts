// Detecting a pool's dialect over real sockets: patience with slow pools, few penalties for us, and remembering what
// worked.
import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { FakeClock } from '../../src/base/testing/fake-clock'
import { type DialectMemory, type LineDialect, SESSION_LIMITS } from '../../src/miner/pool/session/session'
import { currentJob, fullEngine, judge, makeRig, type Rig, ShareFinder, until } from './pool-harness'
import type { Faults } from './pool-sim/faults'
import { type Flavour, SimulatedPool } from './pool-sim/pool'

const LINES: readonly Exclude<Flavour, 'getwork'>[] = ['stratum', 'eth-proxy', 'nicehash', 'stratum2']

const RETRY_MS = 20

const engine = fullEngine()
const open: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.stop()
})
// Caches are built before any test's timeout starts.
beforeAll(async () => {
  judge.evaluate(0, new Uint8Array(32), 0n)
  await engine.prepareEpoch(0)
})
afterAll(() => engine.close())

async function aPool(flavour: Flavour, faults: Faults = {}): Promise<SimulatedPool> {
  const pool = new SimulatedPool({ flavour, difficulty: 2, faults }, judge)
  await pool.start()
  open.push(pool)
  return pool
}

async function aRig(port: number, options: Parameters<typeof makeRig>[1] = {}): Promise<Rig> {
  const rig = makeRig([`stratum://acct.rig1:x@127.0.0.1:${port}?diff=hashes`], { retryDelayMs: RETRY_MS, ...options })
  open.push(rig.source)
  await rig.source.start()
  return rig
}

it.each(LINES)('waits for a %s pool that answers after more than a second', async (flavour) => {
  const pool = await aPool(flavour, { slow: 1_100 })
  const rig = await aRig(pool.port)

  expect((await new ShareFinder(engine).submit(rig, await currentJob(rig))).kind).toBe('accepted')
  expect(rig.source.pools()[0]).toMatchObject({ state: 'active', shares: { rejected: 0, lost: 0 } })
})

it.each(LINES)('finds %s on one connection if the pool refuses the other dialects', async (flavour) => {
  const pool = await aPool(flavour)
  const rig = await aRig(pool.port)
  await currentJob(rig)

  expect(pool.connections).toBe(1)
})

it("sends a pool of the most common dialect no method that it doesn't know", async () => {
  const pool = await aPool('eth-proxy')
  const rig = await aRig(pool.port)
  await currentJob(rig)

  const methods = pool.received.map((line): unknown => JSON.parse(line).method)
  expect(methods).toEqual(['eth_submitLogin', 'eth_getWork'])
})

it.each(LINES)("doesn't treat the silence of a %s pool as a refusal, and mines once it answers", async (flavour) => {
  const pool = await aPool(flavour, { muteAll: true })
  const rig = await aRig(pool.port, { limits: { responseMs: 150 } })
  await until('more attempts than there are dialects', () => pool.connections > 5)
  expect(rig.source.pools()[0]?.state).toBe('connecting')
  pool.faults = {}

  await currentJob(rig)
  expect(rig.source.pools()[0]?.state).toBe('active')
})

/**
 * A pool of this dialect that doesn't answer other requests, or hangs up on them. @param ignored called for each of
 * them
 */
async function strictPool(
  flavour: Exclude<Flavour, 'getwork'>,
  onOther: 'silence' | 'hangUp',
  ignored: () => void,
): Promise<{ port: number }> {
  const pool = await aPool(flavour)
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('data', (first) => {
      const method: unknown = JSON.parse(String(first).split('\n')[0] ?? '').method
      const own = { stratum: 'mining.subscribe', nicehash: 'mining.subscribe', stratum2: 'mining.hello' }
      const isOwn = flavour === 'eth-proxy' ? method === 'eth_submitLogin' : method === own[flavour]
      if (!isOwn && onOther === 'hangUp') socket.end()
      if (!isOwn) return ignored()
      const inner = connectTo(pool.port, socket)
      sockets.add(inner)
      inner.write(first)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push({
    stop: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  })
  const address = server.address()
  return { port: typeof address === 'object' && address !== null ? address.port : 0 }
}

function connectTo(port: number, outer: Socket): Socket {
  const inner = connect({ port, host: '127.0.0.1' })
  inner.on('error', () => undefined)
  inner.pipe(outer)
  outer.pipe(inner)
  return inner
}

it.each(LINES.flatMap((flavour) => (['silence', 'hangUp'] as const).map((onOther) => ({ flavour, onOther }))))(
  'finds $flavour at a pool that answers other dialects with $onOther',
  async ({ flavour, onOther }) => {
    // Requests that the pool ignores are abandoned immediately; those that it answers have all the time they take.
    const clock = new FakeClock()
    const { port } = await strictPool(flavour, onOther, () => {
      if (onOther === 'silence') clock.advance(SESSION_LIMITS.responseMs)
    })
    const rig = await aRig(port, { clock })
    await until('a job', () => {
      clock.advance(RETRY_MS)
      return rig.jobs.at(-1) != null
    })

    expect((await new ShareFinder(engine).submit(rig, await currentJob(rig))).kind).toBe('accepted')
  },
)

it('gives a pool up only after it has refused every dialect', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (data) => {
      for (const line of String(data).split('\n').filter(Boolean))
        socket.write(
          `${JSON.stringify({ id: JSON.parse(line).id, error: { code: -32601, message: 'no such method' } })}\n`,
        )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push({ stop: () => new Promise((resolve) => server.close(() => resolve())) })
  const address = server.address()
  const rig = await aRig(typeof address === 'object' && address !== null ? address.port : 0)

  await until('the refusal', () => rig.source.pools()[0]?.state === 'unusable')
  expect(rig.source.pools()[0]?.lastFault).toMatch(/eth-proxy.*stratum2.*nicehash.*stratum/)
})

function memoryOf(found: LineDialect | null): DialectMemory & { kept: LineDialect[] } {
  const kept: LineDialect[] = []
  return {
    kept,
    load: () => Promise.resolve(),
    find: () => found,
    keep: (_url, dialect) => {
      kept.push(dialect)
    },
  }
}

it('tries first the dialect that worked before the restart', async () => {
  const pool = await aPool('nicehash')
  const dialects = memoryOf('nicehash')
  const rig = await aRig(pool.port, { dialects })
  await currentJob(rig)

  expect(JSON.parse(pool.received[0] ?? '').method).toBe('mining.subscribe')
  expect(pool.connections).toBe(1)
  expect(dialects.kept.at(-1)).toBe('nicehash')
})

it.each(LINES)('finds %s if another dialect is remembered', async (flavour) => {
  const pool = await aPool(flavour)
  const dialects = memoryOf(flavour === 'stratum2' ? 'nicehash' : 'stratum2')
  const rig = await aRig(pool.port, { dialects })

  expect((await new ShareFinder(engine).submit(rig, await currentJob(rig))).kind).toBe('accepted')
  expect(dialects.kept.at(-1)).toBe(flavour)
})
