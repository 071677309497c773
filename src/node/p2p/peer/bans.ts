// Temporary bans and their reasons. Bounded, so that it can't be filled up.

import { BoundedMap } from '../../../base/limits/bounded-map'
import type { Clock } from '../../../base/time'
import { neighbourhood } from '../../identity/ip-address'

const HALF_LIFE_MS = 15 * 60_000
/** A network with this many points is refused. */
const MAX_POINTS = 4
const MAX_GROUPS = 4096

/** Points for misbehavior by network, not by key. Bounded: the network rated longest ago is evicted. */
export class AddressRatings {
  readonly #groups = new BoundedMap<string, { readonly points: number; readonly at: number }>(MAX_GROUPS)

  constructor(private readonly clock: Clock) {}

  /** A node at this address wasted our time. @param points 1 for a stalled sync, more for provably false data */
  wasted(host: string, points: number): void {
    this.#groups.set(groupKey(host), { points: this.pointsOf(host) + points, at: this.clock.monotonic() })
  }

  worked(host: string): void {
    if (this.#groups.has(groupKey(host))) this.wasted(host, -Math.min(1, this.pointsOf(host)))
  }

  pointsOf(host: string): number {
    const rating = this.#groups.get(groupKey(host))
    if (rating === undefined) return 0
    return rating.points * 0.5 ** ((this.clock.monotonic() - rating.at) / HALF_LIFE_MS)
  }

  refuses(host: string): boolean {
    return neighbourhood(host) !== null && this.pointsOf(host) >= MAX_POINTS
  }
}

function groupKey(host: string): string {
  return neighbourhood(host) ?? host
}

export interface BannedNode {
  /** 128 hex digits */
  readonly name: string
  readonly reason: string
  /** ms from now */
  readonly endsInMs: number
}

const MAX_BANS = 4096

/** Bans by node name, in memory only: a restart clears them. The oldest are evicted. */
export class Bans {
  /** `until`: on the monotonic clock, ms */
  readonly #bans = new BoundedMap<string, { readonly reason: string; readonly until: number }>(MAX_BANS)

  constructor(private readonly clock: Clock) {}

  /** @param name of a node (128 hex digits) */
  add(name: string, reason: string, durationMs: number): void {
    this.#bans.set(name, { reason, until: this.clock.monotonic() + durationMs })
  }

  /** Null when it isn't banned. */
  reasonOf(name: string): string | null {
    const ban = this.#bans.get(name)
    if (ban === undefined) return null
    if (ban.until > this.clock.monotonic()) return ban.reason
    this.#bans.delete(name)
    return null
  }

  /** Active bans, oldest first; `endsInMs` from now. */
  list(): readonly BannedNode[] {
    const now = this.clock.monotonic()
    return [...this.#bans].flatMap(([name, { reason, until }]) =>
      until > now ? [{ name, reason, endsInMs: until - now }] : [],
    )
  }

  lift(name: string): void {
    this.#bans.delete(name)
  }
}
