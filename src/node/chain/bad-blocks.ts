// Invalid blocks and why: the latest ones in full for display, and many more by hash, so that neither they nor their
// children are executed again.
import { toHex } from '../../base/hex'
import type { Block } from '../model/block'

/** An invalid block and the reason. */
interface BadBlock {
  readonly block: Block
  /** the reference's error message */
  readonly reason: string
}

/** As many full blocks as the reference keeps. */
const KEPT_BLOCKS = 10
const KEPT_HASHES = 4096

/** The invalid blocks of this run; nothing is stored. */
export class BadBlocks {
  #blocks: readonly BadBlock[] = []
  readonly #reasons = new Map<string, string>()

  /**
   * @param proven the header, including its seal, is valid and commits to the content: the hash itself is permanently
   * bad
   */
  remember(block: Block, reason: string, proven: boolean): void {
    const others = this.#blocks.filter((known) => toHex(known.block.hash) !== toHex(block.hash))
    this.#blocks = [{ block, reason }, ...others].slice(0, KEPT_BLOCKS)
    if (proven) this.rememberHash(block.hash, reason)
  }

  /** @param hash 32 bytes */
  rememberHash(hash: Uint8Array, reason: string): void {
    const name = toHex(hash)
    this.#reasons.delete(name) // deleted and set again, it becomes the newest
    this.#reasons.set(name, reason)
    for (const oldest of this.#reasons.keys()) {
      if (this.#reasons.size <= KEPT_HASHES) return
      this.#reasons.delete(oldest)
    }
  }

  /** Why the block with this hash (32 bytes) is invalid; null when it isn't known to be. */
  reasonOf(hash: Uint8Array): string | null {
    return this.#reasons.get(toHex(hash)) ?? null
  }

  /** The latest ones, newest first. */
  list(): readonly BadBlock[] {
    return this.#blocks
  }
}
