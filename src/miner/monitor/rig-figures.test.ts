import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { MetricSpec, MetricsRegistry, Sample } from '../../base/metrics'
import { rigFigures, rigTotals } from './rig-figures'
import { registerMonitorMetrics, registerRigMetrics } from './rig-metrics'
import type { WatchedRig } from './rig-monitor'
import { serviceDiscovery } from './service-discovery'

const GPU = {
  name: 'g',
  power: 100,
  paused: true,
  pause_reason: 'Overheating',
  hashrate: { now: 1, '60s': 2, '15m': 3 },
}
const SUMMARY = {
  control: true,
  miner: { version: '1', uptime: 61.5 },
  pool: { connected: true, host: 'p:1', warning: '' },
  hashrate: { now: 1, '60s': 2, '15m': 3, effective: 4 },
  shares: { accepted: 5, rejected: 6, failed: 7 },
  gpus: [GPU, { ...GPU, paused: false }],
}
const up = (name: string): WatchedRig => ({
  rig: { name, host: 'h:1', online: true, error: '', age: 0, summary: SUMMARY },
  reading: 1,
  usualHashrate: null,
  recent: { accepted: 0, rejected: 0 },
  figures: rigFigures(SUMMARY),
})
const down: WatchedRig = {
  rig: { name: 'down', host: 'h:2', online: false, error: 'timeout', age: 9, summary: SUMMARY },
  reading: 1,
  usualHashrate: null,
  recent: { accepted: 0, rejected: 0 },
  figures: rigFigures(SUMMARY),
}

function collected(
  register: (registry: MetricsRegistry) => void,
): [MetricSpec['name'], string | undefined, readonly Sample[]][] {
  const out: [string, string | undefined, readonly Sample[]][] = []
  register({
    counter: () => ({ inc: () => undefined }),
    collect: (spec, read) => void out.push([spec.name, spec.type, read()]),
  })
  return out
}

it('reads what a rig says about itself', () => {
  expect(rigFigures(SUMMARY)).toMatchObject({
    control: true,
    version: '1',
    uptimeSeconds: 61,
    hashrate: { now: 1, s60: 2, m15: 3, effective: 4 },
    powerWatts: 200,
    gpus: [
      { paused: true, pauseReason: 'Overheating', fanPercent: 0, temperature: { core: 0, hotspot: 0, memory: 0 } },
      {},
    ],
  })
})

it('makes figures of any input', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('miner', 'pool', 'hashrate', 'shares', 'gpus', 'control'), fc.jsonValue()),
      (value) => {
        const { hashrate, powerWatts } = rigFigures(value)
        return Number.isFinite(hashrate.s60) && Number.isFinite(powerWatts) && hashrate.s60 >= 0
      },
    ),
  )
  // Each keeps its index: commands name a GPU by it.
  const { gpus } = rigFigures({ gpus: [null, 5, {}, { power: -1 }, GPU] })
  expect(gpus.map(({ name }) => name)).toEqual(['', '', '', '', 'g'])
})

it('rejects numbers that its own page, or the sums over all rigs, could not show', () => {
  const huge = { accepted: Number.MAX_SAFE_INTEGER, rejected: 0, failed: 0 }
  const gpu = { power: 1.7e308, hashrate: { now: 1.7e308, '60s': 0, '15m': 0 }, shares: huge }
  const hashrate = { now: 1.7e308, '60s': 0, '15m': 0, effective: 1.7e308 }
  const figures = rigFigures({ miner: { version: '', uptime: 1e300 }, hashrate, shares: huge, gpus: [gpu, gpu] })
  const totals = rigTotals([figures, figures])

  expect([figures.uptimeSeconds, totals.shares.accepted].every(Number.isSafeInteger)).toBe(true)
  const sums = [figures.powerWatts, totals.powerWatts, totals.hashrate.now, totals.hashrate.effective]
  expect(sums.every(Number.isFinite)).toBe(true)
})

it('sums over the rigs that are online', () => {
  const figures = rigFigures(SUMMARY)

  expect(rigTotals([figures, null, figures])).toMatchObject({
    rigs: 3,
    online: 2,
    gpus: 4,
    paused: 2,
    hashrate: { s60: 4, effective: 8 },
    shares: { accepted: 10 },
    powerWatts: 400,
  })
})

it('declares the rig metrics, with nothing but 0 for one that is down', () => {
  expect(collected((registry) => registerRigMetrics(registry, () => [up('a'), down]))).toEqual([
    [
      'miner_rig_up',
      'gauge',
      [
        { labels: { rig: 'a' }, value: 1 },
        { labels: { rig: 'down' }, value: 0 },
      ],
    ],
    ['miner_rig_hashrate', 'gauge', [{ labels: { rig: 'a' }, value: 2 }]],
    ['miner_rig_power_watts', 'gauge', [{ labels: { rig: 'a' }, value: 200 }]],
    [
      'miner_rig_shares_total',
      'counter',
      [
        { labels: { rig: 'a', result: 'accepted' }, value: 5 },
        { labels: { rig: 'a', result: 'rejected' }, value: 6 },
        { labels: { rig: 'a', result: 'failed' }, value: 7 },
      ],
    ],
  ])
})

it('accepts a monitor’s version and uptime', () => {
  expect(collected((registry) => registerMonitorMetrics(registry, '1.2', () => 7))).toEqual([
    ['miner_info', 'gauge', [{ labels: { version: '1.2' }, value: 1 }]],
    ['miner_uptime_seconds', 'gauge', [{ labels: {}, value: 7 }]],
  ])
})

it('names every rig for Prometheus', () => {
  expect(serviceDiscovery([{ name: 'a', host: '[::1]:1', labels: { group: 'cellar' } }])).toEqual([
    { targets: ['[::1]:1'], labels: { rig: 'a', group: 'cellar' } },
  ])
})
