// The miner's metric families, in the order and with the labels that the family's tools expect. Values are read on each
// scrape.
import type { MetricsRegistry, Sample } from '../base/metrics'
import type { Summary, SummaryGpu } from './api/summary'

const WINDOWS = ['now', '60s', '15m'] as const
const RESULTS = ['accepted', 'rejected', 'failed'] as const
const PER_GPU = ['gpu', 'name']

/** Declares families. What is read on each scrape is a number where there is one sample without labels. */
export function familiesIn(registry: MetricsRegistry) {
  const declare =
    (type: 'gauge' | 'counter') =>
    (name: string, help: string, read: () => number | readonly Sample[], labels: readonly string[] = []): void =>
      registry.collect({ type, name, help, labels }, () => {
        const value = read()
        return typeof value === 'number' ? [{ labels: {}, value }] : value
      })
  return { gauge: declare('gauge'), counter: declare('counter') }
}

/** A sample for each member of `counts`, named by `label`. */
export function sampleEach<const K extends string>(
  label: string,
  names: readonly K[],
  counts: Readonly<Record<K, number>>,
) {
  return names.map((name) => ({ labels: { [label]: name }, value: counts[name] }))
}

/**
 * Declares all families; `read` gives the current summary. `lost`: shares the pool never answered, or that couldn't be
 * sent, since startup; the summary, whose members are fixed, lacks them.
 */
export function registerMinerMetrics(registry: MetricsRegistry, read: () => Summary, lost: () => number): void {
  const { gauge, counter } = familiesIn(registry)
  const ofGpus = (samples: (gpu: SummaryGpu) => readonly Sample[]): Sample[] =>
    read().gpus.flatMap((gpu) =>
      samples(gpu).map(({ labels, value }) => ({ labels: { ...labels, ...gpuLabels(gpu) }, value })),
    )
  const perGpu = (name: string, help: string, value: (gpu: SummaryGpu) => number): void =>
    gauge(name, help, () => ofGpus((gpu) => [{ labels: {}, value: value(gpu) }]), PER_GPU)
  const rates = ({ hashrate }: Pick<Summary, 'hashrate'> | SummaryGpu) => sampleEach('window', WINDOWS, hashrate)
  const shares = ({ shares: counts }: Pick<Summary, 'shares'> | SummaryGpu) => sampleEach('result', RESULTS, counts)

  gauge('miner_info', 'The running miner; always 1.', () => [{ labels: { version: read().miner.version }, value: 1 }], [
    'version',
  ])
  gauge('miner_uptime_seconds', 'Seconds since the miner started.', () => read().miner.uptime)
  gauge('miner_hashrate', 'Hashes per second over a window.', () => [...rates(read()), ...ofGpus(rates)], [
    'window',
    ...PER_GPU,
  ])
  gauge(
    'miner_effective_hashrate',
    'Hashes per second that accepted shares are worth.',
    () => read().hashrate.effective,
  )
  counter('miner_shares_total', 'Shares by result.', () => [...shares(read()), ...ofGpus(shares)], [
    'result',
    ...PER_GPU,
  ])
  perGpu('miner_gpu_paused', '1 while the GPU is paused.', (gpu) => (gpu.paused ? 1 : 0))
  gauge(
    'miner_gpu_temperature_celsius',
    'Temperature; 0 when not reported.',
    () => ofGpus(({ temperature }) => sampleEach('sensor', ['core', 'hotspot', 'memory'], temperature)),
    [...PER_GPU, 'sensor'],
  )
  perGpu('miner_gpu_fan_percent', 'Fan speed; 0 when not reported.', (gpu) => gpu.fan)
  perGpu('miner_gpu_power_watts', 'Power draw; 0 when not reported.', (gpu) => gpu.power)
  perGpu('miner_gpu_power_limit_watts', 'Power limit in force; 0 when not reported.', (gpu) => gpu.power_limit)
  gauge(
    'miner_gpu_clock_mhz',
    'Clock rate; 0 when not reported.',
    () => ofGpus(({ clocks }) => sampleEach('clock', ['core', 'memory'], clocks)),
    [...PER_GPU, 'clock'],
  )
  gauge(
    'miner_pool_connected',
    '1 while the active pool can be used.',
    () => [{ labels: { host: read().pool.host }, value: read().pool.connected ? 1 : 0 }],
    ['host'],
  )
  gauge('miner_pool_difficulty_hashes', 'Expected hashes per share of the current job.', () => read().pool.difficulty)
  gauge('miner_epoch', 'Epoch of the current job; -1 without one.', () => read().pool.epoch)
  gauge('miner_block_height', 'Height of the current job; -1 when unknown.', () => read().pool.block)
  counter('miner_pool_switches_total', 'Changes of the active pool.', () => read().pool.switches)
  counter('miner_shares_lost_total', 'Shares that were never answered or could not be sent.', lost)
}

function gpuLabels({ index, name }: SummaryGpu): { readonly gpu: string; readonly name: string } {
  return { gpu: String(index), name }
}
