// Our address as others see it. Anyone can lie, so several that are not neighbours have to agree.
// Source: go-ethereum p2p/netutil/iptrack.go
import type { Clock } from '../../../base/time'
import { BoundedMap } from './bounded-map'
import { parseIp, scopeOf, subnetKey } from './ip-address'

const VOTE_MS = 5 * 60_000
const LEAST_VOTES = 10

export class EndpointVotes {
  readonly #votes = new BoundedMap<string, { readonly host: string; readonly at: number }>(256)

  constructor(private readonly clock: Clock) {}

  /** @param host literal, ours as `by` (literal) sees it */
  add(host: string, by: string): void {
    const ip = parseIp(host)
    const voter = parseIp(by)
    if (ip === null || voter === null || scopeOf(ip) !== 'global') return
    this.#votes.set(subnetKey(voter) ?? by, { host, at: this.clock.monotonic() })
  }

  /** The address that most of at least ten voters name; null while there is none. */
  winner(): string | null {
    const oldest = this.clock.monotonic() - VOTE_MS
    const counts = new Map<string, number>()
    for (const { host, at } of this.#votes.values()) if (at >= oldest) counts.set(host, (counts.get(host) ?? 0) + 1)
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
    const best = [...counts].find(([, count]) => 2 * count > total)
    return best !== undefined && total >= LEAST_VOTES ? best[0] : null
  }
}
