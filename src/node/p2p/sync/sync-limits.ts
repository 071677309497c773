// How long a sync waits for whom, how much it holds, and how long a peer that failed it is left alone.

/** All waits in ms, all sizes in bytes or blocks. */
export interface SyncLimits {
  /** For an answer with headers. */
  readonly headersMs: number
  /** For an answer with bodies. */
  readonly bodiesMs: number
  /** After so long somebody else is asked for the same, too. */
  readonly lateMs: number
  /** For the whole search of the common ancestor. */
  readonly ancestorMs: number
  /** A run that brought no new verified work for so long gets rivals: one at first, twice as many after each further time. */
  readonly raceMs: number
  /** After so long without new verified work a run is ended, and its peer makes room. */
  readonly idleMs: number
  /** How often it is looked whether someone has more than we. */
  readonly tickMs: number
  /** A peer with blocks from the future is asked again after so long; so is everybody when the disk is full. */
  readonly waitMs: number
  /** Without an answer, or with one that helps nobody. */
  readonly uselessBanMs: number
  /** With a block, a header or a promise that is provably false. */
  readonly invalidBanMs: number
  /** Bodies that wait here and that are on their way, together. Above it only what is needed next is asked for. */
  readonly bodyBytes: number
  /** Headers whose blocks are not imported yet: no more are asked for above either. */
  readonly aheadHeaders: number
  readonly aheadHeaderBytes: number
  /** Headers of a branch that has not yet shown to be heavier than ours. */
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
