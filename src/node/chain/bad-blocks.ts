// Blocks that broke a rule, with the reason: the last ones whole for people who look into them, and many more by hash, so that
// neither they nor their children are executed again.
import { toHex } from '../../base/hex'
import type { Block } from '../model/block'

export interface BadBlock {
  readonly block: Block
  /** the reference's message */
  readonly reason: string
}

/** As many whole blocks as the reference shows. */
const KEPT_BLOCKS = 10
const KEPT_HASHES = 4096

export class BadBlocks {
  #blocks: readonly BadBlock[] = []
  readonly #reasons = new Map<string, string>()

  /** @param proven the header, seal included, is good and binds the content: the hash itself is bad for ever */
  remember(block: Block, reason: string, proven: boolean): void {
    const others = this.#blocks.filter((known) => toHex(known.block.hash) !== toHex(block.hash))
    this.#blocks = [{ block, reason }, ...others].slice(0, KEPT_BLOCKS)
    if (proven) this.rememberHash(block.hash, reason)
  }

  /** @param hash 32 bytes */
  rememberHash(hash: Uint8Array, reason: string): void {
    const name = toHex(hash)
    this.#reasons.delete(name) // set again, it becomes the newest
    this.#reasons.set(name, reason)
    for (const oldest of this.#reasons.keys()) {
      if (this.#reasons.size <= KEPT_HASHES) return
      this.#reasons.delete(oldest)
    }
  }

  /** Why the block with this hash (32 bytes) is bad; null when nothing is known against it. */
  reasonOf(hash: Uint8Array): string | null {
    return this.#reasons.get(toHex(hash)) ?? null
  }

  /** The last ones, newest first. */
  list(): readonly BadBlock[] {
    return this.#blocks
  }
}
