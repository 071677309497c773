// How often the same caller may connect. An IPv6 owner has a whole /64 to call from, which counts as one.
import type { Clock } from '../../../base/time'
import { hostKey } from '../discovery/ip-address'
import { BoundedMap } from '../discovery/table/bounded-map'

/** Interval for one attempt. */
const INBOUND_MS = 30_000
const MAX_REMEMBERED = 4096

/** One accepted connection per owner in 30 s, except from private networks. */
export class InboundThrottle {
  /** monotonic ms by owner; the oldest entries are evicted */
  readonly #lastAt = new BoundedMap<string, number>(MAX_REMEMBERED)

  constructor(private readonly clock: Clock) {}

  /** Whether this attempt is accepted. @param host literal, not from a private network */
  admits(host: string): boolean {
    const now = this.clock.monotonic()
    const owner = hostKey(host)
    const last = this.#lastAt.get(owner)
    if (last !== undefined && now - last < INBOUND_MS) return false
    this.#lastAt.set(owner, now)
    return true
  }
}
