// Follows which of the pool's transactions the chain confirms, and when; keeps what it learned in a file.
import { z } from 'zod'
import { equalBytes } from '../../base/bytes'
import { messageOf } from '../../base/errors'
import { toHex } from '../../base/hex'
import { Disposables } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import { KeptJson } from '../../files/json-file'
import type { Chain, HeadChanged } from '../chain/chain'
import type { AccountState } from '../execution/account'
import type { Block } from '../model/block'
import type { PoolTransaction } from './pool-transaction'
import type { DroppedTransaction, TxPool } from './tx-pool'
import { FEE_TARGETS, type FeeEstimate, type FeeTarget, type Waited, WaitingTimes } from './waiting-times'

/** A head older than this says that we don't follow the chain: what arrives may long be confirmed. */
const CURRENT_SECONDS = 3 * 3600
/** Transactions followed at once; more than a pool holds. */
const MAX_FOLLOWED = 20_000
/** Blocks whose outcomes a reorganization takes back. */
const MAX_UNDONE = 128
const VERSION = 1
/** Of a count in the file. */
const DIGITS = 12
/** A kill loses what was learned in this time. */
const SAVE_MS = 60_000

/** How the price of `eth_gasPrice` is chosen: blocks within which it is confirmed, or as prlx does. */
export type FeeChoice = FeeTarget | 'recentBlocks'

interface FeeEstimates {
  readonly target: FeeChoice
  /** wei per gas: what `eth_gasPrice` answers */
  readonly gasPrice: bigint
  /** Where it comes from: `recentBlocks` also while too little is known. */
  readonly source: 'waitingTimes' | 'recentBlocks'
  readonly estimates: readonly FeeEstimate[]
  /** Height of the first block whose transactions were observed; null: none yet. */
  readonly since: number | null
  /** Whether transactions are observed now: not while the node is behind. */
  readonly isWatching: boolean
}

export interface FeeEstimatorOptions {
  /** absolute; null = starts without memory at each start */
  readonly file: string | null
  readonly target: FeeChoice
}

interface FeeEstimatorDeps {
  readonly chain: Pick<Chain, 'head' | 'reads'>
  readonly pool: Pick<TxPool, 'events'>
  /** Of the head. @param address 20 bytes */
  readonly account: (address: Uint8Array) => AccountState | null
  /** 20 bytes: who our own blocks pay */
  readonly coinbase: () => Uint8Array | null
  /** wei per gas: below this, the pool takes nothing from peers */
  readonly minimumPrice: () => bigint
  /** wei per gas: `eth_gasPrice` never says more */
  readonly maximumPrice: bigint
  /** wei per gas, from recent blocks alone */
  readonly recentPrice: () => bigint
  readonly clock: Clock
  readonly log: Logger
}

/** A pool transaction without an outcome yet. */
interface Followed {
  readonly entry: PoolTransaction
  /** Height of the head when it became executable. */
  readonly since: number
}

interface Outcome {
  readonly followed: Followed
  readonly waited: Waited
}

const fileSchema = z.strictObject({
  version: z.literal(VERSION),
  genesis: z.string(),
  /** Height at which it was saved. */
  head: z.number().int().min(0),
  since: z.number().int().min(0).nullable(),
  horizons: z.array(z.array(z.array(z.number()))),
})

/** Follows a sender's first transactions; not those of a block's own miner, nor local ones in our own blocks. */
export class FeeEstimator {
  readonly #times = new WaitingTimes()
  /** By hash. */
  readonly #followed = new Map<string, Followed>()
  /** By hash of the block, oldest first. */
  readonly #undo = new Map<string, readonly Outcome[]>()
  /** Transactions that the last reorganization returned to the pool: they waited before. */
  #returned: ReadonlySet<string> = new Set()
  #since: number | null = null
  readonly #held = new Disposables()
  readonly #file: KeptJson<z.infer<typeof fileSchema>> | null
  #saving: Promise<void> | null = null
  #saveFrom = 0
  #isStale = false
  #isTold = false

  constructor(
    private readonly options: FeeEstimatorOptions,
    private readonly deps: FeeEstimatorDeps,
  ) {
    const { file } = options
    this.#file = file === null ? null : new KeptJson(file, fileSchema, { log: deps.log })
  }

  /** Reads the file; one that can't be used is moved aside and reported. */
  async start(): Promise<void> {
    const { pool } = this.deps
    await this.#load()
    this.#held.add(pool.events.on('becameExecutable', (batch) => this.#arrived(batch)))
    this.#held.add(pool.events.on('dropped', (dropped) => this.#dropped(dropped)))
  }

  /** Saves once more, while the chain is still open. */
  async stop(): Promise<void> {
    this.#held.dispose()
    this.#save()
    while (this.#saving !== null) await this.#saving
  }

  /** Call it before the pool takes the change: a block's transactions are judged before the pool drops them. */
  onHeadChanged({ head, removed, added }: HeadChanged): void {
    for (const block of [...removed].reverse()) this.#takeBack(block)
    this.#returned = new Set(removed.flatMap((block) => block.transactions.map(({ hash }) => toHex(hash))))
    for (const block of added) this.#takeBlock(block)
    const now = this.deps.clock.monotonic()
    if (head.header.number === 0n || !this.#isCurrent() || now < this.#saveFrom) return
    this.#saveFrom = now + SAVE_MS
    this.#save()
  }

  estimates(): FeeEstimates {
    const { target } = this.options
    const least = this.deps.minimumPrice()
    const found = this.#times
      .estimates(this.#waiting())
      .map((one) => (one.gasPrice === null || one.gasPrice >= least ? one : { ...one, gasPrice: least }))
    const wanted = target === 'recentBlocks' ? null : (found[FEE_TARGETS.indexOf(target)]?.gasPrice ?? null)
    const { maximumPrice, recentPrice } = this.deps
    return {
      target,
      gasPrice: wanted === null ? recentPrice() : wanted > maximumPrice ? maximumPrice : wanted,
      source: wanted === null ? 'recentBlocks' : 'waitingTimes',
      estimates: found,
      since: this.#since,
      isWatching: this.#isCurrent(),
    }
  }

  get #head(): number {
    return Number(this.deps.chain.head.header.number)
  }

  #isCurrent(): boolean {
    const { chain, clock } = this.deps
    return Number(chain.head.header.timestamp) >= clock.now() / 1000 - CURRENT_SECONDS
  }

  *#waiting(head = this.#head) {
    for (const { entry, since } of this.#followed.values()) yield { price: entry.tx.gasPrice, blocks: head - since }
  }

  #arrived(batch: readonly PoolTransaction[]): void {
    if (!this.#isCurrent()) return
    for (const entry of batch) {
      const name = toHex(entry.tx.hash)
      if (this.#followed.size >= MAX_FOLLOWED || this.#followed.has(name) || this.#returned.has(name)) continue
      if ((this.deps.account(entry.sender)?.nonce ?? 0n) !== entry.tx.nonce) continue
      this.#followed.set(name, { entry, since: this.#head })
      this.#since ??= this.#head + 1
    }
  }

  /** Replaced, unpayable, overtaken: it was not confirmed so far, and no longer can be. */
  #dropped({ entry, isPricedOut }: DroppedTransaction): void {
    const followed = this.#unfollow(entry.tx.hash)
    if (followed === undefined) return
    // While a head change is handled, the new blocks are among those without it.
    const blocks = Math.max(0, this.#head - followed.since)
    this.#times.count(entry.tx.gasPrice, isPricedOut ? { kind: 'priced out' } : { kind: 'cut', blocks })
  }

  #unfollow(hash: Uint8Array): Followed | undefined {
    const name = toHex(hash)
    const followed = this.#followed.get(name)
    this.#followed.delete(name)
    return followed
  }

  #takeBlock(block: Block): void {
    this.#times.fade(1)
    const outcomes: Outcome[] = []
    for (const { hash } of this.#followed.size > 0 ? block.transactions : []) {
      const followed = this.#unfollow(hash)
      if (followed === undefined) continue
      const waited = this.#outcome(followed, block)
      this.#times.count(followed.entry.tx.gasPrice, waited)
      outcomes.push({ followed, waited })
    }
    this.#undo.set(toHex(block.hash), outcomes)
    for (const oldest of this.#undo.keys()) {
      if (this.#undo.size <= MAX_UNDONE) break
      this.#undo.delete(oldest)
    }
  }

  /** A miner's own, and what we took into our own block for nothing, show no price: only that no one else took it. */
  #outcome({ entry, since }: Followed, { header }: Block): Waited {
    const blocks = Math.max(1, Number(header.number) - since)
    const own = this.deps.coinbase()
    const isMiners = equalBytes(entry.sender, header.coinbase)
    const isOurs = entry.local && own !== null && equalBytes(own, header.coinbase)
    return isMiners || isOurs ? { kind: 'cut', blocks: blocks - 1 } : { kind: 'confirmed', blocks }
  }

  /** Its transactions wait on, as long as they already did. */
  #takeBack(block: Block): void {
    const name = toHex(block.hash)
    for (const { followed, waited } of this.#undo.get(name) ?? []) {
      this.#times.count(followed.entry.tx.gasPrice, waited, -1)
      this.#followed.set(toHex(followed.entry.tx.hash), followed)
    }
    this.#undo.delete(name)
    this.#times.fade(-1)
  }

  async #load(): Promise<void> {
    const { chain, log } = this.deps
    const { file } = this.options
    const kept = (await this.#file?.load()) ?? null
    if (kept === null) return
    const reason = kept.genesis === this.#genesis() ? this.#times.restore(kept.horizons) : 'it belongs to another chain'
    if (reason !== null) return log.warn('fee estimates start without what they had learned', { file, reason })
    this.#since = kept.since
    // Blocks that passed meanwhile fade what was known; a chain that is shorter now fades nothing.
    this.#times.fade(Math.max(0, Number(chain.head.header.number) - kept.head))
    log.info('fee estimates continue', { file, since: kept.since, savedAt: kept.head })
  }

  #genesis(): string {
    const hash = this.deps.chain.reads.canonicalHash(0n)
    return hash === null ? '' : toHex(hash)
  }

  /** One save at a time; what changes meanwhile is saved after it. */
  #save(): void {
    if (this.#file === null) return
    this.#isStale = true
    if (this.#saving !== null) return
    this.#saving = this.#write().finally(() => {
      this.#saving = null
    })
  }

  async #write(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false
      try {
        await this.#file?.save(this.#snapshot())
        this.#isTold = false
      } catch (error: unknown) {
        if (!this.#isTold)
          this.deps.log.warn('fee estimates are not saved', { file: this.options.file, error: messageOf(error) })
        this.#isTold = true
      }
    }
  }

  /** As if the node stopped now: those that wait won't be followed after the next start. */
  #snapshot(): z.infer<typeof fileSchema> {
    const times = this.#times.copy()
    for (const { price, blocks } of this.#waiting()) times.count(price, { kind: 'cut', blocks })
    const rounded = (values: readonly number[]) => values.map((value) => Number(value.toPrecision(DIGITS)))
    const horizons = times.rows().map((rows) => rows.map(rounded))
    return { version: VERSION, genesis: this.#genesis(), head: this.#head, since: this.#since, horizons }
  }
}
