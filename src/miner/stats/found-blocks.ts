// Blocks that were found for our own node, and which of them the chain has dropped since: a block beside the chain pays
// nothing.
import { z } from 'zod'

/** More reorganizations than any chain has seen. */
const MAX_FOUND = 512
const MAX_HEIGHTS = 512

/** A found block as it is on disk. */
export const foundSchema = z.object({
  height: z.number().int().nonnegative(),
  /** of the block, hex; empty until it is seen on the chain */
  hash: z.string().max(66),
  /** UTC ms */
  at: z.number().int().nonnegative(),
  by: z.enum(['devices', 'rigs']),
  /** what it pays in millionths of a LAX; the subsidy is 0 where it wasn't known */
  micro: z.number().nonnegative(),
  /** the part of it that its transactions pay; null: not counted yet */
  fees: z.number().nonnegative().nullable().default(null),
  /** it is a side block now; the file's name for it */
  isOrphaned: z.boolean(),
})
/** A block found for our own node. */
export type FoundBlock = z.infer<typeof foundSchema>

/** A change of the chain, lowest first. */
export interface ChainMove {
  readonly removed: readonly { readonly height: number }[]
  /** `isOurs`: it pays our account */
  readonly added: readonly { readonly height: number; readonly hash: string; readonly isOurs: boolean }[]
}

/** The found blocks of one network. */
export class FoundBlocks {
  all: FoundBlock[] = []
  /** found in this run: their times follow a clock that is set right */
  #own = new Set<FoundBlock>()
  /** by height: the block there; null: the chain ends below. `fees`: what its transactions pay, once that is known */
  readonly #chain = new Map<number, (ChainMove['added'][number] & { fees?: number }) | null>()

  /** @param changed a block left the chain, came back, got its hash, or pays so many millionths of a LAX more */
  constructor(private readonly changed: (block: FoundBlock, isMoved: boolean, more: number) => void) {}

  /** Of an earlier run; replaces what is here. @param blocks oldest first */
  restore(blocks: readonly FoundBlock[]): void {
    this.all = blocks.slice(-MAX_FOUND)
    this.#own = new Set()
    for (const height of this.#chain.keys()) this.#settle(height)
  }

  /** Moves what was found in this run. @param by ms */
  shift(by: number): void {
    for (const block of this.#own) block.at = Math.max(0, block.at + by)
  }

  add(block: FoundBlock): void {
    this.#own.add(block)
    this.all = [...this.all, block].slice(-MAX_FOUND)
    this.#settle(block.height)
  }

  moved({ removed, added }: ChainMove): void {
    for (const { height } of removed) this.#chain.set(height, null)
    for (const block of added) this.#chain.set(block.height, { ...block })
    for (const height of new Set([...removed, ...added].map((block) => block.height))) this.#settle(height)
    for (const height of [...this.#chain.keys()].slice(0, -MAX_HEIGHTS)) this.#chain.delete(height)
  }

  /** What the transactions of a block pay its finder. @param micro millionths of a LAX */
  payFees(height: number, hash: string, micro: number): void {
    const there = this.#chain.get(height)
    if (there?.hash !== hash) return
    there.fees = micro
    this.#settle(height)
  }

  #settle(height: number): void {
    const there = this.#chain.get(height)
    if (there === undefined) return
    const ours = this.all.filter((block) => block.height === height)
    const isNew = there?.isOurs === true && ours.every(({ hash }) => hash !== there.hash)
    const named = isNew ? [...ours].reverse().find(({ hash }) => hash === '') : undefined
    if (named !== undefined) named.hash = there?.hash ?? ''
    for (const block of ours) {
      const isOrphaned = block.hash === '' ? there !== null : block.hash !== there?.hash
      const isMoved = isOrphaned !== block.isOrphaned
      block.isOrphaned = isOrphaned
      const more = isOrphaned || block.fees !== null ? null : (there?.fees ?? null)
      if (more !== null) block.fees = more
      if (isMoved || more !== null || block === named) this.changed(block, isMoved, more ?? 0)
    }
  }
}
