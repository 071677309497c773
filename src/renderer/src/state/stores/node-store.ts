// The head of the chain, the latest blocks and the balances of our accounts.
import { createStore } from 'zustand/vanilla'
import type { PeersView, SyncView } from '../../../../contract/network'
import type { BalancesView, BalanceView, BlockRowView, NodeHeadView } from '../../../../contract/node'
import type { NodeControlView } from '../../../../contract/node-control'

export interface NodeState {
  readonly head: NodeHeadView | null
  readonly balances: BalancesView | null
  readonly peers: PeersView | null
  readonly sync: SyncView | null
  /** What can be done with the node as a whole; null until known. */
  readonly control: NodeControlView | null
  /** Newest first; null until the first answer. */
  readonly blocks: readonly BlockRowView[] | null
  /** Why the last request for blocks failed; empty if it didn't. */
  readonly blocksError: string
}

export const createNodeStore = () =>
  createStore<NodeState>(() => ({
    head: null,
    balances: null,
    peers: null,
    sync: null,
    control: null,
    blocks: null,
    blocksError: '',
  }))

export const selectBalance =
  (address: string) =>
  (state: NodeState): BalanceView | undefined =>
    state.balances?.accounts.find((account) => account.address.toLowerCase() === address.toLowerCase())

/** Expected hashes for the next block; null while unknown. */
export const selectNextDifficulty = ({ head }: NodeState): number | null =>
  head?.nextDifficulty == null ? null : Number(head.nextDifficulty)

/** Height of the highest block that we or a peer have; null if there is none. */
export function selectHighest({ head, sync, peers }: NodeState): number | null {
  const known = [head?.head?.number, sync?.highestBlock, ...(peers?.peers.map((peer) => peer.head.number) ?? [])]
  const heights = known.filter((height) => height != null)
  return heights.length === 0 ? null : Math.max(...heights)
}

/**
 * Target spacings without a block, after which the latest block no longer counts as synced: two hours on the main
 * network.
 */
const STALE_SPACINGS = 12

/** Target spacings after which the silence is mentioned: 40 minutes, which 1.8% of all gaps reach by chance. */
export const SILENT_SPACINGS = 4

/** True if the latest block is too old to count as synced. `now` in UTC ms. */
export function isHeadStale(view: NodeHeadView, now: number): boolean {
  return silenceOf(view, now) >= STALE_SPACINGS
}

/**
 * Target spacings since the latest block; 0 before there is one: a genesis is dated long before mining begins. `now` in
 * UTC ms.
 */
export function silenceOf({ head, targetSpacingSeconds }: NodeHeadView, now: number): number {
  return head === null || head.number === 0 ? 0 : (now - head.time) / (targetSpacingSeconds * 1000)
}

export type SyncState =
  | 'stopped'
  | 'failed'
  | 'starting'
  | 'peers'
  | 'headers'
  | 'blocks'
  | 'unconfirmed'
  | 'stalled'
  | 'synced'

/** Blocks of lag that still count as synced, not as syncing. */
const TIP_LAG = 3

/** True while a peer has clearly more blocks than we do. */
export function isSyncing(sync: SyncView | null): sync is SyncView {
  if (sync === null || sync.phase === 'off' || sync.phase === 'idle') return false
  return sync.highestBlock - sync.currentBlock > TIP_LAG
}

/** False if peers are connected and none of them has our head, one of the blocks right below it, or a longer chain. */
function isConfirmed({ head: view, peers }: Pick<NodeState, 'head' | 'peers'>): boolean {
  const head = view?.head ?? null
  if (head === null || view === null || peers === null || peers.peers.length === 0) return true
  const own = view.totalDifficulty === null ? 0n : BigInt(view.totalDifficulty)
  return peers.peers.some(({ head: theirs }) => {
    const isNear = theirs.number !== null && head.number - theirs.number <= TIP_LAG
    return theirs.hash === head.hash || isNear || BigInt(theirs.totalDifficulty) > own
  })
}

/**
 * The node's state at `now`. A network without peers is synced if its head is recent.
 * @param isShared others mine on this network: a node that talks to none of them can't know their chain
 */
export function syncStateOf(
  { head: view, sync, peers }: Pick<NodeState, 'head' | 'sync' | 'peers'>,
  now: number,
  isShared: boolean,
): SyncState {
  if (view === null || view.state === 'stopped') return 'stopped'
  if (view.state === 'failed') return 'failed'
  if (view.head === null || view.state === 'starting') return 'starting'
  if (view.peers === 0) return 'peers'
  if (view.peers === null && isShared) return 'unconfirmed'
  if (isSyncing(sync)) return sync.phase === 'bodies' || sync.phase === 'importing' ? 'blocks' : 'headers'
  if (isHeadStale(view, now)) return 'stalled'
  return isConfirmed({ head: view, peers }) ? 'synced' : 'unconfirmed'
}
