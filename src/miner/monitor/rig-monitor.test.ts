import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createLogger, type LogRecord } from '../../base/logger'
import { Secret } from '../../base/secret'
import { FakeClock } from '../../base/testing/fake-clock'
import { systemClock } from '../../base/time'
import { parsePoolUrl } from '../../config/values/pool-url'
import { connectionWords, type PollOutcome, RigClient } from './rig-client'
import { rigFigures } from './rig-figures'
import { setPool } from './rig-line'
import { RigMonitor } from './rig-monitor'
import { RigPoller } from './rig-poller'
import { encodeRecords, RigRecord } from './rig-record'

const SUMMARY = { miner: { version: '9' }, pool: {}, hashrate: { '60s': 5 }, shares: {}, gpus: [], extra: [1] }
const open: { close(): void }[] = []
afterEach(() => {
  for (const each of open.splice(0)) each.close()
})

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<number> {
  const server: Server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push({
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  })
  return (server.address() as AddressInfo).port
}

function clientOf(port: number, token: string | null = null, host = '127.0.0.1', clock = systemClock()): RigClient {
  const client = new RigClient({ host, port, token: token === null ? null : new Secret(token) }, clock)
  open.push(client)
  return client
}

const json = (response: ServerResponse, status: number, value: unknown): void => {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value))
}

it("requests the summary with the rig’s token on one connection, and keeps members it doesn't know", async () => {
  const seen: unknown[] = []
  const sockets = new Set<unknown>()
  const port = await serve((request, response) => {
    seen.push([request.method, request.url, request.headers.authorization])
    sockets.add(request.socket)
    json(response, 200, SUMMARY)
  })
  const client = clientOf(port, 'a-token')

  expect(await client.summary()).toEqual({ summary: SUMMARY })
  expect(await client.summary()).toEqual({ summary: SUMMARY })

  expect(seen).toEqual(Array(2).fill(['GET', '/api/v1/summary', 'Bearer a-token']))
  expect(sockets.size).toBe(1)
})

it('retries if the rig had closed the kept connection', async () => {
  let answers = 0
  const port = await serve((request, response) => {
    answers += 1
    if (answers === 2) request.socket.destroy()
    else json(response, 200, SUMMARY)
  })
  const client = clientOf(port)

  expect(await client.summary()).toEqual({ summary: SUMMARY })
  expect(await client.summary()).toEqual({ summary: SUMMARY })
  expect(answers).toBe(3)
})

it.each([
  [401, {}, 'HTTP 401: token missing or wrong'],
  [404, {}, 'HTTP 404: this instance is a monitor or too old'],
  [302, {}, 'HTTP 302'],
  [500, {}, 'HTTP 500'],
  [200, [], 'not a summary'],
  [200, { ...SUMMARY, gpus: {} }, 'not a summary'],
  [200, { ...SUMMARY, pool: [] }, 'not a summary'],
  [200, 'x'.repeat(1_048_577), 'not a summary'],
])('calls status %d with such a body %s', async (status, body, error) => {
  const port = await serve((_, response) => {
    response.setHeader('Location', 'http://127.0.0.1:1/')
    json(response, status, body)
  })

  expect(await clientOf(port).summary()).toEqual({ error })
})

it('takes no summary that nests so deep that showing it would run out of stack', async () => {
  const of = (levels: number): string =>
    JSON.stringify(SUMMARY).replace(/}$/, `,"deep":${'['.repeat(levels)}${']'.repeat(levels)}}`)
  const bodies = [of(9_000), of(20)]
  const client = clientOf(await serve((_, response) => void response.end(bodies.shift())))

  expect(await client.summary()).toEqual({ error: 'not a summary' })
  expect(await client.summary()).toMatchObject({ summary: SUMMARY })
})

it('distinguishes refusing, unknown and silent rigs', async () => {
  const clock = new FakeClock()
  const asked = new Promise<number>((resolve, reject) => {
    const silent = serve(() => resolve(silentPort))
    let silentPort = 0
    silent.then((port) => {
      silentPort = port
      waiting = clientOf(port, null, '127.0.0.1', clock).summary()
    }, reject)
  })
  let waiting: ReturnType<RigClient['summary']> | null = null

  expect(await clientOf(1).summary()).toEqual({ error: 'connection refused' })
  expect(await clientOf(1, null, 'no-such-host.invalid').summary()).toEqual({ error: 'host not found' })
  await asked
  clock.advance(4_000)
  expect(await waiting).toEqual({ error: 'timeout' })
})

it('keeps the last summary, lets its age grow, and retries with jitter and back-off', async () => {
  const clock = new FakeClock()
  const answers = [
    { summary: SUMMARY },
    { error: 'timeout' },
    { error: 'timeout' },
    { error: 'timeout' },
    { error: 'timeout' },
  ]
  const polledAt: number[] = []
  const poller = new RigPoller(
    { name: 'a', host: 'h:1', labels: {}, intervalMs: 1_000 },
    {
      poll: async () => {
        polledAt.push(clock.monotonic())
        return answers[polledAt.length - 1] ?? { summary: SUMMARY }
      },
      clock,
      random: () => 1 / 2,
      onChange: () => undefined,
    },
  )
  const pass = async (ms: number): Promise<void> => {
    for (let i = 0; i < ms / 100; i++) {
      clock.advance(100)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  expect(poller.view()).toEqual({ name: 'a', host: 'h:1', online: false, error: 'not polled yet', age: -1 })
  const begun = clock.monotonic()
  poller.start()
  await pass(500)
  expect(poller.view()).toEqual({ name: 'a', host: 'h:1', online: true, error: '', age: 0, summary: SUMMARY })
  await pass(3_000)
  expect(poller.view()).toMatchObject({ online: false, error: 'timeout', age: 3, summary: SUMMARY })
  await pass(12_500)

  expect(polledAt.map((at) => at - begun)).toEqual([
    0, 1_000, 2_000, 4_000, 8_000, 12_000, 13_000, 14_000, 15_000, 16_000,
  ])
  poller.stop()
  await pass(5_000)
  expect(polledAt).toHaveLength(10)
})

it('spreads polls by a tenth of the interval', async () => {
  const delays = [0, 0.999].map((random) => {
    const clock = new FakeClock()
    const times: number[] = []
    const poller = new RigPoller(
      { name: 'a', host: 'h:1', labels: {}, intervalMs: 1_000 },
      {
        poll: async () => {
          times.push(clock.monotonic())
          return { summary: SUMMARY }
        },
        clock,
        random: () => random,
        onChange: () => undefined,
      },
    )
    return { clock, times, poller }
  })
  for (const { poller, clock } of delays) {
    poller.start()
    for (let i = 0; i < 13; i++) {
      await new Promise((resolve) => setImmediate(resolve))
      clock.advance(100)
    }
    poller.stop()
  }

  expect(delays.map(({ times }) => (times[1] ?? 0) - (times[0] ?? 0))).toEqual([900, 1_100])
})

it('passes one command to many rigs with each rig’s own token, one line for each', async () => {
  const seen: unknown[] = []
  const rig = (status: number) =>
    serve((request, response) => {
      let body = ''
      request.on('data', (part: Buffer) => {
        body += part.toString()
      })
      request.on('end', () => {
        if (request.method === 'POST')
          seen.push([status, request.headers.authorization, request.headers['content-type'], body])
        json(response, status, status === 200 ? { result: true } : { error: 'control is not allowed' })
      })
    })
  const [good, closed] = [await rig(200), await rig(403)]
  const host = '127.0.0.1'
  const monitor = new RigMonitor(
    {
      rigs: [
        { name: 'a', host, port: good, token: new Secret('one'), labels: {} },
        { name: 'b', host, port: closed, token: new Secret('two'), labels: {} },
        { name: 'c', host, port: 1, token: null, labels: {} },
      ],
      intervalMs: 5_000,
    },
    { clock: systemClock(), random: () => 0 },
  )

  const results = await monitor.command(['c', 'b', 'a', 'z'], { action: 'pause', gpu: 1 })
  await monitor.stop()

  expect(results).toEqual([
    { rig: 'c', error: 'connection refused', status: null, reading: 0 },
    { rig: 'b', error: 'HTTP 403: control is not allowed', status: 403, reading: 0 },
    { rig: 'a', error: '', status: null, reading: 0 },
    { rig: 'z', error: 'no rig of this name is watched', status: null, reading: 0 },
  ])
  const body = '{"action":"pause","gpu":1}'
  expect(seen).toHaveLength(2)
  expect(seen).toContainEqual([200, 'Bearer one', 'application/json', body])
  expect(seen).toContainEqual([403, 'Bearer two', 'application/json', body])
  expect(JSON.stringify(monitor.targets())).not.toContain('one"')
})

it('polls a rig again right after a command, and numbers its polls', async () => {
  const clock = new FakeClock()
  const waiting: ((outcome: { summary: typeof SUMMARY }) => void)[] = []
  const poller = new RigPoller(
    { name: 'a', host: 'h:1', labels: {}, intervalMs: 60_000 },
    {
      poll: () => new Promise((resolve) => void waiting.push(resolve)),
      clock,
      random: () => 1 / 2,
      onChange: () => undefined,
    },
  )
  const answer = async (): Promise<void> => {
    waiting.shift()?.({ summary: SUMMARY })
    await new Promise((resolve) => setImmediate(resolve))
    clock.advance(1)
  }
  poller.start()
  await answer()
  expect([poller.begun, poller.kept]).toEqual([1, 1])

  poller.hurry()
  expect(poller.begun).toBe(2)
  poller.hurry()
  expect([poller.begun, poller.kept]).toEqual([2, 1])
  await answer()
  expect([poller.begun, poller.kept]).toEqual([3, 2])
  await answer()
  clock.advance(50_000)
  expect([poller.begun, poller.kept]).toEqual([3, 3])
  poller.stop()
  poller.hurry()
  expect(poller.begun).toBe(3)
})

it('watches another rig from now on, and drops one that was changed or removed', async () => {
  const port = await serve((_, response) => json(response, 200, SUMMARY))
  const at = (name: string) => ({ name, host: '127.0.0.1', port, token: null, labels: {} })
  const monitor = new RigMonitor({ rigs: [], intervalMs: 60_000 }, { clock: systemClock(), random: () => 0 })
  open.push({ close: () => void monitor.stop() })
  const online = (name: string) =>
    new Promise<void>((resolve) => {
      const look = (): void => {
        if (!monitor.rigs().some((rig) => rig.name === name && rig.online)) return
        held.dispose()
        resolve()
      }
      const held = monitor.events.on('rigsChanged', look)
      look()
    })
  await monitor.start()
  monitor.add(at('a'))
  monitor.add(at('b'))
  await online('a')

  monitor.replace('a', at('c'))
  expect(monitor.rigs().map(({ name, age }) => [name, name === 'c' ? age : null])).toEqual([
    ['c', -1],
    ['b', null],
  ])
  await online('c')
  expect(monitor.history('c', 'hashrate', '1h')?.values.some((value) => value !== null)).toBe(true)
  monitor.remove('c')

  expect(monitor.history('c', 'hashrate', '1h')).toBeNull()
  expect(monitor.rigs().map(({ name }) => name)).toEqual(['b'])
})

it('polls no more often after a stop and a start during a poll', async () => {
  const clock = new FakeClock()
  const answers: ((outcome: PollOutcome) => void)[] = []
  const poll = (): Promise<PollOutcome> => new Promise((resolve) => answers.push(resolve))
  const options = { name: 'a', host: 'h:1', labels: {}, intervalMs: 1_000 }
  const poller = new RigPoller(options, { poll, clock, random: () => 1 / 2, onChange: () => undefined })
  poller.start()
  poller.stop()
  poller.start()
  for (const answer of answers) answer({ summary: SUMMARY })
  await new Promise((resolve) => setImmediate(resolve))
  const before = answers.length

  clock.advance(1_000)

  expect(answers.length - before).toBe(1)
  poller.stop()
})

describe('the history of rigs', () => {
  const MINUTE = 60_000

  class Store {
    bytes: Uint8Array | null = null
    isFull = false

    async load(): Promise<Uint8Array | null> {
      return this.bytes
    }

    async save(bytes: Uint8Array): Promise<void> {
      if (this.isFull) throw new Error('ENOSPC: no space left on device')
      this.bytes = bytes
    }
  }

  const aRig = (port: number, name = 'a') => ({ name, host: '127.0.0.1', port, token: null, labels: {} })
  const rate = (monitor: RigMonitor) =>
    monitor.history('a', 'hashrate', '24h')?.values.filter((value) => value !== null) ?? []

  async function scene(rigs: ReturnType<typeof aRig>[], store: Store, clock = new FakeClock()) {
    const logged: LogRecord[] = []
    const sink = { write: (record: LogRecord) => void logged.push(record) }
    const log = createLogger('rigs', { minLevel: 'info', now: () => clock.now(), sink })
    const monitor = new RigMonitor({ rigs, intervalMs: MINUTE }, { clock, random: () => 0, kept: { store, log } })
    await monitor.start()
    return { monitor, clock, messages: () => logged.map(({ message }) => message) }
  }

  it('survives a restart, with each rig’s usual rate; a rig at another place is another one', async () => {
    const clock = new FakeClock()
    const record = new RigRecord(MINUTE)
    for (let minute = 0; minute <= 45; minute++) {
      clock.advance(MINUTE)
      record.add(clock.now(), rigFigures({ ...SUMMARY, hashrate: { now: minute } }))
    }
    const store = new Store()
    store.bytes = encodeRecords(new Map([['a 127.0.0.1:1', record]]))

    const first = await scene([aRig(2, 'b'), aRig(1)], store, clock)
    expect(first.monitor.watchedRigs().map(({ usualHashrate }) => usualHashrate)).toEqual([null, record.usual()])
    expect(record.usual()).toBeGreaterThan(0)
    const before = rate(first.monitor)
    expect(before.length).toBeGreaterThan(10)
    await first.monitor.stop()

    const second = await scene([aRig(1)], store, clock)
    expect(rate(second.monitor)).toEqual(before)
    await second.monitor.stop()
    const moved = await scene([aRig(3)], store, clock)
    expect(rate(moved.monitor)).toEqual([])
    await moved.monitor.stop()
    expect(moved.messages()).toEqual([])
  })

  it('that is broken, or can’t be written, is said', async () => {
    const store = new Store()
    store.bytes = Buffer.from('{"format":"headframe-rigs-1","sha256":"00","rigs":[]}\nxx')
    const { monitor, messages } = await scene([aRig(1)], store)
    expect(messages()).toEqual(["the rigs' history is broken and was ignored"])
    store.isFull = true
    await monitor.stop()
    expect(messages()).toContain("the rigs' history could not be written")
  })
})

describe('a rig that lies or stammers', () => {
  type Request = { readonly id: number; readonly method: string }
  const url = `stratum+tcp://0x${'1'.repeat(40)}@pool.example:1`
  const list = [
    { active: false, index: 0, uri: url },
    { active: true, index: 1, uri: 'stratum+tcp://other.example:1' },
  ]

  /** Gives it a pool over its line protocol. @param answer the text it sends for a request */
  async function giving(answer: (request: Request) => string): Promise<unknown> {
    const server = createTcpServer((socket) => {
      let rest = ''
      socket.on('data', (part) => {
        const lines = (rest + String(part)).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) socket.write(answer(JSON.parse(line)))
      })
      socket.on('error', () => undefined)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    open.push(server)
    const place = { host: '127.0.0.1', port: (server.address() as AddressInfo).port, token: null }
    const parsed = parsePoolUrl(url)
    if ('fault' in parsed) throw new Error(parsed.fault)
    return setPool(place, { text: new Secret(url), url: parsed.url }, systemClock())
  }
  const line = (value: object): string => `${JSON.stringify(value)}\n`
  const good = ({ id, method }: Request): string =>
    line({ id, jsonrpc: '2.0', result: method === 'miner_getconnections' ? list : true })
  const except = (method: string, answer: object) => (request: Request) =>
    request.method === method ? line({ id: request.id, ...answer }) : good(request)

  it('is believed when it confirms', async () => {
    expect(await giving(good)).toEqual({ done: true })
    expect(await giving((request) => good(request).repeat(2)), 'twice').toEqual({ done: true })
  })

  it.each([
    ['refuses without a word', { error: { code: -422, message: '' } }, 'refused with code -422'],
    ['refuses with too many', { error: { code: -422, message: 'x'.repeat(2_000) } }, 'refused with code -422'],
    ['says no', { result: false }, "the rig didn't confirm miner_setactiveconnection"],
    ['says nothing', {}, "the rig didn't confirm miner_setactiveconnection"],
  ])('has no new pool when it %s', async (_, answer, error) => {
    expect(await giving(except('miner_setactiveconnection', answer))).toEqual({ error, status: null })
  })

  it('gets an answer for each request, however often it gave the one before', async () => {
    const refusing = except('miner_setactiveconnection', { error: { code: -422, message: 'no' } })
    const stammering = (request: Request): string =>
      refusing(request) + (request.method === 'miner_getconnections' ? line({ id: request.id, result: true }) : '')
    expect(await giving(stammering)).toEqual({ error: 'no', status: null })
  })

  it('is given the pool that was meant, wherever it lists it', async () => {
    const asked: unknown[] = []
    await giving((request) => {
      asked.push(request)
      return good(request)
    })
    expect(asked.at(-1)).toMatchObject({ method: 'miner_setactiveconnection', params: { index: 0 } })
  })

  it('isn’t one that obeys when it only answers 200', async () => {
    const port = await serve((_, response) => void response.end('<h1>Log in</h1>'))
    expect(await clientOf(port).control({ action: 'pause' })).toEqual({
      error: 'it answered without confirming',
      status: 200,
    })
  })

  it('is offline and didn’t obey when none of its addresses can be reached', async () => {
    // As Node fails for a name with several addresses: without a message.
    const several = new AggregateError(
      [Object.assign(new Error('connect ENETUNREACH ::2:1'), { code: 'ENETUNREACH' }), new Error('connect EINVAL')],
      '',
    )
    expect(connectionWords(Object.assign(several, { code: 'ENETUNREACH' }))).toBe(
      'connect ENETUNREACH ::2:1; connect EINVAL',
    )
  })
})
