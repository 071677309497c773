import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { silentLogger } from '../../base/logger'
import { systemClock } from '../../base/time'
import type { Handlers } from '../../base/wire/define'
import { serveWire, trustedPeer } from '../../base/wire/server'
import { type Contract, contract } from '../../contract/contract'
import type { NodeReadings } from '../../contract/sync-state'
import { OwnerSocket } from '../../host/dashboard/owner-socket'
import { dataDirPaths } from '../../host/system/data-dir'
import { called } from '../testing/called'
import { isWell, logTexts, miningLines, nodeLines, type Readings, screen, standingOf } from './running'

const WELL = {
  info: {},
  status: { services: [{ state: 'running' }] },
  miner: { state: 'mining', source: { diagnosis: null } },
  devices: { devices: [] },
  head: { state: 'running', head: { number: 1 } },
  sync: { phase: 'idle' },
  requests: {},
  incidents: [],
}
const isWellWith = (change: object): boolean => isWell({ ...WELL, ...change } as unknown as Readings)

it('is well with every part that answers', () => {
  expect(isWellWith({})).toBe(true)
  expect(isWellWith({ miner: { ...WELL.miner, state: 'off' }, devices: null })).toBe(true)
  expect(isWellWith({ head: { state: 'off', head: null }, sync: null })).toBe(true)
})

it.each(['status', 'miner', 'devices', 'head', 'sync', 'requests', 'incidents'])('is not well without %s', (part) => {
  expect(isWellWith({ [part]: null })).toBe(false)
})

it.each([
  { status: { services: [{ state: 'failed' }] } },
  { miner: { ...WELL.miner, source: { diagnosis: { trouble: 'x' } } } },
  { incidents: [{ level: 'problem' }] },
  {
    miner: { ...WELL.miner, source: { kind: 'solo', diagnosis: null } },
    head: { ...WELL.head, coinbase: null },
  },
])('is not well with %j', (change) => {
  expect(isWellWith(change)).toBe(false)
})

it("doesn't count a hung device as mining", () => {
  const source = { kind: 'solo', connected: true, diagnosis: null }
  const miner = { state: 'running', source, hashrate: { s60: 0 }, shares: {}, lastProof: null }
  const devices = [{ state: 'mining' }, { state: 'mining', responds: false }, { state: 'mining' }]
  const readings = { miner, devices: { devices } } as unknown as Readings

  expect(miningLines(readings, NOW)[1]).toBe('devices: 2 mining, 1 not responding')
})

const NOW = 1_700_000_000_000
const HEAD = {
  state: 'running',
  head: { number: 5, hash: '0x', time: NOW },
  totalDifficulty: '1',
  peers: 2,
  targetSpacingSeconds: 600,
}
const HEALTH = { behindSeconds: 0, isBehind: false, mayBeCutOff: false, split: null, wrongBlock: null }
const IN_SYNC = { phase: 'idle', currentBlock: 5, highestBlock: 5, health: HEALTH }

it.each<[object | null, object | null, object, readonly string[]]>([
  [HEAD, IN_SYNC, { state: 'synced', isCurrent: true }, ['in sync']],
  [
    HEAD,
    { ...IN_SYNC, phase: 'importing', highestBlock: 900 },
    { state: 'blocks', isCurrent: false },
    ['behind: fetching blocks', 'sync: importing, block 5 of 900'],
  ],
  [
    HEAD,
    { ...IN_SYNC, health: { ...HEALTH, isBehind: true, behindSeconds: 90 } },
    { state: 'unconfirmed', isCurrent: false },
    ["not known whether it's in sync", 'behind: a peer is ahead for 1 min 30 s'],
  ],
  [
    HEAD,
    { ...IN_SYNC, health: { ...HEALTH, split: { height: 3, peers: 4 } } },
    { state: 'unconfirmed', isCurrent: false },
    ["not known whether it's in sync", '4 peers follow a chain that forks from this one at block 3'],
  ],
  [
    HEAD,
    { ...IN_SYNC, health: { ...HEALTH, wrongBlock: { height: 3, here: '0x01', required: '0x02' } } },
    { state: 'unconfirmed', isCurrent: false },
    ["not known whether it's in sync", 'block 3 is 0x01, required is 0x02'],
  ],
  [{ ...HEAD, peers: 0 }, IN_SYNC, { state: 'peers', isCurrent: false }, ['behind: no peers']],
  [HEAD, null, { state: null, isCurrent: null }, ["not known whether it's in sync: no answer"]],
  [null, null, { state: null, isCurrent: null }, []],
])('says how far the node is: %j, %j', (head, sync, standing, lines) => {
  const known = { head, sync, peers: null } as unknown as NodeReadings
  const node = standingOf(known, { now: NOW, isShared: true })
  const readings = { head, sync, node } as unknown as Readings

  expect(node).toEqual(standing)
  expect(nodeLines(readings, NOW).slice(1)).toEqual(lines)
})

const SHOWN = {
  ...WELL,
  info: { version: '1', network: 'main', startedAt: NOW },
  status: { services: [{ name: 'miner', state: 'running' }], takenAt: NOW },
  miner: { state: 'off', source: { diagnosis: null } },
  head: { state: 'stopped', head: null },
}
const TROUBLE = { trouble: 'x', count: 2, since: NOW, answer: '' }

it.each([
  ['a node that this run does not have', {}, 'node      off'],
  ['no problem', {}, 'problems  none'],
  [
    'no problem as such while something is not well',
    { sync: null, head: { ...HEAD, peers: 1 }, node: { state: null } },
    'problems  only what is said above',
  ],
  [
    'that nobody would be paid',
    {
      miner: { state: 'failed', source: { kind: 'solo', diagnosis: null } },
      head: { ...HEAD, coinbase: null },
      node: { state: null },
    },
    'problems  no payout account, so nothing is mined: set --miner.coinbase',
  ],
  [
    'a CPU as a device',
    {
      incidents: [
        {
          cause: 'no-work',
          level: 'problem',
          devices: [{ index: 0, name: 'EPYC' }],
          pool: '',
          rig: '',
          since: NOW,
          income: { value: null },
        },
      ],
    },
    'problems  device 0 EPYC: no work, 0 s',
  ],
  [
    'times in UTC',
    {
      miner: {
        state: 'mining',
        source: { kind: 'solo', diagnosis: TROUBLE },
        hashrate: { s60: 1 },
        shares: {},
        lastProof: null,
      },
    },
    'times since 2023-11-14 22:13:20 UTC',
  ],
])('shows %s', (_, change, line) => {
  expect(screen({ ...SHOWN, ...change } as unknown as Readings).join('\n')).toContain(line)
})

it('says how many lines of the log are missing', () => {
  const line = { id: 7, at: NOW, level: 'info', module: 'host', text: 'ready' } as const
  const text = '2023-11-14T22:13:20.000Z INFO  host ready'

  expect(logTexts([line], 7)).toEqual([text])
  expect(logTexts([line], 4)).toEqual(['[3 lines are no longer kept]', text])
  expect(logTexts([], 4)).toEqual([])
})

it.skipIf(process.platform !== 'linux')(
  'waits for the program that holds the lock, not for another with its number',
  async () => {
    const dir = mkdtempSync(join(tmpdir(), 'headframe-stop-'))
    const other = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1e6)'])
    const handlers = { 'app.stop': () => ({ pid: other.pid ?? 0 }) } as unknown as Handlers<Contract>
    const log = silentLogger
    const socket = new OwnerSocket(dir, {
      links: () => ({ pid: 0, links: [] }),
      onChannel: (transport) => void serveWire(contract, transport, handlers, { log, deny: trustedPeer }),
      clock: systemClock(),
      log,
    })
    await socket.start()
    writeFileSync(dataDirPaths(dir).lockFile, `${other.pid}\n1\n`)

    const stopped = await called(['stop', '--datadir', dir])

    expect(stopped).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining("can't be seen from here") })
    expect(other.exitCode).toBeNull()
    other.kill()
    await once(other, 'exit')
    await socket.stop()
    rmSync(dir, { recursive: true })
  },
)
