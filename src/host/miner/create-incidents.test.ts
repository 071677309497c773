// A run that only compares its node with another one tells its operator what it finds.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { FakeClock } from '../../base/testing/fake-clock'
import { resolveConfig } from '../../config/resolve'
import type { BesideState } from '../../node/beside-node'
import { LogService } from '../log/log-service'
import { TextMetrics } from '../system/metrics-text'
import { loadTrades } from '../trades'
import { createIncidents, createRules } from './create-incidents'

const STATE: BesideState = {
  url: 'http://b:8545',
  state: 'agrees',
  reason: '',
  checkedTo: 7,
  theirHead: 7,
  counts: { same: 1, different: 0, unanswered: 0, skipped: 0 },
  differences: [],
}
const DIFFERENCE = {
  height: 7,
  what: 'header',
  where: 'stateRoot',
  ours: '0x1',
  theirs: '0x2',
  at: 0,
  isHealed: false,
} as const

const cleanUp: (() => void)[] = []
afterEach(() => {
  for (const step of cleanUp.splice(0)) step()
})

function nodeConfig(dataDir: string, words: readonly string[]) {
  const surroundings = { platform: process.platform, environment: {}, homeDir: '/h', workingDir: '/' }
  const argv = ['node', '--datadir', dataDir, ...words]
  return resolveConfig({ argv, surroundings, readFile: () => ({ missing: true }), windowless: true })
}

it('sends a difference to the alert addresses, and that it is over', async () => {
  const heard: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      const { event, incidents } = JSON.parse(body)
      heard.push([event, ...incidents.map(({ cause, text }: Record<string, string>) => `${cause}: ${text}`)].join(' '))
      response.end('{}')
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const dir = mkdtempSync(join(tmpdir(), 'incidents-'))
  cleanUp.push(
    () => server.close(),
    () => rmSync(dir, { recursive: true, force: true }),
  )
  const hook = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  const config = nodeConfig(dir, ['--beside', 'http://b:8545', '--alert', hook])
  const clock = new FakeClock()
  const silent = { minLevel: 'error', json: false, dir: join(dir, 'logs'), limitBytes: 1_000, keep: 1 } as const
  const logs = new LogService(silent, { clock, standardError: () => undefined })
  const platform = { version: '1.2.3', isElectron: false } as Parameters<typeof createIncidents>[0]['platform']
  const quiet = { onChainLost: () => undefined, onExitAsked: () => undefined }
  const deps = { config, platform, clock, logs, metrics: new TextMetrics(), ...quiet }
  const beside = { ...STATE }
  const parts = { miner: null, money: null, rigs: null, stratum: null, rules: createRules(deps) }
  const incidents = createIncidents(deps, { ...parts, node: { beside: () => beside } })
  for (const service of [incidents?.book, incidents?.desk]) await service?.start()

  clock.advance(180_000)
  Object.assign(beside, { state: 'differs', differences: [DIFFERENCE] })
  clock.advance(60_000)
  const words =
    'beside-differs: The node at http://b:8545 has something else than ours in block 7: header, stateRoot. One of the two is wrong'
  await expect.poll(() => heard).toEqual([`incident.began ${words}`])
  const told = () => incidents?.book.open().map(({ level, alerts }) => [level, alerts.map(({ fault }) => fault)])
  await expect.poll(told).toEqual([['problem', ['']]])

  Object.assign(beside, { state: 'agrees', differences: [{ ...DIFFERENCE, isHealed: true }] })
  clock.advance(120_000)
  await expect.poll(() => heard.slice(1)).toEqual([`incident.ended ${words}`])
  for (const service of [incidents?.desk, incidents?.book]) await service?.stop()
})

it.each([
  [['--beside', 'http://b:8545'], 0],
  [[], 1],
] as const)('says that a node with --alert and %j has nothing to report: %i', (words, count) => {
  const { notices } = nodeConfig('/d', [...words, '--alert', 'https://hook.example'])
  expect(notices.filter((notice) => notice.startsWith('--alert never sends anything'))).toHaveLength(count)
})

it.each([
  [['--beside', 'http://b:8545'], true],
  [[], false],
] as const)('is read by a node with %j: %s', async (words, isRead) => {
  expect((await loadTrades(nodeConfig('/d', words))).mining !== null).toBe(isRead)
})
