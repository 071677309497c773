// Rate limits for incoming datagrams, per address and in total. Anything above them is dropped unread.
import type { Clock } from '../../../base/time'
import { BoundedMap } from './table/bounded-map'

/** Budget of each address, and in total. */
interface RateLimitOptions {
  readonly perSecond: number
  /** That many may come at once. */
  readonly burst: number
  readonly maxAddresses: number
  readonly totalPerSecond: number
}

/** Reserve of the total budget for answers to our own requests, however much strangers send. */
const RESERVED = 0.25

interface Budget {
  tokens: number
  /** monotonic ms */
  at: number
}

/** Counts datagrams before they are read. The addresses that were quiet longest are forgotten first. */
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

  /** Addresses remembered; at most `mostAddresses`. */
  get addresses(): number {
    return this.#budgets.size
  }

  /** Takes one from the budget of `address` and from the total; false when either is exhausted. */
  take(address: string): boolean {
    const { perSecond, burst } = this.options
    const now = this.clock.monotonic()
    const budget = this.#budgets.get(address) ?? { tokens: burst, at: now }
    this.#budgets.set(address, budget)
    return spend(budget, now, { perSecond, burst, left: 0 }) && this.#takeOfAll(RESERVED * this.options.totalPerSecond)
  }

  /** Takes one from the total only, including the reserve: for answers to our requests. */
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
  /** Tokens that must remain. */
  readonly left: number
}

function spend(budget: Budget, now: number, rate: Spending): boolean {
  budget.tokens = Math.min(rate.burst, budget.tokens + ((now - budget.at) * rate.perSecond) / 1000)
  budget.at = now
  if (budget.tokens < 1 + rate.left) return false
  budget.tokens -= 1
  return true
}
