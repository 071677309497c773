// How far a sync is: what is told to the window, to eth_syncing and to the log is this one object.
import type { Clock } from '../../../base/time'

/**
 * `idle`: no sync. `finding-ancestor`: where the chains part. `headers`: the first headers are fetched and checked.
 * `bodies`: the next block to import is not here yet. `importing`: blocks are being executed.
 * Headers and bodies go on being fetched in the last two.
 */
export type SyncPhase = 'idle' | 'finding-ancestor' | 'headers' | 'bodies' | 'importing'

/** Heights, counts of this run, and rates; plain data. After a run the last figures stay, with phase `idle`. */
export interface SyncProgress {
  readonly phase: SyncPhase
  /** Height of the common ancestor: the first block that is taken stands on it. 0 before the first run. */
  readonly startingBlock: number
  /** Height of the last block that was imported. */
  readonly currentBlock: number
  /** Height of the peer's head. */
  readonly highestBlock: number
  /** Headers of this run that passed every check, the seal included. */
  readonly headersDone: number
  /** Bodies of this run that are here or were needed no more. */
  readonly bodiesDone: number
  /** Imported in the last half minute, a second; null until that is known. */
  readonly blocksPerSecond: number | null
  /** Until `highestBlock` at that rate, rounded up; null when nothing can be said. */
  readonly etaSeconds: number | null
  /** Connected peers that headers or bodies were asked of in this run. */
  readonly peersUsed: number
  /** Whose chain it is, 128 hex digits; null while no sync runs. */
  readonly peer: string | null
}

export const NO_PROGRESS: SyncProgress = {
  phase: 'idle',
  startingBlock: 0,
  currentBlock: 0,
  highestBlock: 0,
  headersDone: 0,
  bodiesDone: 0,
  blocksPerSecond: null,
  etaSeconds: null,
  peersUsed: 0,
  peer: null,
}

/** True while blocks are on their way: what eth_syncing calls syncing. */
export function isFetching({ phase }: SyncProgress): boolean {
  return phase === 'headers' || phase === 'bodies' || phase === 'importing'
}

const WINDOW_MS = 30_000
/** A rate over less than this says nothing. */
const MIN_MS = 1_000
const SAMPLE_MS = 250

/** The rate of the last half minute, from heights as they were reached. */
export class ImportRate {
  readonly #samples: { readonly at: number; readonly height: number }[] = []

  constructor(private readonly clock: Clock) {}

  /** To be called at the start with the ancestor's height, then whenever blocks were imported. */
  reached(height: number): void {
    const at = this.clock.monotonic()
    const last = this.#samples[this.#samples.length - 1]
    // Many small imports make one sample, so that the list stays short.
    if (last !== undefined && this.#samples.length > 1 && at - last.at < SAMPLE_MS) this.#samples.pop()
    this.#samples.push({ at, height })
    while (this.#samples.length > 2 && at - (this.#samples[1]?.at ?? at) >= WINDOW_MS) this.#samples.shift()
  }

  /** Blocks a second; null when too little was seen. Falls while nothing comes. */
  perSecond(): number | null {
    const first = this.#samples[0]
    const last = this.#samples[this.#samples.length - 1]
    if (first === undefined || last === undefined || last.height <= first.height) return null
    const elapsedMs = this.clock.monotonic() - first.at
    return elapsedMs < MIN_MS ? null : ((last.height - first.height) * 1000) / elapsedMs
  }
}

/** Whole seconds until `highestBlock`; null without a rate. */
export function etaSeconds(currentBlock: number, highestBlock: number, blocksPerSecond: number | null): number | null {
  if (blocksPerSecond === null || blocksPerSecond <= 0) return null
  return Math.ceil(Math.max(0, highestBlock - currentBlock) / blocksPerSecond)
}
