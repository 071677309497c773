// Jobs of one session in the order in which they came: reading one may take a turn of the event loop, the newest wins.
import { equalBytes } from '../../base/bytes'
import type { Job } from '../work-source'
import type { JobFields } from './job-maker'
import type { SessionDeps } from './session'

/** Jobs in a row whose seed is of no epoch: the pool mines another chain. */
const MOST_UNKNOWN_SEEDS = 3

export interface JobInboxSink {
  readonly job: (job: Job) => void
  readonly giveUp: (reason: string) => void
}

export class JobInbox {
  #newest = 0
  #unknownSeeds = 0
  #warned = false
  #closed = false
  #last: Job | null = null

  constructor(
    private readonly deps: Pick<SessionDeps, 'jobs' | 'log' | 'say'>,
    private readonly sink: JobInboxSink,
  ) {}

  take(fields: JobFields): void {
    const turn = ++this.#newest
    this.#read(fields, turn).catch((error: unknown) => this.sink.giveUp(String(error)))
  }

  /** The work of before is gone: the same again is news. */
  forget(): void {
    this.#last = null
  }

  close(): void {
    this.#closed = true
  }

  async #read(fields: JobFields, turn: number): Promise<void> {
    const outcome = await this.deps.jobs.make(fields)
    if (this.#closed || turn !== this.#newest) return
    if ('fault' in outcome) return this.#refuse(outcome)
    this.#unknownSeeds = 0
    if (outcome.warning !== null && !this.#warned) {
      this.#warned = true
      this.deps.log.warn('the pool gives heights that do not fit its seeds; the seed decides', {
        seen: outcome.warning,
      })
    }
    // The same work under another name keeps its place in the nonce space, but later shares carry the new name.
    if (this.#last !== null && sameJob(this.#last, outcome.job)) return
    this.#last = outcome.job
    this.sink.job(outcome.job)
  }

  #refuse({ fault, seed }: { readonly fault: string; readonly seed: boolean }): void {
    this.deps.log.warn('job of the pool refused', { reason: fault })
    this.deps.say(`a job of the pool was refused: ${fault}`)
    if (!seed) return
    this.#unknownSeeds += 1
    if (this.#unknownSeeds >= MOST_UNKNOWN_SEEDS)
      this.sink.giveUp(`${MOST_UNKNOWN_SEEDS} jobs whose seed belongs to no epoch of this chain`)
  }
}

function sameJob(a: Job, b: Job): boolean {
  return (
    a.jobId === b.jobId &&
    equalBytes(a.sealHash, b.sealHash) &&
    equalBytes(a.target, b.target) &&
    a.extranonce?.bits === b.extranonce?.bits &&
    a.extranonce?.prefix === b.extranonce?.prefix
  )
}
