// Transactions announced by hash that we lack: who has them, and who is being asked. Bounded per peer.

interface Announced<P> {
  /** Short arrays: a Set each would take most of the memory. */
  readonly announcers: P[]
  /** monotonic ms */
  readonly at: number
  asked: P | null
}

/** Per peer. */
const MAX_OF_PEER = 4096
/**
 * In total. Above it a peer may only have one open request: fifty peers that announce nonexistent transactions would
 * cost 100 MB.
 */
const MAX_OF_ALL = 32_768
const MAX_OF_PEER_THEN = 256

/** Transactions are keyed by `hashName`. */
export class AnnouncedTransactions<P extends object> {
  readonly #entries = new Map<string, Announced<P>>()
  readonly #ofPeer = new Map<P, Set<string>>()

  get size(): number {
    return this.#entries.size
  }

  /** Peers with open announcements. */
  peers(): readonly P[] {
    return [...this.#ofPeer.keys()]
  }

  /** Drops what exceeds the peer's share. @param now monotonic ms */
  add(peer: P, name: string, now: number): void {
    const mine = this.#ofPeer.get(peer) ?? new Set<string>()
    if (mine.size >= (this.#entries.size < MAX_OF_ALL ? MAX_OF_PEER : MAX_OF_PEER_THEN)) return
    const entry = this.#entries.get(name) ?? { announcers: [], at: now, asked: null }
    if (!entry.announcers.includes(peer)) entry.announcers.push(peer)
    mine.add(name)
    this.#entries.set(name, entry)
    this.#ofPeer.set(peer, mine)
  }

  /** Marks up to `most` that the peer announced at `until` or before as requested from it. @param until monotonic ms */
  share(peer: P, until: number, most: number): string[] {
    const names: string[] = []
    for (const name of this.#ofPeer.get(peer) ?? []) {
      const entry = this.#entries.get(name)
      if (entry === undefined || entry.asked !== null || entry.at > until) continue
      entry.asked = peer
      names.push(name)
      if (names.length === most) break
    }
    return names
  }

  /** It arrived, or is no longer wanted. */
  forget(name: string): void {
    for (const peer of this.#entries.get(name)?.announcers ?? []) this.#unlink(peer, name)
    this.#entries.delete(name)
  }

  /** The peer lacks it after all: ask the next announcer. */
  lacks(peer: P, name: string): void {
    this.#unlink(peer, name)
    const entry = this.#entries.get(name)
    if (entry === undefined) return
    const place = entry.announcers.indexOf(peer)
    if (place >= 0) entry.announcers.splice(place, 1)
    if (entry.asked === peer) entry.asked = null
    if (entry.announcers.length === 0) this.#entries.delete(name)
  }

  /** The peer didn't answer for it: it may be requested again, from any announcer. */
  giveBack(peer: P, name: string): void {
    const entry = this.#entries.get(name)
    if (entry?.asked === peer) entry.asked = null
  }

  /** Forgets a peer that left. */
  drop(peer: P): void {
    for (const name of [...(this.#ofPeer.get(peer) ?? [])]) this.lacks(peer, name)
    this.#ofPeer.delete(peer)
  }

  clear(): void {
    this.#entries.clear()
    this.#ofPeer.clear()
  }

  #unlink(peer: P, name: string): void {
    const mine = this.#ofPeer.get(peer)
    mine?.delete(name)
    if (mine?.size === 0) this.#ofPeer.delete(peer)
  }
}
