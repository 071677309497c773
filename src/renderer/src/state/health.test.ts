// Each rule of health, and the order of what it finds.
import { describe, expect, it } from 'vitest'
import { aDevice, aHead, anInfo, aStatus, aSync } from '../data/scripted-values'
import { expectedShareSeconds, type HealthInput, healthFindings, healthLevel, proofLevel } from './health'

const NOW = 1_700_000_000_000

function input(change: Partial<HealthInput> = {}): HealthInput {
  return {
    app: { connection: { kind: 'open' }, info: anInfo(), status: null, activity: null },
    miner: { devices: { devices: [aDevice()], takenAt: NOW }, status: aStatus() },
    node: { head: aHead(), balances: null, peers: null, sync: null, blocks: null, blocksError: '' },
    signer: { requests: null, accounts: null, seen: new Map(), vault: null, sends: [] },
    alarms: [],
    now: NOW,
    ...change,
  }
}

const ids = (given: HealthInput): readonly string[] => healthFindings(given).map(({ id }) => id)
const withDevice = (change: Parameters<typeof aDevice>[0]): HealthInput =>
  input({ miner: { devices: { devices: [aDevice(change)], takenAt: NOW }, status: aStatus() } })

describe('health', () => {
  it('finds nothing when everything is all right', () => {
    expect(ids(input())).toEqual([])
    expect(healthLevel([])).toBe('ok')
  })

  it('names a failed service, a slow engine, a waiting request and a bad key file', () => {
    const given = input({
      app: {
        connection: { kind: 'open' },
        info: anInfo({ engine: { kind: 'typescript', simd: '', loadError: 'x' } }),
        status: { services: [{ name: 'node', state: 'failed', reason: 'y' }], takenAt: NOW },
        activity: null,
      },
      signer: {
        requests: { waiting: [], waitingCount: 2, takenAt: NOW },
        accounts: { accounts: [], problems: [{ file: 'a', reason: 'b' }], keystore: '', takenAt: NOW },
        seen: new Map(),
        vault: null,
        sends: [],
      },
    })

    expect(ids(given)).toEqual([
      'health.service-failed',
      'health.engine',
      'health.approval-waiting',
      'health.keystore-problem',
    ])
  })

  it.each([
    [{ paused: true, pauseReasons: ['Overheating'] }, ['health.gpu-paused']],
    [{ state: 'error', error: 'x' } as const, ['health.gpu-error']],
    [{ shares: { accepted: 1, rejected: 0, failed: 3 } }, ['health.gpu-failed-shares']],
    [{ shares: { accepted: 1, rejected: 0, failed: 2 } }, []],
  ])('judges a device with %j as %j', (change, expected) => {
    expect(ids(withDevice(change))).toEqual(expected)
  })

  it('tells of alarms what no other rule tells: the hottest place of a device once, a slow one, a lost pool, a rig', () => {
    const alarm = { raisedAt: NOW, isAcknowledged: true, route: '/gpus/1' }
    const hot = { ...alarm, kind: 'hot', level: 'problem' } as const

    const found = healthFindings(
      input({
        alarms: [
          { ...hot, id: 'hot 1 core', values: { index: 1, place: 'core', celsius: 86, limit: 85 } },
          { ...hot, id: 'hot 1 memory', values: { index: 1, place: 'memory', celsius: 108, limit: 105 } },
          { ...hot, level: 'attention', id: 'hot 2 core', route: '/gpus/2', values: { index: 2, celsius: 76 } },
          { ...alarm, id: 'slow 1', kind: 'slow', level: 'attention', values: { index: 1, percent: 50 } },
          { ...alarm, id: 'poolLost', kind: 'poolLost', level: 'problem', route: '/pools', values: { host: 'a:1' } },
          { ...alarm, id: 'fan 1', kind: 'fan', level: 'attention', values: { index: 1, percent: 100 } },
        ],
      }),
    )

    expect(found.map(({ id, values }) => [id, values.celsius ?? ''])).toEqual([
      ['health.gpu-hot', 108],
      ['health.pool-lost', ''],
      ['health.gpu-slow', ''],
    ])
  })

  it('puts problems before what only needs attention', () => {
    const given = withDevice({ paused: true, pauseReasons: ['x'], state: 'error', error: 'y' })

    expect(ids(given)).toEqual(['health.gpu-error', 'health.gpu-paused'])
    expect(healthLevel(healthFindings(given))).toBe('problem')
  })

  it('notices a network without peers, and one that has more than we', () => {
    const node = { balances: null, peers: null, sync: null, blocks: null, blocksError: '' }

    expect(ids(input({ node: { ...node, head: aHead({ peers: 0 }) } }))).toEqual(['health.no-peers'])
    const syncing = input({ node: { ...node, head: aHead({ peers: 2 }), sync: aSync({ currentBlock: 10 }) } })
    expect(healthFindings(syncing)).toMatchObject([{ id: 'health.node-behind', values: { count: 990 } }])
    const following = aSync({ currentBlock: 998 })
    expect(ids(input({ node: { ...node, head: aHead({ peers: 2 }), sync: following } }))).toEqual([])
  })

  it('notices a head that is old for its network', () => {
    const old = aHead()

    expect(
      ids(
        input({
          node: { head: old, balances: null, peers: null, sync: null, blocks: null, blocksError: '' },
          now: NOW + 57_000,
        }),
      ),
    ).toContain('health.stale-head')
  })
})

describe('proof of work', () => {
  it.each([
    [59, []],
    [60, ['health.no-share']],
  ])('speaks of silence after six intervals and a minute: %i s', (seconds, expected) => {
    const silent = aStatus({ lastProof: { at: NOW - seconds * 1_000, device: 0 } })
    const given = input({ miner: { devices: { devices: [aDevice()], takenAt: NOW }, status: silent } })

    expect(ids(given)).toEqual(expected)
  })

  it('expects difficulty divided by hashrate', () => {
    expect(expectedShareSeconds(71_300, 14_260)).toBe(5)
    expect(expectedShareSeconds(71_300, 0)).toBeNull()
    expect(expectedShareSeconds(null, 1)).toBeNull()
  })

  it.each([
    [14.9, 'ok'],
    [15, 'attention'],
    [29.9, 'attention'],
    [30, 'problem'],
  ])('judges %s s of silence at an expected 5 s as %s', (age, expected) => {
    expect(proofLevel(age, 5)).toBe(expected)
  })
})
