// How many datagrams are looked at: so many a second of one address, so many of all together. What is over is dropped unread.
import type { Clock } from '../../../base/time'
import { BoundedMap } from './table/bounded-map'

/** The budget of one address, and of all together. */
export interface RateLimitOptions {
  readonly perSecond: number
  /** That many may come at once. */
  readonly burst: number
  readonly maxAddresses: number
  readonly totalPerSecond: number
}

/** Of the budget of all: answers that we wait for must find something left, however many strangers send. */
const RESERVED = 0.25

interface Budget {
  tokens: number
  /** monotonic ms */
  at: number
}

/** Counts datagrams before they are read. Addresses that were quiet for longest are forgotten first. */
export class RateLimit {
  readonly #budgets: BoundedMap<string, Budget>
  readonly #total: Budget

  constructor(
    private readonly options: RateLimitOptions,
    private readonly clock: Clock,
  ) {
    this.#budgets = new BoundedMap(options.maxAddresses)
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
    return spend(budget, now, { perSecond, burst, left: 0 }) && this.#takeOfAll(RESERVED * this.options.totalPerSecond)
  }

  /** Takes one from the budget of all only, to its end: for what was asked for. */
  takeShared(): boolean {
    return this.#takeOfAll(0)
  }

  #takeOfAll(left: number): boolean {
    const { totalPerSecond } = this.options
    return spend(this.#total, this.clock.monotonic(), { perSecond: totalPerSecond, burst: 2 * totalPerSecond, left })
  }
}

interface Spending {
  readonly perSecond: number
  readonly burst: number
  /** Tokens that are not for this. */
  readonly left: number
}

function spend(budget: Budget, now: number, rate: Spending): boolean {
  budget.tokens = Math.min(rate.burst, budget.tokens + ((now - budget.at) * rate.perSecond) / 1000)
  budget.at = now
  if (budget.tokens < 1 + rate.left) return false
  budget.tokens -= 1
  return true
}
