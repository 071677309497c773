// The node's metric families.
import type { MetricsRegistry, Sample } from '../base/metrics'
import type { BesideState } from './beside-node'
import type { P2pService } from './p2p/p2p-service'
import type { MethodCount } from './rpc/dispatch/dispatch'
import type { BlockSummary, PendingCounts, SealOutcome } from './worker/wire/shapes'

/** Where the metrics read their values. Without a network layer, health, peers and sync are null. */
interface NodeMetricsSource {
  head(): BlockSummary | null
  /** Null while the chain isn't open. */
  counts(): PendingCounts | null
  health(): ReturnType<P2pService['health']> | null
  peers(): { readonly inbound: number; readonly outbound: number } | null
  /** `target` is 0 before the first one. */
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
  const results = { help: 'Submitted seals, by result.', labels: ['result'] }
  const work = registry.counter({ name: 'node_work_submitted_total', ...results })
  declareChain(registry, source)
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

/** Declares families of one value each, absent while `read` or the value is null. */
function eachOf<T>(registry: MetricsRegistry, read: () => T | null) {
  return (name: string, help: string, of: (from: T) => number | null, type: 'gauge' | 'counter' = 'gauge'): void =>
    registry.collect({ name, help, type }, () => {
      const from = read()
      const value = from === null ? null : of(from)
      return value === null ? [] : [{ labels: {}, value }]
    })
}

/** One sample for each member, under its name. */
function byName(label: string, values: object | null): readonly Sample[] {
  return Object.entries(values ?? {}).map(([name, value]) => ({ labels: { [label]: name }, value }))
}

function declareChain(registry: MetricsRegistry, source: NodeMetricsSource): void {
  const head = eachOf(registry, () => source.head())
  head('node_head_number', 'Height of the head.', ({ number }) => number)
  head('node_head_timestamp_seconds', 'Time of the head.', ({ timestamp }) => timestamp)
  const pool = { help: 'Transactions in the pool.', labels: ['state'], type: 'gauge' } as const
  registry.collect({ name: 'node_pool_transactions', ...pool }, () => byName('state', source.counts()))
  const health = eachOf(registry, () => source.health())
  const behind = 'Seconds a peer has been ahead with verified proof of work; 0 if none is.'
  health('node_behind_seconds', behind, ({ behindMs }) => behindMs / 1000)
  const required = '1 while our chain has a different block than a required one.'
  health('node_required_block_differs', required, ({ wrongBlock }) => (wrongBlock === null ? 0 : 1))
  health('node_peer_networks', 'Independent networks (/16, /32 for IPv6) with peers.', ({ groups }) => groups)
}

function declareNetwork(registry: MetricsRegistry, source: NodeMetricsSource): void {
  registry.collect({ name: 'node_peers', help: 'Connected peers.', labels: ['direction'], type: 'gauge' }, () =>
    byName('direction', source.peers()),
  )
  const sync = eachOf(registry, () => source.sync())
  sync('node_syncing', '1 while blocks are fetched from a peer.', ({ isRunning }) => (isRunning ? 1 : 0))
  const known = "Height of the last sync's peer; absent before the first."
  sync('node_sync_target_number', known, ({ target }) => (target === 0 ? null : target))
}

function declareMeasured(registry: MetricsRegistry, source: NodeMetricsSource): void {
  const measured = eachOf(registry, () => source.measured())
  measured('node_database_bytes', 'Size of the chain database.', ({ databaseBytes }) => databaseBytes)
  measured('node_disk_free_bytes', 'Free bytes of its disk.', ({ freeBytes }) => freeBytes)
  const importing = 'Time in which blocks were imported.'
  measured('node_import_seconds_total', importing, ({ importSeconds }) => importSeconds, 'counter')
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
  const told = 'Times that a log filter or subscription was told that it misses logs.'
  eachOf(registry, () => source.rpc())('node_log_gaps_total', told, ({ gaps }) => gaps, 'counter')
}

function declareBeside(registry: MetricsRegistry, source: NodeMetricsSource): void {
  const beside = eachOf(registry, () => source.beside())
  const differs = '1 while the node beside has something else than ours.'
  beside('node_beside_differs', differs, ({ state }) => (state === 'differs' ? 1 : 0))
  const known = '1 if the latest blocks were compared with the node beside; 0 while nothing is known.'
  beside('node_beside_known', known, ({ state }) => (state === 'agrees' || state === 'differs' ? 1 : 0))
  beside('node_beside_checked_number', 'Height up to which blocks were compared.', ({ checkedTo }) => checkedTo)
  const blocks = 'Blocks compared with the node beside, by result.'
  registry.collect({ name: 'node_beside_blocks_total', help: blocks, labels: ['result'], type: 'counter' }, () =>
    byName('result', source.beside()?.counts ?? null),
  )
}
