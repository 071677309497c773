// The metric families of the stratum server. Rigs choose their own names, so none is a label.
import type { MetricsRegistry, Sample } from '../../base/metrics'
import { familiesIn, sampleEach } from '../metrics'
import { SHARE_OUTCOMES } from './share-check'
import type { RigWorkerView } from './workers'

const REFUSALS = ['not-allowed', 'banned', 'full', 'token', 'payout', 'flood'] as const
const BLOCKS = ['accepted', 'stale', 'rejected'] as const

/** Counts since the program started. */
export class StratumCounts {
  readonly shares = zeros(SHARE_OUTCOMES)
  readonly blocks = zeros(BLOCKS)
  readonly refused = zeros(REFUSALS)
}

interface StratumFacts {
  readonly counts: StratumCounts
  readonly connections: number
  readonly views: readonly RigWorkerView[]
}

/** Declares the families; call it only when rigs are served. */
export function registerStratumMetrics(registry: MetricsRegistry, read: () => StratumFacts): void {
  const { gauge, counter } = familiesIn(registry)
  gauge('miner_stratum_connections', 'Open stratum connections of rigs.', () => read().connections)
  gauge(
    'miner_stratum_rigs',
    'Rigs that are logged in.',
    () => read().views.filter((rig) => rig.connections > 0).length,
  )
  gauge(
    'miner_stratum_effective_hashrate',
    "Hashes per second that the rigs' accepted shares are worth; absent while no rig's rate is known yet.",
    () => effectiveHashrate(read().views),
  )
  counter(
    'miner_stratum_shares_total',
    "Rigs' shares by result.",
    () => sampleEach('result', SHARE_OUTCOMES, read().counts.shares),
    ['result'],
  )
  counter(
    'miner_stratum_blocks_total',
    "Rigs' blocks by result.",
    () => sampleEach('result', BLOCKS, read().counts.blocks),
    ['result'],
  )
  counter(
    'miner_stratum_refused_total',
    'Connections and logins refused, and rigs disconnected, by reason.',
    () => sampleEach('reason', REFUSALS, read().counts.refused),
    ['reason'],
  )
}

/** A rig's rate is unknown in its first two minutes. */
function effectiveHashrate(views: StratumFacts['views']): number | readonly Sample[] {
  const rates = views.flatMap(({ effectiveHashrate: rate }) => (rate === null ? [] : [rate]))
  if (rates.length === 0 && views.length > 0) return []
  return rates.reduce((sum, rate) => sum + rate, 0)
}

function zeros<K extends string>(names: readonly K[]): Record<K, number> {
  // Every name gets its counter here.
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<K, number>
}
