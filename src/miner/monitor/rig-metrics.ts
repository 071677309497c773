// The metric families of monitored rigs, and the two of a monitor itself.
import type { MetricsRegistry } from '../../base/metrics'
import { familiesIn, sampleEach } from '../metrics'
import type { RigFigures } from './rig-figures'
import type { WatchedRig } from './rig-monitor'

/** Call it only when rigs are monitored. @param labels names of the operator's rig labels; empty: no label family */
export function registerRigMetrics(
  registry: MetricsRegistry,
  read: () => readonly WatchedRig[],
  labels: readonly string[] = [],
): void {
  const { gauge, counter } = familiesIn(registry)
  const online = () =>
    read().flatMap(({ rig, figures }) => (rig.online && figures !== null ? [{ rig: rig.name, figures }] : []))
  const perRig = (name: string, help: string, value: (figures: RigFigures) => number): void =>
    gauge(name, help, () => online().map(({ rig, figures }) => ({ labels: { rig }, value: value(figures) })), ['rig'])
  if (labels.length > 0) {
    const names = ['rig', ...labels]
    const info = () => read().map(({ rig }) => ({ labels: { ...rig.labels, rig: rig.name }, value: 1 }))
    gauge('miner_rig_info', 'Labels of the rig; always 1.', info, names)
  }
  const up = () => read().map(({ rig }) => ({ labels: { rig: rig.name }, value: rig.online ? 1 : 0 }))
  gauge('miner_rig_up', '1 while the rig answers.', up, ['rig'])
  perRig('miner_rig_hashrate', 'Hashes per second of the rig over 60 s.', (figures) => figures.hashrate.s60)
  perRig(
    'miner_rig_power_watts',
    'Power draw of the GPUs of the rig that report it; 0 when none does.',
    (figures) => figures.powerWatts,
  )
  const shares = () =>
    online().flatMap(({ rig, figures }) =>
      sampleEach('result', ['accepted', 'rejected', 'failed'], figures.shares).map(({ labels: result, value }) => ({
        labels: { rig, ...result },
        value,
      })),
    )
  counter('miner_rig_shares_total', 'Shares of the rig by result.', shares, ['rig', 'result'])
}

/** A monitor's own metrics. @param uptimeSeconds since its start */
export function registerMonitorMetrics(registry: MetricsRegistry, version: string, uptimeSeconds: () => number): void {
  const { gauge } = familiesIn(registry)
  gauge('miner_info', 'The running miner; always 1.', () => [{ labels: { version }, value: 1 }], ['version'])
  gauge('miner_uptime_seconds', 'Seconds since the miner started.', uptimeSeconds)
}
