// The queries of all callers: small ones are answered inline, short reads have their own worker, the others share workers that
// run one query each. What exceeds its limit is stopped for certain: by its flag, then with its thread, which is replaced.

import { setImmediate } from 'node:timers'
import type { Disposable } from '../../../base/disposable'
import { type Ending, EndSource, endingOf, signalOf } from '../../../base/ending'
import { Disposables } from '../../../base/lifecycle'
import type { Logger } from '../../../base/logger'
import { type Clock, sleep, within } from '../../../base/time'
import type { Transport } from '../../../base/wire/define'
import { ChainError } from '../../errors'
import { rpcFailed } from '../../rpc-fault'
import type { PendingBlockInfo } from '../../worker/wire/pending-shapes'
import type { InlineAnswers } from '../inline/inline-queries'
import type { AskRequest, NodeQueries, QueryCaller, QueryOpen, QuerySettings, StreamRequest } from '../query-wire'
import { type Asked, QueryClient } from './query-client'
import { FairQueue, type LaneDeps, type Lease, MAX_WAITING, tooMany, WorkerLane } from './worker-lane'

/** Time for an engine to notice a stop or its own timeout, ms. */
const GRACE_MS = 1_000
/** For queries without a limit of their own: searches, proofs, reports. No caller waits longer, by the RPC front's limit. */
const REPORT_MS = 30_000
/** For a trace that sends nothing, ms; its transactions have limits of their own. */
const SILENT_TRACE_MS = 120_000

/** @param callTimeoutMs 0 = calls have no limit @returns ms, including grace */
function longestAskMs({ kind }: AskRequest, callTimeoutMs: number): number {
  if (!CALLS.has(kind)) return REPORT_MS + GRACE_MS
  return (callTimeoutMs === 0 ? Number.POSITIVE_INFINITY : callTimeoutMs) + GRACE_MS
}

/** @returns ms between two chunks of text */
function longestSilenceMs(request: StreamRequest): number {
  return SILENT_TRACE_MS + Math.max(0, 'options' in request ? (request.options.timeoutMs ?? 0) : 0)
}

/** Single database reads: they never wait behind computations. */
const isShortRead = ({ kind }: AskRequest): boolean => SHORT_READS.has(kind)

/** Computations that mostly take less time than passing them to a worker. */
const isOftenSmall = ({ kind }: AskRequest): boolean => OFTEN_SMALL.has(kind)

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

interface BatchAsker {
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
class Batches {
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

/** Longest question cached, in characters. */
const MAX_KEY = 4_096

/** Keyed by the question; limited in characters. Never returns an answer of an older head. */
export class AnswerCache {
  readonly #answers = new Map<string, string>()
  #size = 0
  #head: unknown = null

  /** @param maxCharacters of all. Few, since V8 copies them at each collection while every question is new */
  constructor(private readonly maxCharacters = 2 * 1024 * 1024) {}

  /** At once when cached or answered so. @param head changes with the head; compared again when a late answer arrives */
  get(request: AskRequest, head: () => unknown, ask: () => string | Promise<string>): string | Promise<string> {
    const now = head()
    if (now !== this.#head) {
      this.#answers.clear()
      this.#size = 0
      this.#head = now
    }
    const key = keyOf(request)
    if (key === null) return ask()
    const known = this.#answers.get(key)
    if (known !== undefined) return known
    const asked = ask()
    if (typeof asked !== 'string') return this.#later(key, head, asked)
    this.#keep(key, asked)
    return asked
  }

  async #later(key: string, head: () => unknown, asked: Promise<string>): Promise<string> {
    const before = this.#head
    const answer = await asked
    if (head() === before && this.#head === before) this.#keep(key, answer)
    return answer
  }

  #keep(key: string, answer: string): void {
    if (this.#answers.has(key)) return
    this.#size += key.length + answer.length
    if (this.#size > this.maxCharacters) {
      this.#answers.clear()
      this.#size = key.length + answer.length
    }
    if (this.#size <= this.maxCharacters) this.#answers.set(key, answer)
  }
}

/** Null when the answer depends on more than the head (pending transactions, time limits), or the question is too long. */
function keyOf(request: AskRequest): string | null {
  const isPending = 'at' in request && request.at.kind === 'tag' && request.at.tag === 'pending'
  if (isPending || request.kind === 'accessList') return null
  const key = textOf(request)
  return key.length > MAX_KEY ? null : key
}

/** Injective: values are length-prefixed. Not JSON, which can't hold bytes. Stops once it is too long to cache. */
function textOf(value: unknown): string {
  if (value instanceof Uint8Array)
    return `x${value.length}:${Buffer.from(value.buffer, value.byteOffset, Math.min(value.length, MAX_KEY)).toString('latin1')}`
  if (typeof value === 'string') return `"${value.length}:${value}`
  if (typeof value !== 'object' || value === null) return `${typeof value} ${String(value)};`
  let text = Array.isArray(value) ? '[' : '{'
  for (const name in value) {
    text += `${name}:${textOf(value[name as keyof typeof value])}`
    if (text.length > MAX_KEY) break
  }
  return `${text}}`
}

/** A read takes under a millisecond; a worker silent for this long is hung, ms. */
const HANGS_MS = 10_000
/** How often a read is retried when its worker is lost. */
const MAX_TRIES = 3
const REOPEN_MS = 200

/** Fails with CHAIN_NOT_OPEN while closed; a lost worker is replaced and the read retried. */
class ReadLane {
  #client: Promise<QueryClient> | null = null
  #isOpen = false

  constructor(private readonly deps: LaneDeps) {}

  /** Its worker is opened by the first read. */
  start(): void {
    this.#isOpen = true
  }

  /** Resolves when its thread has ended. */
  async stop(): Promise<void> {
    this.#isOpen = false
    const client = this.#client
    this.#client = null
    await client?.then((opened) => opened.close()).catch(() => undefined) // a client that never opened holds nothing
  }

  /** @param pending sent to the worker first; null: not needed @throws CHAIN_NOT_OPEN, RPC_*, STORE_*, `ending`'s reason */
  async ask(request: AskRequest, pending: PendingBlockInfo | null, ending: Ending): Promise<string> {
    for (let tries = 1; ; tries++) {
      const client = await this.#worker()
      try {
        if (pending !== null) await client.setPending(pending)
        return await this.#watched(client, client.ask(request, ending))
      } catch (error: unknown) {
        if (!client.isLost || !this.#isOpen || tries >= MAX_TRIES) throw error
        await sleep(this.deps.clock, REOPEN_MS * tries, signalOf(ending))
      }
    }
  }

  async #watched(client: QueryClient, answer: Promise<string>): Promise<string> {
    if (!(await within(answer, HANGS_MS, this.deps.clock))) {
      this.deps.log.warn('read worker is not responding, replacing it', { waitedMs: HANGS_MS })
      await client.end()
    }
    return answer
  }

  #worker(): Promise<QueryClient> {
    if (!this.#isOpen) return Promise.reject(new ChainError('CHAIN_NOT_OPEN', undefined))
    if (this.#client !== null) return this.#client
    const forget = (): void => {
      if (this.#client === opening) this.#client = null
    }
    const opening = this.deps.open(forget)
    opening.catch(forget)
    this.#client = opening
    return opening
  }
}

interface QueryPoolOptions extends Pick<QuerySettings, 'workers'> {
  readonly open: Omit<QueryOpen, 'flags'>
}

interface QueryPoolDeps {
  /** Starts a query worker and connects to it. */
  readonly connect: () => Transport
  /** Changes with the head; the workers must see the new head before this changes. */
  readonly head: () => unknown
  readonly pendingBlock: () => Promise<PendingBlockInfo>
  /** Answers small queries on this thread; null: workers answer all. */
  readonly openInline: ((open: QueryPoolOptions['open']) => Promise<InlineAnswers>) | null
  readonly clock: Clock
  readonly log: Logger
}

/** For queries without a caller: those of the program itself. */
const OWN_CALLER = ''

/** Implements `NodeQueries`. A lost worker fails only its own query and is replaced. */
export class QueryPool implements NodeQueries {
  readonly #answers = new AnswerCache()
  readonly #reads: ReadLane
  readonly #work: WorkerLane
  readonly #batches: Batches
  #inline: InlineAnswers | null = null

  constructor(
    private readonly options: QueryPoolOptions,
    private readonly deps: QueryPoolDeps,
  ) {
    const { clock, log } = deps
    const lane = { open: (onLost: () => void) => this.#open(onLost), clock, log }
    this.#reads = new ReadLane(lane)
    const maxWorkers = Math.max(2, options.workers)
    this.#work = new WorkerLane(maxWorkers, lane)
    this.#batches = new Batches({
      clock,
      maxWorkers,
      lane: this.#work,
      limitMs: (request) => this.#limitMs(request),
      exceeded: (request, limitMs) => this.#exceeded(request, limitMs),
      alone: (request, asker, isLong) => this.#askAlone(request, { ...asker, pending: null }, isLong),
    })
  }

  /** The chain must be open. A worker's start takes 0.3 s of processor time and 40 MB, and many nodes are never asked. */
  async start(): Promise<void> {
    this.#reads.start()
    this.#work.start()
    this.#inline = (await this.deps.openInline?.(this.options.open)) ?? null
  }

  /** Call it before the chain closes. Resolves when no worker has the database open. */
  async stop(): Promise<void> {
    const inline = this.#inline
    this.#inline = null
    await Promise.all([this.#reads.stop(), this.#work.stop(), inline?.close()])
  }

  ask(request: AskRequest, caller: QueryCaller): string | Promise<string> {
    return this.#answers.get(request, this.deps.head, () => this.#answer(request, caller))
  }

  #answer(request: AskRequest, caller: QueryCaller): string | Promise<string> {
    const given = this.#inline?.answer(request) ?? null
    if (given === null) return this.#askWorker(request, caller)
    return typeof given === 'string' ? given : given.then((late) => late ?? this.#askWorker(request, caller))
  }

  async *stream(request: StreamRequest, asker: QueryCaller): AsyncGenerator<string | Uint8Array> {
    const small = this.#inline?.trace(request) ?? null
    if (small !== null) return yield small
    const { caller = OWN_CALLER } = asker
    const ending = endOf(asker)
    // A text that has begun can't be restarted, so a stream is never moved.
    const pending = needsPending(request) ? await this.deps.pendingBlock() : null
    const lease = await this.#work.take({ caller, isLong: true, ending })
    const { clock } = this.deps
    const ended = new Disposables()
    let silence: Disposable | null = null
    const heard = (): void => {
      silence?.dispose()
      silence = clock.setTimeout(() => void this.#work.end(lease.client), longestSilenceMs(request))
    }
    ended.defer(() => silence?.dispose())
    try {
      heard()
      if (pending !== null) await lease.client.setPending(pending)
      for await (const text of lease.client.stream(request, this.#endedLater(lease, ending, ended))) {
        heard()
        yield text
      }
    } catch (error: unknown) {
      if (ending.ended !== null) throw ending.ended
      throw lease.client.isLost ? rpcFailed('the trace did not go on in time') : error
    } finally {
      ended.dispose()
      lease.release()
    }
  }

  async #askWorker(request: AskRequest, asker: QueryCaller): Promise<string> {
    const { caller = OWN_CALLER } = asker
    const ending = endOf(asker)
    const pending = needsPending(request) ? await this.deps.pendingBlock() : null
    if (isShortRead(request)) return this.#reads.ask(request, pending, ending)
    if (pending === null && isOftenSmall(request)) return this.#batches.ask(request, { caller, ending })
    return this.#askAlone(request, { caller, ending, pending }, false)
  }

  /** @param startsLong it had its moment already */
  async #askAlone(
    request: AskRequest,
    { caller, ending, pending }: BatchAsker & { readonly pending: PendingBlockInfo | null },
    startsLong: boolean,
  ): Promise<string> {
    for (let isLong = startsLong; ; isLong = true) {
      const lease = await this.#work.take({ caller, isLong, ending })
      try {
        if (pending !== null) await lease.client.setPending(pending)
        return await this.#askOn(lease, request, ending)
      } catch (error: unknown) {
        if (ending.ended !== null) throw ending.ended
        if (lease.makeRoom.ended === null) throw error
      } finally {
        lease.release()
      }
    }
  }

  /** @throws RPC_FAILED on timeout; any error when it must make room */
  async #askOn(lease: Lease, request: AskRequest, ending: Ending): Promise<string> {
    const { clock } = this.deps
    const limitMs = this.#limitMs(request)
    const ended = new Disposables()
    let over: Error | null = null
    if (Number.isFinite(limitMs)) {
      const end = (): void => {
        over = this.#exceeded(request, limitMs)
        void this.#work.end(lease.client)
      }
      ended.add(clock.setTimeout(end, limitMs))
    }
    try {
      return await lease.client.ask(request, this.#endedLater(lease, ending, ended))
    } catch (error: unknown) {
      throw over ?? error
    } finally {
      ended.dispose()
    }
  }

  #limitMs(request: AskRequest): number {
    return longestAskMs(request, this.options.open.callTimeoutMs)
  }

  #exceeded({ kind }: AskRequest, limitMs: number): Error {
    this.deps.log.warn('query exceeded its time limit, replacing its worker', { kind, limitMs })
    return rpcFailed(`the query was ended after ${limitMs} ms`)
  }

  /** Ends when the caller disconnects or the query must make room; a worker that ignores it is terminated. */
  #endedLater(lease: Lease, ending: Ending, ended: Disposables): Ending {
    const stop = new EndSource()
    const terminate = (): void => void this.#work.end(lease.client)
    stop.onEnd(() => void ended.add(this.deps.clock.setTimeout(terminate, GRACE_MS)))
    for (const either of [ending, lease.makeRoom]) ended.add(either.onEnd((reason) => stop.end(reason)))
    return stop
  }

  async #open(onLost: () => void): Promise<QueryClient> {
    const client = new QueryClient(this.deps, onLost)
    await client.open(this.options.open)
    return client
  }
}

/** A caller with an ending creates its signal only when it is read. */
const endOf = (asker: QueryCaller): Ending => asker.ending ?? endingOf(asker.signal)

function needsPending(request: AskRequest | StreamRequest): boolean {
  return 'at' in request && request.at.kind === 'tag' && request.at.tag === 'pending'
}
