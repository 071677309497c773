// A work source for tests: jobs are pushed and verdicts decided by the test.
import { Emitter } from '../../base/events'
import { difficultyOfTarget } from '../difficulty'
import type { WorkSourceEvents, WorkSourceState } from '../work-source'
import { type Job, type Share, type ShareVerdict, SOLO_HOST, SOLO_URL, type WorkSource } from '../work-source'

/** The source. */
export class FakeWorkSource implements WorkSource {
  readonly events = new Emitter<WorkSourceEvents>()
  readonly shares: Share[] = []
  started = false
  current: WorkSourceState = {
    kind: 'solo',
    connected: true,
    host: SOLO_HOST,
    url: SOLO_URL,
    switches: 0,
    warning: '',
  }
  decide: (share: Share) => Promise<ShareVerdict> = async () => ({ kind: 'accepted', latencyMs: 3 })

  state(): WorkSourceState {
    return this.current
  }

  async start(): Promise<void> {
    this.started = true
  }

  async stop(): Promise<void> {
    this.started = false
  }

  submit(share: Share): Promise<ShareVerdict> {
    this.shares.push(share)
    return this.decide(share)
  }

  push(job: Job | null): void {
    this.events.emit('jobChanged', job)
  }
}

/** A job whose seal hash is `id` in every byte and whose target accepts results up to `bound`. */
export function aJob(id: number, change: Partial<Job> & { readonly bound?: number } = {}): Job {
  const { bound = 255, ...rest } = change
  const target = new Uint8Array(32)
  target[31] = bound
  return {
    jobId: `job-${id}`,
    sealHash: new Uint8Array(32).fill(id),
    seedHash: new Uint8Array(32),
    epoch: 0,
    target,
    height: 10 + id,
    difficulty: difficultyOfTarget(rest.target ?? target),
    extranonce: null,
    cleanJobs: true,
    ...rest,
  }
}
