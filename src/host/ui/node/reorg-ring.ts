// Recent reorganisations, for display in the block list.
import type { Clock } from '../../../base/time'
import { MAX_REORG_BLOCKS, type ReorgView } from '../../../contract/explorer'
import type { HeadChange } from '../../../node/node-service'
import { blockRow } from './node-views'

const MAX_REORGS = 20

export class ReorgRing {
  #reorgs: readonly ReorgView[] = []

  constructor(private readonly clock: Clock) {}

  take({ removed, added }: HeadChange): void {
    const lowest = removed[0]
    if (lowest === undefined) return
    const reorg = {
      at: this.clock.now(),
      ancestor: lowest.number - 1,
      removed: removed.slice(0, MAX_REORG_BLOCKS).map(blockRow),
      added: added.slice(0, MAX_REORG_BLOCKS).map(blockRow),
    }
    this.#reorgs = [reorg, ...this.#reorgs].slice(0, MAX_REORGS)
  }

  /** Newest first. */
  list(): readonly ReorgView[] {
    return this.#reorgs
  }
}
