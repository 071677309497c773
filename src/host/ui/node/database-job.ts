// Checking the chain database from the UI: stops the node for it, and starts it again afterwards.
import { messageOf } from '../../../base/errors'
import { Emitter } from '../../../base/events'
import type { Clock } from '../../../base/time'
import type { DatabaseJobView } from '../../../contract/node-control'
import { HostError } from '../../errors'
import type { ChainDatabase } from '../../node/chain-database'
import type { StageProgress } from '../../node/database-stages'
import type { SupervisedService } from '../../system/supervised-service'

interface DatabaseJobEvents {
  changed: null
}

interface DatabaseJobDeps {
  readonly database: Pick<ChainDatabase, 'care'>
  readonly node: Pick<SupervisedService, 'whileStopped'>
  readonly clock: Clock
}

/** Between two reports of progress. */
const REPORT_MS = 250
const MAX_NAMED = 5

export class DatabaseJob {
  readonly events = new Emitter<DatabaseJobEvents>()
  #job: DatabaseJobView | null = null
  #cancel: AbortController | null = null
  #reportedAt = Number.NEGATIVE_INFINITY

  constructor(private readonly deps: DatabaseJobDeps) {}

  job(): DatabaseJobView | null {
    return this.#job
  }

  /** Resolves when the node has stopped. @throws HostError HOST_DB_CHECK_RUNS */
  async start(): Promise<void> {
    if (this.#job?.state === 'running') throw new HostError('HOST_DB_CHECK_RUNS', undefined)
    const cancel = new AbortController()
    this.#cancel = cancel
    const startedAt = this.deps.clock.now()
    this.#set({ state: 'running', stage: 'files', share: 0, startedAt, blocks: 0, faults: 0, damage: [], error: '' })
    try {
      await this.deps.node.whileStopped((stopped) => {
        const abort = (): void => cancel.abort()
        stopped.addEventListener('abort', abort, { once: true })
        return this.#run(cancel.signal).finally(() => stopped.removeEventListener('abort', abort))
      })
    } catch (error) {
      this.#change({ state: 'failed', error: messageOf(error) })
      throw error
    }
  }

  /** No effect if none runs. */
  cancel(): void {
    this.#cancel?.abort()
  }

  /** Never rejects. */
  async #run(signal: AbortSignal): Promise<void> {
    try {
      const onProgress = (progress: StageProgress): void => this.#report(progress)
      const { kind, report } = await this.deps.database.care({ onProgress, signal })
      const { blocks, faults } = report
      const damage = report.damage.slice(0, MAX_NAMED).map(({ where, reason }) => `${where}: ${reason}`)
      this.#change({ state: kind === 'stopped' ? 'cancelled' : kind, share: 1, blocks, faults, damage })
    } catch (error) {
      this.#change({ state: 'failed', error: messageOf(error) })
    }
  }

  #report({ stage, fraction, blocks }: StageProgress): void {
    if (stage !== 'files' && stage !== 'blocks' && stage !== 'state' && stage !== 'indexes') return
    const now = this.deps.clock.monotonic()
    if (stage === this.#job?.stage && now - this.#reportedAt < REPORT_MS) return
    this.#reportedAt = now
    // In the state, accounts are counted, not blocks.
    this.#change({ stage, share: fraction, ...(stage === 'blocks' ? { blocks } : {}) })
  }

  #change(change: Partial<DatabaseJobView>): void {
    if (this.#job !== null) this.#set({ ...this.#job, ...change })
  }

  #set(job: DatabaseJobView): void {
    this.#job = job
    this.events.emit('changed', null)
  }
}
