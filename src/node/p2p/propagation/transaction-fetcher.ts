// Fetches announced transactions: waits a moment for them to arrive unrequested, asks one announcer at a time, and
// continues with the next for whatever that one doesn't deliver. Source: prlx prl/fetcher/tx_fetcher.go
import { bytesName } from '../../../base/bytes'
import { hasCode, messageOf } from '../../../base/errors'
import { Disposables } from '../../../base/lifecycle'
import { keccak256 } from '../../codec/keccak'
import { DISCONNECT } from '../../protocol/base-messages'
import type { NetworkParts } from '../network-parts'
import { fetchPooled } from '../peer/fetch'
import type { Peer } from '../peer/peer'

interface Announced<P> {
  /** Short arrays: a Set each would take most of the memory. */
  readonly announcers: P[]
  /** monotonic ms */
  readonly at: number
  asked: P | null
}

/** Per peer. */
const MAX_OF_PEER = 4096
/** In total. Above it a peer may only have one open request: fifty that announce nonexistent ones would cost 100 MB. */
const MAX_OF_ALL = 32_768
const MAX_OF_PEER_THEN = 256

/** Transactions are keyed by `bytesName`. */
export class AnnouncedTransactions<P extends object> {
  readonly #entries = new Map<string, Announced<P>>()
  readonly #ofPeer = new Map<P, Set<string>>()

  get size(): number {
    return this.#entries.size
  }

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

interface TransactionFetcherDeps extends Pick<NetworkParts, 'chain' | 'peers' | 'clock' | 'log'> {
  readonly add: (peer: Peer, raws: readonly Uint8Array[]) => Promise<void>
}

/** The inverse of `bytesName`. */
const bytesOfName = (name: string): Uint8Array => new Uint8Array(Buffer.from(name, 'latin1'))

const MAX_REQUEST = 256
const ARRIVAL_MS = 500
const FETCH_MS = 5_000
const TICK_MS = 250
/** Consecutive requests that a peer may leave unanswered. */
const MAX_UNANSWERED = 4

/** A hash is requested from one peer at a time; a peer that doesn't answer is skipped. */
export class TransactionFetcher {
  readonly #announced = new AnnouncedTransactions<Peer>()
  readonly #asked = new Set<Peer>()
  readonly #unanswered = new WeakMap<Peer, number>()
  readonly #held = new Disposables()

  constructor(private readonly deps: TransactionFetcherDeps) {}

  start(): void {
    const { clock, peers } = this.deps
    this.#held.add(clock.setInterval(() => this.#tick(), TICK_MS))
    this.#held.add(peers.events.on('left', ({ peer }) => this.#announced.drop(peer)))
  }

  stop(): void {
    this.#held.dispose()
    this.#announced.clear()
  }

  /** Transactions being awaited: at most 4096 per peer. */
  get size(): number {
    return this.#announced.size
  }

  /** @param hashes 32 bytes each */
  announced(peer: Peer, hashes: readonly Uint8Array[]): void {
    const now = this.deps.clock.monotonic()
    if (!peer.isClosed) for (const hash of hashes) this.#announced.add(peer, bytesName(hash), now)
  }

  /** It arrived. @param hash 32 bytes */
  arrived(hash: Uint8Array): void {
    this.#announced.forget(bytesName(hash))
  }

  #tick(): void {
    for (const peer of this.#announced.peers()) {
      if (this.#asked.has(peer)) continue
      this.#asked.add(peer)
      this.#askAll(peer)
        .catch((error: unknown) => this.deps.log.debug('transactions not fetched', { error: messageOf(error) }))
        .finally(() => this.#asked.delete(peer))
    }
  }

  async #askAll(peer: Peer): Promise<void> {
    while (!peer.isClosed) {
      const names = this.#announced.share(peer, this.deps.clock.monotonic() - ARRIVAL_MS, MAX_REQUEST)
      if (names.length === 0) return
      await this.#ask(peer, names)
    }
  }

  async #ask(peer: Peer, names: readonly string[]): Promise<void> {
    const { chain, add } = this.deps
    try {
      const unknown = await chain.unknownTransactions(names.map(bytesOfName))
      const wanted = new Set(unknown.map(bytesName))
      for (const name of names) if (!wanted.has(name)) this.#announced.forget(name)
      if (wanted.size === 0) return
      const raws = await fetchPooled(peer, [...wanted].map(bytesOfName), FETCH_MS)
      this.#unanswered.delete(peer)
      this.#settle(peer, [...wanted], raws)
      await add(peer, raws)
    } catch (error: unknown) {
      this.#failed(peer, names, error)
    }
  }

  /** Answers keep the request's order: gaps before the last item are missing, everything after it was cut off. */
  #settle(peer: Peer, names: readonly string[], raws: readonly Uint8Array[]): void {
    const given = new Set(raws.map((raw) => bytesName(keccak256(raw))))
    const last = names.reduce((found, name, index) => (given.has(name) ? index : found), -1)
    for (const [index, name] of names.entries()) {
      if (given.has(name)) this.#announced.forget(name)
      else if (index < last || last < 0) this.#announced.lacks(peer, name)
      else this.#announced.giveBack(peer, name)
    }
  }

  #failed(peer: Peer, names: readonly string[], error: unknown): void {
    for (const name of names) this.#announced.lacks(peer, name)
    if (!hasCode(error, 'P2P_TIMEOUT')) throw error
    const unanswered = (this.#unanswered.get(peer) ?? 0) + 1
    this.#unanswered.set(peer, unanswered)
    if (unanswered >= MAX_UNANSWERED) peer.disconnect(DISCONNECT.uselessPeer)
  }
}
