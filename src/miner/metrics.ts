// The miner's metric families, in the order and with the labels that the family's tools expect. Values are read on each
// scrape.
import type { MetricSpec, MetricsRegistry, Sample } from '../base/metrics'
import type { Summary, SummaryGpu, SummaryRates } from './api/summary'
import type { ShareCounts } from './stats/snapshot'

interface Family extends MetricSpec {
  readonly type: 'gauge' | 'counter'
  readonly read: (summary: Summary) => readonly Sample[]
}

const WINDOWS = ['now', '60s', '15m'] as const
const RESULTS = ['accepted', 'rejected', 'failed'] as const
const PER_GPU = ['gpu', 'name'] as const

const FAMILIES: readonly Family[] = [
  gauge('miner_info', 'The running miner; always 1.', ['version'], ({ miner }) => [
    { labels: { version: miner.version }, value: 1 },
  ]),
  gauge('miner_uptime_seconds', 'Seconds since the miner started.', [], ({ miner }) => one(miner.uptime)),
  gauge('miner_hashrate', 'Hashes per second over a window.', ['window', ...PER_GPU], (summary) => [
    ...rates(summary.hashrate, {}),
    ...summary.gpus.flatMap((gpu) => rates(gpu.hashrate, gpuLabels(gpu))),
  ]),
  gauge('miner_effective_hashrate', 'Hashes per second that accepted shares are worth.', [], ({ hashrate }) =>
    one(hashrate.effective),
  ),
  counter('miner_shares_total', 'Shares by result.', ['result', ...PER_GPU], (summary) => [
    ...shares(summary.shares, {}),
    ...summary.gpus.flatMap((gpu) => shares(gpu.shares, gpuLabels(gpu))),
  ]),
  perGpu('miner_gpu_paused', '1 while the GPU is paused.', (gpu) => (gpu.paused ? 1 : 0)),
  gauge('miner_gpu_temperature_celsius', 'Temperature; 0 when not reported.', [...PER_GPU, 'sensor'], ({ gpus }) =>
    gpus.flatMap((gpu) =>
      (['core', 'hotspot', 'memory'] as const).map((sensor) => ({
        labels: { ...gpuLabels(gpu), sensor },
        value: gpu.temperature[sensor],
      })),
    ),
  ),
  perGpu('miner_gpu_fan_percent', 'Fan speed; 0 when not reported.', (gpu) => gpu.fan),
  perGpu('miner_gpu_power_watts', 'Power draw; 0 when not reported.', (gpu) => gpu.power),
  perGpu('miner_gpu_power_limit_watts', 'Power limit in force; 0 when not reported.', (gpu) => gpu.power_limit),
  gauge('miner_gpu_clock_mhz', 'Clock rate; 0 when not reported.', [...PER_GPU, 'clock'], ({ gpus }) =>
    gpus.flatMap((gpu) =>
      (['core', 'memory'] as const).map((clock) => ({
        labels: { ...gpuLabels(gpu), clock },
        value: gpu.clocks[clock],
      })),
    ),
  ),
  gauge('miner_pool_connected', '1 while the active pool can be used.', ['host'], ({ pool }) => [
    { labels: { host: pool.host }, value: pool.connected ? 1 : 0 },
  ]),
  gauge('miner_pool_difficulty_hashes', 'Expected hashes per share of the current job.', [], ({ pool }) =>
    one(pool.difficulty),
  ),
  gauge('miner_epoch', 'Epoch of the current job; -1 without one.', [], ({ pool }) => one(pool.epoch)),
  gauge('miner_block_height', 'Height of the current job; -1 when unknown.', [], ({ pool }) => one(pool.block)),
  counter('miner_pool_switches_total', 'Changes of the active pool.', [], ({ pool }) => one(pool.switches)),
]

/** Besides the summary, whose members are fixed: shares the pool never answered, or that couldn't be sent. */
const LOST: MetricSpec & { readonly type: 'counter' } = {
  type: 'counter',
  name: 'miner_shares_lost_total',
  help: 'Shares that were never answered or could not be sent.',
  labels: [],
}

/** Declares all families; `read` gives the current summary, `lost` the lost shares since startup. */
export function registerMinerMetrics(registry: MetricsRegistry, read: () => Summary, lost: () => number): void {
  for (const { read: samples, ...spec } of FAMILIES) registry.collect(spec, () => samples(read()))
  registry.collect(LOST, () => one(lost()))
}

function gauge(name: string, help: string, labels: readonly string[], read: Family['read']): Family {
  return { type: 'gauge', name, help, labels, read }
}

function counter(name: string, help: string, labels: readonly string[], read: Family['read']): Family {
  return { type: 'counter', name, help, labels, read }
}

function perGpu(name: string, help: string, value: (gpu: SummaryGpu) => number): Family {
  return gauge(name, help, PER_GPU, ({ gpus }) => gpus.map((gpu) => ({ labels: gpuLabels(gpu), value: value(gpu) })))
}

function one(value: number): readonly Sample[] {
  return [{ labels: {}, value }]
}

function rates(hashrate: SummaryRates, labels: Sample['labels']): readonly Sample[] {
  return WINDOWS.map((window) => ({ labels: { window, ...labels }, value: hashrate[window] }))
}

function shares(counts: ShareCounts, labels: Sample['labels']): readonly Sample[] {
  return RESULTS.map((result) => ({ labels: { result, ...labels }, value: counts[result] }))
}

function gpuLabels({ index, name }: SummaryGpu): { readonly gpu: string; readonly name: string } {
  return { gpu: String(index), name }
}
