// The pending block: the head plus the executable pool transactions, for queries about the state if a block came now.
// Built on request, even while nobody mines, and cached until something changes.
import { equalBytes } from '../../base/bytes'
import { Disposables } from '../../base/lifecycle'
import { type Clock, sleep, type ThreadTime } from '../../base/time'
import type { Chain, ChainHead } from '../chain/chain'
import { ChainError } from '../errors'
import type { BuiltBlock, CandidateQueue, ExecutionEngine } from '../execution/engine'
import type { Block } from '../model/block'
import type { SignedTransaction } from '../model/sender'
import type { TxPool } from '../txpool/tx-pool'
import type { MiningSettings } from './mining-settings'
import { buildUnsealed, inputOf, type TimeFloor } from './template'

interface BuildTimes {
  /** Build time while someone waits for the chain, ms. */
  readonly sharedMs: number
  /** Build time while nobody does, ms. */
  readonly aloneMs: number
  /** Time for a single transaction, ms: of the clock and of the processor, where that is known. */
  readonly oneMs: number
  /** Called with a transaction that exceeded its time; it shouldn't be offered again. */
  readonly onSlow: (slow: SignedTransaction) => void
}

/** A transaction that begins sooner than this after the last reading of the CPU time, ms, takes that reading as its start. */
const CPU_READING_MS = 5

/**
 * `queue`, but empty once its time, counted from now, is over. A transaction that exceeds its own limit is left out and
 * reported: it would delay every block and never be paid for. A computer that was busy or suspended meanwhile is not the
 * transaction's fault, so its limit also asks for that much CPU time.
 * @param awaited whether someone waits for the chain
 */
export function timedQueue(
  queue: CandidateQueue,
  { clock, cpuMs = () => null }: { readonly clock: Clock; readonly cpuMs?: ThreadTime },
  awaited: () => boolean,
  { onSlow, ...times }: BuildTimes,
): CandidateQueue {
  const began = clock.monotonic()
  const current = { began, entry: null as SignedTransaction | null }
  const cpu = { read: cpuMs(), at: began }
  const isSlow = (): boolean => {
    if (clock.monotonic() - current.began < times.oneMs) return false
    const now = cpuMs()
    return now === null || cpu.read === null || now - cpu.read >= times.oneMs
  }
  const isOver = (): boolean => {
    const spent = clock.monotonic() - began
    return spent >= times.aloneMs || (spent >= times.sharedMs && awaited())
  }
  return {
    peek: () => {
      current.began = clock.monotonic()
      if (current.began - cpu.at >= CPU_READING_MS) {
        cpu.read = cpuMs()
        cpu.at = current.began
      }
      current.entry = isOver() ? null : queue.peek()
      return current.entry
    },
    shift: () => queue.shift(),
    pop: () => queue.pop(),
    stopped: () => isOver() || isSlow(),
    outran: () => {
      if (!isSlow() || current.entry === null) return false
      onSlow(current.entry)
      return true
    },
  }
}

export interface PendingBlock {
  /** Increases by one per built block. */
  readonly id: number
  readonly parent: ChainHead
  /** Without a seal: its hash is meaningless. Its coinbase is the zero address while none is chosen. */
  readonly block: Block
  readonly built: BuiltBlock
}

interface PendingBlocksDeps {
  readonly chain: Chain
  readonly engine: ExecutionEngine
  readonly pool: TxPool
  readonly settings: MiningSettings
  readonly clock: Clock
}

/** Time limits for adding transactions, ms; the chain imports no block meanwhile. */
const BUILD_TIMES = { sharedMs: 100, aloneMs: 250, oneMs: 100 }
/** The rest after a build in terms of its duration: requests can't hold up the chain permanently. */
const REST_FACTOR = 3
const NO_COINBASE = new Uint8Array(20)

export class PendingBlocks {
  readonly #held = new Disposables()
  readonly #stopped = new AbortController()
  #cached: PendingBlock | null = null
  #cachedAt = 0
  /** Counts changes; the cached block belongs to `#cachedVersion`. */
  #version = 0
  #cachedVersion = -1
  #restUntil = 0
  #lastId = 0
  #building: Promise<PendingBlock> | null = null

  constructor(
    private readonly options: { readonly timeFloor: TimeFloor },
    private readonly deps: PendingBlocksDeps,
  ) {}

  start(): void {
    const changed = (): void => void this.#version++
    this.#held.add(this.deps.pool.events.on('changed', changed))
    this.#held.add(this.deps.settings.events.on('changed', changed))
  }

  /** Resolves when no build is running; waiting callers get CHAIN_NOT_OPEN. */
  async stop(): Promise<void> {
    this.#held.dispose()
    this.#stopped.abort(new ChainError('CHAIN_NOT_OPEN', undefined))
    await this.#building?.catch(() => undefined) // its requester gets the error
    this.#cached = null
  }

  /** Includes everything known when it was requested. @throws ChainError CHAIN_NOT_OPEN when stopped meanwhile */
  async get(): Promise<PendingBlock> {
    const kept = this.#fresh()
    if (kept !== null) return kept
    // The running build may have begun before the last change.
    await this.#building?.catch(() => undefined) // its requester gets the error
    const known = this.#fresh()
    if (known !== null) return known
    this.#building ??= this.#build().finally(() => {
      this.#building = null
    })
    return this.#building
  }

  #fresh(): PendingBlock | null {
    const { chain, clock, settings } = this.deps
    if (this.#cached === null || this.#cachedVersion !== this.#version) return null
    if (!equalBytes(this.#cached.parent.hash, chain.head.hash)) return null
    return clock.monotonic() - this.#cachedAt < settings.values.recommitMs ? this.#cached : null
  }

  async #build(): Promise<PendingBlock> {
    const { chain, clock } = this.deps
    const { signal } = this.#stopped
    const rest = this.#restUntil - clock.monotonic()
    if (rest > 0) await sleep(clock, rest, signal)
    return chain.exclusive(async (awaited) => {
      signal.throwIfAborted()
      const version = this.#version
      const began = clock.monotonic()
      try {
        const parent = chain.head
        const pending = { id: ++this.#lastId, parent, ...(await this.#execute(awaited)) }
        this.#cached = pending
        this.#cachedAt = began
        this.#cachedVersion = version
        return pending
      } finally {
        const end = clock.monotonic()
        this.#restUntil = end + REST_FACTOR * (end - began)
      }
    })
  }

  #execute(awaited: () => boolean) {
    const { pool, clock, settings } = this.deps
    return buildUnsealed(
      inputOf(this.deps, {
        coinbase: settings.values.coinbase ?? NO_COINBASE,
        timeFloor: this.options.timeFloor,
        candidates: timedQueue(pool.candidates(), { clock }, awaited, { ...BUILD_TIMES, onSlow: leaveOut }),
      }),
    )
  }
}

/** Templates have more time; they decide whether it leaves the pool. */
function leaveOut(): void {}
