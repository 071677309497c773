// Limits of a sync: waiting times, memory, and how long a failed peer is left alone.

/** Times in ms, sizes in bytes or blocks. */
export interface SyncLimits {
  /** For a headers answer. */
  readonly headersMs: number
  /** For a bodies answer. */
  readonly bodiesMs: number
  /** After this long another peer is asked for the same. */
  readonly lateMs: number
  /** For the whole ancestor search. */
  readonly ancestorMs: number
  /** A run without new verified work for this long gets rivals: first one, then twice as many each further time. */
  readonly raceMs: number
  /** A run without new verified work for this long ends, and its peer is replaced. */
  readonly idleMs: number
  /** Interval of checking whether a peer has more than we do. */
  readonly tickMs: number
  /**
   * Wait before asking a peer again that sent blocks from the future, and before all requests when the disk is full.
   */
  readonly waitMs: number
  /** For no answer, or a useless one. */
  readonly uselessBanMs: number
  /** For a block, a header or a claim that is provably false. */
  readonly invalidBanMs: number
  /** Bodies waiting here and in transit together. Above it, only the next ones needed are requested. */
  readonly bodyBytes: number
  /** Headers whose blocks aren't imported yet: above it, no more are requested. */
  readonly aheadHeaders: number
  readonly aheadHeaderBytes: number
  /** Headers of a branch not yet known to be heavier than ours. */
  readonly heldHeaders: number
}

export const SYNC_LIMITS: SyncLimits = {
  headersMs: 10_000,
  bodiesMs: 15_000,
  lateMs: 4_000,
  ancestorMs: 30_000,
  raceMs: 2_000,
  idleMs: 20_000,
  tickMs: 1_000,
  waitMs: 15_000,
  uselessBanMs: 60_000,
  invalidBanMs: 60 * 60_000,
  bodyBytes: 48 * 1024 * 1024,
  aheadHeaders: 4096,
  aheadHeaderBytes: 4 * 1024 * 1024,
  heldHeaders: 16_384,
}
