// How often the same one may knock from outside. An owner of IPv6 has a whole /64 to call from, which counts as one.
import type { Clock } from '../../../base/time'
import { BoundedMap } from '../discovery/bounded-map'
import { hostKey } from '../discovery/ip-address'

/** One attempt within this. */
const INBOUND_MS = 30_000
const MOST_REMEMBERED = 4096

export class InboundThrottle {
  /** monotonic ms, by owner; those that were let in longest ago make room */
  readonly #lastAt = new BoundedMap<string, number>(MOST_REMEMBERED)

  constructor(private readonly clock: Clock) {}

  /** Whether this attempt is let in. @param host literal, none of our own networks */
  admits(host: string): boolean {
    const now = this.clock.monotonic()
    const owner = hostKey(host)
    const last = this.#lastAt.get(owner)
    if (last !== undefined && now - last < INBOUND_MS) return false
    this.#lastAt.set(owner, now)
    return true
  }
}
