// The stratum server against this program's own pool client: every dialect, real hashes, real sockets.
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { bytesFromBigint } from '../../src/base/bytes'
import { silentLogger } from '../../src/base/logger'
import { Secret } from '../../src/base/secret'
import { systemClock } from '../../src/base/time'
import { TextMetrics } from '../../src/host/system/metrics-text'
import { StratumServer, type StratumServerOptions } from '../../src/miner/stratum/stratum-server'
import { aJob, FakeWorkSource } from '../../src/miner/testing/fake-work-source'
import { RigClient } from '../../src/miner/testing/rig-client'
import type { Job } from '../../src/miner/work-source'
import { currentJob, fullEngine, makeRig, type Rig, ShareFinder, until } from './pool-harness'
import { selfSigned } from './pool-sim/certificate'

const SCHEMES = {
  stratum: 'stratum+tcp',
  'eth-proxy': 'stratum1+tcp',
  nicehash: 'stratum2+tcp',
  stratum2: 'stratum3+tcp',
} as const
const DIALECTS = ['stratum', 'eth-proxy', 'nicehash', 'stratum2'] as const
const TOKEN = 'a-token-for-my-rigs'
const BLOCK = 40n

const engine = fullEngine()
const open: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.stop()
})
beforeAll(() => engine.prepareEpoch(0))
afterAll(() => engine.close())

const jobAt = (id: number): Job =>
  aJob(id, { target: bytesFromBigint((2n ** 256n - 1n) / BLOCK, 32), difficulty: BLOCK })

async function serve(options: Partial<StratumServerOptions> = {}) {
  const source = new FakeWorkSource()
  const clock = systemClock()
  const server = new StratumServer(
    {
      bind: { host: '127.0.0.1', port: 0 },
      token: new Secret(TOKEN),
      allow: [],
      tls: null,
      agent: 'headframe/test',
      ...options,
    },
    { source, engine, receiver: () => null, clock, log: silentLogger, metrics: new TextMetrics() },
  )
  await server.start(new AbortController().signal)
  open.push(server)
  source.push(jobAt(1))
  return { server, source, port: server.address()?.port ?? 0 }
}

async function aRig(url: string, options: Parameters<typeof makeRig>[1] = {}): Promise<Rig> {
  const rig = makeRig([url], options)
  open.push(rig.source)
  await rig.source.start()
  return rig
}

it.each(DIALECTS)('%s: logs in, mines, follows the head, and is told why a share is refused', async (dialect) => {
  const { server, source, port } = await serve()
  const rig = await aRig(`${SCHEMES[dialect]}://cellar:${TOKEN}@127.0.0.1:${port}`)
  const finder = new ShareFinder(engine)
  const first = await currentJob(rig)
  const share = await finder.find(first)
  const { signal } = new AbortController()

  const verdicts = [await rig.source.submit(share, signal), await rig.source.submit(share, signal)]
  source.push(jobAt(2))
  await until('the next job', () => rig.jobs.at(-1)?.sealHash[0] === 2)
  verdicts.push(await finder.submit(rig, await currentJob(rig)))
  verdicts.push(await rig.source.submit({ ...(await finder.find(first)), job: first }, signal))

  const reason = (verdict: (typeof verdicts)[number]) => (verdict.kind === 'rejected' ? verdict.reason : verdict.kind)
  expect(verdicts.map(reason)).toEqual(['accepted', 'Duplicate share', 'accepted', 'Stale share'])
  expect(source.shares.map(({ job }) => job.height)).toEqual([11, 12])
  expect(source.shares[0]).toMatchObject({ nonce: share.nonce, mixDigest: share.mixDigest, result: share.result })
  expect(first.extranonce?.bits ?? 0).toBe(dialect === 'nicehash' || dialect === 'stratum2' ? 16 : 0)
  expect(server.workers()).toMatchObject([
    { name: 'cellar', dialect, connections: 1, difficulty: Number(BLOCK), blocks: 2, shares: { accepted: 2 } },
  ])
})

it('stratum:// without a dialect finds one at its first try', async () => {
  const { server, port } = await serve()
  const rig = await aRig(`stratum://cellar:${TOKEN}@127.0.0.1:${port}`)

  expect((await new ShareFinder(engine).submit(rig, await currentJob(rig))).kind).toBe('accepted')
  expect(server.workers()).toMatchObject([{ name: 'cellar', connections: 1 }])
})

it.each(DIALECTS)('%s: a wrong token is named to the miner', async (dialect) => {
  const { port } = await serve()
  const rig = await aRig(`${SCHEMES[dialect]}://cellar:wrong@127.0.0.1:${port}`)

  await until('a diagnosis', () => rig.source.state().diagnosis != null)

  expect(rig.source.state().diagnosis).toMatchObject({
    trouble: 'login-password',
    answer: 'Unauthorized worker: the password must be the token',
  })
  expect(rig.jobs.every((job) => job === null)).toBe(true)
})

it('a mix digest that fits no dataset costs no check', async () => {
  const { source, port } = await serve({ token: null })
  const checks = vi.spyOn(engine, 'hashLight')
  source.push({ ...jobAt(3), target: bytesFromBigint(2n ** 200n, 32), difficulty: 2n ** 56n })
  const rig = new RigClient(port)
  await rig.ask('eth_submitLogin', ['forger'])
  const work = await rig.ask('eth_getWork', [])
  const header = Array.isArray(work?.result) ? work.result[0] : null

  const answer = await rig.ask('eth_submitWork', ['0x0000000000000001', header, `0x${'11'.repeat(32)}`])

  expect(answer).toMatchObject({ result: false, error: { code: 23, message: 'Low difficulty share' } })
  expect(checks).not.toHaveBeenCalled()
  checks.mockRestore()
  rig.socket.destroy()
})

it('with a certificate the port speaks TLS alone', async () => {
  const certificate = selfSigned('rigs.example', Date.now())
  const { port } = await serve({ tls: { certificate: certificate.cert, key: new Secret(certificate.key) } })
  const rig = await aRig(`stratum3+ssl://cellar:${TOKEN}@127.0.0.1:${port}`, { certificates: certificate.cert })
  const plain = new RigClient(port)

  expect((await new ShareFinder(engine).submit(rig, await currentJob(rig))).kind).toBe('accepted')
  plain.send('{"id":1,"method":"mining.subscribe","params":[]}\n')
  await plain.closed()
  expect(plain.messages).toEqual([])
})

it('rigs come back after the server was started again', async () => {
  const { server, source, port } = await serve()
  const rig = await aRig(`stratum3+tcp://cellar:${TOKEN}@127.0.0.1:${port}`, { limits: { responseMs: 1_000 } })
  await currentJob(rig)
  await server.stop()
  await until('no work', () => rig.jobs.at(-1) === null)

  const again = new StratumServer(
    { bind: { host: '127.0.0.1', port }, token: null, allow: [], tls: null, agent: 'headframe/test' },
    {
      source,
      engine,
      receiver: () => null,
      clock: systemClock(),
      log: silentLogger,
      metrics: new TextMetrics(),
    },
  )
  await again.start(new AbortController().signal)
  open.push(again)
  source.push(jobAt(4))
  await until('work again', () => rig.jobs.at(-1)?.sealHash[0] === 4)

  expect(again.workers()).toMatchObject([{ name: 'cellar', connections: 1 }])
})
