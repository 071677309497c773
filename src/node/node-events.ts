// What the node tells: its chain, its pool, its peers, its end.
import type { NewPending } from './worker/wire/pool-wire'
import type { ChainWork, HeadChange, PendingCounts } from './worker/wire/shapes'

export interface NodeEvents {
  headChanged: HeadChange
  workChanged: ChainWork
  /** A peer is verifiably ahead: what was given out is not to be worked on, until work comes again. */
  workHeld: null
  pendingChanged: PendingCounts
  /** Transactions that a block could take from now on, each once. */
  newPending: NewPending
  /** Other nodes connected or went. */
  peersChanged: { readonly count: number }
  /** A sync began, went on or ended. */
  syncChanged: null
  /** It is being stopped: what it gave out before is worth nothing. */
  stopped: null
  /** The worker went away on its own. */
  lost: { readonly reason: string }
}
