// What the parts of a sync share: its limits, the chain, the peers, and who gets reports.
import type { Logger } from '../../../base/logger'
import type { Clock } from '../../../base/time'
import type { P2pChain } from '../p2p-chain'
import type { Peer } from '../peer/peer'
import type { ProgressMeter } from './progress-meter'
import type { WorkWatch } from './work-watch'

/** Times in ms, sizes in bytes or blocks. */
export const SYNC_LIMITS = {
  /** For a headers answer, and for a bodies answer. */
  headersMs: 10_000,
  bodiesMs: 15_000,
  /** After this long another peer is asked for the same. */
  lateMs: 4_000,
  /** For the whole ancestor search. */
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

/** See `SYNC_LIMITS`. */
export type SyncLimits = Readonly<typeof SYNC_LIMITS>

/** What the parts of a run share. */
export interface SyncParts {
  readonly chain: P2pChain
  /** All of them. */
  readonly peers: () => readonly Peer[]
  readonly limits: SyncLimits
  readonly clock: Clock
  readonly log: Logger
  readonly meter: ProgressMeter
  readonly watch: WorkWatch
  /** A peer to be dropped: it sent wrong or unrequested data, or let two requests time out. */
  readonly onFault: (peer: Peer, reason: string) => void
}
