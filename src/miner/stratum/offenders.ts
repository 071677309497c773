// Addresses that cost work for nothing: those that were disconnected for it again and again are refused for a while.
import type { Clock } from '../../base/time'
import { addressShare } from '../../net/caller-share'

/** Maximum addresses tracked; the oldest is evicted. */
const MAX_TRACKED = 1_024
/** Strikes count within this time. */
const WINDOW_MS = 600_000
const FIRST_BAN_MS = 60_000
const LONGEST_BAN_MS = 3_600_000

/** Strikes within ten minutes that ban an address: a rig with a typing error in its token tries every few seconds. */
const LIMITS = { flood: 3, token: 30 } as const

/** Why an address gets a strike. */
type Strike = keyof typeof LIMITS

interface Tracked {
  readonly strikes: Record<Strike, number>
  since: number
  bannedUntil: number
  bans: number
}

/** Strikes and bans by address; a /64 counts as one address, and so do all local programs. */
export class Offenders {
  readonly #tracked = new Map<string, Tracked>()

  constructor(private readonly clock: Clock) {}

  /** Ms until the ban of this address ends; 0: it isn't banned. */
  bannedForMs(remoteAddress: string): number {
    const until = this.#tracked.get(keyOf(remoteAddress))?.bannedUntil ?? 0
    return Math.max(0, until - this.clock.monotonic())
  }

  /** Ms of the ban that this strike leads to; 0: none yet. A ban is twice as long as the one before. */
  strike(remoteAddress: string, kind: Strike): number {
    const now = this.clock.monotonic()
    const key = keyOf(remoteAddress)
    const known = this.#tracked.get(key) ?? { strikes: { flood: 0, token: 0 }, since: now, bannedUntil: 0, bans: 0 }
    if (now - known.since >= WINDOW_MS) {
      known.strikes.flood = 0
      known.strikes.token = 0
      known.since = now
    }
    known.strikes[kind] += 1
    this.#tracked.delete(key) // reinserting makes it the newest
    this.#tracked.set(key, known)
    for (const oldest of [...this.#tracked.keys()].slice(0, -MAX_TRACKED)) this.#tracked.delete(oldest)
    if (known.strikes[kind] < LIMITS[kind]) return 0
    known.strikes[kind] = 0
    const banMs = Math.min(LONGEST_BAN_MS, FIRST_BAN_MS * 2 ** known.bans)
    known.bans += 1
    known.bannedUntil = now + banMs
    return banMs
  }
}

function keyOf(remoteAddress: string): string {
  return addressShare(remoteAddress) ?? 'local'
}
