import { afterEach, describe, expect, it } from 'vitest'
import { bytesFromBigint } from '../../base/bytes'
import { createLogger, type LogRecord } from '../../base/logger'
import type { MetricSpec, MetricsRegistry, Sample } from '../../base/metrics'
import { Secret } from '../../base/secret'
import { FakeClock } from '../../base/testing/fake-clock'
import { networkTurn } from '../../net/testing/network-turn'
import { aJob, FakeWorkSource } from '../testing/fake-work-source'
import { RigClient } from '../testing/rig-client'
import type { Job } from '../work-source'
import { StratumServer, type StratumServerOptions } from './stratum-server'
import { START_DIFFICULTY } from './variable-difficulty'

const MAX = 2n ** 256n - 1n
const BLOCK_DIFFICULTY = 2 ** 39
const PAYOUT = `0x${'ab'.repeat(20)}`

/** The last 40 bits of a nonce are the difficulty that its hash meets. */
class CountingEngine {
  readonly computed: bigint[] = []
  readonly prepared: number[] = []
  /** pending checks when not null */
  gate: (() => void)[] | null = null

  async hashLight(_epoch: number, _sealHash: Uint8Array, nonce: bigint) {
    this.computed.push(nonce)
    const { gate } = this
    if (gate !== null) await new Promise<void>((resolve) => gate.push(resolve))
    const met = nonce & (2n ** 40n - 1n)
    return { mixDigest: new Uint8Array(32).fill(7), result: bytesFromBigint(MAX / (met === 0n ? 1n : met), 32) }
  }

  async prepareEpoch(epoch: number): Promise<void> {
    this.prepared.push(epoch)
  }
}

class ReadMetrics implements MetricsRegistry {
  readonly #families = new Map<string, () => readonly Sample[]>()
  gauge(): never {
    throw new RangeError('not used')
  }
  counter(): never {
    throw new RangeError('not used')
  }
  collect({ name }: MetricSpec, read: () => readonly Sample[]): void {
    this.#families.set(name, read)
  }
  /** The sample whose labels have this value, or the only one. */
  value(name: string, label?: string): number | undefined {
    const samples = this.#families.get(name)?.() ?? []
    return samples.find(({ labels }) => label === undefined || Object.values(labels).includes(label))?.value
  }
}

interface Setup {
  readonly server: StratumServer
  readonly source: FakeWorkSource
  readonly engine: CountingEngine
  readonly clock: FakeClock
  readonly metrics: ReadMetrics
  readonly records: LogRecord[]
  readonly connect: () => RigClient
}

const running: StratumServer[] = []
const clients: RigClient[] = []
afterEach(async () => {
  for (const { socket } of clients.splice(0)) socket.destroy()
  await Promise.all(running.splice(0).map((server) => server.stop()))
})

const blockTarget = bytesFromBigint(MAX / BigInt(BLOCK_DIFFICULTY), 32)
const jobAt = (id: number, change: Partial<Job> = {}): Job => aJob(id, { target: blockTarget, ...change })

async function serve(options: Partial<StratumServerOptions> = {}): Promise<Setup> {
  const clock = new FakeClock()
  const source = new FakeWorkSource()
  const engine = new CountingEngine()
  const metrics = new ReadMetrics()
  const records: LogRecord[] = []
  const log = createLogger('stratum', {
    minLevel: 'info',
    now: () => clock.now(),
    sink: { write: (record) => records.push(record) },
  })
  const server = new StratumServer(
    { bind: { host: '127.0.0.1', port: 0 }, token: null, allow: [], tls: null, agent: 'headframe/test', ...options },
    { source, engine, receiver: () => PAYOUT, clock, log, metrics },
  )
  running.push(server)
  await server.start(new AbortController().signal)
  source.push(jobAt(1))
  const connect = (): RigClient => {
    const client = new RigClient(server.address()?.port ?? 0)
    clients.push(client)
    return client
  }
  return { server, source, engine, clock, metrics, records, connect }
}

/** Logs in by EthereumStratum/1.0.0 and returns the digits that fix the nonce. */
async function logIn(client: RigClient, login = 'rig1', password = 'x'): Promise<string> {
  const subscribed = await client.ask('mining.subscribe', ['miner/1', 'EthereumStratum/1.0.0'])
  const authorized = await client.ask('mining.authorize', [login, password])
  expect(authorized).toMatchObject({ result: true, error: null })
  await client.params('mining.notify')
  return Array.isArray(subscribed?.result) ? String(subscribed.result[1]) : expect.fail('no extranonce')
}

/** The digits behind the extranonce of a nonce whose hash meets this difficulty. @param salt 0..255 */
const tail = (difficulty: number, salt = 0): string =>
  `${salt.toString(16).padStart(2, '0')}${difficulty.toString(16).padStart(10, '0')}`
const submit = (client: RigClient, jobId: unknown, nonceTail: string) =>
  client.ask('mining.submit', ['rig1', jobId, nonceTail])

describe('jobs', () => {
  it('go to every rig as soon as the node has one, with an extranonce of its own', async () => {
    const { source, connect } = await serve()
    const rigs = [connect(), connect()]
    const extranonces = [await logIn(rigs[0] ?? expect.fail()), await logIn(rigs[1] ?? expect.fail(), 'rig2')]

    source.push(jobAt(2))
    const second = await Promise.all(rigs.map((rig) => rig.params('mining.notify', 1)))

    expect(new Set(extranonces).size).toBe(2)
    expect(second).toEqual([0, 1].map(() => ['2', '00'.repeat(32), '02'.repeat(32), true]))
  })

  it('leave the hashrate unknown until a rig has been there for two minutes: no sample, not 0', async () => {
    const { connect, clock, metrics } = await serve()
    expect(metrics.value('miner_stratum_effective_hashrate')).toBe(0)
    await logIn(connect())
    expect(metrics.value('miner_stratum_effective_hashrate')).toBeUndefined()
    clock.advance(121_000)
    expect(metrics.value('miner_stratum_effective_hashrate')).toBe(0)
  })

  it('begin again after the node was away', async () => {
    const { source, connect, records } = await serve()
    const rig = connect()
    await logIn(rig)

    source.push(null)
    source.push(jobAt(3))
    await rig.params('mining.notify', 1)

    expect(records.map(({ message }) => message)).toContain(
      'no work for the rigs: the node is syncing, or has no reward account',
    )
    expect(await submit(rig, '2', tail(START_DIFFICULTY))).toMatchObject({ result: true })
  })

  it('that are missing are said when a rig logs in', async () => {
    const { source, connect, records } = await serve()
    source.push(null)
    records.length = 0
    const rig = connect()
    await rig.ask('mining.subscribe', ['miner/1', 'EthereumStratum/1.0.0'])
    await rig.ask('mining.authorize', ['rig1', 'x'])

    expect(records.map(({ message }) => message)).toEqual([
      'rig logged in',
      'no work for the rigs: the node is syncing, or has no reward account',
    ])
    expect(await connect().ask('eth_getWork', [])).toMatchObject({
      error: { message: 'No work yet: the node is syncing, or has no reward account' },
    })
  })

  it('name the seed, and no height, in eth_getWork, which is answered without a login', async () => {
    const { connect } = await serve()

    const answer = await connect().ask('eth_getWork', [], { worker: 'old rig' })

    const target = (MAX / BigInt(START_DIFFICULTY)).toString(16).padStart(64, '0')
    expect(answer).toMatchObject({ result: [`0x${'01'.repeat(32)}`, `0x${'00'.repeat(32)}`, `0x${target}`] })
  })

  it('are never harder than the block', async () => {
    const { source, connect } = await serve()
    source.push(jobAt(2, { target: bytesFromBigint(MAX / 1_000n, 32), difficulty: 1_000n }))
    const rig = connect()
    await rig.ask('mining.hello', { agent: 'm/1', proto: 'EthereumStratum/2.0.0' })
    await rig.ask('mining.authorize', ['rig1', 'x'])

    const set = await rig.find(({ method }) => method === 'mining.set')

    expect(set).toMatchObject({ params: { target: (MAX / 1_000n).toString(16).padStart(64, '0'), epoch: '0' } })
  })
})

describe('shares', () => {
  it('are accepted once, and refused with the reason', async () => {
    const { server, source, clock, connect } = await serve()
    const rig = connect()
    await logIn(rig)
    const good = tail(START_DIFFICULTY)

    const answers = [
      await submit(rig, '1', good),
      await submit(rig, '1', good),
      await submit(rig, '1', tail(START_DIFFICULTY - 1_000)),
      await submit(rig, '77', good),
      await submit(rig, '1', 'ff'),
    ]
    source.push(jobAt(2))
    answers.push(await submit(rig, '1', tail(START_DIFFICULTY, 1)))

    expect(answers.map((answer) => answer?.error ?? answer?.result)).toEqual([
      true,
      [22, 'Duplicate share', null],
      [23, 'Low difficulty share', null],
      [21, 'Job not found', null],
      [20, 'Malformed share: the nonce is not 12 hex digits behind the extranonce', null],
      [21, 'Stale share', null],
    ])
    clock.advance(150_000)
    expect(server.workers()).toMatchObject([
      {
        name: 'rig1',
        address: '127.0.0.1',
        software: 'miner/1',
        dialect: 'nicehash',
        connections: 1,
        effectiveHashrate: START_DIFFICULTY / 150,
        shares: { accepted: 1, duplicate: 1, failed: 1, unknown: 1, stale: 1, busy: 0 },
        lastShareAt: 1_700_000_000_000,
      },
    ])
  })

  it('that make a block go to the node at once, and count by its verdict', async () => {
    const { server, source, metrics, connect } = await serve()
    const rig = connect()
    const extranonce = await logIn(rig)
    const verdicts = ['accepted', 'stale', 'rejected'] as const
    const answers: unknown[] = []

    for (const [index, kind] of verdicts.entries()) {
      source.decide = async () => (kind === 'stale' ? { kind } : { kind, latencyMs: 1, reason: 'no' })
      answers.push((await submit(rig, '1', tail(2 ** 40 - 1, index)))?.result)
    }

    expect(answers).toEqual([true, null, null])
    expect(source.shares[0]).toMatchObject({
      nonce: BigInt(`0x${extranonce}${tail(2 ** 40 - 1)}`),
      mixDigest: new Uint8Array(32).fill(7),
    })
    expect(verdicts.map((verdict) => metrics.value('miner_stratum_blocks_total', verdict))).toEqual([1, 1, 1])
    expect(server.workers()[0]?.blocks).toBe(1)
  })

  it('that cannot be judged are answered, and the rig continues', async () => {
    const { server, source, engine, records, connect } = await serve()
    const rig = connect()
    await logIn(rig)
    source.decide = () => Promise.reject(new Error('the chain is not open'))
    const unsent = await submit(rig, '1', tail(2 ** 40 - 1))
    source.decide = async () => ({ kind: 'accepted', latencyMs: 1 })
    const check = engine.hashLight.bind(engine)
    engine.hashLight = () => Promise.reject(new Error('no memory for the cache'))
    const unchecked = await submit(rig, '1', tail(START_DIFFICULTY, 1))
    engine.hashLight = check
    const good = await submit(rig, '1', tail(START_DIFFICULTY, 2))

    expect([unsent?.error, unchecked?.error, good?.result]).toEqual([
      [20, 'The node rejected the block', null],
      [20, "The node can't take shares now", null],
      true,
    ])
    expect(server.workers()[0]?.shares).toMatchObject({ accepted: 1, failed: 1, busy: 1 })
    const told = records.filter(({ level }) => level === 'warn' || level === 'error')
    expect(told.map(({ message, fields }) => [message, fields.reason ?? fields.error])).toEqual([
      ["the node rejected a rig's block", 'the chain is not open'],
      ["a rig's share couldn't be judged", 'no memory for the cache'],
    ])
  })

  it('at the difficulty of the block bring no further jobs', async () => {
    const { source, connect } = await serve()
    source.push(jobAt(2, { target: bytesFromBigint(MAX / 1_000n, 32), difficulty: 1_000n }))
    const rig = connect()
    await logIn(rig)

    for (let salt = 0; salt < 20; salt++) await submit(rig, '1', tail(1_000, salt))

    expect(rig.pushes('mining.notify')).toHaveLength(1)
  })

  it('of one rig are checked in turn with the others', async () => {
    const { engine, connect } = await serve()
    const [greedy, modest] = [connect(), connect()]
    await logIn(greedy)
    const own = await logIn(modest, 'rig2')
    engine.gate = []
    for (let salt = 0; salt < 16; salt++) void submit(greedy, '1', tail(START_DIFFICULTY, salt))
    await networkTurn()
    void submit(modest, '1', tail(START_DIFFICULTY))
    await networkTurn()
    expect(engine.computed).toHaveLength(2)

    engine.gate.shift()?.()
    await networkTurn()
    engine.gate.shift()?.()
    await networkTurn()

    const modestNonce = BigInt(`0x${own}${tail(START_DIFFICULTY)}`)
    expect(engine.computed.indexOf(modestNonce)).toBeLessThanOrEqual(3)
    expect(engine.computed).toContain(modestNonce)
    for (let round = 0; round < 20; round++) {
      for (const open of engine.gate.splice(0)) open()
      await networkTurn()
    }
  })
})

describe('difficulty', () => {
  it('rises at once for a rig that finds shares fast, and its old job still counts for a moment', async () => {
    const { server, clock, connect } = await serve()
    const rig = connect()
    await logIn(rig)

    for (let salt = 0; salt < 8; salt++) await submit(rig, '1', tail(START_DIFFICULTY, salt))
    const [difficulty] = await rig.params('mining.set_difficulty', 1)
    const late = await submit(rig, '1', tail(START_DIFFICULTY, 9))
    clock.advance(10_000)
    const tooLate = await submit(rig, '1', tail(START_DIFFICULTY, 10))

    expect(difficulty).toBeCloseTo((START_DIFFICULTY * 16 * 0xffff) / 2 ** 48, 9)
    expect(server.workers()[0]?.difficulty).toBe(START_DIFFICULTY * 16)
    expect([late?.result, tooLate?.error]).toEqual([true, [23, 'Low difficulty share', null]])
  })

  it('falls for a rig that finds none', async () => {
    const { clock, connect } = await serve()
    const rig = connect()
    await logIn(rig)

    clock.advance(31_000)
    const [difficulty] = await rig.params('mining.set_difficulty', 1)

    expect(difficulty).toBeCloseTo(((START_DIFFICULTY / 4) * 0xffff) / 2 ** 48, 9)
  })

  it('begins with what the rig reports, and where its last connection was', async () => {
    const { server, connect } = await serve()
    const rig = connect()
    await logIn(rig)
    await rig.ask('eth_submitHashrate', ['0x3b9aca00', `0x${'00'.repeat(32)}`])
    await rig.params('mining.set_difficulty', 1)
    rig.socket.destroy()
    const again = connect()
    await logIn(again)

    const [difficulty] = await again.params('mining.set_difficulty')

    expect(server.workers()).toMatchObject([{ reportedHashrate: 1e9, difficulty: 1e10 }])
    expect(difficulty).toBeCloseTo((1e10 * 0xffff) / 2 ** 48, 9)
  })
})

describe('strangers', () => {
  it('get no work without the token, and are banned for guessing', async () => {
    const { connect, engine, records, metrics } = await serve({ token: new Secret('s3cret-s3cret-s3cret') })
    for (let tries = 0; tries < 30; tries++) {
      const rig = connect()
      await rig.ask('mining.subscribe', ['m', 'EthereumStratum/1.0.0'])
      expect(await rig.ask('mining.authorize', ['rig1', `guess${tries}`])).toMatchObject({
        error: [24, expect.any(String), null],
      })
      await rig.closed()
      expect(rig.pushes('mining.notify')).toEqual([])
    }
    const banned = connect()
    await banned.closed()

    expect(banned.messages).toEqual([])
    expect(engine.computed).toEqual([])
    expect(metrics.value('miner_stratum_refused_total', 'token')).toBe(30)
    expect(records.filter(({ level }) => level === 'warn').map(({ message }) => message)).toEqual([
      'rig refused: its password is not the token',
      'address banned: too many wrong tokens',
      'stratum connection refused',
    ])
    expect(JSON.stringify(records)).not.toContain('s3cret')
  })

  it('get no work without the token by any dialect', async () => {
    const { connect } = await serve({ token: new Secret('s3cret-s3cret-s3cret') })
    const openings: readonly (readonly [string, unknown])[] = [
      ['eth_getWork', []],
      ['eth_submitWork', ['0x', '0x', '0x']],
      ['mining.submit', ['a', '1', 'b']],
      ['eth_submitLogin', ['rig1']],
      ['eth_submitLogin', ['rig1', 'wrong']],
      ['mining.authorize', ['rig1', 's3cret-s3cret-s3cret']],
      ['eth_submitHashrate', ['0x1', '0x1']],
    ]

    for (const [method, params] of openings) {
      const rig = connect()
      expect(await rig.ask(method, params), method).toMatchObject({ error: expect.anything() })
      expect(rig.messages).toHaveLength(1)
    }
  })

  it('are let in by the right token', async () => {
    const { connect } = await serve({ token: new Secret('s3cret-s3cret-s3cret') })

    await logIn(connect(), 'rig1', 's3cret-s3cret-s3cret')
  })

  it('outside the allowed addresses are disconnected', async () => {
    const { connect, metrics } = await serve({ allow: ['192.168.1.0/24', '::1/128'] })
    const rig = connect()

    await rig.closed()

    expect(metrics.value('miner_stratum_refused_total', 'not-allowed')).toBe(1)
  })

  it('are let in inside them', async () => {
    const { connect } = await serve({ allow: ['127.0.0.0/8'] })

    await logIn(connect())
  })

  it('that want to be paid elsewhere are told so', async () => {
    const { connect } = await serve()
    const rig = connect()
    await rig.ask('mining.subscribe', [])
    const other = `0x${'cd'.repeat(20)}`

    const refused = await rig.ask('mining.authorize', [`${other}.rig1`, 'x'])

    const message = `Unauthorized worker: blocks pay ${PAYOUT}, not ${other}: log in with the rig's name alone`
    expect(refused).toMatchObject({ error: [24, message, null] })
    await logIn(connect(), `${PAYOUT}.rig1`)
  })

  it('with a browser are told what the port is', async () => {
    const { connect } = await serve()
    const browser = connect()
    const chunks: Buffer[] = []
    browser.socket.removeAllListeners('data').on('data', (chunk) => chunks.push(chunk))
    browser.send('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')

    await browser.closed()

    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 400 .*stratum/s)
  })
})

describe('floods', () => {
  it('of a million duplicates cost two checks and are ended', async () => {
    const { engine, metrics, connect } = await serve()
    const rig = connect()
    await logIn(rig)
    const line = `{"id":9,"method":"mining.submit","params":["rig1","1","${tail(START_DIFFICULTY)}"]}\n`

    for (let sent = 0; sent < 1_000_000 && !rig.isClosed; sent += 10_000) {
      rig.send(line.repeat(10_000))
      await networkTurn()
    }
    await rig.closed()

    expect(engine.computed).toHaveLength(1)
    expect(metrics.value('miner_stratum_shares_total', 'duplicate')).toBeLessThanOrEqual(51)
    expect(metrics.value('miner_stratum_refused_total', 'flood')).toBe(1)
  })

  it('ban the address after the third time, and no longer than an hour', async () => {
    const { clock, metrics, connect } = await serve()
    for (let times = 0; times < 3; times++) {
      const rig = connect()
      rig.send('nonsense\n'.repeat(60))
      await rig.closed()
    }
    const banned = connect()
    await banned.closed()
    clock.advance(60_000)

    await logIn(connect())

    expect(metrics.value('miner_stratum_refused_total', 'banned')).toBe(1)
  })

  it('of wrong shares cost a bounded number of checks', async () => {
    const { engine, connect } = await serve()
    const rig = connect()
    await logIn(rig)

    for (let salt = 0; salt < 200 && !rig.isClosed; salt++) await submit(rig, '1', tail(1, salt))

    expect(engine.computed.length).toBeLessThanOrEqual(11)
  })

  it.each([
    ['a line without end', 'x'.repeat(5_000)],
    ['a long line', `${'x'.repeat(5_000)}\n`],
    ['blank lines', '\n'.repeat(10_000)],
    ['valid requests', '{"id":1,"method":"mining.ping"}\n'.repeat(1_000)],
    ['notifications', '{"method":"mining.noop"}\n'.repeat(1_000)],
  ])('%s is ended', async (_name, text) => {
    const { connect, metrics } = await serve()
    const rig = connect()
    rig.send(text)

    await rig.closed()

    expect(metrics.value('miner_stratum_refused_total', 'flood')).toBe(1)
  })

  it.each([
    'null',
    '[]',
    '[{"id":1,"method":"mining.subscribe"}]',
    '{"id":{},"method":"a"}',
    '{',
    '"\\ud800"',
    '{"id":900}',
    '1e999',
  ])('%s is answered with an error, and the rig may go on', async (line) => {
    const { connect } = await serve()
    const rig = connect()
    rig.send(`${line}\n`)

    expect(await rig.find(() => true)).toMatchObject({ error: { code: expect.any(Number) } })
    await logIn(rig)
  })

  it('half lines, missing logins and rigs that read nothing end by their limits', async () => {
    const { source, clock, metrics, connect } = await serve()
    const [silent, half, deaf] = [connect(), connect(), connect()]
    await logIn(half)
    await logIn(deaf, 'deaf')
    half.send('{"id":')
    await networkTurn()
    clock.advance(11_000)
    await silent.closed()
    expect(half.isClosed).toBe(false)
    clock.advance(10_000)
    await half.closed()

    deaf.socket.pause()
    for (let height = 100; metrics.value('miner_stratum_connections') !== 0 && height < 1_000_000; ) {
      for (let count = 0; count < 1_000; count++) source.push(jobAt(height % 250, { height: height++ }))
      await networkTurn()
    }
    expect(metrics.value('miner_stratum_connections')).toBe(0)
  })
})
