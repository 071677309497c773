// What addresses have cost us: keys are free, addresses aren't. A network whose nodes waste our time is asked last, and
// after several times refused for a while; a private one never, since one address there stands for many nodes.
import type { Clock } from '../../../base/time'
import { BoundedMap } from '../bounded-map'
import { neighbourhood } from './address-rules'

const HALF_LIFE_MS = 15 * 60_000
/** A network with this many points is refused. */
const MAX_POINTS = 4
const MAX_GROUPS = 4096

interface Rating {
  readonly points: number
  /** monotonic ms */
  readonly at: number
}

/** Points for misbehavior by network, not by key. Bounded: the network rated longest ago is evicted. */
export class AddressRatings {
  readonly #groups = new BoundedMap<string, Rating>(MAX_GROUPS)

  constructor(private readonly clock: Clock) {}

  /** A node at this address wasted our time. @param points 1 for a stalled sync, more for provably false data */
  wasted(host: string, points: number): void {
    this.#groups.set(groupKey(host), { points: this.pointsOf(host) + points, at: this.clock.monotonic() })
  }

  worked(host: string): void {
    if (this.#groups.has(groupKey(host))) this.wasted(host, -Math.min(1, this.pointsOf(host)))
  }

  pointsOf(host: string): number {
    const rating = this.#groups.get(groupKey(host))
    if (rating === undefined) return 0
    return rating.points * 0.5 ** ((this.clock.monotonic() - rating.at) / HALF_LIFE_MS)
  }

  refuses(host: string): boolean {
    return neighbourhood(host) !== null && this.pointsOf(host) >= MAX_POINTS
  }
}

function groupKey(host: string): string {
  return neighbourhood(host) ?? host
}
