import { describe, expect, it } from 'vitest'
import { silentLogger } from '../../../base/logger'
import { FakeClock } from '../../../base/testing/fake-clock'
import type { Transport } from '../../../base/wire/define'
import { memoryTransportPair } from '../../../base/wire/memory'
import { serveWire, trustedPeer, type WireServer } from '../../../base/wire/server'
import { MAIN_CONSENSUS } from '../../consensus/params'
import { RpcFault } from '../../rpc-fault'
import { Flags } from '../flags'
import type { InlineAnswers } from '../inline/inline-queries'
import { type AskRequest, type QueryWire, queryWire, type StreamRequest } from '../query-wire'
import { QueryPool } from './query-pool'

/** Queries that run forever: those that heed their flag, and those that don't. */
interface Endless {
  readonly heeding?: (request: AskRequest) => boolean
  readonly deaf?: (request: AskRequest) => boolean
}

/** A worker that answers with its own number, and streams until stopped. */
class FakeWorker {
  readonly answered: AskRequest[] = []
  readonly begun: AskRequest[] = []
  /** Queries of each message. */
  readonly batches: number[] = []
  wasStopped = false
  isEnded = false
  /** What opening awaits. */
  opens: Promise<void> = Promise.resolve()
  isOpen = false
  #flags: Flags | null = null
  #server: WireServer<QueryWire> | null = null
  readonly transport: Transport

  constructor(
    readonly number: number,
    endless: Endless,
  ) {
    const [near, far] = memoryTransportPair()
    this.transport = near
    near.onClose(() => {
      this.isEnded = true
    })
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
        'query.ask': async ({ asks }) => {
          this.batches.push(asks.length)
          const answers = []
          for (const { flag, request } of asks) {
            if (this.#flags?.start(flag) !== true) continue
            this.begun.push(request)
            if (endless.deaf?.(request) === true) await new Promise(() => undefined)
            if (endless.heeding?.(request) === true) {
              await this.#stopped(flag)
              answers.push({ flag, text: null, error: { code: 'RPC_FAILED', message: 'stopped', data: undefined } })
              continue
            }
            this.answered.push(request)
            answers.push({ flag, text: `"worker ${this.number}"`, error: null })
          }
          return { answers }
        },
        'query.stream': ({ flag }) => this.#stream(flag),
      },
      { log: silentLogger, deny: trustedPeer },
    )
  }

  die(): void {
    this.transport.close()
  }

  async #stopped(flag: number): Promise<void> {
    while (this.#flags?.isStopped(flag) === false) await turn()
    this.wasStopped = true
  }

  async #stream(flag: number) {
    for (let i = 0; i < 1_000; i++) {
      if (this.#flags?.isStopped(flag) === true) {
        this.wasStopped = true
        return { rest: '' }
      }
      this.#server?.emit('query.chunk', { flag, text: `${i};` })
      await turn()
    }
    return { rest: 'end' }
  }
}

/** Resolves after everything due has happened, including messages between pool and workers. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

const never: { readonly signal: AbortSignal } = { signal: new AbortController().signal }
const balance = (last: number): AskRequest => ({
  kind: 'balance',
  at: { kind: 'tag', tag: 'latest' },
  address: new Uint8Array(20).fill(last),
})
/** A query that computes; `number` distinguishes it from others. */
const proof = (number: number): AskRequest => ({
  kind: 'intermediateRoots',
  hash: new Uint8Array(32).fill(number),
})
const call = (number: number): AskRequest => ({
  kind: 'call',
  at: { kind: 'tag', tag: 'latest' },
  call: {
    from: null,
    to: null,
    gas: BigInt(number),
    gasPrice: null,
    feeCap: null,
    tip: null,
    value: 0n,
    nonce: null,
    data: new Uint8Array(0),
    accessList: null,
  },
  overrides: [],
})
const trace: StreamRequest = {
  kind: 'traceTransaction',
  hash: new Uint8Array(32),
  options: { tracer: 'structs', script: null, memory: false, stack: true, storage: true, limit: 0, timeoutMs: null },
}
const CALL_TIMEOUT_MS = 5_000

/** A promise even if the answer is known. */
const failable = async (pool: QueryPool, ...question: Parameters<QueryPool['ask']>) => pool.ask(...question)

/** Until the messages between pool and workers have arrived. */
async function settled(): Promise<void> {
  for (let i = 0; i < 12; i++) await turn()
}

/** Its first two workers are open: that for reads, and one that computes. */
async function poolOf(workers: number, endless: Endless = {}, inline: InlineAnswers | null = null) {
  const opened = await closedPoolOf(workers, endless, inline)
  const { pool, made, begin } = opened
  await pool.ask(balance(254), never)
  await pool.ask(proof(254), never)
  begin()
  const [reader, ...computing] = made
  if (reader === undefined || computing.length !== 1) throw new Error('want one worker of each kind')
  for (const { answered, begun, batches } of made) for (const list of [answered, begun, batches]) list.length = 0
  return { ...opened, reader }
}

/** No worker is open. `begin`: from then on queries are endless, and answered inline, as told. */
async function closedPoolOf(workers: number, endless: Endless = {}, inline: InlineAnswers | null = null) {
  const clock = new FakeClock()
  const state = { head: 1, hasBegun: false }
  const made: FakeWorker[] = []
  const later: Endless = {
    heeding: (request) => state.hasBegun && endless.heeding?.(request) === true,
    deaf: (request) => state.hasBegun && endless.deaf?.(request) === true,
  }
  const inlineLater = inline && {
    ...inline,
    answer: (request: AskRequest) => (state.hasBegun ? inline.answer(request) : null),
  }
  const pool = new QueryPool(
    {
      workers,
      open: {
        folder: '/',
        chainId: 1n,
        gasCap: 1n,
        callTimeoutMs: CALL_TIMEOUT_MS,
        epochBlocks: 720,
        subsidies: MAIN_CONSENSUS,
      },
    },
    {
      connect: () => {
        const worker = new FakeWorker(made.length, later)
        made.push(worker)
        return worker.transport
      },
      head: () => state.head,
      pendingBlock: () => Promise.reject(new Error('not asked here')),
      openInline: inlineLater && (async () => inlineLater),
      clock,
      log: silentLogger,
    },
  )
  await pool.start()
  const begin = (): void => {
    state.hasBegun = true
  }
  return { pool, made, clock, state, begin, end: () => pool.stop() }
}

describe('small queries', () => {
  it('that are sent together travel together, divided among the workers', async () => {
    const { pool, made, end } = await poolOf(2)
    const numbers = Array.from({ length: 12 }, (_, number) => number)
    const answers = await Promise.all(numbers.map((number) => pool.ask(call(number), never)))

    expect(answers.every((answer) => answer.startsWith('"worker'))).toBe(true)
    expect(made[1]?.batches[0]).toBe(6)
    await end()
  })

  it('leave a batch whose first one takes long, after a moment', async () => {
    const { pool, made, clock, end } = await poolOf(2, {
      deaf: (request) => 'call' in request && request.call.gas === 1n,
    })
    const long = failable(pool, call(1), never).catch(() => null)
    const small = [2, 3, 4].map((number) => pool.ask(call(number), never))
    await settled()
    expect(made[1]?.batches[0]).toBe(4)

    clock.advance(5)
    await settled()

    expect(await Promise.all(small)).toEqual(['"worker 2"', '"worker 2"', '"worker 2"'])
    await end()
    await long
  })

  it('are asked again if their worker is lost before it started them', async () => {
    const { pool, made, clock, end } = await poolOf(2, {
      deaf: (request) => 'call' in request && request.call.gas === 1n,
    })
    const started = failable(pool, call(1), never).catch((error: unknown) => error)
    const others = [2, 3, 4].map((number) => pool.ask(call(number), never))
    await turn()
    made[1]?.die()
    await settled()
    clock.advance(500)
    await settled()

    expect(await Promise.all(others)).toHaveLength(3)
    expect(await started).toMatchObject({ code: 'CONTRACT_CLOSED' })
    await end()
  })

  it('leave a batch with their client, while the others stay', async () => {
    const { pool, made, clock, end } = await poolOf(2, {
      deaf: (request) => 'call' in request && request.call.gas === 1n,
    })
    const long = failable(pool, call(1), never).catch(() => null)
    const client = new AbortController()
    const second = failable(pool, call(2), client).catch((error: unknown) => error)
    const rest = [3, 4].map((number) => pool.ask(call(number), never))
    await settled()

    client.abort(new Error('gone'))

    expect(await second).toMatchObject({ message: 'gone' })
    clock.advance(10)
    expect(await Promise.all(rest)).toHaveLength(2)
    expect(made.flatMap(({ answered }) => answered)).toHaveLength(2)
    await end()
    await long
  })

  it('make room like others once they take long, and continue by themselves', async () => {
    const { pool, made, clock, end } = await poolOf(2, { heeding: ({ kind }) => kind === 'call' })
    const long = [1, 2, 3, 4].map((number) => failable(pool, call(number), never).catch(() => null))
    await settled()
    for (let moment = 0; moment < 4; moment++) {
      clock.advance(500)
      await settled()
    }

    const answer = pool.ask(proof(1), { ...never, caller: 'modest' })
    clock.advance(500)
    await settled()

    expect(await answer).toMatch(/worker/)
    expect(made.some(({ wasStopped }) => wasStopped)).toBe(true)
    await end()
    await Promise.all(long)
  })
})

describe('short reads', () => {
  it('are answered while every other worker computes endlessly', async () => {
    const { pool, made, clock, reader, end } = await poolOf(2, { deaf: ({ kind }) => kind === 'call' })
    const endless = [1, 2, 3, 4].map((number) => failable(pool, call(number), never).catch(() => null))
    await settled()
    clock.advance(5)
    await settled()

    expect(await pool.ask(balance(1), never)).toBe('"worker 0"')

    expect(reader.answered).toHaveLength(1)
    expect(made.slice(1).flatMap(({ begun }) => begun)).toHaveLength(2)
    await end()
    await Promise.all(endless)
  })

  it('are asked again if their worker is lost', async () => {
    const { pool, clock, reader, end } = await poolOf(2, { deaf: ({ kind }) => kind === 'nonce' })
    reader.opens = Promise.resolve()
    const answer = pool.ask(balance(1), never)
    reader.die()
    await settled()
    clock.advance(200)
    await settled()

    expect(await answer).toMatch(/worker [1-9]/)
    await end()
  })

  it('replace their worker when it hangs', async () => {
    let isHanging = true
    const { pool, clock, reader, end } = await poolOf(2, { deaf: ({ kind }) => kind === 'code' && isHanging })
    const answer = pool.ask({ ...balance(1), kind: 'code' } as AskRequest, never)
    await settled()
    isHanging = false
    clock.advance(10_000)
    await settled()
    clock.advance(200)

    expect(await answer).toMatch(/worker [1-9]/)
    expect(reader.isEnded).toBe(true)
    await end()
  })
})

it('opens no worker before it is asked, then one of the kind that is needed', async () => {
  const { pool, made, end } = await closedPoolOf(2)
  expect(made).toHaveLength(0)

  expect(await pool.ask(balance(1), never)).toBe('"worker 0"')
  expect(await pool.ask(balance(2), never)).toBe('"worker 0"')
  expect(await pool.ask(proof(1), never)).toBe('"worker 1"')

  expect(made).toHaveLength(2)
  await end()
  expect(made.every(({ isEnded }) => isEnded)).toBe(true)
})

describe('inline answers', () => {
  const inlineFor = (answer: InlineAnswers['answer']) => {
    const state = { isClosed: false }
    const close = async () => {
      state.isClosed = true
    }
    return { state, inline: { answer, trace: () => null, close } }
  }

  it('need no worker and no promise', async () => {
    const { inline, state } = inlineFor(() => '"inline"')
    const { pool, reader, end } = await poolOf(2, {}, inline)

    expect(pool.ask(balance(1), never)).toBe('"inline"')

    expect(reader.begun).toHaveLength(0)
    await end()
    expect(state.isClosed).toBe(true)
  })

  it('are whole traces, too, or a worker’s', async () => {
    const { inline } = inlineFor(() => null)
    const { pool, end } = await poolOf(
      2,
      {},
      { ...inline, trace: ({ kind }) => (kind === 'traceTransaction' ? '{}' : null) },
    )
    const chunks: (string | Uint8Array)[] = []

    for await (const chunk of pool.stream(trace, never)) chunks.push(chunk)
    expect(chunks).toEqual(['{}'])

    const flat = { kind: 'flatTransaction', hash: new Uint8Array(32), path: null } as const
    for await (const chunk of pool.stream(flat, never)) {
      expect(chunk).toBe('0;')
      break
    }
    await end()
  })

  it('are a worker’s when there are none', async () => {
    const { inline } = inlineFor(() => null)
    const { pool, reader, end } = await poolOf(2, {}, inline)

    expect(await pool.ask(balance(1), never)).toBe('"worker 0"')

    expect(reader.begun).toHaveLength(1)
    await end()
  })

  it('may come in a later turn, or then be a worker’s', async () => {
    const given: (string | null)[] = ['"inline"', null]
    const { inline } = inlineFor(() => Promise.resolve(given.shift() ?? null))
    const { pool, reader, end } = await poolOf(2, {}, inline)

    expect(await pool.ask(balance(1), never)).toBe('"inline"')
    expect(reader.begun).toHaveLength(0)
    expect(await pool.ask(balance(2), never)).toBe('"worker 0"')
    await end()
  })

  it('may be failures', async () => {
    const { inline } = inlineFor(() => {
      throw new RpcFault('RPC_FAILED', { reason: 'out of gas' })
    })
    const { pool, made, end } = await poolOf(2, {}, inline)

    await expect(failable(pool, call(1), never)).rejects.toThrow('out of gas')

    expect(made.flatMap(({ begun }) => begun)).toHaveLength(0)
    await end()
  })
})

describe('queries that compute', () => {
  it('get more workers as needed, up to the limit', async () => {
    const { pool, made, clock, end } = await poolOf(3, { deaf: () => true })
    const asked = [1, 2, 3, 4, 5].map((number) => failable(pool, call(number), never).catch(() => null))
    await settled()
    clock.advance(5)
    await settled()

    expect(made.slice(1).map(({ begun }) => begun.length)).toEqual([1, 1, 1])
    await end()
    await Promise.all(asked)
  })

  it('release workers that have been idle for a minute, except one', async () => {
    const { pool, made, clock, end } = await poolOf(3)
    await Promise.all([1, 2, 3].map((number) => pool.ask(call(number), never)))
    await settled()

    clock.advance(60_000)
    await settled()

    expect(made.slice(1).filter(({ isEnded }) => !isEnded)).toHaveLength(1)
    await end()
  })

  it('make room for new ones from any caller if they take long, and continue later', async () => {
    const isLong = (request: AskRequest): boolean => request.kind === 'intermediateRoots'
    const { pool, clock, made, end } = await poolOf(2, { heeding: isLong })
    const long = [1, 2, 3].map((number) =>
      failable(pool, proof(number), { ...never, caller: 'greedy' }).catch(() => null),
    )
    await settled()
    clock.advance(500)
    await settled()

    const answer = pool.ask(call(1), { ...never, caller: 'modest' })
    await settled()

    // The third long one had its moment, too, before the call of the other.
    clock.advance(500)
    await settled()
    expect(await answer).toMatch(/worker/)
    expect(made.some(({ wasStopped }) => wasStopped)).toBe(true)
    await end()
    await Promise.all(long)
  })

  it('let callers take turns', async () => {
    const { pool, made, clock, end } = await poolOf(2, { heeding: ({ kind }) => kind === 'intermediateRoots' })
    const greedy = Array.from({ length: 20 }, (_, n) =>
      failable(pool, proof(n), { ...never, caller: 'greedy' }).catch(() => null),
    )
    await settled()
    const modest = pool.ask(call(1), { ...never, caller: 'modest' })
    for (let moment = 0; moment < 3; moment++) {
      clock.advance(500)
      await settled()
    }

    expect(await modest).toMatch(/worker/)
    expect(made.slice(1).flatMap(({ begun }) => begun).length).toBeLessThan(8)
    await end()
    await Promise.all(greedy)
  })

  it('are ended with their worker if they exceed their time, and the next one gets a new worker', async () => {
    const { pool, made, clock, end } = await poolOf(2, { deaf: ({ kind }) => kind === 'call' })
    const endless = failable(pool, call(1), never)
    const outcome = endless.catch((error: unknown) => error)
    await settled()

    clock.advance(CALL_TIMEOUT_MS + 1_000)

    expect(await outcome).toMatchObject({ code: 'RPC_FAILED', message: 'the query was ended after 6000 ms' })
    expect(made[1]?.isEnded).toBe(true)
    expect(await pool.ask(proof(1), never)).toBe('"worker 2"')
    await end()
  })

  it('are ended with their worker if their client is gone and they ignore it', async () => {
    const { pool, made, clock, end } = await poolOf(2, { deaf: () => true })
    const client = new AbortController()
    const outcome = failable(pool, call(1), client).catch((error: unknown) => error)
    await settled()

    client.abort(new Error('gone'))
    clock.advance(1_000)

    expect(await outcome).toMatchObject({ message: 'gone' })
    expect(made[1]?.isEnded).toBe(true)
    await end()
  })

  it('leave the queue with their client', async () => {
    const { pool, made, clock, end } = await poolOf(2, { deaf: () => true })
    const running = [1, 2].map((number) => failable(pool, call(number), never).catch(() => null))
    await settled()
    clock.advance(5)
    await settled()
    const client = new AbortController()
    const waiting = pool.ask(call(3), client)

    client.abort(new Error('gone'))

    await expect(waiting).rejects.toThrow('gone')
    expect(made.slice(1).flatMap(({ begun }) => begun)).toHaveLength(2)
    await end()
    await Promise.all(running)
  })

  it("are refused if too many of one caller wait, and only that caller's", async () => {
    const { pool, end } = await poolOf(2, { deaf: ({ kind }) => kind === 'call' })
    const greedy = Array.from({ length: 1_100 }, (_, n) =>
      failable(pool, call(n), { ...never, caller: 'greedy' }).catch((error: unknown) => error),
    )

    const over = pool.ask(call(5_000), { ...never, caller: 'greedy' })

    await expect(over).rejects.toMatchObject({ code: 'RPC_FAILED' })
    const modest = failable(pool, call(1), { ...never, caller: 'modest' }).catch((error: unknown) => error)
    await end()
    expect(await modest).toMatchObject({ code: 'CHAIN_NOT_OPEN' })
    await Promise.all(greedy)
  })

  it('wait longer for a worker each time that one was lost', async () => {
    const { pool, made, clock, state, end } = await poolOf(2)
    for (const delayMs of [500, 1_000, 2_000]) {
      state.head++
      made.at(-1)?.die()
      await settled()
      const answer = pool.ask(call(1), never)
      await settled()
      const before = made.length
      clock.advance(delayMs - 1)
      await settled()
      expect(made).toHaveLength(before)
      clock.advance(1)
      expect(await answer).toBe(`"worker ${before}"`)
    }
    await end()
  })
})

it('stops only once a worker that was just starting is closed, too', async () => {
  let open = (): void => undefined
  const { pool, made, clock } = await poolOf(2)
  const push = made.push.bind(made)
  made.push = (worker: FakeWorker) => {
    worker.opens = new Promise((resolve) => (open = resolve))
    return push(worker)
  }
  made[1]?.die()
  const asked = failable(pool, call(1), never).catch((error: unknown) => error)
  clock.advance(500)
  await settled()
  let stopped = false

  const stopping = pool.stop().then(() => (stopped = true))
  await settled()

  expect([made.length, stopped]).toEqual([3, false])
  open()
  await stopping
  expect(made[2]?.isOpen).toBe(false)
  expect(await asked).toMatchObject({ code: 'CHAIN_NOT_OPEN' })
})

it('fails the query whose worker is lost', async () => {
  const { pool, made, end } = await poolOf(2, { deaf: () => true })

  const asked = pool.ask(call(1), never)
  await settled()
  made[1]?.die()

  await expect(asked).rejects.toMatchObject({ code: 'CONTRACT_CLOSED' })
  await end()
})

it('asks a worker once for the same query at one head', async () => {
  const { pool, reader, state, end } = await poolOf(2)
  await pool.ask(balance(1), never)
  await pool.ask(balance(1), never)
  state.head++
  await pool.ask(balance(1), never)

  expect(reader.answered).toHaveLength(2)
  await end()
})

describe('streams', () => {
  it('leave a worker to other queries, however many there are', async () => {
    const { pool, end } = await poolOf(3)
    const readers = [1, 2, 3, 4].map(() => pool.stream(trace, never))
    const first = readers.map((reader) => reader.next().catch(() => null))
    await Promise.all(first.slice(0, 2))

    expect(await pool.ask(call(1), never)).toMatch(/worker/)

    await Promise.all(readers.slice(0, 2).map((reader) => reader.return(undefined)))
    await Promise.all(first)
    await Promise.all(readers.map((reader) => reader.return(undefined)))
    await end()
  })

  it('end with a reader that stops reading', async () => {
    const { pool, made, end } = await poolOf(2)
    for await (const chunk of pool.stream(trace, never)) if (chunk === '3;') break

    expect(made[1]?.wasStopped).toBe(true)
    await end()
  })

  it('end with a client that is gone', async () => {
    const { pool, made, end } = await poolOf(2)
    const client = new AbortController()
    const reader = pool.stream(trace, client)
    await reader.next()

    client.abort(new Error('gone'))
    const rest = (async () => {
      for await (const _chunk of reader);
    })()

    await expect(rest).rejects.toThrow('gone')
    expect(made[1]?.wasStopped).toBe(true)
    await end()
  })
})
