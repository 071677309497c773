// Small queries of all callers, sent to a worker several at a time: sending them one by one costs more than most of them
// take. Queries that a worker hasn't started after a moment are taken back, so that none waits behind a long one.
import { setImmediate } from 'node:timers'
import { type Ending, EndSource } from '../../../base/ending'
import { Disposables } from '../../../base/lifecycle'
import type { Clock } from '../../../base/time'
import type { AskRequest, StreamRequest } from '../query-wire'
import type { Asked } from './query-client'
import { FairQueue, type Lease, MAX_WAITING, tooMany, type WorkerLane } from './worker-lane'

/** Time for an engine to notice a stop or its own timeout, ms. */
export const GRACE_MS = 1_000
/** For queries without a limit of their own: searches, proofs, reports. No caller waits longer, by the RPC front's limit. */
const REPORT_MS = 30_000
/** For a trace that sends nothing, ms; its transactions have limits of their own. */
const SILENT_TRACE_MS = 120_000

/** @param callTimeoutMs 0 = calls have no limit @returns ms, including grace */
export function longestAskMs({ kind }: AskRequest, callTimeoutMs: number): number {
  if (!CALLS.has(kind)) return REPORT_MS + GRACE_MS
  return (callTimeoutMs === 0 ? Number.POSITIVE_INFINITY : callTimeoutMs) + GRACE_MS
}

/** @returns ms between two chunks of text */
export function longestSilenceMs(request: StreamRequest): number {
  return SILENT_TRACE_MS + Math.max(0, 'options' in request ? (request.options.timeoutMs ?? 0) : 0)
}

/** Single database reads: they never wait behind computations. */
export const isShortRead = ({ kind }: AskRequest): boolean => SHORT_READS.has(kind)

/** Computations that mostly take less time than passing them to a worker. */
export const isOftenSmall = ({ kind }: AskRequest): boolean => OFTEN_SMALL.has(kind)

type Kinds = ReadonlySet<AskRequest['kind']>
const OFTEN_SMALL: Kinds = new Set(['call', 'estimate', 'proof'])
/** What the time limit of calls is for. */
const CALLS: Kinds = new Set(['call', 'callMany', 'estimate', 'simulate', 'accessList'])
const SHORT_READS: Kinds = new Set([
  'balance',
  'nonce',
  'code',
  'storage',
  'headerRlp',
  'blockRlp',
  'seedHash',
  'receipt',
  'blockReceipts',
  'block',
  'pendingBlock',
  'pendingTransaction',
  'poolContent',
])

/** Maximum number of queries sent together. */
const MAX_BATCH = 16
/** This many aren't divided among workers: waking a second one costs more. */
const MIN_BATCH = 4
/** After this, queries that weren't started are taken back, ms. */
const RECALL_MS = 5

export interface BatchAsker {
  readonly caller: string
  readonly ending: Ending
}

interface BatchesDeps {
  readonly lane: WorkerLane
  /** The workers that waiting queries are divided among. */
  readonly maxWorkers: number
  readonly clock: Clock
  /** Time limit of a query, ms. Called with what ran when its worker was ended for exceeding it. */
  readonly limitMs: (request: AskRequest) => number
  readonly exceeded: (request: AskRequest, limitMs: number) => Error
  /** Runs a query by itself, with its own worker. @param isLong it had its turn in a batch */
  readonly alone: (request: AskRequest, asker: BatchAsker, isLong: boolean) => Promise<string>
}

interface Item {
  readonly request: AskRequest
  readonly asker: BatchAsker
  readonly resolve: (text: string | Promise<string>) => void
  readonly reject: (error: unknown) => void
  /** Stops listening to the caller. */
  readonly held: Disposables
}

interface Sent {
  readonly item: Item
  readonly asked: Asked
  isSettled: boolean
}

/** Callers take turns; within a batch, queries run in order. */
export class Batches {
  readonly #waiting = new FairQueue<Item>()
  #isDue = false
  #isTaking = false

  constructor(private readonly deps: BatchesDeps) {}

  /** @throws as the query, RPC_FAILED when the caller has too many waiting, the reason of the ending */
  ask(request: AskRequest, asker: BatchAsker): Promise<string> {
    const { caller, ending } = asker
    if (this.#waiting.of(caller) >= MAX_WAITING) return Promise.reject(tooMany())
    return new Promise((resolve, reject) => {
      const held = new Disposables()
      const item: Item = { request, asker, resolve, reject, held }
      this.#waiting.push({ caller, item })
      held.add(ending.onEnd((reason) => this.#waiting.remove({ caller, item }) && reject(reason)))
      // The other requests of this turn may share the batch.
      if (!this.#isDue) setImmediate(() => this.#dispatch())
      this.#isDue = true
    })
  }

  #dispatch(): void {
    this.#isDue = false
    while (this.#waiting.size > 0 && !this.#isTaking) {
      const lease = this.deps.lane.take({ caller: '', isLong: false, ending: NEVER })
      if (lease instanceof Promise) void this.#await(lease)
      else this.#send(lease)
    }
  }

  async #await(lease: Promise<Lease>): Promise<void> {
    this.#isTaking = true
    try {
      this.#send(await lease)
    } catch (error: unknown) {
      for (const { held, reject } of this.#waiting.drain()) {
        held.dispose()
        reject(error)
      }
    } finally {
      this.#isTaking = false
    }
    this.#dispatch()
  }

  #send(lease: Lease): void {
    const share = Math.ceil(this.#waiting.size / this.deps.maxWorkers)
    const count = Math.min(MAX_BATCH, Math.max(MIN_BATCH, share))
    const sent: Sent[] = []
    for (let i = 0; i < count; i++) {
      const item = this.#waiting.shift()
      if (item === undefined) break
      item.held.dispose()
      sent.push({ item, asked: lease.client.begin(item.request), isSettled: false })
    }
    if (sent.length === 0) lease.release()
    else new BatchRun(this.deps, lease, sent)
  }
}

/** A batch on its worker, until that has passed all of its queries. */
class BatchRun {
  readonly #ended = new Disposables()
  #exceededMs: number | null = null

  constructor(
    private readonly deps: BatchesDeps,
    private readonly lease: Lease,
    private readonly sent: readonly Sent[],
  ) {
    void lease.client.flush().then(() => this.#close())
    for (const one of sent) {
      this.#ended.add(one.item.asker.ending.onEnd((reason) => this.#giveUp(one, reason)))
      one.asked.answer.then(
        (text) => this.#settle(one, () => one.item.resolve(text)),
        (error: unknown) => this.#failed(one, error),
      )
    }
    this.#ended.add(deps.clock.setTimeout(() => this.#recall(), RECALL_MS))
  }

  /** A running query continues with the limits of one by itself; the others get their own workers. */
  #recall(): void {
    for (const one of this.#left()) if (one.asked.recall()) this.#alone(one, false)
    const [running] = this.#left()
    const limitMs = running === undefined ? GRACE_MS : this.deps.limitMs(running.item.request)
    // Even if all were taken back: a worker that doesn't even start one is hung.
    if (Number.isFinite(limitMs))
      this.#ended.add(this.deps.clock.setTimeout(() => this.#exceeded(limitMs), limitMs - RECALL_MS))
    this.#ended.add(
      this.lease.makeRoom.onEnd(() => {
        for (const one of this.#left()) this.#stop(one)
      }),
    )
  }

  #exceeded(limitMs: number): void {
    this.#exceededMs = limitMs
    this.#end()
  }

  #giveUp(one: Sent, reason: Error): void {
    if (one.isSettled) return
    if (one.asked.recall()) this.#settle(one, () => one.item.reject(reason))
    else this.#stop(one)
  }

  /** A worker that ignores it is ended. */
  #stop({ asked }: Sent): void {
    asked.stop()
    this.#ended.add(this.deps.clock.setTimeout(() => this.#end(), GRACE_MS))
  }

  #end(): void {
    void this.deps.lane.end(this.lease.client)
  }

  #failed(one: Sent, error: unknown): void {
    const { request, asker } = one.item
    const { ended } = asker.ending
    if (ended === null && this.lease.makeRoom.ended !== null && this.#exceededMs === null) this.#alone(one, true)
    // Its worker is lost, and had not started it.
    else if (ended === null && this.lease.client.isLost && one.asked.recall()) this.#alone(one, false)
    else this.#settle(one, () => one.item.reject(ended ?? this.#reasonOf(request, error)))
  }

  #reasonOf(request: AskRequest, error: unknown): unknown {
    return this.#exceededMs === null ? error : this.deps.exceeded(request, this.#exceededMs)
  }

  #alone(one: Sent, isLong: boolean): void {
    const { request, asker } = one.item
    this.#settle(one, () => one.item.resolve(this.deps.alone(request, asker, isLong)))
  }

  #left(): readonly Sent[] {
    return this.sent.filter(({ isSettled }) => !isSettled)
  }

  #settle(one: Sent, tell: () => void): void {
    if (one.isSettled) return
    one.isSettled = true
    tell()
  }

  #close(): void {
    this.#ended.dispose()
    this.lease.release()
  }
}

const NEVER: Ending = new EndSource()
