import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../../base/testing/fake-clock'
import { deviceSchema, inventorySchema, solutionsSchema } from '../../../contract/miner'
import type { RigsView } from '../../../contract/rigs'
import { rigFigures } from '../../../miner/monitor/rig-figures'
import type { SettledShare } from '../../../miner/stats/snapshot'
import { deviceView, inventoryView, solutionsView } from './miner-views'
import { type RigsPartDeps, rigHandlers } from './rig-handlers'

const share = (at: number, change: Partial<SettledShare> = {}): SettledShare => ({
  at,
  device: 0,
  pool: '',
  jobId: 'j',
  height: null,
  jobDifficulty: 4e9,
  ownDifficulty: 5e9,
  outcome: 'accepted',
  reason: '',
  latencyMs: 12,
  epoch: 3,
  nonce: 0xabcdn,
  ...change,
})

describe('a device', () => {
  const device = {
    index: 0,
    name: 'GPU',
    pci: '',
    backend: 'simulated' as const,
    threads: null,
    state: 'mining' as const,
    progress: null,
    hashrate: { now: 5, s60: 6, m15: 7 },
    shares: { accepted: 0, rejected: 0, failed: 0 },
    paused: false,
    pauseReasons: [],
    canResume: false,
    error: '',
    restarts: 0,
    pauseEndsAt: null,
    temperature: { core: null, hotspot: null, memory: null },
    fanPercent: null,
    powerWatts: 30,
    meanPowerWatts: 31,
    powerLimitWatts: null,
    clockMhz: { core: null, memory: null },
    datasetBytes: null,
    takenAt: 1,
    responds: true,
    effectiveHashrate: null,
    hashes: 0,
    usualHashrate: null,
    temperatureLimits: null,
  }

  it('has its hashrate while it mines, and none once it is paused', () => {
    expect(deviceView(device).hashrate).toEqual({ now: 5, s60: 6, m15: 7 })

    const paused = deviceView({
      ...device,
      state: 'paused',
      paused: true,
      pauseReasons: ['Api request'],
      canResume: true,
    })

    expect(paused.hashrate).toEqual({ now: null, s60: null, m15: null })
    expect(paused.powerWatts).toBe(30)
    expect(deviceSchema.parse(paused)).toEqual(paused)
  })
})

describe("a device's results", () => {
  it('are its own, newest first, wrong ones with nonce and epoch', () => {
    const wrong = share(2, { outcome: 'failed', ownDifficulty: null, latencyMs: null, reason: 'wrong result' })
    const view = solutionsView(
      { recentShares: () => [share(1), wrong, share(3, { device: 1 }), share(4)], failedSolutions: () => [wrong] },
      0,
    )

    expect(view.shares.map(({ at, outcome }) => [at, outcome])).toEqual([
      [4, 'accepted'],
      [2, 'failed'],
      [1, 'accepted'],
    ])
    expect(view.failed).toEqual([{ at: 2, epoch: 3, nonce: '000000000000abcd' }])
    expect(solutionsSchema.parse(view)).toEqual(view)
  })

  it('are as many as a list has room for', () => {
    const many = Array.from({ length: 80 }, (_, at) => share(at))

    const { shares } = solutionsView({ recentShares: () => many, failedSolutions: () => [] }, 0)

    expect([shares.length, shares[0]?.at]).toEqual([50, 79])
  })
})

it('an inventory names missing drivers', () => {
  const card = { name: 'RX 6700', pci: '02:00.0', backend: 'opencl', threads: null, driver: 'OpenCL 3.0' } as const
  const missing = [{ backend: 'cuda' as const, reason: 'libcuda.so.1: cannot open shared object file' }]
  const view = inventoryView({ inventory: () => ({ devices: [], excluded: [card], missing }) })

  expect(view.excluded).toEqual([{ name: 'RX 6700', pci: '02:00.0', backend: 'opencl', driver: 'OpenCL 3.0' }])
  expect(inventorySchema.parse(view)).toEqual(view)
  expect(inventoryView(null)).toEqual({ devices: [], excluded: [], missing: [] })
})

describe('the totals of the rigs', () => {
  const shares = { accepted: 1, stale: 0, failed: 0, duplicate: 0, unknown: 0, busy: 0 }
  const worker = (name: string, rate: number) => ({
    name,
    shares,
    address: '10.0.0.1',
    software: 'm/1',
    connections: 1,
    effectiveHashrate: rate,
    reportedHashrate: rate,
    since: { firstSeen: 0, lastSeen: 0, lastShare: 0 },
    care: { usualHashrate: null },
  })
  const watched = (name: string, rate: number | null) => ({
    rig: { name, host: '10.0.0.1:3333', online: rate !== null, error: rate === null ? 'timeout' : '', age: 0 },
    reading: 1,
    usualHashrate: null,
    figures: rate === null ? null : rigFigures({ hashrate: { now: rate, '60s': rate, '15m': rate, effective: rate } }),
  })

  it.each([
    ['that is watched and served', [watched('a', 100)], 100],
    ['whose own API is silent', [watched('a', null)], 90],
  ])('have a rig once %s', async (_, rigs, rate) => {
    const deps = {
      miner: null,
      rigs: { watchedRigs: () => rigs, hasToken: () => false },
      served: { workers: () => [worker('a', 90), worker('b', 7)] },
      rigSettings: null,
      clock: new FakeClock(),
    } as unknown as RigsPartDeps
    let seen: RigsView | null = null
    const emit = (_name: string, view: unknown): void => {
      seen = view as RigsView
    }
    await rigHandlers(deps).topics[0]?.send({ emit, close: () => undefined } as never, { control: true } as never)

    expect(seen).toMatchObject({
      rigs: [{ name: 'a' }, { name: 'a (stratum)' }, { name: 'b' }],
      totals: { rigs: 2, online: 2, hashrate: { s60: rate + 7 } },
    })
  })
})
