// Blocks of our own that were the head once: which of them another branch has put out again.
import type { BlockRowView, NodeHeadView } from '../../contract/node'

/** A branch longer than this isn't an ordinary one, and older blocks are not looked after. */
const DEPTH = 64

export class OwnBlocks {
  readonly #own = new Map<number, string>()
  #head: { readonly number: number; readonly hash: string } | null = null

  /** Takes the next head in. True when it does not lie on the one before, so that the chain has to be looked at. */
  saw({ head, coinbase }: Pick<NodeHeadView, 'head' | 'coinbase'>): boolean {
    if (head === null || head.hash === this.#head?.hash) return false
    const before = this.#head
    this.#head = { number: head.number, hash: head.hash }
    if (coinbase !== null && head.miner.toLowerCase() === coinbase.toLowerCase()) this.#add(head)
    // Several at once, when they come faster than they are told, are no other branch; the chain says which it is.
    return before !== null && head.parentHash !== before.hash && this.#own.size > 0
  }

  /** Heights of ours that are not on this chain any more; each is told once. @param chain newest first, without gaps */
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
