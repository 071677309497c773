// Rigs controlled over HTTP and from the command line: rigs with real control ports and pools, and a monitor.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLogger } from '../../src/base/logger'
import { Secret } from '../../src/base/secret'
import { systemClock } from '../../src/base/time'
import { runCli } from '../../src/cli/main'
import { parseRig } from '../../src/config/values/rig-address'
import { ControlPort } from '../../src/host/control-port/control-port'
import { TextMetrics } from '../../src/host/system/metrics-text'
import { nodePlatform } from '../../src/host/system/platform-node'
import { registerRigMetrics } from '../../src/miner/monitor/rig-metrics'
import { RigMonitor } from '../../src/miner/monitor/rig-monitor'
import { until } from '../miner/pool-harness'
import { PoolHasher } from '../miner/pool-sim/independent-xhash'
import { SimulatedPool } from '../miner/pool-sim/pool'
import { ROOT } from './backend-fixture'
import { type ControlFixture, http, startControl, TOKEN, USER } from './control-fixture'

const MONITOR_TOKEN = 'the-monitor-has-its-own'
const clock = systemClock()
const JSON_TYPE = 'Content-Type: application/json'

let folder: string
let rigs: readonly ControlFixture[]
let readOnly: ControlFixture
let other: SimulatedPool
let monitor: RigMonitor
let port: ControlPort
let lines: readonly string[]

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headframe-rigs-'))
  rigs = [await startControl({ token: TOKEN }), await startControl({ token: TOKEN })]
  readOnly = await startControl({ token: TOKEN, allowControl: false })
  other = new SimulatedPool({ flavour: 'stratum', difficulty: 60, verify: false }, new PoolHasher())
  await other.start()
  const at = (fixture: ControlFixture | undefined) => `127.0.0.1:${fixture?.tcpPort}`
  lines = [
    `north=${at(rigs[0])}#${TOKEN} group=cellar site=de`,
    `south=${at(rigs[1])}#${TOKEN} group=cellar site=us`,
    `fixed=${at(readOnly)}#${TOKEN} group=attic`,
    'gone=127.0.0.1:1',
  ]
  writeFileSync(join(folder, 'rigs.txt'), `# rigs\n${lines.join('\n')}\n`)
  const read = lines.flatMap((line) => parseRig(line) ?? [])
  monitor = new RigMonitor({ rigs: read, intervalMs: 60_000 }, { clock, random: () => 0 })
  const metrics = new TextMetrics()
  registerRigMetrics(metrics, () => monitor.watchedRigs(), ['group', 'site'])
  port = new ControlPort(
    {
      bind: { host: '127.0.0.1', port: 0 },
      preferredPort: null,
      apiToken: new Secret(MONITOR_TOKEN),
      sessionToken: null,
      allowControl: true,
      openControl: false,
      hosts: [],
      monitor: true,
      staticDir: null,
    },
    {
      miner: null,
      lines: null,
      rigs: monitor,
      links: null,
      metrics,
      onChannel: () => undefined,
      clock,
      log: silentLogger,
    },
  )
  await monitor.start()
  await port.start(new AbortController().signal)
  await until('three rigs', () => monitor.rigs().filter(({ online }) => online).length === 3)
})

afterAll(async () => {
  await port.stop()
  await monitor.stop()
  for (const rig of [...rigs, readOnly]) await rig.stop()
  await other.stop()
  rmSync(folder, { recursive: true, force: true })
})

const portOf = (): number => port.address()?.port ?? 0
const paused = (fixture: ControlFixture | undefined): readonly boolean[] =>
  fixture?.miner.summary(true).gpus.map((gpu) => gpu.paused) ?? []

async function control(body: object, headers: readonly string[] = [`Authorization: Bearer ${MONITOR_TOKEN}`]) {
  const { status, body: text } = await http(
    portOf(),
    'POST /api/v1/rigs/control',
    [JSON_TYPE, ...headers],
    JSON.stringify(body),
  )
  return { status, answer: JSON.parse(text) as unknown }
}

async function get(path: string): Promise<{ readonly status: number; readonly body: string }> {
  return http(portOf(), `GET ${path}`, [`Authorization: Bearer ${MONITOR_TOKEN}`])
}

async function cli(
  ...words: readonly string[]
): Promise<{ code: number; out: readonly string[]; errors: readonly string[] }> {
  const out: string[] = []
  const errors: string[] = []
  const code = await runCli(['rigs', ...words], {
    surroundings: { platform: process.platform, environment: {}, homeDir: folder, workingDir: folder },
    platform: {
      ...nodePlatform({ workerDir: folder, projectRoot: ROOT, rendererDir: folder, version: '1' }),
      standardOutput: (line: string) => void out.push(line),
      standardError: (line: string) => void errors.push(line),
    },
    onStopSignal: () => ({ dispose: () => undefined }),
    faults: { attend: () => ({ dispose: () => undefined }) },
    exitNow: () => undefined,
    terminal: null,
    askSecret: async () => `stratum+tcp://${USER}.typed:hidden@127.0.0.1:${other.port}`,
  })
  return { code, out, errors }
}

describe('POST /api/v1/rigs/control', () => {
  it('commands a group, and resumes by labels', async () => {
    expect(await control({ action: 'pause', groups: ['cellar'] })).toEqual({
      status: 200,
      answer: {
        results: [
          { rig: 'north', done: true, error: '' },
          { rig: 'south', done: true, error: '' },
        ],
      },
    })
    expect([paused(rigs[0]), paused(rigs[1]), paused(readOnly)]).toEqual([
      [true, true],
      [true, true],
      [false, false],
    ])

    await control({ action: 'resume', labels: { site: 'us' } })
    expect([paused(rigs[0]), paused(rigs[1])]).toEqual([
      [true, true],
      [false, false],
    ])
    await control({ action: 'resume', gpu: 1, rigs: ['north'] })
    expect(paused(rigs[0])).toEqual([true, false])
    await control({ action: 'resume', all: true })
  })

  it('says for each rig why it failed', async () => {
    expect(await control({ action: 'pause', rigs: ['fixed', 'gone', 'nobody'] })).toMatchObject({
      status: 200,
      answer: {
        results: [
          { rig: 'fixed', done: false, error: 'HTTP 403: control is not allowed: see --api-allow-control' },
          { rig: 'gone', done: false, error: 'connection refused' },
          { rig: 'nobody', done: false, error: 'no rig of this name is watched' },
        ],
      },
    })
  })

  it('gives rigs a pool and lets them mine for it, once however often it is requested', async () => {
    const before = rigs[0]?.pool.port ?? 0
    const pool = `stratum+tcp://${USER}.rigs:hidden@127.0.0.1:${other.port}`
    const urls = () => rigs.map(({ miner }) => miner.summary(true).pool.host)

    for (const _ of [1, 2]) {
      const { answer } = await control({ action: 'set-pool', pool, all: true })
      expect(answer).toMatchObject({
        results: [
          { rig: 'north', done: true },
          { rig: 'south', done: true },
          { rig: 'fixed', done: false, error: 'control is not allowed' },
          { rig: 'gone', done: false, error: 'connection refused' },
        ],
      })
      expect(JSON.stringify(answer)).not.toContain('hidden')
    }
    await until('both rigs at the other pool', () => urls().every((host) => host === `127.0.0.1:${other.port}`))

    const home = `stratum+tcp://${USER}.rig1:x@127.0.0.1:${before}/me@mail.example?diff=hashes`
    expect(await control({ action: 'set-pool', pool: home, rigs: ['north'] })).toMatchObject({
      answer: { results: [{ done: true }] },
    })
    await until('one rig at its first pool', () => urls()[0] === `127.0.0.1:${before}`)
  })

  it.each([
    [{ action: 'pause' }, 400, 'name what is meant by rigs, groups or labels, or say all: true'],
    [{ action: 'pause', groups: ['roof'] }, 400, 'no rig is in the group roof'],
    [{ action: 'pause', groups: ['cellar', 'roof'] }, 400, 'no rig is in the group roof'],
    [{ action: 'pause', groups: ['cellar'], label: { site: 'us' } }, 400, /^label is not one of /],
    [{ action: 'set-pool', pool: 'http://', all: true }, 400, /^pool: /],
    [{ action: 'explode', all: true }, 400, 'action must be pause, resume, restart or set-pool'],
  ])('rejects %j', async (body, status, error) => {
    expect(await control(body)).toMatchObject({
      status,
      answer: { error: typeof error === 'string' ? error : expect.stringMatching(error) },
    })
  })

  it('requires the token, and allows no page of another site', async () => {
    const body = { action: 'pause', all: true }

    expect(await control(body, [])).toMatchObject({ status: 401 })
    expect(await control(body, ['Authorization: Bearer wrong'])).toMatchObject({ status: 401 })
    const page = [`Authorization: Bearer ${MONITOR_TOKEN}`, 'Origin: http://evil.example']
    expect(await control(body, page)).toMatchObject({ status: 403 })
    expect((await get('/api/v1/rigs/control')).status).toBe(405)
    expect(paused(rigs[0])).toEqual([false, false])
  })
})

describe('GET of the rigs', () => {
  it('pages and filters the rigs, with their labels', async () => {
    const names = async (query: string) => {
      const { rigs: found, total } = JSON.parse((await get(`/api/v1/rigs?${query}`)).body)
      return [found.map(({ name }: { name: string }) => name), total]
    }

    expect(await names('group=cellar')).toEqual([['north', 'south'], 2])
    expect(await names('offset=1&limit=2')).toEqual([['south', 'fixed'], 4])
    expect(await names('label=site:de&online=true')).toEqual([['north'], 1])
    expect((await get('/api/v1/rigs?limit=0')).status).toBe(400)
    expect(JSON.parse((await get('/api/v1/rigs')).body)).toMatchObject({
      mining: false,
      rigs: [{ labels: { group: 'cellar', site: 'de' } }, {}, {}, {}],
    })
  })

  it('exports the labels to Prometheus', async () => {
    expect(JSON.parse((await get('/api/v1/sd')).body)[0]).toMatchObject({
      labels: { rig: 'north', group: 'cellar', site: 'de' },
    })
    const { body } = await get('/metrics')
    expect(body).toContain('miner_rig_info{rig="north",group="cellar",site="de"} 1')
    expect(body).toContain('miner_rig_info{rig="gone"} 1')
  })
})

describe('headframe rigs', () => {
  const FILE = ['--rig-file', 'rigs.txt']

  it('lists the rigs, as a table and as JSON', async () => {
    const table = await cli('list', ...FILE)

    expect(table.code).toBe(1)
    expect(table.out[0]).toMatch(/^RIG {4}GROUP {3}ADDRESS/)
    expect(table.out[1]).toMatch(/^north {2}cellar {2}127\.0\.0\.1:\d+ +online/)
    expect(table.out.at(-1)).toMatch(/^gone {3}- {7}127\.0\.0\.1:1 +connection refused$/)
    const { code, out } = await cli('list', '--group', 'cellar', '--json', ...FILE)
    expect(code).toBe(0)
    expect(JSON.parse(out.join(''))).toMatchObject([
      { name: 'north', labels: { site: 'de' }, online: true, figures: { gpus: [{}, {}] } },
      { name: 'south' },
    ])
    expect(out.join('')).not.toContain(TOKEN)
  })

  it('pauses and resumes the selected ones, and exits with 1 if one failed', async () => {
    expect(await cli('pause', '--label', 'site=de', ...FILE)).toEqual({ code: 0, out: ['north  done'], errors: [] })
    expect(paused(rigs[0])).toEqual([true, true])
    const { code, out } = await cli('resume', 'north', 'fixed', '--json', ...FILE)
    expect([code, JSON.parse(out.join(''))]).toEqual([
      1,
      [
        { rig: 'north', done: true, error: '' },
        { rig: 'fixed', done: false, error: 'HTTP 403: control is not allowed: see --api-allow-control' },
      ],
    ])
    expect(paused(rigs[0])).toEqual([false, false])
  })

  it("reads a pool's address from the keyboard", async () => {
    expect((await cli('set-pool', '-', 'south', ...FILE)).out).toEqual(['south  done'])
    await until('the pool', () => rigs[1]?.miner.summary(true).pool.url.includes('.typed:***@') ?? false)
  })

  it.each([
    [['pause', ...FILE], 'names of rigs, --group, --label or --all'],
    [['stop', ...FILE], 'list, pause, resume, restart, set-pool'],
    [['set-pool', ...FILE], 'set-pool URL [NAME...]'],
    [['set-pool', 'stratum://u:hidden@', '--all', ...FILE], 'set-pool: stratum://u:***@ is not a pool'],
    [['list'], 'no rigs: add --rig or --rig-file'],
    [['pause', '--group', 'cellar,roof', ...FILE], 'no rig is in the group roof'],
    [['list', '--group', 'roof', ...FILE], 'no rig is in the group roof'],
    [['list', '--label', 'site=nowhere', ...FILE], 'no rig has these labels'],
    [['pause', '--label', 'site', ...FILE], '--label: site is not LABEL=VALUE'],
  ])('rejects %j', async (words, error) => {
    const { code, errors } = await cli(...words)

    expect([code, errors.join('')]).toEqual([2, expect.stringContaining(error)])
    expect(errors.join('')).not.toContain('hidden')
  })
})
