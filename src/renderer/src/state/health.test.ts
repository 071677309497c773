// Each rule of health, and the order of what it finds.
import { describe, expect, it } from 'vitest'
import { aDevice, aHead, anInfo, aStatus } from '../data/scripted-values'
import { expectedShareSeconds, type HealthInput, healthFindings, healthLevel, proofLevel } from './health'

const NOW = 1_700_000_000_000

function input(change: Partial<HealthInput> = {}): HealthInput {
  return {
    app: { connection: { kind: 'open' }, info: anInfo(), status: null, activity: null },
    miner: { devices: { devices: [aDevice()], takenAt: NOW }, status: aStatus() },
    node: { head: aHead(), balances: null, blocks: null, blocksError: '' },
    signer: { requests: null, accounts: null, seen: new Map(), vault: null, sends: [] },
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
    [{ temperature: { core: 85, hotspot: null, memory: null } }, ['health.gpu-hot']],
    [{ temperature: { core: 84, hotspot: 104, memory: null } }, []],
  ])('judges a device with %j as %j', (change, expected) => {
    expect(ids(withDevice(change))).toEqual(expected)
  })

  it('puts problems before what only needs attention', () => {
    const given = withDevice({ paused: true, pauseReasons: ['x'], state: 'error', error: 'y' })

    expect(ids(given)).toEqual(['health.gpu-error', 'health.gpu-paused'])
    expect(healthLevel(healthFindings(given))).toBe('problem')
  })

  it('notices a head that is old for its network', () => {
    const old = aHead()

    expect(
      ids(input({ node: { head: old, balances: null, blocks: null, blocksError: '' }, now: NOW + 57_000 })),
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
