// How quickly a pool gives work after a new head of our own node's chain. A job doesn't reveal its parent, so the
// comparison uses its height if known, else the time: after a new head, the next clean job counts as the answer.
import { Emitter } from '../../base/events'
import type { Clock } from '../../base/time'
import { latencyOf } from './pool-stats'

/** Number of delays in the statistics: a day of blocks. */
const KEPT_DELAYS = 144
/** Recent heads that a job may lag behind. */
const KEPT_HEADS = 32
/** A job without height that arrived this long before a head was the answer to it: the pool saw the block first. */
const EARLY_MS = 30_000
/** A height difference beyond this isn't explained by propagation. */
const MAX_AHEAD = 2

/** What of a job matters here. */
export interface HeadJob {
  readonly height: number | null
  readonly epoch: number
  readonly cleanJobs: boolean
}

/** How the pool compares with the head now. */
interface HeadVerdict {
  readonly state: 'on' | 'behind' | 'ahead' | 'noJob' | 'unknown'
  /** why it is unknown; empty for the other states */
  readonly why: '' | 'noNode' | 'oldHead' | 'noHeadYet'
  /** UTC ms at which the state began, if observed */
  readonly since: number | null
}

interface Head {
  readonly height: number
  readonly isFresh: boolean
  /** UTC ms; null: it predates startup */
  readonly at: number | null
  /** monotonic ms */
  readonly seenAt: number
}

interface Seen extends HeadJob {
  readonly at: number
  readonly seenAt: number
}

/** Compares a pool's jobs with the node's heads. */
export class JobLag {
  readonly events = new Emitter<{ changed: null }>()
  #head: Head | null = null
  #job: Seen | null = null
  /** UTC ms since when there has been no work */
  #idleSince: number
  /** the head's work has arrived */
  #isMet = false
  /** a job possibly for the next head: it came after the current head's */
  #early: Seen | null = null
  #everClean = false
  #delays: number[] = []
  /** UTC ms of head arrivals by height, oldest first */
  readonly #arrivals = new Map<number, number>()

  /** @param epochLength in blocks */
  constructor(
    private readonly epochLength: number,
    private readonly clock: Pick<Clock, 'now' | 'monotonic'>,
  ) {
    this.#idleSince = clock.now()
  }

  /** Another pool: forgets what was learned about the previous one. */
  forget(): void {
    this.#delays = []
    this.#everClean = false
    this.#early = null
    // Whether its job is for this head is unknown: the head came before the pool.
    if (this.#head !== null) this.#head = { ...this.#head, at: null }
    this.#isMet = true
  }

  /** Null: there is no work anymore. */
  jobCame(job: HeadJob | null): void {
    if (job === null) {
      if (this.#job !== null) this.#idleSince = this.clock.now()
      this.#job = null
    } else this.#take({ ...job, at: this.clock.now(), seenAt: this.clock.monotonic() })
    this.events.emit('changed', null)
  }

  /** The chain's head at startup, whose arrival time is unknown. */
  headIs(height: number, isFresh: boolean): void {
    this.#head = { height, isFresh, at: null, seenAt: this.clock.monotonic() }
    this.#isMet = true
    this.events.emit('changed', null)
  }

  /** @param isFresh false: our own node is behind, so the pool can't be judged */
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

  /** Delays: ms after the head, negative when the pool was first. */
  state() {
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

  #judge(): HeadVerdict {
    const [head, job] = [this.#head, this.#job]
    if (job === null) return { state: 'noJob', why: '', since: this.#idleSince }
    if (head === null) return { state: 'unknown', why: 'noNode', since: null }
    if (!head.isFresh) return { state: 'unknown', why: 'oldHead', since: null }
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
    // A pool that never sends clean jobs renews work silently: each of its jobs counts.
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

  #figures() {
    const lastMs = this.#delays[this.#delays.length - 1]
    const latency = latencyOf(this.#delays)
    if (lastMs === undefined || latency === null) return null
    return { count: latency.count, p50Ms: latency.medianMs, p95Ms: latency.p95Ms, lastMs }
  }
}

const ON = { state: 'on', why: '', since: null } as const
