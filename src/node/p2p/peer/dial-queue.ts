// Whom to dial next: static nodes before discovered ones, with a minimum interval per node and growing back-off after
// failures.
import type { Clock } from '../../../base/time'
import { neighbourhood, region } from '../../identity/ip-address'
import { type NodeAddress, nodeName } from '../node-address'

interface DialQueueDeps {
  readonly clock: Clock
  /** True for a node that must not be dialed now: connected, being dialed, banned, ourselves. */
  readonly isBusy: (name: string) => boolean
  /** Wide neighborhoods we already have outbound peers in: others are preferred. */
  readonly regions: () => ReadonlySet<string>
  /** A random integer below its argument: the order of discovery must not decide the order of dialing. */
  readonly chance: (limit: number) => number
}

interface Candidate {
  readonly address: NodeAddress
  /** Null = not limited. */
  readonly neighbourhood: string | null
  readonly region: string | null
  readonly isFixed: boolean
  /** A peer of the last run: before all discovered ones, until it fails. */
  isAnchor: boolean
  isProven: boolean
  failures: number
  /** on the monotonic clock, ms */
  notBefore: number
}

const MAX_CANDIDATES = 1000
/** Maximum discovered nodes per neighborhood: its owner must not choose whom we dial. */
const MAX_NEIGHBOURS = 4
/** The same for a wide one (/16, /32 of IPv6), which a provider may own. */
const MAX_OF_REGION = 16
/** Rank penalty of a candidate in a region we are already connected to. */
const KNOWN_REGION_RANK = 100
/** Less than one failure. */
const UNTESTED_RANK = 0.5
const ANCHOR_RANK = 500
const FOUND_RANK = 1000
const REDIAL_MS = 35_000
const FIRST_BACKOFF_MS = 5_000
const MAX_FIXED_BACKOFF_MS = 60_000
const MAX_BACKOFF_MS = 30 * 60_000
/** Discovered nodes that never answer are dropped after this. */
const MAX_FAILURES = 6

/** Candidates and their back-off. It doesn't dial: `next` selects a node, `tried` reports the outcome. */
export class DialQueue {
  readonly #candidates = new Map<string, Candidate>()

  constructor(private readonly deps: DialQueueDeps) {}

  get size(): number {
    return this.#candidates.size
  }

  /** Adds a discovered node; dropped when its neighborhood or the queue is full of nodes that haven't failed. */
  found(address: NodeAddress): void {
    const name = nodeName(address.id)
    const known = this.#candidates.get(name)
    if (address.tcpPort === 0 || known?.isFixed === true) return
    const isMoved = known !== undefined && known.neighbourhood !== neighbourhood(address.host)
    if ((known === undefined || isMoved) && !this.#hasRoomNear(address.host)) return
    const isFull = known === undefined && this.#candidates.size >= MAX_CANDIDATES
    if (isFull && !this.#dropWorst() && !this.#dropCrowded(address.host)) return
    this.#put(address, known)
  }

  /** Adds a good peer of the previous run, chosen before anyone could influence us. */
  anchor(address: NodeAddress): void {
    if (!this.#candidates.has(nodeName(address.id))) this.#put(address, { isAnchor: true })
  }

  /** A random candidate we were never connected to, for a test connection: good ones are known before they're needed. */
  untested(): NodeAddress | null {
    const now = this.deps.clock.monotonic()
    const found = [...this.#candidates].filter(
      ([name, { isFixed, isProven, notBefore }]) =>
        !isFixed && !isProven && notBefore <= now && !this.deps.isBusy(name),
    )
    return found[this.deps.chance(found.length)]?.[1].address ?? null
  }

  fix(address: NodeAddress): void {
    this.#put(address, { isFixed: true })
  }

  /** False when it wasn't a static node. */
  unfix(name: string): boolean {
    return this.isFixed(name) && this.#candidates.delete(name)
  }

  isFixed(name: string): boolean {
    return this.#candidates.get(name)?.isFixed === true
  }

  /** The next to dial, or null. @param onlyFixed true when there is no room for others */
  next(onlyFixed: boolean): NodeAddress | null {
    const now = this.deps.clock.monotonic()
    const regions = this.deps.regions()
    let least = Number.POSITIVE_INFINITY
    let equals: Candidate[] = []
    for (const [name, candidate] of this.#candidates) {
      if (candidate.notBefore > now || (onlyFixed && !candidate.isFixed) || this.deps.isBusy(name)) continue
      const place = rank(candidate, regions)
      if (place < least) equals = []
      if (place <= least) equals.push(candidate)
      least = Math.min(least, place)
    }
    const best = equals[this.deps.chance(equals.length)]
    if (best === undefined) return null
    best.notBefore = now + REDIAL_MS
    return best.address
  }

  /** Earlier failures may have been caused by our own network: all may be dialed now. */
  hurry(): void {
    for (const candidate of this.#candidates.values()) candidate.notBefore = 0
  }

  tried(name: string, isConnected: boolean): void {
    const candidate = this.#candidates.get(name)
    if (candidate === undefined) return
    candidate.failures = isConnected ? 0 : candidate.failures + 1
    candidate.isProven ||= isConnected
    candidate.isAnchor &&= isConnected
    const most = candidate.isFixed ? MAX_FIXED_BACKOFF_MS : MAX_BACKOFF_MS
    const least = candidate.isFixed ? FIRST_BACKOFF_MS : REDIAL_MS
    const wait = Math.min(most, least * 2 ** Math.max(0, candidate.failures - 1))
    candidate.notBefore = this.deps.clock.monotonic() + wait
    if (!candidate.isFixed && candidate.failures >= MAX_FAILURES) this.#candidates.delete(name)
  }

  #put(address: NodeAddress, known: Partial<Candidate> = {}): void {
    const { isFixed = false, failures = 0, notBefore = 0, isAnchor = false, isProven = false } = known
    const places = { neighbourhood: neighbourhood(address.host), region: region(address.host) }
    const candidate = { address, ...places, isFixed, isAnchor, isProven, failures, notBefore }
    this.#candidates.set(nodeName(address.id), candidate)
  }

  #hasRoomNear(host: string): boolean {
    const [place, around] = [neighbourhood(host), region(host)]
    if (place === null) return true
    const found = [...this.#candidates.values()].filter(({ isFixed }) => !isFixed)
    if (found.filter((other) => other.neighbourhood === place).length >= MAX_NEIGHBOURS) return false
    return found.filter((other) => other.region === around).length < MAX_OF_REGION
  }

  /** Evicts a candidate of the most crowded region, if the region of `host` has fewer; the oldest stays. */
  #dropCrowded(host: string): boolean {
    const counts = new Map<string, { count: number; last: string }>()
    for (const [name, { isFixed, region: place }] of this.#candidates)
      if (!isFixed && place !== null) counts.set(place, { count: (counts.get(place)?.count ?? 0) + 1, last: name })
    const own = counts.get(region(host) ?? '')?.count ?? 0
    const [crowded] = [...counts.values()].sort((a, b) => b.count - a.count)
    return crowded !== undefined && crowded.count > own + 1 && this.#candidates.delete(crowded.last)
  }

  /** Evicts the discovered node with most failures; false when none has failed. */
  #dropWorst(): boolean {
    let worst: { readonly name: string; readonly failures: number } | null = null
    for (const [name, { isFixed, failures }] of this.#candidates)
      if (!isFixed && failures > (worst?.failures ?? 0)) worst = { name, failures }
    return worst !== null && this.#candidates.delete(worst.name)
  }
}

/** Static ones first, then anchors, then new regions, then fewest failures; among those, nodes that answered before. */
function rank(
  { isFixed, isAnchor, isProven, failures, region: place }: Candidate,
  regions: ReadonlySet<string>,
): number {
  if (isFixed) return failures
  if (isAnchor) return ANCHOR_RANK
  const isNear = place !== null && regions.has(place)
  return FOUND_RANK + failures + (isNear ? KNOWN_REGION_RANK : 0) + (isProven ? 0 : UNTESTED_RANK)
}
