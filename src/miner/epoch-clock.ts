// When epochs begin, in dates: blocks that are left, times the chain's pace as this program sees it.
import type { Job } from './work-source'

/** Blocks of seen pace that weigh as much as what the difficulty aims at: a day's worth. */
const TRUST_BLOCKS = 144
/** Heights further apart than this are of another chain or after a long sleep: the pace is looked at anew. */
const MAX_STEP_BLOCKS = 720

export interface NextEpochTime {
  readonly epoch: number
  /** until its first block is worked on */
  readonly blocks: number
  /** UTC ms */
  readonly at: number
}

interface Seen {
  readonly height: number
  /** UTC ms */
  readonly at: number
}

export class EpochClock {
  #epoch: number | null = null
  #changes = 0
  /** where the pace is counted from */
  #first: Seen | null = null
  #last: Seen | null = null

  /**
   * @param epochLength in blocks
   * @param blockSeconds what the difficulty aims at
   */
  constructor(
    private readonly epochLength: number,
    private readonly blockSeconds: number,
  ) {}

  /** Changes of the epoch since start, the first one included. */
  get changes(): number {
    return this.#changes
  }

  /** Counts changes from 0 again; the pace stays known. */
  restart(): void {
    this.#epoch = null
    this.#changes = 0
  }

  /** @param now UTC ms */
  jobCame({ epoch, height }: Pick<Job, 'epoch' | 'height'>, now: number): void {
    if (epoch !== this.#epoch) this.#changes += 1
    this.#epoch = epoch
    // One that does not fit the seed's epoch says nothing.
    if (height === null || Math.floor(height / this.epochLength) !== epoch) return
    const last = this.#last
    if (last?.height === height) return
    const seen = { height, at: now }
    const goesOn = last !== null && height > last.height && height - last.height <= MAX_STEP_BLOCKS && now > last.at
    if (!goesOn) this.#first = seen
    this.#last = seen
  }

  /** Seconds a block: what was seen, the sooner the more blocks there were, else what the difficulty aims at. */
  get pace(): number {
    const [first, last] = [this.#first, this.#last]
    if (first === null || last === null) return this.blockSeconds
    const seconds = (last.at - first.at) / 1_000
    return (TRUST_BLOCKS * this.blockSeconds + seconds) / (TRUST_BLOCKS + last.height - first.height)
  }

  /** UTC ms at which `epoch` begins, at the pace of now; null without a height, or when it has begun. @param now UTC ms */
  begins(epoch: number, now: number): number | null {
    const last = this.#last
    if (last === null || this.#epoch === null || epoch <= this.#epoch) return null
    return Math.max(now, last.at + this.#blocksTo(epoch, last) * this.pace * 1_000)
  }

  /** @param now UTC ms */
  next(now: number): NextEpochTime | null {
    const at = this.#epoch === null ? null : this.begins(this.#epoch + 1, now)
    if (at === null || this.#epoch === null || this.#last === null) return null
    const epoch = this.#epoch + 1
    return { epoch, blocks: this.#blocksTo(epoch, this.#last), at }
  }

  #blocksTo(epoch: number, { height }: Seen): number {
    return Math.max(0, epoch * this.epochLength - height)
  }
}
