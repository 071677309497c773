// The metric families of the stratum server. Rigs choose their own names, so none is a label.
import type { MetricsRegistry, Sample } from '../../base/metrics'
import { type RigShareOutcome, SHARE_OUTCOMES } from './share-check'
import type { RigWorkerView } from './workers'

const REFUSALS = ['not-allowed', 'banned', 'full', 'token', 'payout', 'flood'] as const
const BLOCKS = ['accepted', 'stale', 'rejected'] as const

/** Counters since the program started. */
export class StratumCounts {
  readonly shares = zeros(SHARE_OUTCOMES)
  readonly blocks = zeros(BLOCKS)
  readonly refused = zeros(REFUSALS)
}

/** What the families show. */
interface StratumFacts {
  readonly counts: StratumCounts
  readonly connections: number
  readonly views: readonly RigWorkerView[]
}

/** Declares the families; call it only when rigs are served. */
export function registerStratumMetrics(registry: MetricsRegistry, read: () => StratumFacts): void {
  registry.collect(
    { type: 'gauge', name: 'miner_stratum_connections', help: 'Open stratum connections of rigs.', labels: [] },
    () => [{ labels: {}, value: read().connections }],
  )
  registry.collect({ type: 'gauge', name: 'miner_stratum_rigs', help: 'Rigs that are logged in.', labels: [] }, () => [
    { labels: {}, value: read().views.filter((rig) => rig.connections > 0).length },
  ])
  registry.collect(
    {
      type: 'gauge',
      name: 'miner_stratum_effective_hashrate',
      help: "Hashes per second that the rigs' accepted shares are worth; absent while no rig's rate is known yet.",
      labels: [],
    },
    () => effectiveHashrate(read().views),
  )
  registry.collect(
    { type: 'counter', name: 'miner_stratum_shares_total', help: "Rigs' shares by result.", labels: ['result'] },
    () =>
      SHARE_OUTCOMES.map((result: RigShareOutcome) => ({ labels: { result }, value: read().counts.shares[result] })),
  )
  registry.collect(
    { type: 'counter', name: 'miner_stratum_blocks_total', help: "Rigs' blocks by result.", labels: ['result'] },
    () => BLOCKS.map((result) => ({ labels: { result }, value: read().counts.blocks[result] })),
  )
  registry.collect(
    {
      type: 'counter',
      name: 'miner_stratum_refused_total',
      help: 'Connections and logins refused, and rigs disconnected, by reason.',
      labels: ['reason'],
    },
    () => REFUSALS.map((reason) => ({ labels: { reason }, value: read().counts.refused[reason] })),
  )
}

/** A rig's rate is unknown in its first two minutes. */
function effectiveHashrate(views: StratumFacts['views']): readonly Sample[] {
  const rates = views.flatMap(({ effectiveHashrate: rate }) => (rate === null ? [] : [rate]))
  if (rates.length === 0 && views.length > 0) return []
  return [{ labels: {}, value: rates.reduce((sum, rate) => sum + rate, 0) }]
}

function zeros<K extends string>(names: readonly K[]): Record<K, number> {
  // Every name gets its counter here.
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<K, number>
}
