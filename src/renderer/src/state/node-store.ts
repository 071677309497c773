// Head of the chain, the newest blocks and the balances of our accounts.
import { createStore } from 'zustand/vanilla'
import type { PeersView, SyncView } from '../../../contract/network'
import type { BalancesView, BalanceView, BlockRowView, NodeHeadView } from '../../../contract/node'

export interface NodeState {
  readonly head: NodeHeadView | null
  readonly balances: BalancesView | null
  readonly peers: PeersView | null
  readonly sync: SyncView | null
  /** Newest first; null until the first answer. */
  readonly blocks: readonly BlockRowView[] | null
  /** Why the last request for blocks failed; empty when it did not. */
  readonly blocksError: string
}

export const createNodeStore = () =>
  createStore<NodeState>(() => ({ head: null, balances: null, peers: null, sync: null, blocks: null, blocksError: '' }))

export const selectBalance =
  (address: string) =>
  (state: NodeState): BalanceView | undefined =>
    state.balances?.accounts.find((account) => account.address.toLowerCase() === address.toLowerCase())

/** Height of the highest block that we or a peer have; null while there is none. */
export function selectHighest({ head, sync, peers }: NodeState): number | null {
  const known = [head?.head?.number, sync?.highestBlock, ...(peers?.peers.map((peer) => peer.head.number) ?? [])]
  const heights = known.filter((height) => height != null)
  return heights.length === 0 ? null : Math.max(...heights)
}

/** Times the wanted spacing without a block: chance makes one of 22,000 gaps that long. */
export const STALE_SPACINGS = 10

/** True when the newest block is too old to be called the tip. `now` in UTC ms. */
export function isHeadStale({ head, targetSpacingSeconds }: NodeHeadView, now: number): boolean {
  return head !== null && now - head.time >= targetSpacingSeconds * 1000 * STALE_SPACINGS
}

export type SyncState = 'stopped' | 'failed' | 'starting' | 'peers' | 'headers' | 'blocks' | 'stalled' | 'tip'

/** Blocks that following the tip may lag without being called a sync. */
const TIP_LAG = 3

/** True while a peer has clearly more than we. */
export function isSyncing(sync: SyncView | null): sync is SyncView {
  if (sync === null || sync.phase === 'off' || sync.phase === 'idle') return false
  return sync.highestBlock - sync.currentBlock > TIP_LAG
}

/** How the node stands at `now`. A network without peers is at its tip when it has a young head. */
export function syncStateOf({ head: view, sync }: Pick<NodeState, 'head' | 'sync'>, now: number): SyncState {
  if (view === null || view.state === 'stopped') return 'stopped'
  if (view.state === 'failed') return 'failed'
  if (view.head === null || view.state === 'starting') return 'starting'
  if (view.peers === 0) return 'peers'
  if (isSyncing(sync)) return sync.phase === 'bodies' || sync.phase === 'importing' ? 'blocks' : 'headers'
  return isHeadStale(view, now) ? 'stalled' : 'tip'
}
