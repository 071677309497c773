// Gives out work to miners and accepts their seals: keeps a current template on the head, remembers earlier ones, and
// makes a block from a found nonce. Source: prlx miner/worker.go, consensus/xhash/sealer.go
import { bytesFromBigint, equalBytes } from '../../base/bytes'
import { messageOf } from '../../base/errors'
import { Emitter } from '../../base/events'
import { toHex } from '../../base/hex'
import { Disposables } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import { Mutex } from '../../base/mutex'
import type { Clock, ThreadTime } from '../../base/time'
import { epochOfHeight, type XhashParams } from '../../xhash/params'
import { seedHash } from '../../xhash/seed'
import { targetOfDifficulty } from '../../xhash/target'
import type { Chain } from '../chain/chain'
import type { ExecutionEngine } from '../execution/engine'
import { type Block, createBlock } from '../model/block'
import type { BlockHeader } from '../model/header'
import type { Transaction } from '../model/transaction'
import { candidateQueue, type TxPool } from '../txpool/tx-pool'
import type { MiningSettings } from './mining-settings'
import { timedQueue } from './pending-block'
import { buildTemplate, inputOf, type Template, type TimeFloor } from './template'

export interface Work {
  /** 32 bytes */
  readonly sealHash: Uint8Array
  /** 32 bytes */
  readonly seedHash: Uint8Array
  readonly epoch: number
  /** 32 bytes, big-endian */
  readonly target: Uint8Array
  readonly height: number
  readonly difficulty: bigint
}

interface Seal {
  /** 64 bits */
  readonly nonce: bigint
  readonly sealHash: Uint8Array
  readonly mixDigest: Uint8Array
}

/** `stale`: its height has a block, or its template is old or unknown; `rejected`: the chain refused the block. */
type SealOutcome = 'accepted' | 'stale' | 'rejected'

interface WorkServerOptions {
  readonly xhash: XhashParams
  readonly timeFloor: TimeFloor
  /** Delay between the last template and one for a changed pool, ms. */
  readonly poolDelayMs: number
}

interface WorkServerDeps {
  readonly chain: Chain
  readonly engine: ExecutionEngine
  readonly pool: TxPool
  readonly settings: MiningSettings
  readonly clock: Clock
  /** absent: unknown */
  readonly cpuMs?: ThreadTime
  readonly log: Logger
}

/** Templates this far below the current height are forgotten. */
const REMEMBERED_HEIGHTS = 7n
/** Maximum number remembered: a height may last hours, with a new template every half second. */
const REMEMBERED_TEMPLATES = 256
/** Time limits for adding transactions, ms; the chain imports no block meanwhile. */
const BUILD_TIMES = { sharedMs: 100, aloneMs: 4000, oneMs: 1000 }
const SLOW = `it ran for over ${BUILD_TIMES.oneMs} ms, longer than a template may wait for one transaction`
/** The least rest before a pool's change is taken, in terms of the last build: a busy chain has more to do. */
const REST_FACTOR = 3

export class WorkServer {
  readonly events = new Emitter<{ workChanged: Work }>()
  readonly #held = new Disposables()
  readonly #templates = new Map<string, Template>()
  readonly #timers = new Disposables()
  /** One seal at a time goes to the chain: those behind the one that makes the block never delay the next template. */
  readonly #seals = new Mutex()
  /** The blocks made here lately: hash by parent's hash. */
  readonly #sealed = new Map<string, Uint8Array>()
  #work: Work | null = null
  #running = false
  /** Requested while a template was being built: another one immediately, or as after a pool change. */
  #asked: 'nothing' | 'later' | 'again' = 'nothing'
  #building: Promise<void> | null = null
  #builtAt = 0
  #restMs = 0
  #dueAt: number | null = null

  constructor(
    private readonly options: WorkServerOptions,
    private readonly deps: WorkServerDeps,
  ) {}

  start(): void {
    const { chain, pool, settings } = this.deps
    this.#running = true
    this.#held.add(settings.events.on('changed', () => this.#refresh()))
    this.#held.add(chain.events.on('headChanged', () => this.#refresh()))
    this.#held.add(pool.events.on('changed', () => this.#poolChanged()))
    this.#refresh()
  }

  /** Resolves when no template is being built. */
  async stop(): Promise<void> {
    this.#running = false
    this.#held.dispose()
    this.#timers.dispose()
    await this.#building
    this.#work = null
    this.#templates.clear()
  }

  /** Null while mining is off, no coinbase is chosen, or the first template isn't built yet. */
  work(): Work | null {
    return this.#work
  }

  /** One block is made on each parent, whoever finds it: its other seals are stale, and cost no import. */
  submit(seal: Seal): Promise<SealOutcome> {
    return this.#seals.run(async () => {
      const template = this.#templates.get(toHex(seal.sealHash))
      if (template === undefined || this.#isPast(template.block.header)) return 'stale'
      return this.#import(template.block, seal)
    })
  }

  /** True when another seal on the same parent makes no difference. A block that a rollback removed doesn't count. */
  #isPast({ number, parentHash }: BlockHeader): boolean {
    const { head, reads } = this.deps.chain
    if (number + 1n <= head.header.number) return true
    const sealed = this.#sealed.get(toHex(parentHash))
    return sealed !== undefined && reads.header(sealed) !== null
  }

  async #import({ header, transactions }: Block, seal: Seal): Promise<SealOutcome> {
    const { chain, log } = this.deps
    const block = createBlock({ ...header, nonce: seal.nonce, mixHash: seal.mixDigest }, transactions)
    const outcome = await chain.importBlock(block)
    if (outcome.kind === 'head' || outcome.kind === 'side') {
      const fields = { number: Number(header.number), hash: toHex(block.hash), transactions: transactions.length }
      log.info(outcome.kind === 'head' ? 'block mined' : 'side block mined: another at its height came first', fields)
      this.#sealed.set(toHex(header.parentHash), block.hash)
      for (const parent of [...this.#sealed.keys()].slice(0, -REMEMBERED_TEMPLATES)) this.#sealed.delete(parent)
      return 'accepted'
    }
    const reason = 'reason' in outcome ? { reason: outcome.reason } : {}
    log.debug('seal refused', { number: Number(header.number), outcome: outcome.kind, ...reason })
    return 'rejected'
  }

  #poolChanged(): void {
    if (this.#building === null) this.#later(Math.max(this.options.poolDelayMs, this.#restMs))
    else if (this.#asked === 'nothing') this.#asked = 'later'
  }

  /** Schedules a template this long after the last one; the earliest request wins. */
  #later(delayMs: number): void {
    const { clock } = this.deps
    const at = this.#builtAt + delayMs
    if (this.#dueAt !== null && this.#dueAt <= at) return
    this.#timers.dispose()
    this.#dueAt = at
    this.#timers.add(clock.setTimeout(() => this.#refresh(), Math.max(0, at - clock.monotonic())))
  }

  /** The coinbase; null when no work is to be given out. */
  #receiver(): Uint8Array | null {
    const { mining, coinbase } = this.deps.settings.values
    return this.#running && mining ? coinbase : null
  }

  #refresh(): void {
    this.#timers.dispose()
    this.#dueAt = null
    if (this.#receiver() === null) this.#work = null
    else if (this.#building !== null) this.#asked = 'again'
    else this.#building = this.#buildAll().finally(() => this.#built())
  }

  #built(): void {
    this.#building = null
    const asked = this.#asked
    this.#asked = 'nothing'
    if (asked === 'again') this.#refresh()
    if (asked === 'again' || this.#receiver() === null) return
    this.#later(this.deps.settings.values.recommitMs)
    if (asked === 'later') this.#poolChanged()
  }

  /** An empty template first, so that miners don't wait for transactions to execute; then the full one. */
  async #buildAll(): Promise<void> {
    try {
      const onNewHead = this.#work?.height !== Number(this.deps.chain.head.header.number) + 1
      const filled = this.deps.pool.counts().pending > 0
      if (onNewHead || !filled) await this.#build('empty')
      if (filled) await this.#build('filled')
    } catch (error: unknown) {
      this.#builtAt = this.deps.clock.monotonic() // so that the retry isn't due immediately
      this.deps.log.error('a block template could not be built', { error: messageOf(error) })
    }
  }

  #build(content: 'empty' | 'filled'): Promise<void> {
    const { chain, pool, clock, log } = this.deps
    return chain.exclusive(async (awaited) => {
      const coinbase = this.#receiver()
      if (coinbase === null) return
      const began = clock.monotonic()
      const slow: Transaction[] = []
      const all = content === 'empty' ? candidateQueue([]) : pool.candidates()
      const candidates = timedQueue(all, this.deps, () => awaited() || !this.#running, {
        ...BUILD_TIMES,
        onSlow: ({ tx }) => slow.push(tx),
      })
      const { timeFloor } = this.options
      const template = await buildTemplate(inputOf(this.deps, { coinbase, timeFloor, candidates }))
      for (const { hash } of slow) {
        pool.refuse(hash, SLOW)
        log.warn('transaction dropped from the pool', { hash: toHex(hash), reason: SLOW })
      }
      this.#builtAt = clock.monotonic()
      this.#restMs = REST_FACTOR * (this.#builtAt - began)
      if (this.#receiver() !== null) this.#publish(template)
    })
  }

  #publish(template: Template): void {
    if (this.#work !== null && equalBytes(this.#work.sealHash, template.sealHash)) return
    const { number, difficulty } = template.block.header
    this.#remember(template)
    const epoch = epochOfHeight(this.options.xhash, Number(number))
    this.#work = {
      sealHash: template.sealHash,
      seedHash: seedHash(epoch),
      epoch,
      target: bytesFromBigint(targetOfDifficulty(difficulty), 32),
      height: Number(number),
      difficulty,
    }
    this.events.emit('workChanged', this.#work)
  }

  #remember(template: Template): void {
    const { number } = template.block.header
    const name = toHex(template.sealHash)
    this.#templates.delete(name) // reinserting makes it the newest
    this.#templates.set(name, template)
    for (const [old, { block }] of this.#templates) {
      const isRecent = block.header.number + REMEMBERED_HEIGHTS >= number
      if (!isRecent || this.#templates.size > REMEMBERED_TEMPLATES) this.#templates.delete(old)
    }
  }
}
