// Gives work to miners and takes their seals: keeps a fresh template on the head, remembers earlier ones, and makes a block
// of a found nonce. Source: prlx miner/worker.go, consensus/xhash/sealer.go; chain.md 10
import { bytesFromBigint, equalBytes } from '../../base/bytes'
import { messageOf } from '../../base/errors'
import { Emitter } from '../../base/events'
import { toHex } from '../../base/hex'
import { Disposables } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import { epochOfHeight, type XhashParams } from '../../xhash/params'
import { seedHash } from '../../xhash/seed'
import { createBlock } from '../chain/block'
import type { Chain, ImportOutcome } from '../chain/chain'
import { targetOf } from '../consensus/difficulty'
import type { ExecutionEngine } from '../execution/engine'
import { candidateQueue } from '../txpool/candidates'
import type { TxPool } from '../txpool/tx-pool'
import { buildTemplate, type Template, type TimeFloor } from './template'

/** What a miner searches. */
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

export interface Seal {
  /** 64 bits */
  readonly nonce: bigint
  readonly sealHash: Uint8Array
  readonly mixDigest: Uint8Array
}

export interface WorkServerOptions {
  readonly xhash: XhashParams
  /** 20 bytes; null = no work is given */
  readonly coinbase: Uint8Array | null
  /** at most 32 bytes */
  readonly extraData: Uint8Array
  readonly gasLimitGoal: bigint
  readonly timeFloor: TimeFloor
  /** A changed pool waits this long since the last template, ms. */
  readonly poolDelayMs: number
  /** A template is renewed after this long, ms. */
  readonly recommitMs: number
}

export interface WorkServerDeps {
  readonly chain: Chain
  readonly engine: ExecutionEngine
  readonly pool: TxPool
  readonly clock: Clock
  readonly log: Logger
}

/** Templates this far under the current height are forgotten. */
const REMEMBERED_HEIGHTS = 7n
/** And the oldest behind so many: a height may last hours, with a new template every half a second. */
const REMEMBERED_TEMPLATES = 256

export class WorkServer {
  readonly events = new Emitter<{ workChanged: Work }>()
  readonly #held = new Disposables()
  readonly #templates = new Map<string, Template>()
  readonly #timers = new Disposables()
  #coinbase: Uint8Array | null
  #work: Work | null = null
  #running = false
  /** What asked for a template while one was being built. */
  #asked: 'nothing' | 'again' = 'nothing'
  #building: Promise<void> | null = null
  #builtAt = 0
  #dueAt: number | null = null

  constructor(
    private readonly options: WorkServerOptions,
    private readonly deps: WorkServerDeps,
  ) {
    this.#coinbase = options.coinbase
  }

  start(): void {
    const { chain, pool } = this.deps
    this.#running = true
    this.#held.add(chain.events.on('headChanged', () => this.#refresh()))
    this.#held.add(pool.events.on('changed', () => this.#later(this.options.poolDelayMs)))
    this.#refresh()
  }

  /** Resolves when no template is being built any more. */
  async stop(): Promise<void> {
    this.#running = false
    this.#held.dispose()
    this.#timers.dispose()
    await this.#building
    this.#work = null
    this.#templates.clear()
  }

  /** Null until a coinbase is set and the first template is built. */
  work(): Work | null {
    return this.#work
  }

  coinbase(): Uint8Array | null {
    return this.#coinbase
  }

  /** @param address 20 bytes */
  setCoinbase(address: Uint8Array): void {
    this.#coinbase = address
    this.#refresh()
  }

  /** True when the seal made a block that the chain took; false for unknown, stale or wrong ones. */
  async submit(seal: Seal): Promise<boolean> {
    const { chain, log } = this.deps
    const template = this.#templates.get(toHex(seal.sealHash))
    if (template === undefined || template.block.header.number + 1n <= chain.head.header.number) return false
    const { header, transactions } = template.block
    const block = createBlock({ ...header, nonce: seal.nonce, mixHash: seal.mixDigest }, transactions)
    const outcome = await chain.importBlock(block)
    if (outcome.kind === 'head' || outcome.kind === 'side') {
      const fields = { number: Number(header.number), hash: toHex(block.hash), transactions: transactions.length }
      log.info(outcome.kind === 'head' ? 'block mined' : 'block mined beside the head', fields)
      return true
    }
    log.debug('seal refused', { number: Number(header.number), outcome: outcome.kind, ...reasonOf(outcome) })
    return false
  }

  /** A new template that long after the last one; the earliest asked for wins. */
  #later(delayMs: number): void {
    const { clock } = this.deps
    const at = this.#builtAt + delayMs
    if (this.#dueAt !== null && this.#dueAt <= at) return
    this.#timers.dispose()
    this.#dueAt = at
    this.#timers.add(clock.setTimeout(() => this.#refresh(), Math.max(0, at - clock.monotonic())))
  }

  #refresh(): void {
    if (!this.#running || this.#coinbase === null) return
    this.#timers.dispose()
    this.#dueAt = null
    if (this.#building !== null) {
      this.#asked = 'again'
      return
    }
    this.#building = this.#buildAll().finally(() => {
      this.#building = null
      if (this.#asked === 'again') {
        this.#asked = 'nothing'
        this.#refresh()
      } else if (this.#running) this.#later(this.options.recommitMs)
    })
  }

  /** An empty template first, so that nobody waits for transactions to be executed; then the filled one. */
  async #buildAll(): Promise<void> {
    try {
      const onNewHead = this.#work?.height !== Number(this.deps.chain.head.header.number) + 1
      const filled = this.deps.pool.counts().pending > 0
      if (onNewHead || !filled) await this.#build('empty')
      if (filled) await this.#build('filled')
    } catch (error: unknown) {
      this.#builtAt = this.deps.clock.monotonic() // so that the next try is not due at once
      this.deps.log.error('a block template could not be built', { error: messageOf(error) })
    }
  }

  #build(content: 'empty' | 'filled'): Promise<void> {
    const { chain, engine, pool, clock } = this.deps
    return chain.exclusive(async () => {
      const coinbase = this.#coinbase
      if (!this.#running || coinbase === null) return
      const template = await buildTemplate({
        params: chain.params,
        head: chain.head,
        reads: chain.reads,
        state: chain.store,
        engine,
        coinbase,
        extraData: this.options.extraData,
        gasLimitGoal: this.options.gasLimitGoal,
        timeFloor: this.options.timeFloor,
        nowSeconds: BigInt(Math.floor(clock.now() / 1000)),
        candidates: content === 'empty' ? candidateQueue([]) : pool.candidates(),
      })
      this.#builtAt = clock.monotonic()
      this.#publish(template)
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
      target: bytesFromBigint(targetOf(difficulty), 32),
      height: Number(number),
      difficulty,
    }
    this.events.emit('workChanged', this.#work)
  }

  #remember(template: Template): void {
    const { number } = template.block.header
    const name = toHex(template.sealHash)
    this.#templates.delete(name) // set again, it becomes the newest
    this.#templates.set(name, template)
    for (const [old, { block }] of this.#templates) {
      const isRecent = block.header.number + REMEMBERED_HEIGHTS >= number
      if (!isRecent || this.#templates.size > REMEMBERED_TEMPLATES) this.#templates.delete(old)
    }
  }
}

function reasonOf(outcome: ImportOutcome): { readonly reason?: string } {
  return 'reason' in outcome ? { reason: outcome.reason } : {}
}
