// Work from pools while the list has one, otherwise from our own node: pools can be added and removed while the miner
// runs.
import { Emitter } from '../../base/events'
import { Disposables } from '../../base/lifecycle'
import type { Job, Share, ShareVerdict, WorkSource, WorkSourceEvents, WorkSourceState } from '../work-source'
import type { PoolSource } from './pool-source'

interface PoolsOrSoloDeps {
  readonly list: Pick<PoolSource, 'poolEvents' | 'pools'>
  /** of the list's pools, possibly wrapped by an observer */
  readonly pools: WorkSource
  readonly solo: WorkSource
}

/** Switches between the two sources. */
export class PoolsOrSolo implements WorkSource {
  readonly events = new Emitter<WorkSourceEvents>()
  readonly #held = new Disposables()
  #usesPools: boolean
  /** our own node's current work, for when the last pool is removed */
  #soloJob: Job | null = null

  constructor(private readonly deps: PoolsOrSoloDeps) {
    this.#usesPools = deps.list.pools().length > 0
  }

  state(): WorkSourceState {
    return (this.#usesPools ? this.deps.pools : this.deps.solo).state()
  }

  async start(signal: AbortSignal): Promise<void> {
    const { list, pools, solo } = this.deps
    this.#held.add(list.poolEvents.on('poolsChanged', (views) => this.#choose(views.length > 0)))
    this.#held.add(pools.events.on('jobChanged', (job) => this.#usesPools && this.events.emit('jobChanged', job)))
    this.#held.add(
      pools.events.on('stateChanged', (state) => this.#usesPools && this.events.emit('stateChanged', state)),
    )
    this.#held.add(
      solo.events.on('stateChanged', (state) => this.#usesPools || this.events.emit('stateChanged', state)),
    )
    this.#held.add(
      solo.events.on('jobChanged', (job) => {
        this.#soloJob = job
        if (!this.#usesPools) this.events.emit('jobChanged', job)
      }),
    )
    await solo.start(signal)
    await pools.start(signal)
  }

  async stop(): Promise<void> {
    const { pools, solo } = this.deps
    await pools.stop()
    await solo.stop()
    this.#held.dispose()
  }

  /** A share goes to the source of its job, whatever is being mined now. */
  submit(share: Share, signal: AbortSignal): Promise<ShareVerdict> {
    return (share.job.pool === undefined ? this.deps.solo : this.deps.pools).submit(share, signal)
  }

  #choose(usesPools: boolean): void {
    if (usesPools === this.#usesPools) return
    this.#usesPools = usesPools
    this.events.emit('stateChanged', this.state())
    this.events.emit('jobChanged', usesPools ? null : this.#soloJob)
  }
}
