// Our own blocks that were once the head, and which of them were orphaned.
import type { BlockRowView, NodeHeadView } from '../../contract/node'

/** Longer branches are exceptional; older blocks aren't tracked. */
const DEPTH = 64

export class OwnBlocks {
  readonly #own = new Map<number, string>()
  #head: { readonly number: number; readonly hash: string } | null = null

  /** Processes the next head. True when it doesn't build on the previous one, so that the chain has to be examined. */
  saw({ head, coinbase }: Pick<NodeHeadView, 'head' | 'coinbase'>): boolean {
    if (head === null || head.hash === this.#head?.hash) return false
    const before = this.#head
    this.#head = { number: head.number, hash: head.hash }
    if (coinbase !== null && head.miner.toLowerCase() === coinbase.toLowerCase()) this.#add(head)
    // Several blocks between two events aren't a reorganisation; the chain tells.
    return before !== null && head.parentHash !== before.hash && this.#own.size > 0
  }

  /** Our heights that are no longer on this chain; each is reported once. @param chain newest first, without gaps */
  lost(chain: readonly Pick<BlockRowView, 'number' | 'hash'>[]): readonly number[] {
    const lowest = chain[chain.length - 1]?.number ?? Number.POSITIVE_INFINITY
    const highest = chain[0]?.number ?? -1
    const canonical = new Map(chain.map(({ number, hash }) => [number, hash]))
    const gone = [...this.#own].filter(
      ([number, hash]) => number >= lowest && number <= highest && canonical.get(number) !== hash,
    )
    for (const [number] of gone) this.#own.delete(number)
    return gone.map(([number]) => number)
  }

  #add({ number, hash }: BlockRowView): void {
    this.#own.set(number, hash)
    for (const known of this.#own.keys()) if (known <= number - DEPTH) this.#own.delete(known)
  }
}
