// What the parts of a sync share: its limits, the chain, the peers, and who gets reports.
import type { Logger } from '../../../base/logger'
import type { Clock } from '../../../base/time'
import type { P2pChain } from '../p2p-chain'
import type { Peer } from '../peer/peer'
import type { ProgressMeter } from './sync-progress'

/** Times in ms, sizes in bytes or blocks. */
export const SYNC_LIMITS = {
  /** For a headers answer, and for a bodies answer. */
  headersMs: 10_000,
  bodiesMs: 15_000,
  /** After this long another peer is asked for the same. */
  lateMs: 4_000,
  ancestorMs: 30_000,
  /** A run without new verified work for this long gets rivals: first one, then twice as many each further time. */
  raceMs: 2_000,
  /** A run without new verified work for this long ends, and its peer is replaced. */
  idleMs: 20_000,
  /** Interval of checking whether a peer has more than we do. */
  tickMs: 1_000,
  /** Before asking a peer again that sent blocks from the future, and before all requests when the disk is full. */
  waitMs: 15_000,
  /** For no answer, or a useless one. */
  uselessBanMs: 60_000,
  /** For a block, a header or a claim that is provably false. */
  invalidBanMs: 60 * 60_000,
  /** Bodies waiting here and in transit together. Above it, only the next ones needed are requested. */
  bodyBytes: 48 * 1024 * 1024,
  /** Headers whose blocks aren't imported yet: above it, no more are requested. */
  aheadHeaders: 4096,
  aheadHeaderBytes: 4 * 1024 * 1024,
  /** Headers of a branch not yet known to be heavier than ours. */
  heldHeaders: 16_384,
}

export type SyncLimits = Readonly<typeof SYNC_LIMITS>

/** Ms that count against a peer until it delivers verified work, without the time that we spend on it. */
export class WorkWatch {
  #idleMs = 0
  /** monotonic ms; null while we are working ourselves */
  #since: number | null
  #ours = 0
  /** Whether the peer has delivered anything new with proof of work. */
  hasWorked = false

  constructor(private readonly clock: Clock) {
    this.#since = clock.monotonic()
  }

  get idleMs(): number {
    return this.#idleMs + (this.#since === null ? 0 : this.clock.monotonic() - this.#since)
  }

  worked(): void {
    this.hasWorked = true
    this.#idleMs = 0
    if (this.#since !== null) this.#since = this.clock.monotonic()
  }

  /** While `work` runs, the clock is stopped. */
  async ours<T>(work: Promise<T>): Promise<T> {
    if (this.#ours++ === 0) {
      this.#idleMs = this.idleMs
      this.#since = null
    }
    try {
      return await work
    } finally {
      if (--this.#ours === 0) this.#since = this.clock.monotonic()
    }
  }
}

export interface SyncParts {
  readonly chain: P2pChain
  readonly peers: () => readonly Peer[]
  readonly limits: SyncLimits
  readonly clock: Clock
  readonly log: Logger
  readonly meter: ProgressMeter
  readonly watch: WorkWatch
  /** A peer to be dropped: it sent wrong or unrequested data, or let two requests time out. */
  readonly onFault: (peer: Peer, reason: string) => void
}
