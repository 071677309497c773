// Blocks near our head whose parent is not here yet: kept until it is, so that no order of arrival loses one. Nobody did any work
// for them that we could check, so each peer gets little room, and long bodies are fetched again instead of being kept.
import type { BlockHeader } from '../../model/header'
import { hashName } from '../hash-name'

/** A block without its parent, and the peer that sent it. */
export interface OrphanBlock<P> {
  readonly peer: P
  readonly header: BlockHeader
  /** 32 bytes */
  readonly hash: Uint8Array
  /** Of the whole block; null when only the header is here. */
  readonly rlp: Uint8Array | null
}

/** Of one peer. A block below the bound is kept whole. */
const MAX_OF_PEER = 40
const MAX_BYTES_OF_PEER = 512 * 1024

/** Bounded in blocks and bytes for each peer, so no peer can push out what another sent. */
export class OrphanBlocks<P extends { readonly isClosed: boolean }> {
  /** By the name of the block itself, oldest first. */
  readonly #blocks = new Map<string, OrphanBlock<P>>()

  get size(): number {
    return this.#blocks.size
  }

  has(hash: Uint8Array): boolean {
    return this.#blocks.has(hashName(hash))
  }

  /** Whether a block of this peer stands on this one. */
  isParentFor(peer: P, hash: Uint8Array): boolean {
    const name = hashName(hash)
    return [...this.#blocks.values()].some((block) => block.peer === peer && hashName(block.header.parentHash) === name)
  }

  /** The highest of the blocks that stand on this one, or the block itself. @returns its hash */
  topAbove(hash: Uint8Array): Uint8Array {
    const children = new Map([...this.#blocks.values()].map((block) => [hashName(block.header.parentHash), block.hash]))
    let top = hash
    for (let next = children.get(hashName(top)); next !== undefined; next = children.get(hashName(top))) top = next
    return top
  }

  /** The peer's oldest makes room. */
  add(block: OrphanBlock<P>): void {
    const name = hashName(block.hash)
    if (this.#blocks.has(name)) return
    const mine = [...this.#blocks].filter(([, { peer }]) => peer === block.peer)
    const [oldest] = mine.length >= MAX_OF_PEER ? mine : []
    if (oldest !== undefined) this.#blocks.delete(oldest[0])
    const bytes = mine.reduce((sum, [, { rlp }]) => sum + (rlp?.length ?? 0), block.rlp?.length ?? 0)
    this.#blocks.set(name, bytes <= MAX_BYTES_OF_PEER ? block : { ...block, rlp: null })
  }

  /** The blocks that stand on one of these, no longer kept here. @param parents 32 bytes each */
  takeChildren(parents: readonly Uint8Array[]): readonly OrphanBlock<P>[] {
    const names = new Set(parents.map(hashName))
    const found = [...this.#blocks].filter(([, { header }]) => names.has(hashName(header.parentHash)))
    for (const [name] of found) this.#blocks.delete(name)
    return found.map(([, block]) => block)
  }

  /** Forgets what is below `number`, and what came from peers that are gone. */
  prune(number: bigint): void {
    for (const [name, { header, peer }] of this.#blocks)
      if (header.number < number || peer.isClosed) this.#blocks.delete(name)
  }

  clear(): void {
    this.#blocks.clear()
  }
}
