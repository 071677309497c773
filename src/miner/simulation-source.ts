// Synthetic work (`--simulation BLOCK`): devices search a chosen block's dataset for a target that nothing meets, which
// measures the pure hashrate. (A target that everything meets would measure the verification.)
import { Emitter } from '../base/events'
import type { XhashParams } from '../xhash/params'
import { epochOfHeight } from '../xhash/params'
import { seedHash } from '../xhash/seed'
import { difficultyOfTarget } from './difficulty'
import {
  type Job,
  NO_SOURCE,
  type Share,
  type ShareVerdict,
  type WorkSource,
  type WorkSourceEvents,
  type WorkSourceState,
} from './work-source'

/** @param sealHash 32 bytes, arbitrary */
export function simulatedJob(height: number, params: XhashParams, sealHash: Uint8Array): Job {
  const epoch = epochOfHeight(params, height)
  const target = new Uint8Array(32)
  target[31] = 1
  return {
    jobId: 'simulation',
    sealHash,
    seedHash: seedHash(epoch),
    epoch,
    target,
    height,
    difficulty: difficultyOfTarget(target),
    extranonce: null,
    cleanJobs: true,
  }
}

/** One job that never changes; what is found for it goes nowhere. */
export class SimulationSource implements WorkSource {
  readonly events = new Emitter<WorkSourceEvents>()
  #isStarted = false

  constructor(private readonly job: Job) {}

  state(): WorkSourceState {
    return { ...NO_SOURCE, connected: this.#isStarted, warning: 'This is a simulation: nothing is mined for anybody.' }
  }

  async start(): Promise<void> {
    this.#isStarted = true
    this.events.emit('stateChanged', this.state())
    this.events.emit('jobChanged', this.job)
  }

  async stop(): Promise<void> {
    this.#isStarted = false
  }

  /** Solutions are ignored. */
  async submit(_share: Share): Promise<ShareVerdict> {
    return { kind: 'stale' }
  }
}
