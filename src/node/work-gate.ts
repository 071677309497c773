// The node's work on its way to miners: withheld while the node is verifiably behind, since a block on an old parent
// will most likely be orphaned.
import type { Emitter } from '../base/events'
import type { NodeEvents } from './node-events'
import type { HeadHealthState } from './p2p/health/head-health'
import type { ChainWork } from './worker/wire/shapes'

/** Withholds work while a peer is ahead. */
export class WorkGate {
  #work: ChainWork | null = null
  #isHeld = false

  /** @param holds false = work is given out whatever peers have */
  constructor(
    private readonly events: Pick<Emitter<NodeEvents>, 'emit'>,
    private readonly holds: boolean,
  ) {}

  /** Null without work, and while it is withheld. */
  current(): ChainWork | null {
    return this.#isHeld ? null : this.#work
  }

  /** @param work null = there is none any more, which listeners are told */
  take(work: ChainWork | null): void {
    this.#work = work
    if (work !== null && !this.#isHeld) this.events.emit('workChanged', work)
  }

  judge({ isBehind }: Pick<HeadHealthState, 'isBehind'>): void {
    if (!this.holds || isBehind === this.#isHeld) return
    this.#isHeld = isBehind
    if (isBehind) this.events.emit('workHeld', null)
    else if (this.#work !== null) this.events.emit('workChanged', this.#work)
  }
}
