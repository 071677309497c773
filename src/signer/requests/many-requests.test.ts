// More requests than a person can review: they stay in line, and their callers take turns.
import { describe, expect, it, vi } from 'vitest'
import { silentLogger } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import { SignerError } from '../errors'
import type { Caller } from '../model/request'
import type { NewRequest } from './account-key'
import { RequestQueue } from './queue'
import { QUEUE_LIMITS } from './queue-limits'

const CALLER: Caller = { transport: 'http', remote: '127.0.0.1:50000', local: 'localhost', userAgent: 'a', origin: '' }

function bench(): { readonly queue: RequestQueue } {
  let counter = 0
  const randomBytes = (length: number): Uint8Array => {
    const bytes = new Uint8Array(length)
    new DataView(bytes.buffer).setUint32(0, counter++)
    return bytes
  }
  const record = () => Promise.resolve()
  const queue = new RequestQueue(
    { approvalTimeoutMs: 0 },
    { clock: new FakeClock(), log: silentLogger, randomBytes, record },
  )
  queue.open()
  return { queue }
}

interface Wish {
  readonly caller?: Partial<Caller>
  readonly gone?: AbortSignal
}

function wish({ caller = {}, gone = new AbortController().signal }: Wish = {}): NewRequest<string> {
  return {
    content: {
      kind: 'signTransaction',
      caller: { ...CALLER, ...caller },
      transaction: null,
      data: null,
      accounts: null,
      findings: [],
    },
    question: { method: 'ui_approveTx', body: {} },
    doneState: 'signed',
    callerGone: gone,
    objection: () => null,
    perform: async () => ({ kind: 'done', result: 'signature' }),
    summary: () => ({}),
  }
}

const program = (path: string) => ({ path }) as NonNullable<Caller['process']>

/** Submits without waiting. */
function open(queue: RequestQueue, caller: Partial<Caller> = {}): void {
  queue.submit(wish({ caller })).result.catch(() => undefined)
}

/** Submits, and lets it be shown if there is room. */
async function push(queue: RequestQueue, given?: Wish): Promise<string> {
  const { id, result } = queue.submit(wish(given))
  result.catch(() => undefined)
  await turns()
  return id
}

/** Lets settled promises run. */
async function turns(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve()
}

describe('many requests', () => {
  const agents = (queue: RequestQueue): readonly string[] => queue.requests().map(({ caller }) => caller.userAgent)

  it('of one connection share one listener for its end, and are all withdrawn with it', async () => {
    const { queue } = bench()
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    const connection = new AbortController()
    for (let count = 0; count < 20; count++) await push(queue, { gone: connection.signal })

    expect(queue.waitingCount).toBe(20)
    connection.abort()
    await turns()

    expect(queue.waitingCount).toBe(0)
    expect(warned).not.toHaveBeenCalled()
    warned.mockRestore()
  })

  it("aren't refused because many wait: what exceeds the places stays in line", async () => {
    const { queue } = bench()
    for (let port = 1; port <= 240; port++) await push(queue, { caller: { remote: `127.0.0.1:${port}` } })

    expect(queue.requests()).toHaveLength(QUEUE_LIMITS.shownPerCaller)
    expect(queue.waitingCount).toBe(240)
  })

  it('of one caller leave room for the others, who take turns', async () => {
    const { queue } = bench()
    for (let i = 0; i < 100; i++) await push(queue, { caller: { userAgent: 'flood' } })
    const honest = await push(queue, { caller: { userAgent: 'honest' } })
    for (let caller = 0; caller < QUEUE_LIMITS.shown; caller++)
      await push(queue, { caller: { userAgent: `agent ${caller}` } })

    expect(agents(queue)).toContain('honest')
    expect(queue.requests()).toHaveLength(QUEUE_LIMITS.shown)
    expect(agents(queue).filter((agent) => agent === 'flood')).toHaveLength(QUEUE_LIMITS.shownPerCaller)
    await queue.refuse(honest, new SignerError('SIGNER_REQUEST_DENIED', undefined))
    expect(agents(queue).filter((agent) => agent === 'flood')).toHaveLength(QUEUE_LIMITS.shownPerCaller)
    expect(queue.requests()).toHaveLength(QUEUE_LIMITS.shown)
  })

  it('move up one by one as others end, oldest first of each caller', async () => {
    const { queue } = bench()
    const asked: string[] = []
    for (let i = 0; i < QUEUE_LIMITS.shownPerCaller + 2; i++) asked.push(await push(queue))
    await queue.refuse(asked[3] ?? '', new SignerError('SIGNER_REQUEST_DENIED', undefined))

    expect(queue.requests().at(-1)?.id).toBe(asked[QUEUE_LIMITS.shownPerCaller])
    expect(queue.waitingCount).toBe(QUEUE_LIMITS.shownPerCaller + 1)
  })

  it('leave the line when their caller goes', async () => {
    const { queue } = bench()
    const gone = new AbortController()
    for (let i = 0; i < 40; i++) await push(queue, { gone: gone.signal })
    gone.abort()
    await turns()

    expect(queue.size).toBe(0)
  })

  it('are refused by name if not even a place in line is free', async () => {
    const { queue } = bench()
    let overflowed = 0
    queue.events.on('overflowed', () => {
      overflowed += 1
    })
    for (let i = 0; i < QUEUE_LIMITS.open; i++) open(queue, { process: program(`/bin/p${i % 4}`) })

    expect(() => queue.submit(wish())).toThrow('too many requests are open (max 1000, or 48 MiB of them)')
    expect(overflowed).toBe(1)
    await queue.close()
    expect(queue.size).toBe(0)
  })

  it('of one program leave room for another, whatever else that says of itself', async () => {
    const { queue } = bench()
    const flood = program('/usr/bin/flood')
    for (let i = 0; i < QUEUE_LIMITS.openPerCaller; i++) open(queue, { process: flood })
    expect(() => queue.submit(wish({ caller: { process: flood } }))).toThrow(
      'too many requests are open (max 250, or 16 MiB of them)',
    )
    for (let i = 0; i < QUEUE_LIMITS.openPerCaller; i++) open(queue, { process: flood, origin: `https://${i}.example` })
    expect(() => queue.submit(wish({ caller: { process: flood, origin: 'https://new.example' } }))).toThrow(
      '(max 250, or 16 MiB of them)',
    )

    expect(() => queue.assertRoom({ ...CALLER, process: program('/usr/bin/curl') })).not.toThrow()
    open(queue, { process: program('/usr/bin/curl') })
    await queue.close()
  })

  it('of callers that only their own words tell apart have two shares together', () => {
    const { queue } = bench()
    for (let i = 0; i < 2 * QUEUE_LIMITS.openPerCaller; i++) open(queue, { userAgent: `agent ${i}` })

    expect(() => queue.submit(wish({ caller: { userAgent: 'new' } }))).toThrow('too many requests are open')
    expect(() => queue.submit(wish({ caller: { userAgent: 'new', remote: '192.0.2.7:1' } }))).not.toThrow()
  })

  it('free their share again when they end', async () => {
    const { queue } = bench()
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < QUEUE_LIMITS.openPerCaller; i++) open(queue)
      await queue.rejectAll()
    }

    expect(queue.size).toBe(0)
  })

  it('of one caller have a share of the characters too', () => {
    const { queue } = bench()
    const userAgent = 'x'.repeat(7 * 1024 * 1024)
    for (let i = 0; i < 2; i++) open(queue, { userAgent })

    expect(() => queue.submit(wish({ caller: { userAgent } }))).toThrow(
      'too many requests are open (max 250, or 16 MiB of them)',
    )
  })

  it('with long contents are shown up to 16 MiB, since each change is shown in full', async () => {
    const { queue } = bench()
    const userAgent = 'x'.repeat(7 * 1024 * 1024)
    for (const origin of ['a', 'b', 'c']) await push(queue, { caller: { userAgent, origin } })

    expect(queue.requests().map(({ caller }) => caller.origin)).toEqual(['a', 'b'])
  })
})
