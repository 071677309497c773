// Whom to sync with next. A peer's claim is a reason to ask it, never to wait for it: the order depends on what its
// address has cost us, then on how far we chose it ourselves, and only then on its claim.
import type { Clock } from '../../../base/time'
import type { AddressRatings } from '../peer/address-ratings'
import type { Peer } from '../peer/peer'

/** What determines the order of candidates. */
interface CandidatesDeps {
  readonly peers: () => readonly Peer[]
  readonly ratings: AddressRatings
  readonly clock: Clock
  /** Total difficulty of our head. */
  readonly ownTotal: () => bigint
}

/** The order, and peers set aside for a while after a failed run. */
export class SyncCandidates {
  /** Peers not to sync with before this time on the monotonic clock. */
  readonly #aside = new WeakMap<Peer, number>()
  /** Peers that we have fully synced with. */
  readonly #proven = new WeakSet<Peer>()

  constructor(private readonly deps: CandidatesDeps) {}

  /** Those that claim more than we have, best first. */
  list(): readonly Peer[] {
    const { peers, clock, ownTotal } = this.deps
    const now = clock.monotonic()
    const own = ownTotal()
    return peers()
      .filter((peer) => !peer.isClosed && peer.totalDifficulty > own && (this.#aside.get(peer) ?? 0) <= now)
      .sort((a, b) => this.#compare(a, b))
  }

  /** Prefers others for this long. */
  setAside(peer: Peer, durationMs: number): void {
    this.#aside.set(peer, this.deps.clock.monotonic() + durationMs)
  }

  /** We synced its chain to the end. */
  proved(peer: Peer): void {
    this.#proven.add(peer)
  }

  #compare(a: Peer, b: Peer): number {
    const { ratings } = this.deps
    const byCost = Math.round(ratings.pointsOf(a.info.host)) - Math.round(ratings.pointsOf(b.info.host))
    const byTrust = this.#trustIn(b) - this.#trustIn(a)
    const byClaim = b.totalDifficulty > a.totalDifficulty ? 1 : b.totalDifficulty < a.totalDifficulty ? -1 : 0
    return byCost || byTrust || byClaim
  }

  /** Anyone can dial us under any name; the others were chosen by us or have proven useful. */
  #trustIn(peer: Peer): number {
    const { trusted, isStatic, direction } = peer.info
    if (trusted || isStatic) return 3
    if (this.#proven.has(peer)) return 2
    return direction === 'outbound' ? 1 : 0
  }
}
