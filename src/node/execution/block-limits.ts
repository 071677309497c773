// What a template keeps to besides its gas, and what a block asks its chain for only once; for every engine.
import type { AnyTransaction } from '../model/transaction'

/**
 * Bytes of a template's transactions. Peers of either kind drop a message above 10 MiB, so nobody would receive a longer
 * block; a body travels with others, and in a block's announcement with its header.
 */
export const MAX_TEMPLATE_BYTES = 8 * 1024 * 1024
/** RLP head of a typed transaction in a block. */
const HEAD_BYTES = 4

/** Counts the bytes of a template's transactions. */
export class TemplateBytes {
  #left = MAX_TEMPLATE_BYTES

  /** Whether there is room for it. */
  fits(tx: AnyTransaction): boolean {
    return tx.raw.length + HEAD_BYTES <= this.#left
  }

  take(tx: AnyTransaction): void {
    this.#left -= tx.raw.length + HEAD_BYTES
  }
}

/** Hash of an ancestor on a block's own branch, 32 bytes; null when unknown. */
type AncestorHash = (number: bigint) => Uint8Array | null

/**
 * For one block: each hash is read once. BLOCKHASH costs 20 gas, a read of the database costs as much time as thousands.
 * It reaches 256 blocks back, which bounds what is kept.
 */
export function readOnce(ancestorHash: AncestorHash): AncestorHash {
  const known = new Map<bigint, Uint8Array | null>()
  return (number) => {
    const found = known.get(number)
    if (found !== undefined) return found
    const hash = ancestorHash(number)
    known.set(number, hash)
    return hash
  }
}
