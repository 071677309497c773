// How often the same one may knock from outside. An owner of IPv6 has a whole /64 to call from, which counts as one.
import type { Clock } from '../../../base/time'
import { hostKey } from '../discovery/ip-address'
import { BoundedMap } from '../discovery/table/bounded-map'

/** One attempt within this. */
const INBOUND_MS = 30_000
const MAX_REMEMBERED = 4096

/** One accepted connection per owner in 30 s, private networks excepted. */
export class InboundThrottle {
  /** monotonic ms, by owner; those that were let in longest ago make room */
  readonly #lastAt = new BoundedMap<string, number>(MAX_REMEMBERED)

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
