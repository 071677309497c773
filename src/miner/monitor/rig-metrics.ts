// The metric families of monitored rigs, and the two of a monitor itself.
import type { MetricSpec, MetricsRegistry, Sample } from '../../base/metrics'
import type { RigFigures } from './rig-figures'
import type { WatchedRig } from './rig-monitor'

interface Family extends MetricSpec {
  readonly type: 'gauge' | 'counter'
  readonly read: (rigs: readonly WatchedRig[]) => readonly Sample[]
}

const RESULTS = ['accepted', 'rejected', 'failed'] as const

const FAMILIES: readonly Family[] = [
  {
    type: 'gauge',
    name: 'miner_rig_up',
    help: '1 while the rig answers.',
    labels: ['rig'],
    read: (rigs) => rigs.map(({ rig }) => ({ labels: { rig: rig.name }, value: rig.online ? 1 : 0 })),
  },
  perRig('miner_rig_hashrate', 'Hashes per second of the rig over 60 s.', (figures) => figures.hashrate.s60),
  perRig(
    'miner_rig_power_watts',
    'Power draw of the GPUs of the rig that report it; 0 when none does.',
    (figures) => figures.powerWatts,
  ),
  {
    type: 'counter',
    name: 'miner_rig_shares_total',
    help: 'Shares of the rig by result.',
    labels: ['rig', 'result'],
    read: (rigs) =>
      online(rigs).flatMap(({ name, figures }) =>
        RESULTS.map((result) => ({ labels: { rig: name, result }, value: figures.shares[result] })),
      ),
  },
]

/**
 * Declares the rigs' families; call it only when rigs are monitored.
 * @param labels names of the operator's rig labels; empty: no label family
 */
export function registerRigMetrics(
  registry: MetricsRegistry,
  read: () => readonly WatchedRig[],
  labels: readonly string[] = [],
): void {
  if (labels.length > 0) {
    const spec = { type: 'gauge', name: 'miner_rig_info', help: 'Labels of the rig; always 1.' } as const
    registry.collect({ ...spec, labels: ['rig', ...labels] }, () =>
      read().map(({ rig }) => ({ labels: { ...rig.labels, rig: rig.name }, value: 1 })),
    )
  }
  for (const { read: samples, ...spec } of FAMILIES) registry.collect(spec, () => samples(read()))
}

/** A monitor's own metrics. @param uptimeSeconds since its start */
export function registerMonitorMetrics(registry: MetricsRegistry, version: string, uptimeSeconds: () => number): void {
  const info = { type: 'gauge', name: 'miner_info', help: 'The running miner; always 1.', labels: ['version'] } as const
  const uptime = { type: 'gauge', name: 'miner_uptime_seconds', help: 'Seconds since the miner started.' } as const
  registry.collect(info, () => [{ labels: { version }, value: 1 }])
  registry.collect(uptime, () => [{ labels: {}, value: uptimeSeconds() }])
}

function perRig(name: string, help: string, value: (figures: RigFigures) => number): Family {
  return {
    type: 'gauge',
    name,
    help,
    labels: ['rig'],
    read: (rigs) => online(rigs).map((rig) => ({ labels: { rig: rig.name }, value: value(rig.figures) })),
  }
}

function online(rigs: readonly WatchedRig[]): readonly { readonly name: string; readonly figures: RigFigures }[] {
  return rigs.flatMap(({ rig, figures }) => (rig.online && figures !== null ? [{ name: rig.name, figures }] : []))
}
