// Token bucket: how much may be caused at once, and per second from then on.
import type { Clock } from '../time'

/** A steady rate with a burst. */
export interface TokenRate {
  readonly perSecond: number
  /** Maximum at once. */
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

  /** No token is left, or there is a debt. */
  get isEmpty(): boolean {
    this.#refill()
    return this.#tokens <= 0
  }

  /** Takes `count` and returns true, or takes nothing. @param left tokens that must remain */
  take(count: number, left = 0): boolean {
    this.#refill()
    if (this.#tokens < count + left) return false
    this.#tokens -= count
    return true
  }

  /** Takes `count` unconditionally. @returns ms until that is covered; 0 when it already is */
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
