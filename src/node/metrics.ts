// The node's metric families.
import type { MetricsRegistry } from '../base/metrics'
import type { BesideState } from './beside-node'
import type { HeadHealthState } from './p2p/health/head-health'
import type { MethodCount } from './rpc/dispatch/dispatch'
import type { BlockSummary, PendingCounts, SealOutcome } from './worker/wire/shapes'

/** Where the metrics read their values. */
interface NodeMetricsSource {
  head(): BlockSummary | null
  counts(): PendingCounts
  /** Null without a network layer. */
  health(): HeadHealthState | null
  /** The same. */
  peers(): { readonly inbound: number; readonly outbound: number } | null
  /** The same. */
  sync(): { readonly isRunning: boolean; readonly target: number } | null
  /** What is measured once a minute; null before. */
  measured(): MeasuredNode | null
  /** Null while JSON-RPC is off. */
  rpc(): { readonly calls: readonly MethodCount[]; readonly gaps: number } | null
  /** Null without a node beside ours. */
  beside(): BesideState | null
}

/** Figures that take a moment to collect. */
export interface MeasuredNode {
  readonly databaseBytes: number
  /** Null when the system doesn't say. */
  readonly freeBytes: number | null
  readonly importSeconds: number
  /** wei per gas by blocks; null = unknown */
  readonly fees: readonly { readonly blocks: number; readonly gasPrice: bigint | null }[]
}

/** The node's counters. */
export interface NodeMetrics {
  /** Counts a head change with so many removed and these added blocks. */
  countHeadChange(removed: number, added: readonly Pick<BlockSummary, 'gasUsed' | 'transactionCount'>[]): void
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
  const gas = registry.counter({ name: 'node_gas_imported_total', help: 'Gas used by blocks that became canonical.' })
  const transactions = 'Transactions of blocks that became canonical.'
  const carried = registry.counter({ name: 'node_transactions_imported_total', help: transactions })
  declareNetwork(registry, source)
  declareMeasured(registry, source)
  declareRpc(registry, source)
  declareBeside(registry, source)
  return {
    countHeadChange: (removed, added) => {
      imported.inc(added.length)
      gas.inc(added.reduce((sum, { gasUsed }) => sum + Number(gasUsed), 0))
      carried.inc(added.reduce((sum, { transactionCount }) => sum + transactionCount, 0))
      if (removed > 0) reorgs.inc()
    },
    countWork: (outcome) => work.inc(1, { result: outcome }),
  }
}

function declareNetwork(registry: MetricsRegistry, source: NodeMetricsSource): void {
  registry.collect({ name: 'node_peers', help: 'Connected peers.', labels: ['direction'], type: 'gauge' }, () => {
    const peers = source.peers()
    return peers === null ? [] : Object.entries(peers).map(([direction, value]) => ({ labels: { direction }, value }))
  })
  registry.collect({ name: 'node_syncing', help: '1 while blocks are fetched from a peer.', type: 'gauge' }, () => {
    const sync = source.sync()
    return sync === null ? [] : [{ labels: {}, value: sync.isRunning ? 1 : 0 }]
  })
  const target = "Height of the last sync's peer; 0 before the first."
  registry.collect({ name: 'node_sync_target_number', help: target, type: 'gauge' }, () => {
    const sync = source.sync()
    return sync === null ? [] : [{ labels: {}, value: sync.target }]
  })
}

function declareMeasured(registry: MetricsRegistry, source: NodeMetricsSource): void {
  const one = (
    name: string,
    help: string,
    type: 'gauge' | 'counter',
    of: (node: MeasuredNode) => number | null,
  ): void =>
    registry.collect({ name, help, type }, () => {
      const measured = source.measured()
      const value = measured === null ? null : of(measured)
      return value === null ? [] : [{ labels: {}, value }]
    })
  one('node_database_bytes', 'Size of the chain database.', 'gauge', ({ databaseBytes }) => databaseBytes)
  one('node_disk_free_bytes', 'Free bytes of its disk.', 'gauge', ({ freeBytes }) => freeBytes)
  const importing = 'Time in which blocks were imported.'
  one('node_import_seconds_total', importing, 'counter', ({ importSeconds }) => importSeconds)
  const price = 'wei per gas that confirms 85% of transactions within so many blocks; absent while unknown.'
  registry.collect({ name: 'node_fee_estimate_wei', help: price, labels: ['blocks'], type: 'gauge' }, () =>
    (source.measured()?.fees ?? []).flatMap(({ blocks, gasPrice }) =>
      gasPrice === null ? [] : [{ labels: { blocks: String(blocks) }, value: Number(gasPrice) }],
    ),
  )
}

function declareRpc(registry: MetricsRegistry, source: NodeMetricsSource): void {
  const each = (name: string, help: string, of: (count: MethodCount) => number): void =>
    registry.collect({ name, help, labels: ['method'], type: 'counter' }, () =>
      (source.rpc()?.calls ?? []).map((count) => ({ labels: { method: count.method }, value: of(count) })),
    )
  each('node_rpc_calls_total', 'JSON-RPC calls since the listeners opened.', ({ total }) => total)
  each('node_rpc_failures_total', 'Those of them that returned an error.', ({ failed }) => failed)
  each('node_rpc_seconds_total', 'Time from these calls to their answers.', ({ seconds }) => seconds)
  const gaps = 'Times that a log filter or subscription was told that it misses logs.'
  registry.collect({ name: 'node_log_gaps_total', help: gaps, type: 'counter' }, () => {
    const rpc = source.rpc()
    return rpc === null ? [] : [{ labels: {}, value: rpc.gaps }]
  })
}

function declareBeside(registry: MetricsRegistry, source: NodeMetricsSource): void {
  const one = (name: string, help: string, of: (state: BesideState) => number | null): void =>
    registry.collect({ name, help, type: 'gauge' }, () => {
      const state = source.beside()
      const value = state === null ? null : of(state)
      return value === null ? [] : [{ labels: {}, value }]
    })
  const differs = '1 while the node beside has something else than ours.'
  one('node_beside_differs', differs, ({ state }) => (state === 'differs' ? 1 : 0))
  const known = '1 if the latest blocks were compared with the node beside; 0 while nothing is known.'
  one('node_beside_known', known, ({ state }) => (state === 'agrees' || state === 'differs' ? 1 : 0))
  one('node_beside_checked_number', 'Height up to which blocks were compared.', ({ checkedTo }) => checkedTo)
  const blocks = 'Blocks compared with the node beside, by result.'
  registry.collect({ name: 'node_beside_blocks_total', help: blocks, labels: ['result'], type: 'counter' }, () =>
    Object.entries(source.beside()?.counts ?? {}).map(([result, value]) => ({ labels: { result }, value })),
  )
}
