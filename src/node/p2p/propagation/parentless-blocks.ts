// Blocks near our head whose parent hasn't arrived: kept until it does, so that no order of arrival loses one. They
// carry no proof of work that we could verify yet, so each peer gets little room, and long bodies are fetched again
// later instead of being kept.
import type { BlockHeader } from '../../model/header'
import { hashName } from '../hash-name'

/** A block without its parent, and the peer that sent it. */
export interface ParentlessBlock<P> {
  readonly peer: P
  readonly header: BlockHeader
  /** 32 bytes */
  readonly hash: Uint8Array
  /** The whole block; null when only the header is kept. */
  readonly rlp: Uint8Array | null
}

/** Per peer. A block smaller than the limit is kept whole. */
const MAX_OF_PEER = 40
const MAX_BYTES_OF_PEER = 512 * 1024

/** Limited in blocks and bytes per peer, so no peer can evict what another sent. */
export class ParentlessBlocks<P extends { readonly isClosed: boolean }> {
  /** By the block's own name, oldest first. */
  readonly #blocks = new Map<string, ParentlessBlock<P>>()

  get size(): number {
    return this.#blocks.size
  }

  has(hash: Uint8Array): boolean {
    return this.#blocks.has(hashName(hash))
  }

  /** Whether a block of this peer builds on this one. */
  isParentFor(peer: P, hash: Uint8Array): boolean {
    const name = hashName(hash)
    return [...this.#blocks.values()].some((block) => block.peer === peer && hashName(block.header.parentHash) === name)
  }

  /**
   * Each peer's highest block that builds on this one. Only a peer's own blocks: what others send, which may be made up,
   * says nothing about it. @returns hashes
   */
  topsAbove(hash: Uint8Array): ReadonlyMap<P, Uint8Array> {
    const children = new Map<string, ParentlessBlock<P>[]>()
    for (const block of this.#blocks.values()) {
      const parent = hashName(block.header.parentHash)
      children.set(parent, [...(children.get(parent) ?? []), block])
    }
    const tops = new Map<P, Uint8Array>()
    for (let level = [hashName(hash)]; level.length > 0; ) {
      const above = level.flatMap((name) => children.get(name) ?? [])
      for (const block of above) tops.set(block.peer, block.hash)
      level = above.map((block) => hashName(block.hash))
    }
    return tops
  }

  /** Evicts the peer's oldest. */
  add(block: ParentlessBlock<P>): void {
    const name = hashName(block.hash)
    if (this.#blocks.has(name)) return
    const mine = [...this.#blocks].filter(([, { peer }]) => peer === block.peer)
    const [oldest] = mine.length >= MAX_OF_PEER ? mine : []
    if (oldest !== undefined) this.#blocks.delete(oldest[0])
    const bytes = mine.reduce((sum, [, { rlp }]) => sum + (rlp?.length ?? 0), block.rlp?.length ?? 0)
    this.#blocks.set(name, bytes <= MAX_BYTES_OF_PEER ? block : { ...block, rlp: null })
  }

  /** Removes and returns the blocks that build on one of these. @param parents 32 bytes each */
  takeChildren(parents: readonly Uint8Array[]): readonly ParentlessBlock<P>[] {
    const names = new Set(parents.map(hashName))
    const found = [...this.#blocks].filter(([, { header }]) => names.has(hashName(header.parentHash)))
    for (const [name] of found) this.#blocks.delete(name)
    return found.map(([, block]) => block)
  }

  /** Forgets blocks below `number`, and those of disconnected peers. */
  prune(number: bigint): void {
    for (const [name, { header, peer }] of this.#blocks)
      if (header.number < number || peer.isClosed) this.#blocks.delete(name)
  }

  clear(): void {
    this.#blocks.clear()
  }
}
