// The package for HiveOS, run as HiveOS does it: its config is sourced with a flight sheet, its run script started, its
// statistics sourced while the program mines.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { parseToml } from '../../src/config/sources/parse-toml'
import { parsePoolUrl } from '../../src/config/values/pool-url'
import { poolList } from '../../src/config/values/rig-address'
import { freePort } from '../free-port'
import { DOOR, IS_BUILT, temporaryFolder } from './program'

const ROOT = resolve(import.meta.dirname, '..', '..')
const PACKAGE = join(ROOT, 'resources', 'hiveos')
const missing = ['bash', 'jq', 'curl', 'xargs'].find((name) => spawnSync('which', [name]).status !== 0)
const reason = process.platform !== 'linux' ? 'HiveOS is Linux' : missing === undefined ? null : `no ${missing}`

const folder = temporaryFolder()
afterAll(folder.remove)

/** A folder as HiveOS unpacks the package, with its paths inside it. */
function unpacked(name: string): { readonly dir: string; readonly manifest: string; readonly config: string } {
  const dir = join(folder.path, name)
  const [manifest, config] = [join(dir, 'h-manifest.conf'), join(dir, 'headframe.toml')]
  mkdirSync(join(dir, 'program'), { recursive: true })
  for (const script of ['h-config.sh', 'h-run.sh', 'h-stats.sh']) copyFileSync(join(PACKAGE, script), join(dir, script))
  const lines = [
    `CUSTOM_NAME=headframe`,
    `CUSTOM_CONFIG_FILENAME=${config}`,
    `CUSTOM_LOG_BASENAME=${join(dir, 'log/headframe')}`,
  ]
  writeFileSync(manifest, `${lines.join('\n')}\n`)
  writeFileSync(join(dir, 'program/headframe'), `#!/bin/sh\nexec '${process.execPath}' '${DOOR}' "$@"\n`)
  chmodSync(join(dir, 'program/headframe'), 0o755)
  return { dir, manifest, config }
}

/** The files written for a flight sheet. */
function configured(name: string, sheet: Readonly<Record<string, string>>) {
  const { dir, manifest, config } = unpacked(name)
  const script = `. '${manifest}'; . '${join(dir, 'h-config.sh')}'`
  const { status, stderr } = spawnSync('bash', ['--norc', '-c', script], {
    env: {
      PATH: process.env.PATH,
      CUSTOM_URL: '',
      CUSTOM_TEMPLATE: '',
      CUSTOM_PASS: '',
      CUSTOM_USER_CONFIG: '',
      ...sheet,
    },
  })
  expect([status, stderr.toString()]).toEqual([0, ''])
  const words = readFileSync(`${config}.words`, 'utf8')
  return {
    text: readFileSync(config, 'utf8'),
    words: words.split('\n').slice(0, -1),
    mode: statSync(config).mode & 0o777,
  }
}

/** Answers everything with a hashrate, at the port of its last word. */
const OTHER_PROGRAM = `require('node:http')
  .createServer((_, answer) => answer.end('{"hashrate":{"now":5000},"gpus":[],"shares":{},"miner":{}}'))
  .listen(Number(process.argv.at(-1)), '127.0.0.1', () => console.log('listening'))`

const A = '0x52908400098527886E0F7030069857D2E4169EE7'

/** The pools of a written config file, as the program reads them. */
function poolsIn(text: string): readonly string[] {
  const [found] = parseToml('headframe.toml', text)
  return (
    poolList()
      .fromToml(found?.value)
      ?.map((each) => each.reveal()) ?? []
  )
}

const statsSchema = z.strictObject({
  hs: z.array(z.number()),
  hs_units: z.literal('khs'),
  temp: z.array(z.number()),
  fan: z.array(z.number()),
  uptime: z.number(),
  ver: z.string(),
  ar: z.tuple([z.number(), z.number(), z.number(), z.string()]),
  algo: z.string(),
  bus_numbers: z.array(z.number().nullable()),
})

it('carries the version of the program', () => {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')))

  expect(readFileSync(join(PACKAGE, 'h-manifest.conf'), 'utf8')).toContain(`CUSTOM_VERSION=${version}\n`)
})

describe.skipIf(reason !== null)(`a flight sheet${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  it('becomes pools in failover order, each with the wallet as its user', () => {
    const { text, mode } = configured('pools', {
      CUSTOM_URL:
        'a.example:3333\nstratum+ssl://b.example:1,  http://127.0.0.1:8545 stratum2+tcp://me@c.example:2,ssl://d.example:3',
      CUSTOM_TEMPLATE: '0x00000000000000000000000000000000000000aa.rig 1',
      CUSTOM_PASS: 'x"@/\\',
    })

    expect(poolsIn(text)).toEqual([
      'stratum://0x00000000000000000000000000000000000000aa.rig%201:x%22%40%2F%5C@a.example:3333',
      'stratum+ssl://0x00000000000000000000000000000000000000aa.rig%201:x%22%40%2F%5C@b.example:1',
      'http://127.0.0.1:8545',
      'stratum2+tcp://me@c.example:2',
      'ssl://0x00000000000000000000000000000000000000aa.rig%201:x%22%40%2F%5C@d.example:3',
    ])
    expect(mode).toBe(0o600)
  })

  it.each([
    ['account.rig1', { user: 'account', worker: 'rig1' }],
    [`${A}`, { user: A, worker: '' }],
    [`${A}.rig.1`, { user: A, worker: 'rig.1' }],
    [`${A}/rig1/me@mail.example`, { user: `${A}/rig1/me@mail.example`, worker: '' }],
    [`${A}.rig1/me@mail.example`, { user: `${A}.rig1/me@mail.example`, worker: '' }],
    ['me@mail.example', { user: 'me@mail.example', worker: '' }],
    ['a.b.rig1', { user: 'a.b.rig1', worker: '' }],
    ['solo:account', { user: 'solo:account', worker: '' }],
    ['50%off', { user: '50%off', worker: '' }],
    ['%WAL%.%WORKER_NAME%', null],
    ['YOUR_WALLET.rig1', null],
  ])('takes the wallet template %s literally', (template, seen) => {
    const { text } = configured(`template-${encodeURIComponent(template)}`, {
      CUSTOM_URL: 'a.example:3333',
      CUSTOM_TEMPLATE: template,
      CUSTOM_PASS: 'c=LAX,d=1:2',
    })
    const outcome = parsePoolUrl(poolsIn(text)[0] ?? '')

    if (seen === null) expect(outcome).toMatchObject({ fault: expect.stringContaining('stands for your own') })
    else expect(outcome).toMatchObject({ url: { ...seen, host: 'a.example' } })
    expect('url' in outcome ? outcome.url.password?.reveal() : 'c=LAX,d=1:2').toBe('c=LAX,d=1:2')
  })

  it('adds arguments to the command line, and executes none of them', () => {
    const touched = join(folder.path, 'touched')
    const { words } = configured('words', {
      CUSTOM_USER_CONFIG: `--tstop 80 --devices "gpu,cpu" $(touch ${touched}) ; '*'`,
    })

    expect(words).toEqual(['--tstop', '80', '--devices', 'gpu,cpu', '$(touch', `${touched})`, ';', '*'])
    expect(existsSync(touched)).toBe(false)
  })

  it("with a quote that isn't closed starts nothing, neither half of it nor the sheet before it", () => {
    const { dir, manifest, config } = unpacked('quote')
    writeFileSync(config, 'of the sheet before')
    writeFileSync(`${config}.words`, '--tstop\n99\n')
    const environment = { PATH: process.env.PATH, CUSTOM_URL: 'a.example:1', CUSTOM_TEMPLATE: A, CUSTOM_PASS: '' }
    const sheet = { ...environment, CUSTOM_USER_CONFIG: "--cpu=false it's --tstop 80", CUSTOM_MANIFEST: manifest }
    const shell = (...words: readonly string[]) =>
      spawnSync('bash', ['--norc', ...words], { env: sheet, encoding: 'utf8' })

    expect(shell('-c', `. '${manifest}'; . '${join(dir, 'h-config.sh')}'`)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("headframe: a quote in the flight sheet's extra arguments isn't closed"),
    })
    expect([config, `${config}.words`].filter((file) => existsSync(file))).toEqual([])
    expect(shell(join(dir, 'h-run.sh'))).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('headframe: the flight sheet is not usable'),
    })
  })

  it('may be empty', () => {
    expect(configured('empty', {})).toMatchObject({ text: '[pool]\nurls = []\n', words: [] })
  })
})

describe.skipIf(reason !== null || !IS_BUILT)('a rig under HiveOS', () => {
  it.each([
    ['plainly', (api: string) => ({ words: [], environment: { HEADFRAME_API_BIND: api } })],
    [
      'elsewhere and by token',
      (api: string) => ({ words: ['--api-bind', api, '--api-token', 'to%25k\\n#en'], environment: {} }),
    ],
    ['on a read-only port', (api: string) => ({ words: ['--api-port', api.replace(/.*:/, '')], environment: {} })],
    [
      'by a token in the environment',
      (api: string) => ({ words: ['--api-bind', api], environment: { HEADFRAME_API_TOKEN: 'secret' } }),
    ],
  ] as const)('reports %s what it does while it runs, and nothing otherwise', async (name, set) => {
    const { dir, manifest, config } = unpacked(`rig-${name.replaceAll(' ', '-')}`)
    const api = `127.0.0.1:${await freePort()}`
    const { words, environment: more } = set(api)
    const environment = { PATH: process.env.PATH, CUSTOM_MANIFEST: manifest, ...more }
    writeFileSync(config, '[pool]\nurls = ["getwork://127.0.0.1:9"]\n')
    const given = ['--network', 'practice', '--simulated-gpus', '2', '--cpu=false', ...words]
    writeFileSync(`${config}.words`, `${given.join('\n')}\n`)
    const asked = () => {
      const script = `. '${join(dir, 'h-stats.sh')}'; printf '%s\\n%s' "$khs" "$stats"`
      const [khs = '', stats = ''] = spawnSync('bash', ['--norc', '-c', script], { env: environment })
        .stdout.toString()
        .split('\n')
      return { khs: Number(khs), stats: JSON.parse(stats) as unknown }
    }
    const other = spawn(process.execPath, ['-e', OTHER_PROGRAM, api.replace(/.*:/, '')])
    await once(other.stdout, 'data')
    expect(asked(), 'whoever else is at its address').toEqual({ khs: 0, stats: null })
    other.kill('SIGKILL')
    await once(other, 'close')
    const run = spawn('bash', ['--norc', join(dir, 'h-run.sh')], {
      env: environment,
      cwd: dir,
      detached: true,
      stdio: 'ignore',
    })
    const ended = new Promise((done) => run.once('exit', done))
    try {
      await expect.poll(() => asked().stats).not.toBeNull()
      const stats = statsSchema.parse(asked().stats)

      expect(stats).toMatchObject({ algo: 'xhash', bus_numbers: [1, 2], ar: [0, 0, 0, '0;0'] })
      expect([stats.hs, stats.temp, stats.fan].map(({ length }) => length)).toEqual([2, 2, 2])
      expect(readFileSync(join(dir, 'log/headframe.log'), 'utf8')).toContain('control port open')
    } finally {
      if (run.pid !== undefined && run.exitCode === null) process.kill(-run.pid, 'SIGTERM')
      await ended
    }
    expect(asked()).toEqual({ khs: 0, stats: null })
  })
})
