// Fetches the headers between those of a skeleton from all peers at once: the fastest get the first gaps, a late peer's
// gap goes to another one too, and a peer that fails twice is excluded.
import type { Disposable } from '../../../base/disposable'
import { messageOf } from '../../../base/errors'
import type { Logger } from '../../../base/logger'
import type { Clock } from '../../../base/time'
import { P2pError } from '../../errors'
import { bad, type FetchedHeader } from '../peer/fetch'
import type { Peer } from '../peer/peer'
import { fetchRange, type RangeRequest } from './header-range'
import type { SyncLimits } from './sync-limits'

const MAX_FAILURES = 2

/** The owner of the skeleton, and its helpers. */
export interface GapFillerDeps {
  /** The owner of the skeleton: when it can't fill a gap, the skeleton is worthless. */
  readonly master: Peer
  readonly helpers: () => readonly Peer[]
  readonly limits: SyncLimits
  readonly clock: Clock
  readonly log: Logger
  readonly onUsed: (peer: Peer) => void
  /** A peer let two requests time out. */
  readonly onStalled: (peer: Peer, reason: string) => void
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
          const state = { isOpen: true, flights: 0, isLate: false, askedOf: new Set<Peer>() }
          this.#gaps.push({ request, ...state, settle, fail })
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
    const { limits, clock, log, onUsed } = this.deps
    const startedAt = clock.monotonic()
    this.#busy.add(peer)
    gap.askedOf.add(peer)
    if (gap.flights++ === 0) gap.isLate = false
    onUsed(peer)
    const late = clock.setTimeout(() => {
      gap.isLate = true
      this.#pump()
    }, limits.lateMs)
    this.#timers.add(late)
    try {
      const headers = await fetchRange(peer, gap.request, { timeoutMs: limits.headersMs, clock })
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
    if (peer === this.deps.master) {
      if (gap.isOpen) this.#failAll(error)
      return
    }
    const isTimeout = error instanceof P2pError && error.code === 'P2P_TIMEOUT'
    if (isTimeout && failures >= MAX_FAILURES) this.deps.onStalled(peer, messageOf(error))
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
