// How many subscriptions there are and whose: each costs a look at every log, and what is told waits in memory until it is read.
import { CallerCounts } from '../../../base/limits/caller-counts'
import { RpcFault } from '../../rpc-fault'

/** A connection that has subscriptions. */
export interface Subscriber {
  /** Ends it, and gives its subscriptions back. */
  hangUp(reason: string): void
}

/** Own limits. */
export interface SubscriptionLimits {
  readonly perConnection: number
  /** Over all connections of one caller. */
  readonly perCaller: number
  readonly together: number
}

export const SUBSCRIPTION_LIMITS: SubscriptionLimits = { perConnection: 1_024, perCaller: 4_096, together: 16_384 }

interface Share {
  readonly caller: string
  count: number
}

/**
 * Counts them. When there are too many of all callers together, the connection that has most of the caller that has most is
 * hung up: whoever comes next gets in, and who is cut off notices, which a subscription that just falls silent would not show.
 */
export class SubscriptionShares {
  readonly #shares = new Map<Subscriber, Share>()
  readonly #counts = new CallerCounts()
  #together = 0

  constructor(private readonly limits: SubscriptionLimits = SUBSCRIPTION_LIMITS) {}

  /** @throws RpcFault RPC_FAILED when the connection or its caller has as many as it may, or all have and nobody has more */
  take(connection: Subscriber, caller: string): void {
    const { perConnection, perCaller, together } = this.limits
    const share = this.#shares.get(connection) ?? { caller, count: 0 }
    if (share.count >= perConnection) throw tooMany(`${perConnection} on one connection`)
    if (this.#counts.of(caller) >= perCaller) throw tooMany(`${perCaller} of one caller`)
    if (this.#together >= together) this.#makeRoom(caller)
    this.#shares.set(connection, share)
    share.count += 1
    this.#together += 1
    this.#counts.add(share.caller)
  }

  /** One subscription of it ended. */
  give(connection: Subscriber): void {
    const share = this.#shares.get(connection)
    if (share === undefined) return
    share.count -= 1
    this.#together -= 1
    this.#counts.remove(share.caller)
    if (share.count === 0) this.#shares.delete(connection)
  }

  #makeRoom(caller: string): void {
    const greatest = this.#counts.greatest()
    if (greatest === null || this.#counts.of(greatest) <= this.#counts.of(caller))
      throw tooMany(`${this.limits.together} of all callers together`)
    const [largest] = [...this.#shares]
      .filter(([, share]) => share.caller === greatest)
      .sort(([, first], [, second]) => second.count - first.count)
    largest?.[0].hangUp('too many subscriptions')
  }
}

function tooMany(limit: string) {
  return new RpcFault('RPC_FAILED', { reason: `too many subscriptions: at most ${limit}` })
}
