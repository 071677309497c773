// Whom to dial next: fixed nodes before found ones, nobody twice within a while, failures ever later.
import type { Clock } from '../../../base/time'
import { type NodeAddress, nodeName } from '../node-address'
import { neighbourhood } from './address-rules'

export interface DialQueueDeps {
  readonly clock: Clock
  /** True for a node that must not be dialled now: connected, being dialled, banned, ourselves. */
  readonly isBusy: (name: string) => boolean
}

interface Candidate {
  readonly address: NodeAddress
  /** Null = not counted. */
  readonly neighbourhood: string | null
  readonly isFixed: boolean
  failures: number
  /** on the monotonic clock, ms */
  notBefore: number
}

const MOST_CANDIDATES = 1000
/** Found nodes of one neighbourhood: who owns it shall not choose whom we dial. */
const MOST_NEIGHBOURS = 4
const REDIAL_MS = 35_000
const FIRST_BACKOFF_MS = 5_000
const MOST_FIXED_BACKOFF_MS = 60_000
const MOST_BACKOFF_MS = 30 * 60_000
/** Found nodes that never answer are forgotten. */
const MOST_FAILURES = 6

export class DialQueue {
  readonly #candidates = new Map<string, Candidate>()

  constructor(private readonly deps: DialQueueDeps) {}

  get size(): number {
    return this.#candidates.size
  }

  /** A node that discovery found; dropped when there are enough, of its neighbourhood or in all, that have not failed. */
  found(address: NodeAddress): void {
    const name = nodeName(address.id)
    const known = this.#candidates.get(name)
    if (address.tcpPort === 0 || known?.isFixed === true) return
    const place = neighbourhood(address.host)
    const isMoved = known !== undefined && known.neighbourhood !== place
    if ((known === undefined || isMoved) && !this.#hasRoomNear(place)) return
    if (known === undefined && this.#candidates.size >= MOST_CANDIDATES && !this.#dropWorst()) return
    this.#put(name, address, known, false)
  }

  /** A node that shall always be connected. */
  fix(address: NodeAddress): void {
    const name = nodeName(address.id)
    this.#put(name, address, undefined, true)
  }

  /** False when it was not among the fixed ones. */
  unfix(name: string): boolean {
    if (this.#candidates.get(name)?.isFixed !== true) return false
    return this.#candidates.delete(name)
  }

  isFixed(name: string): boolean {
    return this.#candidates.get(name)?.isFixed === true
  }

  /** The next to dial, or null. @param onlyFixed true when there is no room for others */
  next(onlyFixed: boolean): NodeAddress | null {
    const now = this.deps.clock.monotonic()
    let best: Candidate | null = null
    for (const [name, candidate] of this.#candidates) {
      if (candidate.notBefore > now || (onlyFixed && !candidate.isFixed) || this.deps.isBusy(name)) continue
      if (best === null || rank(candidate) < rank(best)) best = candidate
    }
    if (best === null) return null
    best.notBefore = now + REDIAL_MS
    return best.address
  }

  /** What failed so far may have done so for want of our own network: all may be dialled now. */
  hurry(): void {
    for (const candidate of this.#candidates.values()) candidate.notBefore = 0
  }

  /** What became of a dial. */
  tried(name: string, isConnected: boolean): void {
    const candidate = this.#candidates.get(name)
    if (candidate === undefined) return
    candidate.failures = isConnected ? 0 : candidate.failures + 1
    const most = candidate.isFixed ? MOST_FIXED_BACKOFF_MS : MOST_BACKOFF_MS
    const least = candidate.isFixed ? FIRST_BACKOFF_MS : REDIAL_MS
    const wait = Math.min(most, least * 2 ** Math.max(0, candidate.failures - 1))
    candidate.notBefore = this.deps.clock.monotonic() + wait
    if (!candidate.isFixed && candidate.failures >= MOST_FAILURES) this.#candidates.delete(name)
  }

  #put(name: string, address: NodeAddress, known: Candidate | undefined, isFixed: boolean): void {
    const { failures = 0, notBefore = 0 } = known ?? {}
    this.#candidates.set(name, { address, neighbourhood: neighbourhood(address.host), isFixed, failures, notBefore })
  }

  #hasRoomNear(place: string | null): boolean {
    if (place === null) return true
    const near = [...this.#candidates.values()].filter((other) => !other.isFixed && other.neighbourhood === place)
    return near.length < MOST_NEIGHBOURS
  }

  /** Makes room by the found one that failed most; false when none has failed. */
  #dropWorst(): boolean {
    let worst: { readonly name: string; readonly failures: number } | null = null
    for (const [name, { isFixed, failures }] of this.#candidates)
      if (!isFixed && failures > (worst?.failures ?? 0)) worst = { name, failures }
    return worst !== null && this.#candidates.delete(worst.name)
  }
}

/** Fixed ones first, then those that failed least. */
function rank({ isFixed, failures }: Candidate): number {
  return (isFixed ? 0 : 1000) + failures
}
