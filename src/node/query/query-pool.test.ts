import { expect, it } from 'vitest'
import { FakeClock } from '../../base/fake-clock'
import { silentLogger } from '../../base/logger'
import type { Transport } from '../../base/wire/define'
import { memoryTransportPair } from '../../base/wire/memory'
import { serveWire, trustedPeer, type WireServer } from '../../base/wire/server'
import { Flags } from './flags'
import { QueryPool } from './query-pool'
import { type AskRequest, type QueryWire, queryWire, type StreamRequest } from './query-wire'

const never = new AbortController().signal
const height = (number: number): AskRequest => ({ kind: 'headerRlp', number })
const trace: StreamRequest = {
  kind: 'traceTransaction',
  hash: new Uint8Array(32),
  options: { tracer: 'structs', memory: false, stack: true, storage: true, limit: 0, timeoutMs: null },
}

/** A worker that answers with its own number, and streams until it is stopped. */
class FakeWorker {
  readonly answered: AskRequest[] = []
  wasStopped = false
  /** What opening waits for. */
  opens: Promise<void> = Promise.resolve()
  isOpen = false
  #flags: Flags | null = null
  #server: WireServer<QueryWire> | null = null
  readonly transport: Transport

  constructor(readonly number: number) {
    const [near, far] = memoryTransportPair()
    this.transport = near
    this.#server = serveWire(
      queryWire,
      far,
      {
        'query.open': async ({ flags }) => {
          await this.opens
          this.#flags = new Flags(flags)
          this.isOpen = true
          return {}
        },
        'query.close': () => {
          this.isOpen = false
          return {}
        },
        'query.pending': () => ({}),
        'query.ask': ({ request }) => {
          this.answered.push(request)
          return `"worker ${this.number}"`
        },
        'query.stream': ({ flag }) => this.#stream(flag),
      },
      { log: silentLogger, deny: trustedPeer },
    )
  }

  die(): void {
    this.transport.close()
  }

  async #stream(flag: number) {
    for (let i = 0; i < 1_000; i++) {
      if (this.#flags?.isStopped(flag) === true) {
        this.wasStopped = true
        return {}
      }
      this.#server?.emit('query.chunk', { flag, text: `${i};` })
      await new Promise((resolve) => setImmediate(resolve))
    }
    return {}
  }
}

async function poolOf(workers: number, made: FakeWorker[] = []) {
  const clock = new FakeClock()
  const state = { head: 1 }
  const pool = new QueryPool(
    {
      workers,
      open: { folder: '/', chainId: 1n, gasCap: 1n, callTimeoutMs: 1, epochBlocks: 720 },
    },
    {
      connect: () => {
        const worker = new FakeWorker(made.length)
        made.push(worker)
        return worker.transport
      },
      head: () => state.head,
      pendingBlock: () => Promise.reject(new Error('not asked here')),
      clock,
      log: silentLogger,
    },
  )
  await pool.start()
  return { pool, made, clock, state }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

it('starts a lost worker again, twice in five minutes', async () => {
  const { pool, made, clock, state } = await poolOf(1)
  for (let i = 0; i < 2; i++) {
    made[i]?.die()
    await settled()
  }
  expect(await pool.ask(height(1), never)).toBe('"worker 2"')

  made[2]?.die()
  await settled()
  state.head++

  await expect(pool.ask(height(1), never)).rejects.toMatchObject({ code: 'CHAIN_NOT_OPEN' })
  expect(made).toHaveLength(3)
  clock.advance(1)
  await pool.stop()
})

it('stops only when a worker that was just being started is closed, too', async () => {
  let open = (): void => undefined
  const made: FakeWorker[] = []
  const { pool } = await poolOf(1, made)
  const push = made.push.bind(made)
  made.push = (worker: FakeWorker) => {
    worker.opens = new Promise((resolve) => (open = resolve))
    return push(worker)
  }
  made[0]?.die()
  await settled()
  let stopped = false

  const stopping = pool.stop().then(() => (stopped = true))
  await settled()

  expect([made.length, stopped]).toEqual([2, false])
  open()
  await stopping
  expect(made[1]?.isOpen).toBe(false)
})

it('fails the calls of a worker that is lost', async () => {
  const { pool, made } = await poolOf(1)

  const call = pool.ask(height(1), never)
  made[0]?.die()

  await expect(call).rejects.toMatchObject({ code: 'CONTRACT_CLOSED' })
  await pool.stop()
})

it('asks a worker once for the same question at one head', async () => {
  const { pool, made, state } = await poolOf(1)
  await pool.ask(height(1), never)
  await pool.ask(height(1), never)
  state.head++
  await pool.ask(height(1), never)

  expect(made[0]?.answered).toHaveLength(2)
  await pool.stop()
})

it('gathers streams on one worker, also when they are asked for in the same turn', async () => {
  const { pool, made } = await poolOf(2)
  const readers = [pool.stream(trace, never), pool.stream(trace, never)]
  await Promise.all(readers.map((reader) => reader.next()))

  await pool.ask(height(1), never)
  await pool.ask(height(2), never)

  expect(made.map(({ answered }) => answered.length).sort()).toEqual([0, 2])
  await Promise.all(readers.map((reader) => reader.return(undefined)))
  await pool.stop()
})

it('gives short questions to the worker that does not stream', async () => {
  const { pool, made } = await poolOf(2)
  const reader = pool.stream(trace, never)
  await reader.next()

  await pool.ask(height(1), never)
  await pool.ask(height(2), never)

  expect(made.map(({ answered }) => answered.length).sort()).toEqual([0, 2])
  await reader.return(undefined)
  await pool.stop()
})

it('ends the query of a reader that stops reading', async () => {
  const { pool, made } = await poolOf(1)
  for await (const chunk of pool.stream(trace, never)) if (chunk === '3;') break

  expect(made[0]?.wasStopped).toBe(true)
  await pool.stop()
})

it('ends the query of a client that is gone', async () => {
  const { pool, made } = await poolOf(1)
  const client = new AbortController()
  const reader = pool.stream(trace, client.signal)
  await reader.next()

  client.abort(new Error('gone'))
  const rest = (async () => {
    for await (const _chunk of reader);
  })()

  await expect(rest).rejects.toThrow('gone')
  expect(made[0]?.wasStopped).toBe(true)
  await pool.stop()
})
