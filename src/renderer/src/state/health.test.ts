// Each rule of health, and the order of what it finds.
import { describe, expect, it } from 'vitest'
import { anIncident } from '../testing/scripted-money'
import {
  aDevice,
  aHead,
  anInfo,
  aRequest,
  aStatus,
  aSync,
  OTHER_ADDRESS,
  OWN_ADDRESS,
} from '../testing/scripted-values'
import { type HealthInput, healthFindings, healthSummary } from './health'
import { createNodeStore } from './stores/program-store'
import { createSignerStore } from './stores/signer-store'

const NOW = 1_700_000_000_000
const NODE = createNodeStore().getState()

function input(change: Partial<HealthInput> = {}): HealthInput {
  return {
    app: { connection: { kind: 'open' }, info: anInfo(), status: null, activity: null, disk: null, unread: [] },
    miner: { devices: { devices: [aDevice()], takenAt: NOW }, status: aStatus() },
    node: { ...NODE, head: aHead() },
    signer: createSignerStore().getState(),
    incidents: [],
    areIncidentsTold: true,
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
  })

  it.each([
    [['mining', 'waiting'], 'running', 'ok'],
    [['building', 'waiting'], 'running', 'preparing'],
    [['starting'], 'running', 'preparing'],
    [['compiling'], 'running', 'preparing'],
    [['waiting', 'waiting'], 'running', 'waiting'],
    [['waiting'], 'off', 'ok'],
    [[], 'running', 'ok'],
    [['paused'], 'running', 'attention'],
    [['waiting', 'error'], 'running', 'problem'],
  ] as const)('with devices %j and the miner %s is summed up as %s', (states, state, summary) => {
    const devices = states.map((one, index) =>
      aDevice({ index, state: one, paused: one === 'paused', pauseReasons: one === 'paused' ? ['manual'] : [] }),
    )
    const given = input({ miner: { devices: { devices, takenAt: NOW }, status: aStatus({ state }) } })

    expect(healthSummary(healthFindings(given), given)).toBe(summary)
  })

  it.each([
    [{ isBehind: true, behindSeconds: 45, aheadNumber: 7 }, 'health.behind-peers'],
    [{ mayBeCutOff: true, groups: 1 }, 'health.cut-off'],
    [{ split: { height: 40, peers: 3 } }, 'health.chain-split'],
    [{ wrongBlock: { height: 40, here: '0x01', required: '0x02' } }, 'health.required-block'],
  ] as const)('of our head among peers %j is a problem', (change, id) => {
    const none = {
      aheadNumber: null,
      behindSeconds: 0,
      isBehind: false,
      groups: 3,
      mayBeCutOff: false,
      split: null,
      wrongBlock: null,
    }
    const given = (health: typeof none) =>
      input({ node: { ...NODE, head: aHead(), sync: aSync({ phase: 'idle', health }) } })

    expect(ids(given(none))).toEqual([])
    expect(healthFindings(given({ ...none, ...change } as typeof none))).toMatchObject([{ id, level: 'problem' }])
  })

  it("names a device that doesn't respond", () => {
    expect(healthFindings(withDevice({ responds: false }))).toMatchObject([
      { id: 'health.gpu-silent', level: 'problem', route: '/gpus/0' },
    ])
  })

  it.each([
    ['main', null, 'solo', ['health.no-reward-account']],
    ['test', null, 'solo', ['health.no-reward-account']],
    ['main', null, 'pool', []],
    ['main', OWN_ADDRESS, 'solo', []],
    ['practice', null, 'solo', []],
  ] as const)('on %s with the reward account %s and a %s source finds %j', (network, coinbase, kind, found) => {
    const status = aStatus({ source: { ...aStatus().source, kind, connected: true, height: null } })
    const given = input({
      app: {
        connection: { kind: 'open' },
        info: anInfo({ network }),
        status: null,
        activity: null,
        disk: null,
        unread: [],
      },
      miner: { devices: { devices: [aDevice()], takenAt: NOW }, status },
      node: { ...NODE, head: { ...aHead(), coinbase } },
    })

    expect(ids(given)).toEqual(found)
  })

  it('names a failed service, a slow engine, a waiting request and a bad key file', () => {
    const given = input({
      app: {
        connection: { kind: 'open' },
        info: anInfo({ engine: { kind: 'typescript', simd: '', loadError: 'x' } }),
        status: { services: [{ name: 'node', state: 'failed', reason: 'y' }], takenAt: NOW },
        activity: null,
        disk: null,
        unread: [],
      },
      signer: {
        ...createSignerStore().getState(),
        requests: { waiting: [], waitingCount: 2, takenAt: NOW },
        accounts: { accounts: [], problems: [{ file: 'a', reason: 'b' }], keystore: '', takenAt: NOW },
      },
    })

    expect(ids(given)).toEqual([
      'health.service-failed',
      'health.engine',
      'health.approval-waiting',
      'health.keystore-problem',
    ])
  })

  it('asks for backups of new accounts where money is at stake, starting with the first', () => {
    const note = { label: '', lastUsedAt: null }
    const accounts = [
      { ...note, address: OTHER_ADDRESS, backup: 'unknown' as const },
      { ...note, address: OWN_ADDRESS, backup: 'saved' as const },
    ]
    const signer = { ...createSignerStore().getState(), notes: { accounts, watched: [] } }
    const on = (network: 'main' | 'practice') =>
      healthFindings(input({ signer, app: { ...input().app, info: anInfo({ network }) } }))

    expect(on('practice')).toEqual([])
    expect(on('main')).toMatchObject([
      { id: 'health.keystore-not-backed-up', route: `/accounts/${OWN_ADDRESS}`, values: { count: 1 } },
    ])
  })

  it.each([
    [{ paused: true, pauseReasons: ['Overheating'] }, ['health.gpu-paused']],
    [{ state: 'error', error: 'x' } as const, ['health.gpu-error']],
    // Incidents count wrong results within ten minutes.
    [{ shares: { accepted: 1, rejected: 0, failed: 3 } }, []],
  ])('judges a device with %j as %j', (change, expected) => {
    expect(ids(withDevice(change))).toEqual(expected)
  })

  it('leaves to an incident what it says with its price and its start', () => {
    const given = withDevice({ state: 'error', error: 'y' })
    expect(ids(given)).toEqual(['health.gpu-error'])
    const incident = anIncident({ cause: 'device-error', devices: [{ index: 0, name: 'x' }] })
    expect(ids({ ...given, incidents: [incident] })).toEqual([])
    expect(ids({ ...given, incidents: [{ ...incident, devices: [{ index: 1, name: 'x' }] }] })).toEqual([
      'health.gpu-error',
    ])
  })

  it('is a problem or needs attention while an incident is or does', () => {
    const levels = (['problem', 'attention'] as const).map((level) => {
      const given = input({ incidents: [anIncident({ level })] })
      return healthSummary(healthFindings(given), given)
    })
    expect(levels).toEqual(['problem', 'attention'])
  })

  it('puts problems before what only needs attention', () => {
    const given = withDevice({ paused: true, pauseReasons: ['x'], state: 'error', error: 'y' })

    expect(ids(given)).toEqual(['health.gpu-error', 'health.gpu-paused'])
    expect(healthSummary(healthFindings(given), given)).toBe('problem')
  })

  it('notices a network without peers, and one that has more than we do', () => {
    expect(ids(input({ node: { ...NODE, head: aHead({ peers: 0 }) } }))).toEqual(['health.no-peers'])
    const syncing = input({ node: { ...NODE, head: aHead({ peers: 2 }), sync: aSync({ currentBlock: 10 }) } })
    expect(healthFindings(syncing)).toMatchObject([{ id: 'health.node-behind', values: { count: 990 } }])
    const following = aSync({ currentBlock: 998 })
    expect(ids(input({ node: { ...NODE, head: aHead({ peers: 2 }), sync: following } }))).toEqual([])
  })

  it('notices a head that is old for its network', () => {
    const old = aHead()

    expect(
      ids(
        input({
          node: { ...NODE, head: old },
          now: NOW + 57_000,
        }),
      ),
    ).toContain('health.stale-head')
  })
})

describe("the miner's surroundings", () => {
  const disk = (freeBytes: number | null) => ({
    ...input().app,
    disk: { freeBytes, takenAt: NOW },
  })
  const source = { ...aStatus().source, kind: 'pool', host: 'a:1' } as const
  const at = (height: number | null, connected: boolean) =>
    input({ miner: { devices: null, status: aStatus({ source: { ...source, height, connected } }) } })

  it.each([
    [6 * 1024 ** 3, []],
    [null, []],
    [4 * 1024 ** 3, ['attention', 4]],
    [1024 ** 3 - 1, ['problem', 1]],
  ])('judges %s free bytes as %j', (freeBytes, expected) => {
    const found = healthFindings(input({ app: disk(freeBytes) })).filter(({ id }) => id === 'health.disk')

    expect(found.flatMap(({ level, values }) => [level, values.gibibytes])).toEqual(expected)
  })

  it.each([
    [43, 120_000, true, 0],
    [42, 30_000, true, 0],
    [42, 61_000, true, 1],
    [41, 1_000, true, 1],
    [41, 1_000, false, 0],
    [null, 120_000, true, 0],
  ])('judges a pool at block %s, %i ms after our head, connected %s, with %i findings', (height, ageMs, on, count) => {
    const given = { ...at(height, on), now: (aHead().head?.time ?? 0) + ageMs }

    expect(ids(given).filter((id) => id === 'health.pool-lag')).toHaveLength(count)
  })

  it('notices a clock that is behind the latest block, by the clock of the reading', () => {
    const head = aHead()
    const late = { ...head, takenAt: (head.head?.time ?? 0) - 11_000 }

    expect(healthFindings(input({ node: { ...NODE, head: late } }))).toMatchObject([
      { id: 'health.clock', values: { seconds: 11 } },
    ])
  })

  it('links to the request itself, no matter who may decide it', () => {
    const requests = { waiting: [aRequest({ id: 'r1' })], waitingCount: 1, takenAt: NOW }
    const signer = { ...createSignerStore().getState(), requests }
    const app = { ...input().app, info: anInfo({ access: { control: true, approve: false } }) }

    expect(healthFindings(input({ signer }))[0]?.route).toBe('/accounts/approvals/r1')
    expect(healthFindings(input({ signer, app }))[0]?.route).toBe('/accounts')
  })
})

describe('proof of work', () => {
  const mining = (change: Parameters<typeof aStatus>[0]): HealthInput =>
    input({ miner: { devices: { devices: [aDevice()], takenAt: NOW }, status: aStatus(change) } })
  const proofAgo = (seconds: number) => ({ at: NOW - seconds * 1_000, device: 0 })

  it.each([
    [{ lastProof: proofAgo(59), expectedSinceProof: 50 }, []],
    [{ lastProof: proofAgo(60), expectedSinceProof: 50 }, ['health.no-share']],
    [{ lastProof: proofAgo(60), expectedSinceProof: 6.9 }, []],
    [{ lastProof: proofAgo(60), expectedSinceProof: 6.91 }, ['health.no-share']],
    [{ lastProof: null, expectedSinceProof: 6.91, uptimeSeconds: 59 }, []],
    [{ lastProof: null, expectedSinceProof: 6.91, uptimeSeconds: 60 }, ['health.no-share']],
  ])('reports a silence that chance explains less than once in 1000 times: %j', (change, expected) => {
    expect(ids(mining(change))).toEqual(expected)
  })

  it.each([
    [{ lastProof: null, expectedSinceProof: 0 }, 'unproven'],
    [{ lastProof: proofAgo(9), expectedSinceProof: 2.9 }, 'ok'],
    [{ lastProof: proofAgo(9), expectedSinceProof: 3 }, 'unproven'],
  ] as const)('is green only if something was accepted within the time that chance explains: %j', (change, summary) => {
    const given = mining(change)
    expect(healthSummary(healthFindings(given), given)).toBe(summary)
  })

  it.each([
    ['share-unauthorized', 'problem'],
    ['certificate-expired', 'problem'],
    ['no-share-yet', 'attention'],
  ] as const)('names the trouble of a pool: %s', (trouble, level) => {
    const diagnosis = { trouble, since: NOW, count: 3, answer: 'no' }
    const source = { ...aStatus().source, kind: 'pool' as const, height: null, diagnosis, warning: 'in English' }

    expect(healthFindings(mining({ source }))).toMatchObject([
      { id: 'health.pool-trouble', level, route: '/pools', values: { trouble, answer: 'no' } },
    ])
  })
})
