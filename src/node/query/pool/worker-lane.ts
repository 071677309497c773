// Computing workers, one query at a time each. Every query gets a worker briefly; a longer one continues only if it doesn't
// hold the last worker that new queries could use. Callers take turns. The number of workers follows the load.
import type { Disposable } from '../../../base/disposable'
import { type Ending, EndSource } from '../../../base/ending'
import { Disposables } from '../../../base/lifecycle'
import type { Logger } from '../../../base/logger'
import type { Clock } from '../../../base/time'
import { ChainError } from '../../errors'
import { rpcFailed } from '../../rpc-fault'
import type { QueryClient } from './query-client'

interface InTurn<T> {
  readonly caller: string
  readonly item: T
}

/** Each caller's items stay in order. */
export class FairQueue<T> {
  /** Callers in order of their turns; each has at least one item. */
  readonly #lines = new Map<string, T[]>()
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Number of one caller's waiting items. */
  of(caller: string): number {
    return this.#lines.get(caller)?.length ?? 0
  }

  push({ caller, item }: InTurn<T>): void {
    const line = this.#lines.get(caller)
    if (line === undefined) this.#lines.set(caller, [item])
    else line.push(item)
    this.#size++
  }

  /** The oldest item of the caller whose turn it is; that caller moves to the end. */
  shift(): T | undefined {
    const [next] = this.#lines
    if (next === undefined) return undefined
    const [caller, line] = next
    const item = line.shift()
    this.#lines.delete(caller)
    if (line.length > 0) this.#lines.set(caller, line)
    this.#size--
    return item
  }

  /** False when it isn't queued. */
  remove({ caller, item }: InTurn<T>): boolean {
    const line = this.#lines.get(caller)
    const index = line?.indexOf(item) ?? -1
    if (line === undefined || index < 0) return false
    line.splice(index, 1)
    if (line.length === 0) this.#lines.delete(caller)
    this.#size--
    return true
  }

  /** Empties it. */
  drain(): T[] {
    const all = [...this.#lines.values()].flat()
    this.#lines.clear()
    this.#size = 0
    return all
  }
}

export interface LaneDeps {
  /** A worker with an open database. @param onLost called once when it is gone */
  readonly open: (onLost: () => void) => Promise<QueryClient>
  readonly clock: Clock
  readonly log: Logger
}

/** A query's claim on a worker. */
export interface Lease {
  readonly client: QueryClient
  /** Ends when the query must make room for others: it is rerun later. */
  readonly makeRoom: Ending
  /** Idempotent. */
  readonly release: () => void
}

interface LeaseRequest {
  readonly caller: string
  /** It had to make room before, or can't be rerun: it doesn't get a worker reserved for new queries. */
  readonly isLong: boolean
  readonly ending: Ending
}

/** How long a query counts as new, ms: most calls finish in a tenth of it. */
const SLICE_MS = 500
/** Waiting queries per caller. Our own limit. */
export const MAX_WAITING = 1_024
/** The fault of a caller who exceeds it. */
export const tooMany = (): Error => rpcFailed(`too many of your queries wait: at most ${MAX_WAITING}`)
/** Idle workers are closed after this, except one, ms. */
const IDLE_MS = 60_000
/** Delay before a lost worker is reopened; doubled for each further loss within the window. */
const REOPEN_MS = 500
const MAX_REOPEN_MS = 30_000
const LOSS_WINDOW_MS = 5 * 60_000

interface Waiting {
  readonly request: LeaseRequest
  readonly give: (worker: OwnWorker) => void
  readonly refuse: (error: unknown) => void
}

interface Run {
  isLong: boolean
  readonly canMove: boolean
  readonly room: EndSource
  readonly slice: Disposable
}

interface OwnWorker {
  readonly client: QueryClient
  /** Null while idle. */
  run: Run | null
  /** When it last became idle, monotonic ms. */
  idleSince: number
}

/** Leases workers; the lease reports when to make room, and ends with the signal. */
export class WorkerLane {
  readonly #fresh = new FairQueue<Waiting>()
  readonly #long = new FairQueue<Waiting>()
  readonly #workers = new Set<OwnWorker>()
  readonly #opening = new Set<Promise<void>>()
  /** Times of lost workers, monotonic ms. */
  #losses: number[] = []
  #reopening: Disposable | null = null
  /** Looks for workers that have been idle for long, while there is more than one. */
  #idleCheck: Disposable | null = null
  #isOpen = false

  /** @param maxWorkers at least 2 */
  constructor(
    private readonly maxWorkers: number,
    private readonly deps: LaneDeps,
  ) {}

  /** Workers are opened when they are needed. */
  start(): void {
    this.#isOpen = true
  }

  /** Resolves when no thread has the database open any more. */
  async stop(): Promise<void> {
    this.#isOpen = false
    this.#reopening?.dispose()
    this.#reopening = null
    this.#idleCheck?.dispose()
    this.#idleCheck = null
    this.#refuseAll(new ChainError('CHAIN_NOT_OPEN', undefined))
    await Promise.allSettled(this.#opening)
    const workers = [...this.#workers]
    this.#workers.clear()
    for (const { run } of workers) run?.slice.dispose()
    await Promise.allSettled(workers.map(({ client }) => client.close()))
  }

  /** At once if one is idle, else in this caller's turn. @throws CHAIN_NOT_OPEN, RPC_FAILED for too many, reason of `ending` */
  take(request: LeaseRequest): Lease | Promise<Lease> {
    const { caller, isLong, ending } = request
    if (!this.#isOpen) return Promise.reject(new ChainError('CHAIN_NOT_OPEN', undefined))
    const idle = this.#idleFor(request)
    if (idle !== null) return this.#leaseOf(idle, request)
    const queue = isLong ? this.#long : this.#fresh
    if (queue.of(caller) >= MAX_WAITING) return Promise.reject(tooMany())
    return new Promise((resolve, reject) => {
      const held = new Disposables()
      const waiting: Waiting = {
        request,
        give: (worker) => {
          held.dispose()
          resolve(this.#leaseOf(worker, request))
        },
        refuse: (error) => {
          held.dispose()
          reject(error)
        },
      }
      queue.push({ caller, item: waiting })
      held.add(ending.onEnd((reason) => queue.remove({ caller, item: waiting }) && reject(reason)))
      this.#dispatch()
    })
  }

  /** Terminates its thread, whatever it is doing; another one takes its place. */
  async end(client: QueryClient): Promise<void> {
    this.#forget(client)
    await client.end()
    this.#dispatch()
  }

  #leaseOf(worker: OwnWorker, { isLong }: LeaseRequest): Lease {
    const { clock } = this.deps
    const outlived = (): void => {
      run.isLong = true
      this.#dispatch()
    }
    const slice = clock.setTimeout(outlived, SLICE_MS)
    const run: Run = { isLong, canMove: !isLong, room: new EndSource(), slice }
    worker.run = run
    const release = (): void => {
      if (worker.run !== run) return
      slice.dispose()
      worker.run = null
      this.#becameIdle(worker)
    }
    return { client: worker.client, makeRoom: run.room, release }
  }

  /** Null when others wait or none is idle. */
  #idleFor({ isLong }: LeaseRequest): OwnWorker | null {
    if (this.#fresh.size > 0) return null
    if (isLong && (this.#long.size > 0 || !this.#canRunLong())) return null
    for (const worker of this.#workers) if (worker.run === null) return worker
    return null
  }

  #dispatch(): void {
    if (!this.#isOpen) return
    for (const worker of this.#workers) {
      if (worker.run !== null) continue
      const next = this.#fresh.shift() ?? (this.#canRunLong() ? this.#long.shift() : undefined)
      if (next === undefined) break
      next.give(worker)
    }
    if (this.#fresh.size > 0 || (this.#long.size > 0 && this.#canRunLong())) this.#grow()
  }

  /** For waiting queries: opens another worker, or asks a long query to make room. */
  #grow(): void {
    if (this.#reopening !== null) return
    const count = this.#workers.size + this.#opening.size
    if (count < this.maxWorkers) {
      if (this.#opening.size === 0) this.#open().catch((error: unknown) => this.#openFailed(error))
      return
    }
    if (this.#fresh.size === 0 || this.#longRuns() < this.maxWorkers) return
    const movable = [...this.#workers].flatMap(({ run }) => (run?.canMove === true ? [run] : []))
    if (movable.some(({ room }) => room.ended !== null)) return // one is making room already
    movable.at(-1)?.room.end(new Error('others wait'))
  }

  #longRuns(): number {
    return [...this.#workers].filter(({ run }) => run?.isLong === true).length
  }

  /** The last worker is for new queries. */
  #canRunLong(): boolean {
    return this.#longRuns() < this.maxWorkers - 1
  }

  #becameIdle(worker: OwnWorker): void {
    worker.idleSince = this.deps.clock.monotonic()
    this.#checkIdleAfter(IDLE_MS)
    this.#dispatch()
  }

  #checkIdleAfter(ms: number): void {
    if (this.#workers.size > 1) this.#idleCheck ??= this.deps.clock.setTimeout(() => this.#closeIdle(), ms)
  }

  #closeIdle(): void {
    this.#idleCheck = null
    const now = this.deps.clock.monotonic()
    let nextMs = IDLE_MS
    for (const worker of this.#workers) {
      if (worker.run !== null || this.#workers.size <= 1) continue
      const leftMs = IDLE_MS - (now - worker.idleSince)
      if (leftMs > 0) nextMs = Math.min(nextMs, leftMs)
      else {
        this.#workers.delete(worker)
        worker.client.close().catch(() => undefined) // it ends either way
      }
    }
    this.#checkIdleAfter(nextMs)
  }

  #open(): Promise<void> {
    const opening = this.#openOne().finally(() => {
      this.#opening.delete(opening)
      this.#dispatch() // there may be more demand
    })
    this.#opening.add(opening)
    return opening
  }

  async #openOne(): Promise<void> {
    const lost = { isLost: false }
    const client = await this.deps.open(() => {
      lost.isLost = true
      this.#lost(client)
    })
    if (!this.#isOpen) return client.close()
    if (lost.isLost) return
    const worker: OwnWorker = { client, run: null, idleSince: 0 }
    this.#workers.add(worker)
    this.#becameIdle(worker)
  }

  #openFailed(error: unknown): void {
    this.deps.log.error('query worker not started', { error: String(error) })
    this.#reopenLater()
    if (this.#workers.size === 0) this.#refuseAll(error)
  }

  /** Otherwise a query that crashes its worker would cause one to be opened after another. */
  #lost(client: QueryClient): void {
    if (!this.#forget(client) || !this.#isOpen) return
    this.deps.log.warn('query worker lost, starting another')
    this.#reopenLater()
  }

  #reopenLater(): void {
    const now = this.deps.clock.monotonic()
    this.#losses = [...this.#losses.filter((at) => now - at < LOSS_WINDOW_MS), now]
    const delayMs = Math.min(MAX_REOPEN_MS, REOPEN_MS * 2 ** (this.#losses.length - 1))
    this.#reopening?.dispose()
    this.#reopening = this.deps.clock.setTimeout(() => {
      this.#reopening = null
      this.#dispatch()
    }, delayMs)
  }

  /** False when it is no longer one of these. */
  #forget(client: QueryClient): boolean {
    const worker = [...this.#workers].find((other) => other.client === client)
    if (worker === undefined) return false
    worker.run?.slice.dispose()
    worker.run = null
    return this.#workers.delete(worker)
  }

  #refuseAll(error: unknown): void {
    for (const waiting of [...this.#fresh.drain(), ...this.#long.drain()]) waiting.refuse(error)
  }
}
