import { expect, it } from 'vitest'
import { NO_READING } from '../sensors/reading'
import type { DeviceSnapshot, MinerSnapshot } from '../stats/snapshot'
import { NO_SOURCE } from '../work-source'
import { buildRigs } from './rigs'
import { buildSummary } from './summary'

const idle: MinerSnapshot = {
  state: 'running',
  uptimeSeconds: 3,
  hashrate: { now: 0, s60: 0, m15: 0, effective: null },
  shares: { accepted: 0, rejected: 0, failed: 0 },
  source: { ...NO_SOURCE, diagnosis: null, difficulty: null, epoch: null, height: null },
  lastProof: null,
  expectedSinceProof: 0,
  takenAt: 0,
}

const cpu: DeviceSnapshot = {
  index: 0,
  name: 'Processor',
  pci: '',
  backend: 'cpu',
  threads: 2,
  state: 'paused',
  progress: null,
  hashrate: { now: 10.5, s60: 20, m15: 30 },
  shares: { accepted: 1, rejected: 2, failed: 3 },
  paused: true,
  pauseReasons: ['Overheating', 'Api request'],
  canResume: true,
  error: '',
  restarts: 0,
  pauseEndsAt: null,
  datasetBytes: 1,
  responds: true,
  effectiveHashrate: null,
  hashes: 0,
  usualHashrate: null,
  temperatureLimits: null,
  ...NO_READING,
  meanPowerWatts: null,
  takenAt: 0,
}

it('has every member before there is any work, with values that mean none', () => {
  expect(buildSummary({ control: false, version: '1.2.3', miner: idle, devices: [] })).toEqual({
    control: false,
    miner: { name: 'headframe', version: '1.2.3', algorithm: 'xhash', uptime: 3 },
    pool: {
      connected: false,
      host: '',
      url: '',
      difficulty: 0,
      epoch: -1,
      block: -1,
      switches: 0,
      warning: '',
      diagnosis: { trouble: '', seconds: 0, count: 0, answer: '', action: '' },
    },
    hashrate: { now: 0, '60s': 0, '15m': 0, effective: 0 },
    shares: { accepted: 0, rejected: 0, failed: 0 },
    gpus: [],
  })
})

it("says what is wrong with the pool, since when, how often and in the pool's words", () => {
  const diagnosis = { trouble: 'share-unauthorized' as const, since: 1_000, count: 18, answer: 'Unauthorized worker' }
  const miner = { ...idle, takenAt: 62_500, source: { ...idle.source, diagnosis } }

  expect(buildSummary({ control: false, version: '1', miner, devices: [] }).pool.diagnosis).toEqual({
    trouble: 'share-unauthorized',
    seconds: 61,
    count: 18,
    answer: 'Unauthorized worker',
    action: "Check user and worker against the pool's page",
  })
})

it('shows unknown sensors as 0 and joins pause reasons', () => {
  const miner = { ...idle, source: { ...idle.source, difficulty: 60, epoch: 0, height: 0 } }

  const summary = buildSummary({ control: true, version: '1.2.3', miner, devices: [cpu] })

  expect(summary.pool).toMatchObject({ difficulty: 60, epoch: 0, block: 0 })
  expect(summary.gpus).toEqual([
    {
      index: 0,
      name: 'Processor',
      pci: '',
      backend: 'cpu',
      hashrate: { now: 10.5, '60s': 20, '15m': 30 },
      shares: { accepted: 1, rejected: 2, failed: 3 },
      paused: true,
      pause_reason: 'Overheating; Api request',
      temperature: { core: 0, hotspot: 0, memory: 0 },
      fan: 0,
      power: 0,
      power_limit: 0,
      clocks: { core: 0, memory: 0 },
    },
  ])
})

it("never contains a number that JSON can't represent", () => {
  const broken = { ...cpu, hashrate: { now: Number.NaN, s60: Number.POSITIVE_INFINITY, m15: 1 } }

  const summary = buildSummary({ control: true, version: '1', miner: idle, devices: [broken] })

  expect(summary.gpus[0]?.hashrate).toEqual({ now: 0, '60s': 0, '15m': 1 })
})

it("lists the local rig alone, and none for a program that doesn't mine", () => {
  const summary = buildSummary({ control: true, version: '1', miner: idle, devices: [] })

  expect(buildRigs({ computerName: 'rig-1', summary }, [])).toEqual({
    mining: true,
    rigs: [{ name: 'rig-1', host: '', local: true, online: true, error: '', age: 0, summary }],
  })
  expect(buildRigs({ computerName: 'rig-1', summary: undefined }, [])).toEqual({ mining: false, rigs: [] })
})
