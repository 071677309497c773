// What a template keeps to besides its gas, and what a block asks its chain for only once; for every engine.
import type { AnyTransaction } from '../model/transaction'

/** Of a template's transactions: peers drop messages above 10 MiB, and a body travels with others. */
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

/** Reads each hash of a block's 256 ancestors once: BLOCKHASH costs 20 gas, and a read as much time as thousands. */
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
