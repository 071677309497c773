// The node's events: chain, pool, peers, shutdown.
import type { NewPending } from './worker/wire/pool-wire'
import type { ChainWork, HeadChange, PendingCounts } from './worker/wire/shapes'

/** Events by name. */
export interface NodeEvents {
  headChanged: HeadChange
  workChanged: ChainWork
  /** A peer is verifiably ahead: stop working on what was given out until new work comes. */
  workHeld: null
  pendingChanged: PendingCounts
  /** Transactions that became executable, each once. */
  newPending: NewPending
  /** Peers connected or disconnected. */
  peersChanged: { readonly count: number }
  /** A sync began, progressed or ended. */
  syncChanged: null
  /** It is stopping: work given out before is void. */
  stopped: null
  /** The worker ended by itself. */
  lost: { readonly reason: string }
}
