// Fetches the headers between those of a skeleton from all peers at once: the fastest get the first gaps, a late peer's
// gap goes to another one too, and a peer that fails twice is excluded.
import { equalBytes } from '../../../base/bytes'
import type { Disposable } from '../../../base/disposable'
import { hasCode, messageOf } from '../../../base/errors'
import { MAX_EXTRA_DATA_BYTES } from '../../consensus/header-rules'
import { P2pError } from '../../errors'
import { bad, type FetchedHeader, fetchHeaders } from '../peer/fetch'
import type { Peer } from '../peer/peer'
import type { SyncParts } from './sync-parts'

/** The block that the following headers build on. */
export interface Ancestor {
  readonly number: bigint
  /** 32 bytes */
  readonly hash: Uint8Array
}

/** A series of headers that can be verified on its own. */
interface RangeRequest {
  readonly after: Ancestor
  readonly count: bigint
  /** 32 bytes: hash of the last one; null = unknown */
  readonly end: Uint8Array | null
}

/** All of them: one at a time could keep us busy forever. @throws P2pError P2P_TIMEOUT, P2P_CLOSED, P2P_BAD_DATA */
export async function fetchRange(peer: Peer, request: RangeRequest, timeoutMs: number): Promise<FetchedHeader[]> {
  const { after, count, end } = request
  const query = { origin: after.number + 1n, amount: count, skip: 0n, reverse: false }
  const headers = plain(await fetchHeaders(peer, query, timeoutMs))
  const last = headers.at(-1)
  if (last === undefined) throw bad('headers', `none after block ${after.number}`)
  const areLinked = headers.every(({ header }, index) => {
    const parent = headers[index - 1]?.hash ?? after.hash
    return header.number === after.number + BigInt(index + 1) && equalBytes(header.parentHash, parent)
  })
  if (!areLinked) throw bad('headers', `they do not follow block ${after.number}`)
  if (BigInt(headers.length) !== count)
    throw bad('headers', `${headers.length} of ${count} after block ${after.number}`)
  if (end !== null && !equalBytes(last.hash, end)) throw bad('headers', 'they do not lead to the skeleton')
  return headers
}

/** Headers that may be kept: none is inflated by its extra data. @throws P2pError P2P_BAD_DATA */
export function plain(headers: FetchedHeader[]): FetchedHeader[] {
  const big = headers.find(({ header }) => header.extraData.length > MAX_EXTRA_DATA_BYTES)
  if (big === undefined) return headers
  throw bad('headers', `block ${big.header.number}: extra-data too long: ${big.header.extraData.length}`)
}

const MAX_FAILURES = 2

/** The owner of the skeleton, and its helpers. */
export interface GapFillerDeps extends Pick<SyncParts, 'limits' | 'clock' | 'log' | 'meter' | 'onFault'> {
  /** When it can't fill a gap, the skeleton is worthless. */
  readonly master: Peer
  readonly helpers: () => readonly Peer[]
}

interface Gap {
  readonly request: RangeRequest
  readonly askedOf: Set<Peer>
  isOpen: boolean
  flights: number
  isLate: boolean
  readonly settle: (headers: readonly FetchedHeader[]) => void
  readonly fail: (error: unknown) => void
}

/** Every gap is verified at both ends, so a helper can delay but not deceive. */
export class GapFiller {
  readonly #busy = new Set<Peer>()
  readonly #failures = new Map<Peer, number>()
  readonly #timers = new Set<Disposable>()
  #gaps: Gap[] = []

  constructor(private readonly deps: GapFillerDeps) {}

  /** One promise per gap, in order; all reject when the master fails. Each must be awaited. */
  fill(requests: readonly RangeRequest[]): readonly Promise<readonly FetchedHeader[]>[] {
    const filled = requests.map(
      (request) =>
        new Promise<readonly FetchedHeader[]>((settle, fail) => {
          this.#gaps.push({ request, isOpen: true, flights: 0, isLate: false, askedOf: new Set(), settle, fail })
        }),
    )
    this.#pump()
    return filled
  }

  /** Stops requesting; open gaps reject. */
  stop(): void {
    for (const timer of this.#timers) timer.dispose()
    this.#timers.clear()
    this.#failAll(new P2pError('P2P_CLOSED', { reason: 'the sync ended' }))
  }

  #pump(): void {
    this.#gaps = this.#gaps.filter(({ isOpen }) => isOpen)
    for (const peer of this.#idle()) {
      const gap = this.#gaps.find((open) => this.#isFor(open, peer))
      if (gap === undefined) continue
      this.#ask(peer, gap).catch((error: unknown) => this.#failAll(error))
    }
    // Without the master the helpers do what they can.
    const hasNobody = this.#gaps.some(
      (gap) => gap.flights === 0 && !this.#able().some((peer) => this.#isFor(gap, peer)),
    )
    if (hasNobody) this.#failAll(new P2pError('P2P_CLOSED', { reason: 'no peer is left to ask for headers' }))
  }

  #able(): readonly Peer[] {
    const { master, helpers } = this.deps
    return [master, ...helpers()].filter((peer) => !peer.isClosed && (this.#failures.get(peer) ?? 0) < MAX_FAILURES)
  }

  /** Fastest first. */
  #idle(): readonly Peer[] {
    const idle = this.#able().filter((peer) => !this.#busy.has(peer))
    return idle.sort((a, b) => b.headers.perSecond - a.headers.perSecond)
  }

  #isFor(gap: Gap, peer: Peer): boolean {
    return gap.isOpen && !gap.askedOf.has(peer) && (gap.flights === 0 || (gap.isLate && gap.flights === 1))
  }

  async #ask(peer: Peer, gap: Gap): Promise<void> {
    const { limits, clock, log, meter } = this.deps
    const startedAt = clock.monotonic()
    this.#busy.add(peer)
    gap.askedOf.add(peer)
    if (gap.flights++ === 0) gap.isLate = false
    meter.use(peer)
    const late = clock.setTimeout(() => {
      gap.isLate = true
      this.#pump()
    }, limits.lateMs)
    this.#timers.add(late)
    try {
      const headers = await fetchRange(peer, gap.request, limits.headersMs)
      peer.headers.delivered(headers.length, clock.monotonic() - startedAt)
      gap.isOpen = false
      gap.settle(headers)
    } catch (error: unknown) {
      log.debug('gap not filled', { peer: peer.name.slice(0, 16), error: messageOf(error) })
      this.#blame(peer, gap, error)
    } finally {
      late.dispose()
      this.#timers.delete(late)
      gap.flights--
      this.#busy.delete(peer)
      this.#pump()
    }
  }

  /** A helper may be on another branch and isn't asked anymore; the master may not. */
  #blame(peer: Peer, gap: Gap, error: unknown): void {
    const failures = (this.#failures.get(peer) ?? 0) + 1
    this.#failures.set(peer, failures)
    peer.headers.failed()
    if (peer !== this.deps.master) {
      if (hasCode(error, 'P2P_TIMEOUT') && failures >= MAX_FAILURES) this.deps.onFault(peer, messageOf(error))
    } else if (gap.isOpen) this.#failAll(error)
  }

  #failAll(error: unknown): void {
    const open = this.#gaps.filter(({ isOpen }) => isOpen)
    this.#gaps = []
    for (const gap of open) {
      gap.isOpen = false
      gap.fail(error instanceof P2pError ? error : bad('headers', messageOf(error)))
    }
  }
}
