// How soon a pool gives work for a new head of the own node's chain. A job hides its parent block, so what is compared is its
// height where it tells one, else the time: after a new head, the next job that makes earlier ones worthless is the answer.
import { Emitter } from '../../base/events'
import type { Clock } from '../../base/time'
import { quantile } from './pool-stats'

/** Delays that the figures are told from: a day of blocks. */
const KEPT_DELAYS = 144
/** Arrivals of heads that a job may lag behind. */
const KEPT_HEADS = 32
/** A job without height this long before a head was the answer to it: the pool heard of the block first. */
const EARLY_MS = 30_000
/** Heights between a job and our head that are no longer the way of blocks through the network. */
const MAX_AHEAD = 2
const MEDIAN = 0.5
const MOST = 0.95

export interface TipJob {
  readonly height: number | null
  readonly epoch: number
  readonly cleanJobs: boolean
}

export interface TipDelays {
  readonly count: number
  /** ms after the head; negative where the pool was first */
  readonly p50Ms: number
  readonly p95Ms: number
  readonly lastMs: number
}

export interface TipState {
  readonly state: 'on' | 'behind' | 'ahead' | 'noJob' | 'unknown'
  /** why it cannot be told; empty for the other states */
  readonly why: '' | 'noNode' | 'syncing' | 'noHeadYet'
  /** UTC ms at which the state began, where that was seen */
  readonly since: number | null
  readonly job: { readonly height: number | null; readonly epoch: number; readonly at: number } | null
  readonly head: { readonly height: number; readonly epoch: number; readonly at: number | null } | null
  readonly delays: TipDelays | null
}

interface Head {
  readonly height: number
  readonly isFresh: boolean
  /** UTC ms; null: it was there before this start */
  readonly at: number | null
  /** monotonic ms */
  readonly seenAt: number
}

interface Seen extends TipJob {
  readonly at: number
  readonly seenAt: number
}

export class TipWatch {
  readonly events = new Emitter<{ changed: null }>()
  #head: Head | null = null
  #job: Seen | null = null
  /** UTC ms since when there is no work */
  #idleSince: number
  /** the head's work has come */
  #isMet = false
  /** a job that may be of the next head: it came when the present head had its own */
  #early: Seen | null = null
  #everClean = false
  #delays: number[] = []
  /** UTC ms of the heads' arrivals by height, oldest first */
  readonly #arrivals = new Map<number, number>()

  /** @param epochLength in blocks */
  constructor(
    private readonly epochLength: number,
    private readonly clock: Pick<Clock, 'now' | 'monotonic'>,
  ) {
    this.#idleSince = clock.now()
  }

  /** Another pool: what was learned of the former one says nothing of it. */
  forget(): void {
    this.#delays = []
    this.#everClean = false
    this.#early = null
    // Whether its job is of this head is not known: the head came before the pool did.
    if (this.#head !== null) this.#head = { ...this.#head, at: null }
    this.#isMet = true
  }

  /** Null: there is no work any more. */
  jobCame(job: TipJob | null): void {
    if (job === null) {
      if (this.#job !== null) this.#idleSince = this.clock.now()
      this.#job = null
    } else this.#take({ ...job, at: this.clock.now(), seenAt: this.clock.monotonic() })
    this.events.emit('changed', null)
  }

  /** The chain's head at the start, of which nobody knows when it came. */
  headIs(height: number, isFresh: boolean): void {
    this.#head = { height, isFresh, at: null, seenAt: this.clock.monotonic() }
    this.#isMet = true
    this.events.emit('changed', null)
  }

  /** @param isFresh false: the own node is behind, so nothing can be said of the pool */
  headCame(height: number, isFresh: boolean): void {
    const head = { height, isFresh, at: this.clock.now(), seenAt: this.clock.monotonic() }
    this.#head = head
    this.#arrivals.set(height, head.at)
    for (const known of this.#arrivals.keys())
      if (known > height || known <= height - KEPT_HEADS) this.#arrivals.delete(known)
    const early = this.#early
    this.#early = null
    this.#isMet = false
    if (isFresh && early !== null && this.#isOf(early, head)) this.#met(early.seenAt - head.seenAt)
    this.events.emit('changed', null)
  }

  state(): TipState {
    const { height = null, epoch = 0, at = 0 } = this.#job ?? {}
    const head = this.#head
    const shown = {
      job: this.#job === null ? null : { height, epoch, at },
      head:
        head === null ? null : { height: head.height, epoch: Math.floor(head.height / this.epochLength), at: head.at },
      delays: this.#figures(),
    }
    return { ...this.#judge(), ...shown }
  }

  #judge(): Pick<TipState, 'state' | 'why' | 'since'> {
    const [head, job] = [this.#head, this.#job]
    if (job === null) return { state: 'noJob', why: '', since: this.#idleSince }
    if (head === null) return { state: 'unknown', why: 'noNode', since: null }
    if (!head.isFresh) return { state: 'unknown', why: 'syncing', since: null }
    if (job.height === null) {
      if (this.#isMet) return head.at === null ? { state: 'unknown', why: 'noHeadYet', since: null } : ON
      return { state: 'behind', why: '', since: head.at }
    }
    if (job.height > head.height + MAX_AHEAD) return { state: 'ahead', why: '', since: null }
    if (job.height > head.height) return ON
    return { state: 'behind', why: '', since: this.#arrivals.get(job.height) ?? null }
  }

  #take(job: Seen): void {
    this.#job = job
    const head = this.#head
    // A pool that never says so renews its work without a word: each of its jobs has to do.
    this.#everClean = this.#everClean || job.cleanJobs
    const counts = job.height !== null || job.cleanJobs || !this.#everClean
    if (head === null || !head.isFresh || !counts) return
    if (!this.#isMet && this.#isAnswer(job, head)) this.#met(job.seenAt - head.seenAt)
    else if (this.#isMet && (job.height === null || job.height > head.height + 1)) this.#early = job
  }

  #isAnswer({ height }: Seen, head: Head): boolean {
    return height === null || height > head.height
  }

  #isOf({ height, seenAt }: Seen, head: Head): boolean {
    return height === null ? head.seenAt - seenAt <= EARLY_MS : height === head.height + 1
  }

  #met(delayMs: number): void {
    this.#isMet = true
    this.#delays = [...this.#delays.slice(1 - KEPT_DELAYS), delayMs]
  }

  #figures(): TipDelays | null {
    const lastMs = this.#delays[this.#delays.length - 1]
    if (lastMs === undefined) return null
    const sorted = [...this.#delays].sort((a, b) => a - b)
    return { count: sorted.length, p50Ms: quantile(sorted, MEDIAN), p95Ms: quantile(sorted, MOST), lastMs }
  }
}

const ON = { state: 'on', why: '', since: null } as const
