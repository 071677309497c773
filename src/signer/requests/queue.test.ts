import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { HeadframeError } from '../../base/errors'
import { silentLogger } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import type { AuditEntry } from '../audit/audit-entry'
import { SignerError } from '../errors'
import type { Caller, Decision, SignerRequest } from '../model/request'
import type { Approval, NewRequest, Performed } from './account-key'
import { RequestQueue } from './queue'

const CALLER: Caller = { transport: 'http', remote: '127.0.0.1:50000', local: 'localhost', userAgent: 'a', origin: '' }

interface Bench {
  readonly clock: FakeClock
  readonly queue: RequestQueue
  readonly records: AuditEntry[]
  readonly settled: SignerRequest[]
}

function bench(options: { approvalTimeoutMs?: number; record?: (entry: AuditEntry) => Promise<void> } = {}): Bench {
  const clock = new FakeClock()
  const records: AuditEntry[] = []
  let counter = 0
  const queue = new RequestQueue(
    { approvalTimeoutMs: options.approvalTimeoutMs ?? 0 },
    {
      clock,
      log: silentLogger,
      randomBytes: (length) => new Uint8Array(length).fill(counter++),
      record:
        options.record ??
        (async (entry) => {
          records.push(entry)
        }),
    },
  )
  const settled: SignerRequest[] = []
  queue.events.on('settled', (request) => void settled.push(request))
  queue.open()
  return { clock, queue, records, settled }
}

interface Wish {
  readonly caller?: Partial<Caller>
  readonly gone?: AbortSignal
  readonly perform?: (approval: Approval, signal: AbortSignal) => Promise<Performed<string>>
  readonly objection?: (approval: Approval) => string | null
}

function wish(given: Wish = {}): NewRequest<string> {
  return {
    content: {
      kind: 'signTransaction',
      caller: { ...CALLER, ...given.caller },
      transaction: null,
      data: null,
      accounts: null,
      findings: [],
    },
    question: { method: 'ui_approveTx', body: {} },
    doneState: 'signed',
    callerGone: given.gone ?? new AbortController().signal,
    objection: given.objection ?? (() => null),
    perform: given.perform ?? (async () => ({ kind: 'done', result: 'signature' })),
    summary: (result) => ({ result }),
  }
}

const wrongPassword = async (): Promise<Performed<string>> => ({
  kind: 'retry',
  reason: 'wrong',
  final: new SignerError('SIGNER_WRONG_PASSWORD', undefined),
  slow: true,
})

/** Queues a request; its result is a value, so that no rejection is left unhandled. */
async function ask(queue: RequestQueue, given?: Wish): Promise<{ request: SignerRequest; answer: Promise<unknown> }> {
  const { id, result } = queue.submit(wish(given))
  const answer = result.catch((error: unknown) => codeOf(error))
  await turns()
  const request = queue.requests().find((candidate) => candidate.id === id)
  if (request === undefined) throw new Error('the request is not in the queue')
  return { request, answer }
}

function decision(request: SignerRequest, change: Partial<Decision> = {}): Decision {
  const { id, nonce, contentHash } = request
  return { id, nonce, contentHash, decision: 'approve', password: null, accounts: null, ...change }
}

const codeOf = (error: unknown): unknown => (error instanceof HeadframeError ? error.code : error)

/** Lets settled promises run. */
async function turns(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve()
}

it('writes the content of a request out once, and knows it by the hash of that text', async () => {
  const { queue } = bench({ record: async () => undefined })
  const request = wish()
  let count = 0
  const caller = { ...CALLER, toJSON: () => ({ count: ++count }) }

  queue.submit({ ...request, content: { ...request.content, caller } }).result.catch(() => undefined)
  await Promise.resolve()
  await Promise.resolve()

  expect(count).toBe(1)
  const text = JSON.stringify({ ...request.content, caller: { count: 1 } })
  await expect
    .poll(() => queue.requests().map(({ contentHash }) => contentHash))
    .toEqual([createHash('sha256').update(text).digest('hex')])
})

describe('a decision', () => {
  it('gives the caller the result and is recorded before and after the work', async () => {
    const { queue, records } = bench()
    const order: string[] = []
    const perform = async (): Promise<Performed<string>> => {
      order.push(...records.map((record) => record.type))
      return { kind: 'done', result: 'signature' }
    }
    const { request, answer } = await ask(queue, { perform })

    const outcome = await queue.decide(decision(request))

    expect(outcome).toEqual({ state: 'signed', error: '' })
    expect(await answer).toBe('signature')
    expect(order).toEqual(['request', 'decision'])
    expect(records.map((record) => record.type)).toEqual(['request', 'decision', 'result'])
    expect(queue.requests()).toEqual([])
  })

  it('is recorded with who made it and what was changed, and without its password', async () => {
    const { queue, records } = bench()
    const { request } = await ask(queue)
    const password = new TextEncoder().encode('correct horse')

    await queue.decide(decision(request, { password, edits: { gas: '21001' } }))

    const { contentHash } = request
    expect(records[1]).toEqual({
      type: 'decision',
      id: request.id,
      kind: request.kind,
      contentHash,
      decision: 'approve',
      by: 'window',
      edits: { gas: '21001' },
    })
  })

  it('is recorded with the whole content of a long request, without the state of the request', async () => {
    const { queue, records } = bench()
    const long = { caller: { userAgent: 'a'.repeat(5_000) } }
    const { request, answer } = await ask(queue, long)
    await queue.decide(decision(request))
    await answer

    expect(records.find(({ type }) => type === 'request')).toMatchObject({ content: { cut: {} } })
    expect(records.find(({ type }) => type === 'decision')).toMatchObject({ content: wish(long).content })
  })

  it('is recorded with the transaction that a program put in its place', async () => {
    const { queue, records } = bench()
    const { request } = await ask(queue)
    const source = { by: 'lines', input: null, answered: { transaction: { value: '0x2' } } } as const

    await queue.decide(decision(request), source)

    expect(records[1]).toMatchObject({ by: 'lines', answered: { value: '0x2' } })
  })

  it('counts once: the second finds nothing to decide, before and after the end', async () => {
    const { queue } = bench()
    const { request, answer } = await ask(queue)

    const both = await Promise.allSettled([queue.decide(decision(request)), queue.decide(decision(request))])
    const late = await queue.decide(decision(request)).catch(codeOf)

    expect(both.map((one) => one.status)).toEqual(['fulfilled', 'rejected'])
    expect(late).toBe('SIGNER_DECISION_REFUSED')
    expect(await answer).toBe('signature')
  })

  it.each([
    ['id', { id: '00' }],
    ['one-time value', { nonce: '00' }],
    ['content', { contentHash: '0'.repeat(64) }],
  ])('with another %s is refused and changes nothing', async (_what, change) => {
    const { queue, records } = bench()
    const { request } = await ask(queue)

    const refused = await queue.decide(decision(request, change)).catch(codeOf)

    expect(refused).toBe('SIGNER_DECISION_REFUSED')
    expect(queue.requests()).toEqual([request])
    expect(records).toHaveLength(1)
  })

  it('made for one request is invalid for another', async () => {
    const { queue } = bench()
    const first = await ask(queue)
    const second = await ask(queue)

    const refused = await queue.decide(decision(first.request, { id: second.request.id })).catch(codeOf)

    expect(refused).toBe('SIGNER_DECISION_REFUSED')
    expect(queue.requests().map((request) => request.state)).toEqual(['waiting', 'waiting'])
  })

  it('with an objection leaves the request waiting and costs no attempt', async () => {
    const { queue } = bench()
    const { request } = await ask(queue, { objection: () => 'not offered' })

    const refused = await queue.decide(decision(request)).catch(codeOf)

    expect(refused).toBe('SIGNER_DECISION_REFUSED')
    expect(queue.requests()[0]).toMatchObject({ state: 'waiting', triesLeft: 3 })
  })

  it('has its password wiped, even if it is refused', async () => {
    const { queue } = bench()
    const { request } = await ask(queue)
    const accepted = new Uint8Array([1, 2, 3])
    const refused = new Uint8Array([4, 5, 6])

    await queue.decide(decision(request, { password: accepted }))
    await queue.decide(decision(request, { password: refused })).catch(codeOf)

    expect([...accepted, ...refused]).toEqual([0, 0, 0, 0, 0, 0])
  })

  it('that rejects denies the caller and is recorded', async () => {
    const { queue, records, settled } = bench()
    const { request, answer } = await ask(queue)

    const outcome = await queue.decide(decision(request, { decision: 'reject' }))

    expect(outcome.state).toBe('rejected')
    expect(await answer).toBe('SIGNER_REQUEST_DENIED')
    expect(records.map((record) => record.type)).toEqual(['request', 'decision', 'result'])
    expect(settled.map((one) => one.state)).toEqual(['rejected'])
  })

  it("signs nothing if the approval can't be recorded", async () => {
    let performed = 0
    const record = async (entry: AuditEntry): Promise<void> => {
      if (entry.type === 'decision') throw new Error('disk full')
    }
    const { queue } = bench({ record })
    const perform = async (): Promise<Performed<string>> => {
      performed += 1
      return { kind: 'done', result: 'signature' }
    }
    const { request, answer } = await ask(queue, { perform })

    const outcome = await queue.decide(decision(request))

    expect(outcome.state).toBe('failed')
    expect(await answer).toBe('SIGNER_INTERNAL')
    expect(performed).toBe(0)
  })

  it("releases nothing if the result can't be recorded", async () => {
    const record = async (entry: AuditEntry): Promise<void> => {
      if (entry.type === 'result' && entry.state === 'signed') throw new Error('disk full')
    }
    const { queue } = bench({ record })
    const { request, answer } = await ask(queue)

    const outcome = await queue.decide(decision(request))

    expect(outcome.state).toBe('failed')
    expect(await answer).toBe('SIGNER_INTERNAL')
  })
})

describe('a wrong password', () => {
  it('may be tried three times, after 0, 1 and 3 s', async () => {
    const { queue, clock } = bench()
    const { request, answer } = await ask(queue, { perform: wrongPassword })

    const first = await queue.decide(decision(request))
    const second = queue.decide(decision(request))
    await turns()
    clock.advance(999)
    await turns()
    const early = queue.requests()[0]?.state
    clock.advance(1)
    const secondOutcome = await second
    const third = queue.decide(decision(request))
    await turns()
    clock.advance(3_000)

    expect(first).toEqual({ state: 'waiting', error: 'wrong' })
    expect(early).toBe('approved')
    expect(secondOutcome).toEqual({ state: 'waiting', error: 'wrong' })
    expect(await third).toEqual({ state: 'failed', error: 'wrong' })
    expect(await answer).toBe('SIGNER_WRONG_PASSWORD')
    expect(clock.pending).toBe(0)
  })
})

describe('an end from outside', () => {
  it('expires what nobody decided, and refuses the late decision', async () => {
    const { queue, clock, settled } = bench({ approvalTimeoutMs: 60_000 })
    const { request, answer } = await ask(queue)

    clock.advance(60_000)

    expect(await answer).toBe('SIGNER_REQUEST_DENIED')
    expect(settled.map((one) => one.state)).toEqual(['expired'])
    expect(await queue.decide(decision(request)).catch(codeOf)).toBe('SIGNER_DECISION_REFUSED')
  })

  it.each([0, -3_600_000])('lets work end that was approved in time, but allows no retry: clock %d', async (step) => {
    const { queue, clock, settled } = bench({ approvalTimeoutMs: 1_000 })
    const perform = async (): Promise<Performed<string>> => {
      clock.advance(2_000)
      clock.setWallClock(step)
      return wrongPassword()
    }
    const { request, answer } = await ask(queue, { perform })

    const outcome = await queue.decide(decision(request))

    expect(outcome.state).toBe('expired')
    expect(await answer).toBe('SIGNER_REQUEST_DENIED')
    expect(settled).toHaveLength(1)
  })

  it('withdraws a waiting request whose caller has gone', async () => {
    const { queue, settled } = bench()
    const gone = new AbortController()
    const { answer } = await ask(queue, { gone: gone.signal })

    gone.abort()

    expect(await answer).toBe('SIGNER_REQUEST_DENIED')
    expect(settled.map((one) => one.state)).toEqual(['withdrawn'])
  })

  it('drops a signature made while its caller leaves', async () => {
    const { queue, records } = bench()
    const gone = new AbortController()
    const perform = async (): Promise<Performed<string>> => {
      gone.abort()
      return { kind: 'done', result: 'signature' }
    }
    const { request, answer } = await ask(queue, { gone: gone.signal, perform })

    const outcome = await queue.decide(decision(request))

    expect(outcome.state).toBe('withdrawn')
    expect(await answer).toBe('SIGNER_REQUEST_DENIED')
    expect(records.flatMap((record) => (record.type === 'result' ? [record.state] : []))).toEqual(['withdrawn'])
  })

  it('drops a signature whose caller leaves while the result is recorded', async () => {
    const gone = new AbortController()
    const record = async (entry: AuditEntry): Promise<void> => {
      if (entry.type === 'result') gone.abort()
    }
    const { queue } = bench({ record })
    const { request, answer } = await ask(queue, { gone: gone.signal })

    const outcome = await queue.decide(decision(request))

    expect(outcome.state).toBe('withdrawn')
    expect(await answer).toBe('SIGNER_REQUEST_DENIED')
  })

  it('denies everything on close, including work in progress, and accepts nothing more', async () => {
    const { queue, settled, clock } = bench({ approvalTimeoutMs: 60_000 })
    const waiting = await ask(queue)
    const never = (): Promise<Performed<string>> => new Promise(() => undefined)
    const working = await ask(queue, { perform: never })
    void queue.decide(decision(working.request))
    await turns()

    await queue.close()

    expect(await waiting.answer).toBe('SIGNER_REQUEST_DENIED')
    expect(await working.answer).toBe('SIGNER_REQUEST_DENIED')
    expect(settled.map((one) => one.state)).toEqual(['rejected', 'rejected'])
    expect(() => queue.submit(wish())).toThrow('request denied')
    expect(clock.pending).toBe(0)
  })
})
