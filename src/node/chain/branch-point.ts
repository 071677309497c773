// Where a branch leaves the canonical chain, and whether the chain can go back that far.
import { equalBytes } from '../../base/bytes'
import { canUndo } from '../execution/state-changes'
import type { Block } from '../model/block'
import type { StoreReader } from '../store/store'
import type { ChainReads } from './chain-store'

/** A canonical block. */
interface ChainPlace {
  readonly number: bigint
  /** 32 bytes */
  readonly hash: Uint8Array
}

/** The last stored side block, and where its branch leaves the chain. */
export interface SideEnd {
  /** 32 bytes */
  readonly hash: Uint8Array
  readonly ancestor: ChainPlace
}

/** What is known of the chain. */
interface BranchDeps {
  readonly store: StoreReader
  readonly reads: ChainReads
  /** height of the head */
  readonly head: bigint
  /** The end of a branch that was walked before: a long branch is walked once, not once per block. */
  readonly last: SideEnd | null
}

/** Where the branch of `block` leaves the chain; a fault when the chain can't go back that far. */
export function branchPoint(
  block: Pick<Block, 'header'>,
  { store, reads, head, last }: BranchDeps,
): { readonly fault: null; readonly ancestor: ChainPlace } | { readonly fault: string } {
  const isNext = last !== null && equalBytes(last.hash, block.header.parentHash)
  let at = isNext ? last.ancestor.hash : block.header.parentHash
  for (;;) {
    const header = reads.header(at)
    if (header === null) return { fault: 'unknown ancestor' }
    const { number, parentHash } = header
    if (!reads.isCanonical(number, at)) {
      at = parentHash
      continue
    }
    const first = reads.canonicalHash(number + 1n)
    if (first === null || canUndo(store, { number: number + 1n, hash: first }))
      return { fault: null, ancestor: { number, hash: at } }
    const depth = head - number
    return { fault: `branch leaves the chain ${depth} blocks below the head, further than blocks can be taken back` }
  }
}
