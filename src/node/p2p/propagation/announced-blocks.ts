// Blocks announced by hash that haven't arrived: who announced them, and whom to ask next. Bounded per peer.

import type { BlockAnnouncement } from '../../protocol/messages'
import { hashName } from '../hash-name'

/** What one peer announced about a block: the height is the peer's claim and treated as such. */
export interface Announcer<P> {
  readonly peer: P
  readonly number: bigint
}

/** A hash with the peers that announced it. */
export interface AnnouncedBlock<P> {
  /** 32 bytes, and its `hashName` */
  readonly hash: Uint8Array
  readonly name: string
  /** monotonic ms */
  readonly at: number
  /** When a request is open, it is to the first one. */
  readonly announcers: Announcer<P>[]
  isFetching: boolean
}

/** Per peer. */
const MAX_OF_PEER = 256

/** Each peer may have this many open announcements; further ones are dropped. */
export class AnnouncedBlocks<P extends { readonly isClosed: boolean }> {
  readonly #blocks = new Map<string, AnnouncedBlock<P>>()
  readonly #ofPeer = new WeakMap<P, number>()

  /** @param chance a random integer below its argument: the first announcer isn't always asked first */
  constructor(private readonly chance: (limit: number) => number) {}

  get size(): number {
    return this.#blocks.size
  }

  /** Drops what exceeds the peer's share. @param now monotonic ms */
  add(peer: P, { hash, number }: BlockAnnouncement, now: number): void {
    const mine = this.#ofPeer.get(peer) ?? 0
    if (mine >= MAX_OF_PEER) return
    const name = hashName(hash)
    const block = this.#blocks.get(name) ?? { hash, name, at: now, announcers: [], isFetching: false }
    const isOld = block.announcers.some((announcer) => announcer.peer === peer)
    if (isOld) return
    block.announcers.push({ peer, number })
    this.#blocks.set(name, block)
    this.#ofPeer.set(peer, mine + 1)
  }

  /** Whether it is still wanted: it may have arrived unrequested. */
  has(block: AnnouncedBlock<P>): boolean {
    return this.#blocks.get(block.name) === block
  }

  /** Those without an open request, announced at `until` or before. @param until monotonic ms */
  due(until: number): AnnouncedBlock<P>[] {
    return [...this.#blocks.values()].filter(({ isFetching, at }) => !isFetching && at <= until)
  }

  /** Moves one of the connected announcers to the front; forgets the block when there is none. */
  next(block: AnnouncedBlock<P>): Announcer<P> | null {
    const { announcers } = block
    while (announcers.length > 0) {
      const [one] = announcers.splice(this.chance(announcers.length), 1)
      if (one !== undefined) announcers.unshift(one)
      if (one?.peer.isClosed === false) return one
      this.dropFirst(block)
    }
    if (this.has(block)) this.forget(block.name)
    return null
  }

  /** Drops the first announcer: it failed, or lacks the block. */
  dropFirst(block: AnnouncedBlock<P>): void {
    const first = block.announcers.shift()
    if (first !== undefined && this.has(block)) this.#release(first.peer)
  }

  forget(name: string): void {
    const block = this.#blocks.get(name)
    if (block === undefined) return
    this.#blocks.delete(name)
    for (const { peer } of block.announcers) this.#release(peer)
  }

  clear(): void {
    for (const name of [...this.#blocks.keys()]) this.forget(name)
  }

  #release(peer: P): void {
    this.#ofPeer.set(peer, Math.max(0, (this.#ofPeer.get(peer) ?? 1) - 1))
  }
}
