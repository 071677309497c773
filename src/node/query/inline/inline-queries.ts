// Small queries on the head's state and traces of small transactions, answered on the thread that received them: passing one
// to a worker takes longer than computing it. Everything is bounded, and what exceeds a bound is left to the workers.
import { setImmediate } from 'node:timers'
import { bytesName } from '../../../base/bytes'
import { TokenBucket } from '../../../base/limits/token-bucket'
import type { Clock } from '../../../base/time'
import { secp256k1 } from '../../../native/secp256k1'
import { statesFrom } from '../../chain/state-window'
import { keccak256 } from '../../codec/keccak'
import { ExecutionError } from '../../errors'
import { loadEngineModuleAside } from '../../execution/wasm/module-file'
import type { Block } from '../../model/block'
import type { BlockArgument } from '../../model/block-argument'
import { FULL_WINDOW } from '../../model/window-size'
import { RpcFault } from '../../rpc-fault'
import { chainKeys } from '../../store/keys'
import { type Placed, parentOf, transactionMessage } from '../block-stage'
import { type TraceStage, wireOptions } from '../message-engine'
import type { Asked, AskRequest, QueryOpen, Streamed, StreamRequest, TraceOptions } from '../query-wire'
import { proveAccount, readAccount } from '../reads/account-reads'
import { changesHeader, runCall } from '../run-call'
import { type QueryLimits, QuerySession, type QuerySessionOptions, sessionOptions } from '../session'
import { type ChainView, openViews, type ReadWatch, type ViewSource } from '../snapshots'
import { asciiText } from '../text-sink'

class ReadsTooSlow extends Error {
  override readonly name = 'ReadsTooSlow'
}

/** Adds up the time of reads: a slow one can't be interrupted, but none follows it. */
export class ReadBudget implements ReadWatch {
  #spentMs = 0
  #startedAt = 0

  constructor(
    private readonly limitMs: number,
    private readonly clock: Clock,
  ) {}

  /** Since the last reset, ms. */
  get spentMs(): number {
    return this.#spentMs
  }

  get isOver(): boolean {
    return this.#spentMs > this.limitMs
  }

  reset(): void {
    this.#spentMs = 0
  }

  /** @throws ReadsTooSlow */
  begin(): void {
    if (this.isOver) throw new ReadsTooSlow(`reads took ${this.#spentMs} ms`)
    this.#startedAt = this.clock.monotonic()
  }

  end(): void {
    this.#spentMs += this.clock.monotonic() - this.#startedAt
  }
}

/** For the database reads of one query, ms. */
export const READ_MS = 2
/** Queries whose reads took longer: how many in a row, and how soon one more, ms. Above that, workers answer. */
export const MAX_SLOW = 4
export const SLOW_RECOVERY_MS = 50
/** For all queries in one turn of the event loop, ms; then a read goes to a worker, and a call waits for the next turn. */
export const TURN_MS = 2
/** Calls that may wait; the rest goes to workers. */
export const MAX_WAITING = 64
/** What the longest call takes at most, apart from reads, ms: if more has passed, this thread didn't run meanwhile. */
const WORK_MS = 0.5
/** The same for a trace, with what it decodes and the transactions before it. */
const TRACE_WORK_MS = 4
/** Calls that may be given up in a row, each after a few milliseconds at most; and how soon one more may be, ms. */
export const MAX_GIVEN_UP = 25
export const RECOVERY_MS = 40
/** Functions known to take long. */
const MAX_LONG = 1_024
const SELECTOR_BYTES = 4
const MAX_DATA_BYTES = 4_096
const MAX_PROOF_KEYS = 4
/** Of a block's transactions, encoded: decoding takes a millisecond or two for so many. */
const MAX_BODY_BYTES = 16 * 1024
/** After this, none of the transactions before the traced one is started, ms. */
const ADVANCE_MS = 1
const MIB = 1024 * 1024
const CACHES = { proofBytes: 4 * MIB, blockBytes: 4 * MIB, instanceBytes: 64 * MIB }
const LATEST: BlockArgument = { kind: 'tag', tag: 'latest' }

/** Answers queries in this turn of the event loop or in one of the next. */
export interface InlineAnswers {
  /** JSON text; null when a worker must answer. @throws RpcFault, as a worker's answer would */
  answer(request: AskRequest): string | null | Promise<string | null>
  /** A whole trace; null when a worker must make it. */
  trace(request: StreamRequest): string | null
  close(): Promise<void>
}

interface InlineQueriesDeps {
  readonly session: QuerySession
  /** Watches the reads of `session`. */
  readonly reads: ReadBudget
  readonly clock: Clock
  /** False: traces are left to the workers. */
  readonly runsTraces: boolean
  /** Calls back in the event loop's next turn. */
  readonly nextTurn: (callback: () => void) => void
}

type Small = Asked<'balance' | 'nonce' | 'code' | 'storage' | 'proof' | 'call'>

/** One per chain database; not reentrant. */
export class InlineQueries implements InlineAnswers {
  /** Contract and selector of calls, and hashes of traced transactions, that were given up in `#view`. */
  readonly #long = new Set<string>()
  #view: ChainView | null = null
  /** In this turn of the event loop, ms. */
  #spentMs = 0
  /** The next turn is awaited. */
  #isTurning = false
  /** In the order of their requests. */
  #waiting: {
    readonly call: SmallCall
    readonly resolve: (text: string | null) => void
    readonly reject: (error: unknown) => void
  }[] = []
  /** Calls that may still be given up. */
  readonly #attempts: TokenBucket
  /** Queries whose reads may still be slow. */
  readonly #slowReads: TokenBucket

  constructor(private readonly deps: InlineQueriesDeps) {
    this.#attempts = new TokenBucket({ perSecond: 1_000 / RECOVERY_MS, burst: MAX_GIVEN_UP }, deps.clock)
    this.#slowReads = new TokenBucket({ perSecond: 1_000 / SLOW_RECOVERY_MS, burst: MAX_SLOW }, deps.clock)
  }

  answer(request: AskRequest): string | null | Promise<string | null> {
    if (!isSmall(request)) return null
    if (request.kind !== 'call') return this.#spentMs >= TURN_MS ? null : this.#answer(request)
    if (this.#spentMs < TURN_MS && this.#waiting.length === 0) return this.#answer(request)
    if (this.#waiting.length >= MAX_WAITING || !this.#mayRun(request)) return null
    return new Promise((resolve, reject) => this.#waiting.push({ call: request, resolve, reject }))
  }

  #answer(request: Small): string | null {
    if (this.#slowReads.isEmpty || (request.kind === 'call' && !this.#mayRun(request))) return null
    const startedAt = this.deps.clock.monotonic()
    let isLong = false
    try {
      return this.#run(request, { isStopped: () => (isLong = true), now: () => startedAt })
    } catch (error: unknown) {
      if (isLong && request.kind === 'call') this.#remember(nameOf(request))
      if (isLong || error instanceof ReadsTooSlow) this.#attempts.charge(1)
      else if (error instanceof RpcFault) throw error
      return null // whatever it is, a worker decides
    } finally {
      this.#count(startedAt)
    }
  }

  trace(request: StreamRequest): string | null {
    if (!this.deps.runsTraces || !isSmallTrace(request)) return null
    const isBusy = this.#spentMs >= TURN_MS || this.#attempts.isEmpty || this.#slowReads.isEmpty
    const name = bytesName(request.hash)
    return isBusy || this.#long.has(name) ? null : this.#trace(request, name)
  }

  /** Whatever goes wrong, a worker decides. */
  #trace(request: SmallTrace, name: string): string | null {
    const { clock, session, reads } = this.deps
    const startedAt = clock.monotonic()
    let isLong = false
    let text: string | null = null
    try {
      this.#renew()
      const limits = { isStopped: () => (isLong = true), now: () => startedAt }
      text = traceSmall(session, request, { limits, clock })
    } catch {
      isLong ||= !reads.isOver
    }
    if (isLong) this.#remember(name)
    if (text === null && (isLong || clock.monotonic() - startedAt > ADVANCE_MS)) this.#attempts.charge(1)
    this.#count(startedAt, TRACE_WORK_MS)
    return text
  }

  /** Workers get what waits. */
  close(): Promise<void> {
    for (const { resolve } of this.#waiting.splice(0)) resolve(null)
    return this.deps.session.close()
  }

  /** The calls of the last turn come first. */
  #turn(): void {
    this.#isTurning = false
    this.#spentMs = 0
    let run = 0
    for (const waiting of this.#waiting) {
      if (this.#spentMs >= TURN_MS) break
      run++
      try {
        waiting.resolve(this.#answer(waiting.call))
      } catch (error: unknown) {
        waiting.reject(error)
      }
    }
    this.#waiting.splice(0, run)
    if (this.#waiting.length > 0) this.#awaitTurn()
  }

  #awaitTurn(): void {
    if (this.#isTurning) return
    this.#isTurning = true
    this.deps.nextTurn(() => this.#turn())
  }

  /** Before each query: at the newest head, with no reads yet. */
  #renew(): ChainView {
    const { session, reads } = this.deps
    reads.reset()
    session.refresh()
    const view = session.view()
    if (view !== this.#view) this.#long.clear()
    this.#view = view
    return view
  }

  #run(request: Small, limits: QueryLimits): string | null {
    const { session } = this.deps
    const view = this.#renew()
    const { at } = request
    // Older states are read node by node.
    if (at.kind === 'number' && BigInt(at.number) !== view.head.header.number) return null
    const asked = at.kind === 'number' ? { ...request, at: LATEST } : request
    if (asked.kind === 'call') return runCall(session, asked, limits)
    return asked.kind === 'proof' ? proveAccount(session, asked) : readAccount(session, asked)
  }

  #mayRun(call: SmallCall): boolean {
    return !this.#long.has(nameOf(call)) && !this.#attempts.isEmpty
  }

  #remember(name: string): void {
    if (this.#long.size >= MAX_LONG) this.#long.clear()
    this.#long.add(name)
  }

  #count(startedAt: number, workMs = WORK_MS): void {
    const { clock, reads } = this.deps
    this.#awaitTurn()
    this.#spentMs += Math.min(clock.monotonic() - startedAt, workMs + reads.spentMs)
    if (reads.isOver) this.#slowReads.charge(1)
  }
}

type SmallCall = Asked<'call'>

const SIMPLE_READS: ReadonlySet<AskRequest['kind']> = new Set(['balance', 'nonce', 'code', 'storage'])

/** Init code and overridden states come with the call: they are rarely small. */
function isSmall(request: AskRequest): request is Small {
  if (!('at' in request) || !isSimple(request.at)) return false
  if (request.kind === 'proof') return request.keys.length <= MAX_PROOF_KEYS
  if (request.kind !== 'call') return SIMPLE_READS.has(request.kind)
  const { to, data, accessList } = request.call
  const isPlain = to !== null && data.length <= MAX_DATA_BYTES && accessList === null
  return isPlain && !changesHeader(request.block) && request.overrides.length === 0
}

function isSimple(at: BlockArgument): boolean {
  return at.kind === 'number' || (at.kind === 'tag' && at.tag === 'latest')
}

function nameOf({ call: { to, data } }: SmallCall): string {
  return `${to === null ? '' : bytesName(to)}${bytesName(data.subarray(0, SELECTOR_BYTES))}`
}

type SmallTrace = Streamed<'traceTransaction'>

/** Struct logs are long, and scripts are the workers' own. */
function isSmallTrace(request: StreamRequest): request is SmallTrace {
  return request.kind === 'traceTransaction' && !['structs', 'script'].includes(request.options.tracer)
}

interface TraceBounds {
  readonly limits: QueryLimits
  readonly clock: Clock
}

/** Null when a worker must make it. The state that was reached is kept for the next trace of the block. @throws RPC_FAILED */
function traceSmall(session: QuerySession, { hash, options }: SmallTrace, bounds: TraceBounds): string | null {
  const placed = placedSmall(session, hash)
  if (placed === null) return null
  const { block, index } = placed
  const stage = session.messages.openStage(block, parentOf(session, block), index)
  try {
    if (!hasReached(session, { stage, placed }, bounds)) return null
    return textOf(session, { stage, placed }, options, bounds.limits.isStopped)
  } finally {
    stage.keep()
  }
}

interface Staged {
  readonly stage: TraceStage
  readonly placed: Placed
}

/** Null where the transaction is unknown, or not small, or its block isn't, or the state before it is in the history. */
function placedSmall(session: QuerySession, hash: Uint8Array): Placed | null {
  const place = session.view().reads.transactionPlace(hash)
  if (place === null) return null
  const block = session.keptBlocks.block(place.blockHash, () => smallBlock(session, place.blockHash))
  const tx = block?.transactions[place.index]
  if (block !== null && isHistory(session, block)) return null
  if (block === null || tx?.kind !== 'supported' || tx.data.length > MAX_DATA_BYTES) return null
  return { block, index: place.index, tx }
}

/** Whether the state before the block is read from the history: what the window changed is read for the first such state. */
function isHistory(session: QuerySession, { header }: Block): boolean {
  const { head, store } = session.view()
  return head.header.number - header.number >= FULL_WINDOW.states && header.number <= statesFrom(store)
}

function smallBlock(session: QuerySession, hash: Uint8Array): Block | null {
  const { store, reads } = session.view()
  const body = store.get(chainKeys.body(hash))
  return body === undefined || body.length > MAX_BODY_BYTES ? null : reads.block(hash)
}

function hasReached(session: QuerySession, { stage, placed }: Staged, { limits, clock }: TraceBounds): boolean {
  const until = clock.monotonic() + ADVANCE_MS
  const { block, index } = placed
  for (const tx of block.transactions.slice(stage.index, index)) {
    if (clock.monotonic() > until) return false
    const { kind } = stage.advance(transactionMessage(session, tx), limits.isStopped)
    if (kind !== 'done') return false
  }
  return true
}

function textOf(session: QuerySession, { stage, placed }: Staged, options: TraceOptions, isOver: () => boolean) {
  const wire = wireOptions(options)
  if (wire === null) return null
  const message = transactionMessage(session, placed.tx)
  const outcome = stage.trace(message, { options: wire, commits: false }, { isOver, write: () => false })
  return outcome.kind === 'done' ? asciiText(outcome.rest) : null
}

/** Its calls are ended where they would keep the thread for longer than about a millisecond. */
export function inlineSession(
  options: QuerySessionOptions,
  deps: { readonly views: ViewSource; readonly module: WasmModule },
): QuerySession {
  return new QuerySession({ ...options, caches: CACHES }, { ...deps, keccak256, boundsCalls: true })
}

/** The process has the database open. @throws StoreError STORE_UNREADABLE, ExecutionError ENGINE_MODULE */
export async function openInline(
  open: Omit<QueryOpen, 'flags'>,
  { clock, searchFrom }: { readonly clock: Clock; readonly searchFrom: string },
): Promise<InlineAnswers> {
  const loaded = await loadEngineModuleAside(searchFrom)
  if ('absent' in loaded) throw new ExecutionError('ENGINE_MODULE', { reason: loaded.absent })
  const reads = new ReadBudget(READ_MS, clock)
  const views = await openViews(open.folder, reads)
  const session = inlineSession(sessionOptions(open), { views, module: loaded.module })
  // Without the addon, the sender of each transaction takes milliseconds to recover.
  const runsTraces = secp256k1().kind === 'native'
  const nextTurn = (callback: () => void): void => void setImmediate(callback)
  return new InlineQueries({ session, reads, clock, runsTraces, nextTurn })
}
