// What a window asks of the queue besides decisions: whether a change is valid, rejecting all of one caller, and
// reporting absence.
import { expect, it } from 'vitest'
import { silentLogger } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import type { Caller } from '../model/request'
import type { Approval, NewRequest } from './account-key'
import { RequestQueue } from './queue'

const CALLER: Caller = { transport: 'http', remote: '127.0.0.1:50000', local: 'localhost', userAgent: 'a', origin: '' }

async function bench(approvalTimeoutMs = 0) {
  let counter = 0
  const records: string[] = []
  const clock = new FakeClock()
  const queue = new RequestQueue(
    { approvalTimeoutMs },
    {
      clock,
      log: silentLogger,
      randomBytes: (length) => new Uint8Array(length).fill(counter++),
      record: async (entry) => void records.push(entry.type),
    },
  )
  queue.open()
  return { queue, records, clock }
}

function wish(
  caller: Partial<Caller>,
  objection: (approval: Approval) => string | null = () => null,
): NewRequest<string> {
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
    callerGone: new AbortController().signal,
    objection,
    perform: async () => ({ kind: 'done', result: 'signature' }),
    summary: () => ({}),
  }
}

const submit = (queue: RequestQueue, request: NewRequest<string>) => {
  const { id, result } = queue.submit(request)
  return { id, end: result.catch((error: unknown) => (error instanceof Error ? error.message : String(error))) }
}

it('rejects all of one caller, whatever its port, and leaves the others waiting', async () => {
  const { queue } = await bench()
  const first = submit(queue, wish({}))
  const second = submit(queue, wish({ remote: '127.0.0.1:50001' }))
  const other = submit(queue, wish({ userAgent: 'b' }))

  expect(await queue.rejectFrom(first.id)).toBe(2)

  expect(await Promise.all([first.end, second.end])).toEqual(['request denied', 'request denied'])
  expect(queue.requests().map(({ id }) => id)).toEqual([other.id])
})

it('ignores a caller for a minute after all of its requests were rejected, unless that is undone', async () => {
  const { queue, clock } = await bench()
  const rejectAll = () => queue.rejectFrom(submit(queue, wish({})).id)
  await rejectAll()
  const until = queue.quiet.until()

  expect(until).toBe(clock.now() + 60_000)
  expect(() => queue.submit(wish({ remote: '127.0.0.1:50009' }))).toThrow('request denied')
  submit(queue, wish({ userAgent: 'b' }))
  expect(queue.size).toBe(1)

  await clock.advance(60_000)
  expect(queue.quiet.until()).toBeNull()
  await rejectAll()
  const news: number[] = []
  queue.events.on('changed', (requests) => void news.push(requests.length))
  queue.quiet.clear()
  expect(news).toEqual([1])
  submit(queue, wish({}))
  expect(queue.size).toBe(2)
})

it('rejects nothing for an unknown request', async () => {
  const { queue } = await bench()
  submit(queue, wish({}))

  expect(await queue.rejectFrom('nothing')).toBe(0)
  expect(queue.size).toBe(1)
})

it('reports why a change would be refused, without deciding or recording anything', async () => {
  const { queue, records } = await bench()
  const shown = new Promise((resolve) => queue.events.on('shown', resolve))
  const { id } = submit(
    queue,
    wish({}, ({ edits }) => (edits?.gas === '1' ? 'too little' : null)),
  )
  await shown
  const before = [...records]

  expect(queue.review(id, { gas: '1' }).objection).toBe('too little')
  expect(queue.review(id, { gas: '2' }).objection).toBe('')
  expect(records).toEqual(before)
  expect(queue.requests()[0]?.state).toBe('waiting')
})

/** Lets submitted requests be recorded. */
async function turns(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve()
}

it('stops the countdown while nobody can be at the screen', async () => {
  const { queue, clock } = await bench(60_000)
  const settled: string[] = []
  queue.events.on('settled', ({ id, state }) => void settled.push(`${id} ${state}`))
  const left = (): number[] => queue.requests().map(({ expiresAt }) => (expiresAt ?? Number.NaN) - clock.now())
  const early = submit(queue, wish({}))
  await turns()
  expect(left()).toEqual([60_000])
  clock.advance(50_000)

  queue.setAway(true)
  clock.advance(10_000_000)
  const late = submit(queue, wish({}))
  await turns()
  expect(queue.requests().map(({ expiresAt }) => expiresAt)).toEqual([null, null])
  expect(settled).toEqual([])

  queue.setAway(false)
  expect(left()).toEqual([10_000, 60_000])
  clock.advance(9_999)
  expect(settled).toEqual([])
  clock.advance(1)
  expect(await early.end).toBe('request denied')
  clock.advance(50_000)
  expect(await late.end).toBe('request denied')
  expect(settled).toEqual([`${early.id} expired`, `${late.id} expired`])
})

it('reports countdowns only if one was moved', async () => {
  const { queue } = await bench(60_000)
  const changes: number[] = []
  queue.events.on('changed', (requests) => void changes.push(requests.length))
  queue.setAway(true)
  queue.setAway(false)
  expect(changes).toEqual([])
  submit(queue, wish({}))
  await turns()
  changes.length = 0

  queue.setAway(true)
  queue.setAway(true)

  expect(changes).toEqual([1])
})
