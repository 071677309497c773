// The node's metric families.
import type { MetricsRegistry } from '../base/metrics'
import type { HeadHealthState } from './p2p/health/head-health'
import type { BlockSummary, PendingCounts, SealOutcome } from './worker/wire/shapes'

/** Where the metrics read their values. */
interface NodeMetricsSource {
  head(): BlockSummary | null
  counts(): PendingCounts
  /** Null without a network layer. */
  health(): HeadHealthState | null
}

/** The node's counters. */
export interface NodeMetrics {
  /** Counts a head change with this many removed and added blocks. */
  countHeadChange(removed: number, added: number): void
  countWork(outcome: SealOutcome): void
}

/** Registers the node's families. */
export function declareNodeMetrics(registry: MetricsRegistry, source: NodeMetricsSource): NodeMetrics {
  const imported = registry.counter({ name: 'node_blocks_imported_total', help: 'Blocks that became canonical.' })
  const reorgs = registry.counter({ name: 'node_reorgs_total', help: 'Head changes that dropped blocks.' })
  const work = registry.counter({
    name: 'node_work_submitted_total',
    help: 'Submitted seals, by result.',
    labels: ['result'],
  })
  registry.collect({ name: 'node_head_number', help: 'Height of the head.', type: 'gauge' }, () => {
    const head = source.head()
    return head === null ? [] : [{ labels: {}, value: head.number }]
  })
  registry.collect({ name: 'node_head_timestamp_seconds', help: 'Time of the head.', type: 'gauge' }, () => {
    const head = source.head()
    return head === null ? [] : [{ labels: {}, value: head.timestamp }]
  })
  registry.collect(
    { name: 'node_pool_transactions', help: 'Transactions in the pool.', labels: ['state'], type: 'gauge' },
    () => [
      { labels: { state: 'pending' }, value: source.counts().pending },
      { labels: { state: 'queued' }, value: source.counts().queued },
    ],
  )
  const behind = 'Seconds a peer has been ahead with verified proof of work; 0 if none is.'
  registry.collect({ name: 'node_behind_seconds', help: behind, type: 'gauge' }, () => {
    const health = source.health()
    return health === null ? [] : [{ labels: {}, value: health.behindMs / 1000 }]
  })
  const groups = 'Independent networks (/16, /32 for IPv6) with peers.'
  registry.collect({ name: 'node_peer_networks', help: groups, type: 'gauge' }, () => {
    const health = source.health()
    return health === null ? [] : [{ labels: {}, value: health.groups }]
  })
  return {
    countHeadChange: (removed, added) => {
      imported.inc(added)
      if (removed > 0) reorgs.inc()
    },
    countWork: (outcome) => work.inc(1, { result: outcome }),
  }
}
