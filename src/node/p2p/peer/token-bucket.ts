// How much of something a peer may cause: so much at once, so much a second from then on.
import type { Clock } from '../../../base/time'

/** A steady rate with room for a burst. */
export interface TokenRate {
  readonly perSecond: number
  /** That much may come at once. */
  readonly burst: number
}

/** Refills by the monotonic clock; never holds more than the burst. */
export class TokenBucket {
  #tokens: number
  /** monotonic ms */
  #at: number

  constructor(
    private readonly rate: TokenRate,
    private readonly clock: Clock,
  ) {
    this.#tokens = rate.burst
    this.#at = clock.monotonic()
  }

  /** Takes `count` and says true, or takes nothing. */
  take(count: number): boolean {
    this.#refill()
    if (this.#tokens < count) return false
    this.#tokens -= count
    return true
  }

  /** Takes `count` in any case. @returns ms until that was allowed; 0 when it was already */
  charge(count: number): number {
    this.#refill()
    this.#tokens -= count
    return this.#tokens >= 0 ? 0 : Math.ceil((-this.#tokens * 1000) / this.rate.perSecond)
  }

  #refill(): void {
    const { perSecond, burst } = this.rate
    const now = this.clock.monotonic()
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#at) * perSecond) / 1000)
    this.#at = now
  }
}
