import { describe, expect, it } from 'vitest'
import { RpcFault } from '../../rpc-fault'
import type { InlineAnswers } from '../inline/inline-queries'
import type { AskRequest } from '../query-wire'
import type { FakeWorker } from './testing/fake-query-worker'
import {
  balance,
  CALL_TIMEOUT_MS,
  call,
  closedPoolOf,
  failable,
  never,
  poolOf,
  proof,
  settled,
  trace,
} from './testing/query-pools'

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
