// The node's events: chain, pool, peers, shutdown.
import type { BesideDifference, BesideState } from './beside-node'
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
  /** The comparison with the node beside went on, or says something else. */
  besideChanged: BesideState
  /** The node beside has something else than ours: one of the two is wrong. Once for each difference. */
  besideDiffered: BesideDifference
  /** It is stopping: work given out before is void. */
  stopped: null
  /** The worker ended by itself. */
  lost: { readonly reason: string }
}
