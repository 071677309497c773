// Temporary bans and their reasons. Bounded, so that it can't be filled up.
import type { Clock } from '../../../base/time'
import { BoundedMap } from '../bounded-map'

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
