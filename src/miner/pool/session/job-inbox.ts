// A session's jobs in order of arrival: reading one may take a turn of the event loop, the newest usable one wins.

import { equalBytes } from '../../../base/bytes'
import { MINUTE_MS } from '../../../base/time'
import type { PoolTrouble } from '../../pool-trouble'
import { isSameExtranonce, type Job } from '../../work-source'
import type { JobFields, UsableJob } from './job-maker'
import type { SessionDeps } from './session'

/** Consecutive jobs with an unknown seed: the pool mines another chain. */
const MAX_UNKNOWN_SEEDS = 3
/** Consecutive unusable jobs, for whatever reason: the next pool may do better. */
const MAX_REFUSED = 10
/** The same while the dialect is only a guess. */
const MAX_GUESSED = 3
/** Maximum epoch changes per minute. Each costs a cache and a dataset, and a real chain has one in days. */
const MAX_EPOCH_CHANGES = 8

interface JobInboxSink {
  readonly job: (job: Job) => void
  /** A job that can't be worked on. */
  readonly misfit: (reason: string) => void
  readonly giveUp: (reason: string, trouble: PoolTrouble) => void
}

/** The job queue of a session. */
export class JobInbox {
  #newest = 0
  #reading = 0
  /** the newest usable one that was read; null: it was taken */
  #best: { readonly turn: number; readonly usable: UsableJob | null } = { turn: 0, usable: null }
  #unknownSeeds = 0
  #refused = 0
  #warned = false
  #closed = false
  #last: Job | null = null
  #epoch: number | null = null
  /** monotonic ms of changes in the last minute */
  #epochChanges: number[] = []

  constructor(
    private readonly deps: Pick<SessionDeps, 'jobs' | 'log' | 'say' | 'clock'>,
    private readonly sink: JobInboxSink,
    /** the dialect is a guess, and no job has confirmed it: fewer misfits refute it */
    private readonly isGuess: () => boolean = () => false,
  ) {}

  take(fields: JobFields): void {
    const turn = ++this.#newest
    this.#read(fields, turn).catch((error: unknown) => this.sink.giveUp(String(error), 'job-misfit'))
  }

  /** The previous work is gone: the same work counts as new again. */
  forget(): void {
    this.#last = null
  }

  close(): void {
    this.#closed = true
  }

  async #read(fields: JobFields, turn: number): Promise<void> {
    this.#reading += 1
    const outcome = await this.deps.jobs.make(fields)
    this.#reading -= 1
    if (this.#closed) return
    const isNewest = turn === this.#newest
    if ('fault' in outcome) {
      if (isNewest) this.#refuse(outcome)
    } else if (turn > this.#best.turn) this.#best = { turn, usable: outcome }
    // One that still is being read may be newer.
    const { usable } = this.#best
    if (usable === null || !(isNewest || this.#reading === 0)) return
    this.#best = { ...this.#best, usable: null }
    this.#take(usable)
  }

  #take(outcome: UsableJob): void {
    this.#unknownSeeds = 0
    this.#refused = 0
    if (outcome.warning !== null && !this.#warned) {
      this.#warned = true
      this.deps.log.warn('the pool sends heights that do not match its seeds; using the seeds', {
        seen: outcome.warning,
      })
    }
    // The same work under another name keeps its place in the nonce space, but later shares use the new name.
    if (this.#last !== null && sameJob(this.#last, outcome.job)) return
    this.#last = outcome.job
    if (this.#isEpochFlood(outcome.job.epoch))
      this.sink.giveUp(`over ${MAX_EPOCH_CHANGES} changes of the epoch within a minute`, 'job-misfit')
    else this.sink.job(outcome.job)
  }

  #isEpochFlood(epoch: number): boolean {
    if (this.#epoch === epoch) return false
    this.#epoch = epoch
    const now = this.deps.clock.monotonic()
    this.#epochChanges = [...this.#epochChanges.filter((at) => now - at < MINUTE_MS), now]
    return this.#epochChanges.length > MAX_EPOCH_CHANGES
  }

  #refuse({ fault, seed }: { readonly fault: string; readonly seed: boolean }): void {
    this.deps.log.debug('job from the pool rejected', { reason: fault })
    this.deps.say(`a job from the pool was rejected: ${fault}`)
    this.sink.misfit(fault)
    this.#refused += 1
    if (seed) this.#unknownSeeds += 1
    if (this.#unknownSeeds >= MAX_UNKNOWN_SEEDS)
      this.sink.giveUp(`${MAX_UNKNOWN_SEEDS} jobs whose seed belongs to no epoch of this chain`, 'other-coin')
    else if (this.#refused >= (this.isGuess() ? MAX_GUESSED : MAX_REFUSED))
      this.sink.giveUp(`${this.#refused} jobs in a row that cannot be worked on: ${fault}`, 'job-misfit')
  }
}

function sameJob(a: Job, b: Job): boolean {
  return (
    a.jobId === b.jobId &&
    equalBytes(a.sealHash, b.sealHash) &&
    equalBytes(a.target, b.target) &&
    isSameExtranonce(a.extranonce, b.extranonce)
  )
}
