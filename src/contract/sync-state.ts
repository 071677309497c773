// How far the node is, by what it last said: one rule for the window and the terminal.
import type { PeerView, SyncView } from './network'
import type { BlockRowView, NodeHeadView } from './node'

/** What the rule needs of a head. */
export interface KnownHead extends Pick<NodeHeadView, 'state' | 'totalDifficulty' | 'peers' | 'targetSpacingSeconds'> {
  readonly head: Pick<BlockRowView, 'number' | 'hash' | 'time'> | null
}

/** What a front last heard; null: nothing yet. */
export interface NodeReadings {
  readonly head: KnownHead | null
  readonly sync: SyncView | null
  readonly peers: { readonly peers: readonly Pick<PeerView, 'head'>[] } | null
}

/** Two hours on the main network: then the latest block no longer counts as synced. */
const STALE_SPACINGS = 12

/** Target spacings after which the silence is mentioned: 40 minutes, which 1.8% of all gaps reach by chance. */
export const SILENT_SPACINGS = 4

/** True if the latest block is too old to count as synced. `now` in UTC ms. */
export function isHeadStale(view: KnownHead, now: number): boolean {
  return silenceOf(view, now) >= STALE_SPACINGS
}

/** Target spacings since the latest block, at `now` in UTC ms; 0 for a genesis: it is dated long before mining. */
export function silenceOf({ head, targetSpacingSeconds }: KnownHead, now: number): number {
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
const HEAD_LAG = 3

/** True while a peer has clearly more blocks than we do. */
export function isSyncing(sync: SyncView | null): sync is SyncView {
  if (sync === null || sync.phase === 'off' || sync.phase === 'idle') return false
  return sync.highestBlock - sync.currentBlock > HEAD_LAG
}

/**
 * True if a peer has our head, one of the blocks right below it, or a longer chain; or, where peers aren't told, if the
 * node itself compared its head with theirs.
 */
function isConfirmed({ head: view, sync, peers }: NodeReadings): boolean {
  const head = view?.head ?? null
  const health = sync?.health
  if (head === null || view === null || health?.isBehind === true) return false
  if ((health?.split ?? null) !== null || (health?.wrongBlock ?? null) !== null) return false
  if (peers === null || peers.peers.length === 0) return health !== undefined
  const own = view.totalDifficulty === null ? null : BigInt(view.totalDifficulty)
  return peers.peers.some(({ head: theirs }) => {
    const isNear = theirs.number !== null && head.number - theirs.number <= HEAD_LAG
    return theirs.hash === head.hash || isNear || (own !== null && BigInt(theirs.totalDifficulty) > own)
  })
}

/**
 * The node's state at `now`. A network without peers is synced if its head is recent; one with peers, if they were heard.
 * @param isShared others mine on this network: a node that talks to none of them can't know their chain
 */
export function syncStateOf({ head: view, sync, peers }: NodeReadings, now: number, isShared: boolean): SyncState {
  if (view === null || view.state === 'stopped') return 'stopped'
  if (view.state === 'failed') return 'failed'
  if (view.head === null || view.state === 'starting') return 'starting'
  if (view.peers === 0) return 'peers'
  if (view.peers === null ? isShared : sync === null) return 'unconfirmed'
  if (isSyncing(sync)) return sync.phase === 'bodies' || sync.phase === 'importing' ? 'blocks' : 'headers'
  if (isHeadStale(view, now)) return 'stalled'
  return view.peers === null || isConfirmed({ head: view, sync, peers }) ? 'synced' : 'unconfirmed'
}

/** False while the node is behind, alone on a shared network, or can't answer; without peers old blocks are fine. */
export function isNodeCurrent(readings: NodeReadings, now: number, isShared: boolean): boolean {
  const state = syncStateOf(readings, now, isShared)
  return state === 'synced' || (state === 'stalled' && readings.head?.peers === null)
}
