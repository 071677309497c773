// Dates of epoch changes: remaining blocks times the chain's block time as observed here.
import type { Clock } from '../base/time'
import type { Job } from './work-source'

/** Observed blocks that weigh as much as the target block time: a day's worth. */
const TRUST_BLOCKS = 144
/** Heights further apart are from another chain or after a long sleep: restarts the observation. */
const MAX_STEP_BLOCKS = 720
/** The two clocks differ by more between two heights: one was set, or the computer slept, and nobody knows which. */
const MAX_DRIFT_MS = 60_000

/** The next epoch change. */
export interface NextEpochTime {
  readonly epoch: number
  /** until the first block of the epoch is worked on */
  readonly blocks: number
  /** UTC ms */
  readonly at: number
}

interface Seen {
  readonly height: number
  /** UTC ms */
  readonly at: number
  /** monotonic ms */
  readonly mono: number
}

/** Follows heights, and predicts the next change. */
export class EpochClock {
  #epoch: number | null = null
  /** Epoch changes since startup, including the first epoch. */
  changes = 0
  /** start of the observation */
  #first: Seen | null = null
  #last: Seen | null = null

  /** @param epochLength in blocks @param blockSeconds target block time */
  constructor(
    private readonly epochLength: number,
    private readonly blockSeconds: number,
    private readonly clock: Pick<Clock, 'now' | 'monotonic'>,
  ) {}

  /** Resets the count of changes; the observed pace is kept. */
  restart(): void {
    this.#epoch = null
    this.changes = 0
  }

  jobCame({ epoch, height }: Pick<Job, 'epoch' | 'height'>): void {
    if (epoch !== this.#epoch) this.changes += 1
    this.#epoch = epoch
    // Ignores a height that contradicts the seed's epoch.
    if (height === null || Math.floor(height / this.epochLength) !== epoch) return
    const last = this.#last
    if (last?.height === height) return
    const seen = { height, at: this.clock.now(), mono: this.clock.monotonic() }
    if (last === null || !goesOn(last, seen)) this.#first = seen
    this.#last = seen
  }

  /** Seconds per block: a weighted mean of the observed time and the target, the more blocks the more observed. */
  get pace(): number {
    const [first, last] = [this.#first, this.#last]
    if (first === null || last === null) return this.blockSeconds
    const seconds = (last.at - first.at) / 1_000
    return (TRUST_BLOCKS * this.blockSeconds + seconds) / (TRUST_BLOCKS + last.height - first.height)
  }

  /** UTC ms at which `epoch` begins, at the current pace; null without a height, or when it has begun. */
  begins(epoch: number): number | null {
    const last = this.#last
    if (last === null || this.#epoch === null || epoch <= this.#epoch) return null
    return Math.max(this.clock.now(), Math.round(last.at + this.#blocksTo(epoch, last) * this.pace * 1_000))
  }

  next(): NextEpochTime | null {
    const at = this.#epoch === null ? null : this.begins(this.#epoch + 1)
    if (at === null || this.#epoch === null || this.#last === null) return null
    const epoch = this.#epoch + 1
    return { epoch, blocks: this.#blocksTo(epoch, this.#last), at }
  }

  #blocksTo(epoch: number, { height }: Seen): number {
    return Math.max(0, epoch * this.epochLength - height)
  }
}

/** Whether the time between them tells the chain's pace. */
function goesOn(last: Seen, seen: Seen): boolean {
  const blocks = seen.height - last.height
  const isDrift = Math.abs(seen.at - last.at - (seen.mono - last.mono)) > MAX_DRIFT_MS
  return blocks > 0 && blocks <= MAX_STEP_BLOCKS && seen.at > last.at && !isDrift
}
