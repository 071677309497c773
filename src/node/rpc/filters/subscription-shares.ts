// How many subscriptions there are and whose: every log is matched against each, and unsent events take memory.
import { CallerCounts } from '../../../base/limits/caller-counts'
import { rpcFailed } from '../../rpc-fault'

/** A connection; `hangUp` closes it and releases its subscriptions. */
export interface Subscriber {
  hangUp(reason: string): void
}

/** Our own limits; a caller's over all its connections. */
const SUBSCRIPTION_LIMITS = { perConnection: 1_024, perCaller: 4_096, together: 16_384 }

/** Above the total limit, the connection with most subscriptions of the caller with most is closed, and notices it. */
export class SubscriptionShares {
  readonly #shares = new Map<Subscriber, { readonly caller: string; count: number }>()
  readonly #counts = new CallerCounts()
  #together = 0

  constructor(private readonly limits = SUBSCRIPTION_LIMITS) {}

  /** @throws RpcFault RPC_FAILED at the limit of the connection, its caller, or the total when nobody has more */
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

  /** One of its subscriptions ended. */
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
  return rpcFailed(`too many subscriptions: at most ${limit}`)
}
