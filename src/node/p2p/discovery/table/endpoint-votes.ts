// Our address as seen by others. Anyone can lie, so several from different networks have to agree. Source: go-ethereum
// p2p/netutil/iptrack.go
import type { Clock } from '../../../../base/time'
import { parseIp, scopeOf, subnetKey } from '../../../identity/ip-address'
import { BoundedMap } from '../../bounded-map'

const VOTE_MS = 5 * 60_000
const MIN_VOTES = 10

/** Counts reports of our address by the reporter's network; each network has one vote. */
export class EndpointVotes {
  readonly #votes = new BoundedMap<string, { readonly host: string; readonly at: number }>(256)

  constructor(private readonly clock: Clock) {}

  /** @param host literal, ours as seen by `by` (literal) */
  add(host: string, by: string): void {
    const ip = parseIp(host)
    const voter = parseIp(by)
    if (ip === null || voter === null || scopeOf(ip) !== 'global') return
    this.#votes.set(subnetKey(voter) ?? by, { host, at: this.clock.monotonic() })
  }

  /** The address named by most of at least ten voters; null if none. IPv4 is preferred: most nodes only reach that. */
  winner(): string | null {
    return this.#winnerOf(4) ?? this.#winnerOf(16)
  }

  /** @param length of the addresses, bytes */
  #winnerOf(length: number): string | null {
    const oldest = this.clock.monotonic() - VOTE_MS
    const counts = new Map<string, number>()
    for (const { host, at } of this.#votes.values())
      if (at >= oldest && parseIp(host)?.length === length) counts.set(host, (counts.get(host) ?? 0) + 1)
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
    const best = [...counts].find(([, count]) => 2 * count > total)
    return best !== undefined && total >= MIN_VOTES ? best[0] : null
  }
}
