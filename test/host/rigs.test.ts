// Three running instances: two rigs that mine a practice node's blocks, and a monitor that watches and controls them.
// The real Prometheus scrapes all of them if it is installed, or unpacked by the full tier.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { RigsView } from '../../src/contract/rigs'
import type { Backend } from '../../src/host/backend'
import { findServer } from '../find-server'
import { connect, makeBackend, notBuilt, ROOT, temporaryDataDir } from './backend-fixture'
import { call, Wire } from './control-fixture'

const TOKEN = 'a-token-of-the-rigs'
const RESOURCES = join(ROOT, 'resources', 'monitoring')
const [prometheusFile, promtool] = [findServer('prometheus') ?? '', findServer('promtool') ?? '']
const noPrometheus = prometheusFile === '' || promtool === ''

const folders: { readonly dir: string; remove(): void }[] = []
const backends: Backend[] = []

async function started(words: readonly string[], command: string): Promise<Backend> {
  const folder = temporaryDataDir()
  folders.push(folder)
  const { backend } = await makeBackend(folder.dir, words, command)
  backends.push(backend)
  await backend.start(new AbortController().signal)
  return backend
}

interface Answer {
  readonly status: number
  readonly body: string
}

function get(address: string | null, path: string, token: string | null = null): Promise<Answer> {
  const headers = token === null ? {} : { Authorization: `Bearer ${token}` }
  return new Promise((resolve, reject) => {
    request(`http://${address}${path}`, { agent: false, headers }, (response) => {
      let body = ''
      response.on('data', (part: Buffer) => {
        body += part.toString('utf8')
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
    })
      .on('error', reject)
      .end()
  })
}

async function seen<T>(read: () => Promise<T>, good: (value: T) => boolean, limitMs = 240_000): Promise<T> {
  const end = performance.now() + limitMs
  for (;;) {
    const value = await read()
    if (good(value)) return value
    if (performance.now() > end)
      throw new Error(`not seen within ${limitMs} ms: ${JSON.stringify(value).slice(0, 2_000)}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

const portOf = (backend: Backend): number => Number(backend.ready().api?.split(':')[1])

describe.skipIf(notBuilt !== null)('rigs', () => {
  let rigs: readonly Backend[] = []
  let monitor: Backend

  beforeAll(async () => {
    const node = await started([], 'node')
    const pool = ['--network', 'practice', '-P', `http://${node.ready().http}`]
    const open = ['--api-bind', '127.0.0.1:0', '--api-token', TOKEN, '--api-allow-control']
    rigs = [await started([...pool, ...open], 'miner'), await started([...pool, ...open], 'miner')]
    const named = rigs.flatMap((rig, i) => ['--rig', `rig ${i}=127.0.0.1:${portOf(rig)}#${TOKEN}`])
    const others = [
      '--rig',
      `wrong=127.0.0.1:${portOf(rigs[0] ?? node)}#nope`,
      '--rig',
      'gone=127.0.0.1:1',
      '--rig-interval',
      '1',
    ]
    monitor = await started(['--monitor', ...named, ...others, '--api-bind', '127.0.0.1:0'], 'miner')
  })
  afterAll(async () => {
    for (const backend of backends.splice(0).reverse()) await backend.stop()
    for (const folder of folders.splice(0)) folder.remove()
  })

  it("is listed by the monitor: each rig's last report, its age, and why one is missing", async () => {
    const { api } = monitor.ready()
    const text = (
      await seen(
        () => get(api, '/api/v1/rigs'),
        ({ body }) => body.split('"online":true').length === 3,
      )
    ).body

    expect(JSON.parse(text)).toMatchObject({
      mining: false,
      rigs: [
        {
          name: 'rig 0',
          host: rigs[0]?.ready().api,
          online: true,
          error: '',
          summary: { miner: { name: 'headframe' } },
        },
        { name: 'rig 1', host: rigs[1]?.ready().api, online: true, error: '', summary: { gpus: [{ backend: 'cpu' }] } },
        { name: 'wrong', online: false, error: 'HTTP 401: token missing or wrong', age: -1 },
        { name: 'gone', host: '127.0.0.1:1', online: false, error: 'connection refused', age: -1 },
      ],
    })
    expect(text).not.toContain('"local"')
    expect(text).not.toContain(TOKEN)
    expect(JSON.parse((await get(api, '/api/v1/sd')).body)).toContainEqual({
      targets: [rigs[0]?.ready().api],
      labels: { rig: 'rig 0' },
    })
  })

  it("has a monitor that serves none of a miner's routes", async () => {
    const { api } = monitor.ready()

    for (const path of ['/api/v1/summary', '/api/v1/control', '/getstat1'])
      expect((await get(api, path)).status).toBe(404)
    const line = new Wire(portOf(monitor)).send('{"id":1,"jsonrpc":"2.0","method":"miner_ping"}\n')
    expect(await line.untilClosed()).toBe('')
    const families = [...(await get(api, '/metrics')).body.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)
    expect(families).toEqual([
      'miner_info',
      'miner_uptime_seconds',
      'miner_rig_up',
      'miner_rig_hashrate',
      'miner_rig_power_watts',
      'miner_rig_shares_total',
      // A monitor judges its rigs.
      'miner_incident_active',
    ])
  })

  it('shows rigs and totals to the user interface, and takes one command for many', async () => {
    let latest: RigsView | null = null
    const client = connect(monitor, { control: true })
    client.on('miner.rigs', (view) => {
      latest = view
    })
    await seen(
      async () => latest as RigsView | null,
      (view) => view?.totals.online === 2,
    )

    const { results } = await client.call('miner.rigCommand', {
      rigs: ['rig 1', 'rig 0', 'gone', 'wrong'],
      action: 'pause',
      gpu: null,
    })
    expect(results).toMatchObject([
      { rig: 'rig 1', error: '', status: null },
      { rig: 'rig 0', error: '', status: null },
      { rig: 'gone', error: 'connection refused', status: null },
      { rig: 'wrong', error: 'HTTP 401: token missing or wrong', status: 401 },
    ])
    const paused = await seen(
      async () => latest as RigsView | null,
      (view) => view?.totals.paused === 2,
    )
    expect(paused).toMatchObject({
      mining: false,
      totals: { rigs: 4, online: 2, gpus: 2 },
      rigs: [
        { hasToken: true, figures: { control: true, gpus: [{ pauseReason: 'Api request' }] } },
        {},
        {},
        { hasToken: false, ageSeconds: null, figures: null },
      ],
    })
    await client.call('miner.rigCommand', { rigs: ['rig 1', 'rig 0'], action: 'resume', gpu: null })
    await seen(
      async () => latest as RigsView | null,
      (view) => view?.totals.paused === 0,
    )
    const reader = connect(monitor)
    await expect(
      reader.call('miner.rigCommand', { rigs: ['rig 0'], action: 'pause', gpu: null }),
    ).rejects.toMatchObject({
      code: 'CONTRACT_DENIED',
    })
  })

  it('adds another rig immediately and for the next start, and reveals its token to nobody', async () => {
    const [first, second] = rigs
    if (first === undefined || second === undefined) throw new Error('two rigs were started')
    const views: RigsView[] = []
    const client = connect(first, { control: true })
    client.on('miner.rigs', (view) => void views.push(view))
    const typed = { replaces: null, name: 'neighbour', address: second.ready().api ?? '', token: TOKEN }

    expect(await client.call('miner.rigTest', { ...typed, token: 'nope' })).toMatchObject({
      ok: false,
      fault: 'HTTP 401: token missing or wrong',
    })
    expect(await client.call('miner.rigTest', typed)).toMatchObject({ ok: true, figures: { control: true } })
    expect(await client.call('miner.rigSave', typed)).toEqual({ kept: true, reason: '' })
    await seen(
      async () => views.at(-1) ?? null,
      (view) => view?.rigs.some(({ name, online, hasToken }) => name === 'neighbour' && online && hasToken) ?? false,
    )
    const history = await client.call('miner.rigHistory', { rig: 'neighbour', series: 'hashrate', window: '1h' })
    expect(history?.values.some((value) => value !== null)).toBe(true)
    const file = join(folders.find(({ dir }) => existsSync(join(dir, 'config.toml')))?.dir ?? '', 'config.toml')
    expect(readFileSync(file, 'utf8')).toContain(TOKEN)
    expect(statSync(file).mode & 0o077).toBe(0)
    expect((await get(first.ready().api, '/metrics', TOKEN)).body).toContain('miner_rig_up{rig="neighbour"} 1')

    expect(await client.call('miner.rigRemove', { name: 'neighbour' })).toEqual({ kept: true, reason: '' })
    expect(readFileSync(file, 'utf8')).not.toContain(TOKEN)
    expect(JSON.stringify(views)).not.toContain(TOKEN)
    await expect(connect(first).call('miner.rigSave', typed)).rejects.toMatchObject({ code: 'CONTRACT_DENIED' })
  })

  it('changes what the command line gave for this run only', async () => {
    const client = connect(monitor, { control: true })
    const typed = { replaces: 'gone', name: 'back', address: rigs[0]?.ready().api ?? '', token: null }

    const { kept, reason } = await client.call('miner.rigSave', typed)

    expect([kept, reason]).toEqual([false, expect.stringContaining('command line')])
    await seen(
      () => get(monitor.ready().api, '/api/v1/rigs'),
      ({ body }) => body.includes('"name":"back"') && !body.includes('"name":"gone"'),
    )
    await client.call('miner.rigSave', { replaces: 'back', name: 'gone', address: '127.0.0.1:1', token: null })
  })

  it('answers the line protocol on its rigs', async () => {
    expect(await call(portOf(rigs[0] ?? monitor), 'miner_ping')).toMatchObject({ error: { code: -403 } })
  })

  it.skipIf(noPrometheus)('has rules that promtool accepts and whose tests pass', () => {
    const check = (words: readonly string[]) => spawnSync(promtool, words, { cwd: RESOURCES, encoding: 'utf8' })

    expect(check(['check', 'rules', 'headframe.rules.yml'])).toMatchObject({ status: 0 })
    expect(check(['test', 'rules', 'headframe.rules.test.yml'])).toMatchObject({ status: 0 })
  })

  it.skipIf(noPrometheus)('has metrics that promtool accepts', async () => {
    for (const [backend, token] of [[monitor, null] as const, ...rigs.map((rig) => [rig, TOKEN] as const)]) {
      const { body } = await get(backend.ready().api, '/metrics', token)
      const checked = spawnSync(promtool, ['check', 'metrics'], { input: body, encoding: 'utf8' })
      // The names belong to the documented interface, so only unreadable content counts.
      expect(checked.stderr.split('\n').filter((line) => /error/i.test(line))).toEqual([])
      expect(checked.status === 0 || checked.status === 3).toBe(true)
    }
  })

  it.skipIf(noPrometheus)(
    'is scraped by Prometheus, discovered through the monitor, with rules and dashboard working',
    async () => {
      const folder = temporaryDataDir()
      folders.push(folder)
      const prometheus = await startPrometheus(folder.dir, monitor.ready().api ?? '')
      try {
        const query = async (expression: string) => queryOf(prometheus.address, expression)
        const up = await seen(
          () => query('up == 1'),
          (samples) => samples.length === 4,
        )
        expect(up.map(({ metric }) => [metric.job, metric.rig])).toEqual(
          expect.arrayContaining([
            ['headframe-monitor', undefined],
            ['headframe', 'rig 0'],
            ['headframe', 'rig 1'],
            // the address of rig 0 under another name: Prometheus has the right token
            ['headframe', 'wrong'],
          ]),
        )
        const total = await seen(
          () => query('rigs:miner_hashrate:60s'),
          (samples) => Number(samples[0]?.value[1]) > 0,
        )
        expect(total).toHaveLength(1)
        expect(await query('miner_rig_up')).toHaveLength(4)
        const dashboard = dashboardSchema.parse(
          JSON.parse(readFileSync(join(RESOURCES, 'headframe-dashboard.json'), 'utf8')),
        )
        const expressions = dashboard.panels.flatMap(({ targets }) =>
          targets.map(({ expr }) => expr.replaceAll('$rig', '.*')),
        )
        expect(expressions.length).toBeGreaterThan(10)
        for (const expression of expressions) await query(expression)
        const drawn = await Promise.all(
          expressions.slice(0, 5).map(async (expression) => (await query(expression)).length),
        )
        expect(drawn.slice(0, 1)).toEqual([1])
      } finally {
        prometheus.child.kill('SIGKILL')
      }
    },
  )
})

const dashboardSchema = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })) })),
})
const querySchema = z.object({
  status: z.literal('success'),
  data: z.object({
    result: z.array(z.object({ metric: z.record(z.string(), z.string()), value: z.tuple([z.number(), z.string()]) })),
  }),
})

async function queryOf(address: string, expression: string) {
  const { body } = await get(address, `/api/v1/query?query=${encodeURIComponent(expression)}`)
  return querySchema.parse(JSON.parse(body)).data.result
}

/** With the shipped configuration, except for addresses and intervals, which are short here. */
async function startPrometheus(dir: string, monitorAddress: string): Promise<{ child: ChildProcess; address: string }> {
  const shipped = readFileSync(join(RESOURCES, 'prometheus.yml'), 'utf8')
  const config = shipped.replaceAll('127.0.0.1:3333', monitorAddress).replaceAll('15s', '1s').replaceAll('60s', '1s')
  mkdirSync(dir, { recursive: true })
  copyFileSync(join(RESOURCES, 'headframe.rules.yml'), join(dir, 'headframe.rules.yml'))
  for (const name of ['rig-token', 'monitor-token']) writeFileSync(join(dir, name), TOKEN)
  writeFileSync(join(dir, 'prometheus.yml'), config)
  const words = ['--config.file=prometheus.yml', '--storage.tsdb.path=data', '--web.listen-address=127.0.0.1:0']
  const child = spawn(prometheusFile, words, { cwd: dir, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => {
      said += part.toString('utf8')
    })
  const address = await seen(
    async () => /Listening on.*?address="?(127\.0\.0\.1:\d+)/.exec(said)?.[1] ?? '',
    (found) => found !== '' || child.exitCode !== null,
  )
  if (address === '') throw new Error(`prometheus ended: ${said.slice(-2_000)}`)
  // It listens before it answers queries.
  await seen(
    async () => (await get(address, '/-/ready')).status,
    (status) => status === 200,
  )
  return { child, address }
}
