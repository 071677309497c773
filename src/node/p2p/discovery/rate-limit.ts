// How many datagrams are looked at: so many a second of one address, so many of all together. What is over is dropped unread.
import type { Clock } from '../../../base/time'
import { BoundedMap } from './bounded-map'

export interface RateLimitOptions {
  readonly perSecond: number
  /** That many may come at once. */
  readonly burst: number
  readonly mostAddresses: number
  readonly totalPerSecond: number
}

interface Budget {
  tokens: number
  /** monotonic ms */
  at: number
}

export class RateLimit {
  readonly #budgets: BoundedMap<string, Budget>
  readonly #total: Budget

  constructor(
    private readonly options: RateLimitOptions,
    private readonly clock: Clock,
  ) {
    this.#budgets = new BoundedMap(options.mostAddresses)
    this.#total = { tokens: 2 * options.totalPerSecond, at: 0 }
  }

  /** Addresses remembered; never more than `mostAddresses`. */
  get addresses(): number {
    return this.#budgets.size
  }

  /** Takes one from the budget of `address`, and from that of all; false when either is used up. */
  take(address: string): boolean {
    const { perSecond, burst } = this.options
    const now = this.clock.monotonic()
    const budget = this.#budgets.get(address) ?? { tokens: burst, at: now }
    this.#budgets.set(address, budget)
    return spend(budget, now, { perSecond, burst }) && this.takeShared()
  }

  /** Takes one from the budget of all only: for what was asked for. */
  takeShared(): boolean {
    const { totalPerSecond } = this.options
    return spend(this.#total, this.clock.monotonic(), { perSecond: totalPerSecond, burst: 2 * totalPerSecond })
  }
}

function spend(budget: Budget, now: number, rate: { readonly perSecond: number; readonly burst: number }): boolean {
  budget.tokens = Math.min(rate.burst, budget.tokens + ((now - budget.at) * rate.perSecond) / 1000)
  budget.at = now
  if (budget.tokens < 1) return false
  budget.tokens -= 1
  return true
}
