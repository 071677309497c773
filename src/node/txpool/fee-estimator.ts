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

/** Blocks within which a transaction is to be confirmed. */
export const FEE_TARGETS = [1, 3, 6, 24] as const
export type FeeTarget = (typeof FEE_TARGETS)[number]

/** Share of the observed transactions that must have been confirmed in time. */
export const CONFIRMED_SHARE = 0.85
/** Blocks that are counted, and within which of them more than half must be confirmed for a target. */
const COUNTED = [1, 3, 6, 12, 24] as const
const EARLIER: { readonly [T in FeeTarget]?: (typeof COUNTED)[number] } = { 3: 1, 6: 3, 24: 12 }
/** Share that must be confirmed earlier: shows sooner than the target's own when prices rise. */
const EARLIER_SHARE = 0.6
/** Observations, faded ones counting less, below which a range of prices says nothing. */
const LEAST_WEIGHT = 16
/** As many in a range that fails: prices below it won't do either. */
const CLEARLY_FAILED = 3 * LEAST_WEIGHT

/** How fast each horizon forgets, and which targets are short enough to be seen within it. */
const HORIZONS = [
  { name: 'short', halfLifeBlocks: 18, targets: [1, 3, 6] },
  { name: 'medium', halfLifeBlocks: 144, targets: FEE_TARGETS },
  { name: 'long', halfLifeBlocks: 1008, targets: FEE_TARGETS },
] as const
/** `short`: three hours, `medium`: a day, `long`: a week of ten-minute blocks until an observation counts half. */
type FeeHorizon = (typeof HORIZONS)[number]['name']

/** wei per gas: where the buckets begin and end */
const LOWEST = 1e6
const HIGHEST = 1e13
const STEP = Math.log(1.05)
/** The first holds what is below `LOWEST`, the last what is above `HIGHEST`. */
const BUCKETS = 2 + Math.ceil(Math.log(HIGHEST / LOWEST) / STEP)

/** Numbers of a bucket: those confirmed and their prices' sum, then per target those in time and those that ran over. */
const CONFIRMED = 0
const PRICES = 1
const IN_TIME = 2
const OVERRAN = IN_TIME + COUNTED.length
const COLUMNS = OVERRAN + COUNTED.length
/** A bucket with less has faded. */
const NOTHING = 1e-4

/** What became of a transaction. */
type Waited =
  /** It was confirmed after this many blocks, at least 1. */
  | { readonly kind: 'confirmed'; readonly blocks: number }
  /** Nobody knows how long it would have waited, but it was not confirmed within these blocks. */
  | { readonly kind: 'cut'; readonly blocks: number }
  /** Its price was too low for the pool. */
  | { readonly kind: 'priced out' }

/** A transaction that still waits. */
export interface WaitingPrice {
  /** wei per gas */
  readonly price: bigint
  /** Blocks that it has missed. */
  readonly blocks: number
}

/** The price for one target. */
interface FeeEstimate {
  readonly blocks: FeeTarget
  /** wei per gas; null: unknown, see `reason` */
  readonly gasPrice: bigint | null
  /** `unreached`: even the highest prices weren't confirmed in time often enough. */
  readonly reason: 'known' | 'too few transactions' | 'unreached'
  readonly horizon: FeeHorizon
  /** Observations in that horizon, faded ones counting less. */
  readonly transactions: number
  /** Of the transactions around that price, 0 to 1; null without a price. */
  readonly confirmedShare: number | null
}

/** Bucket, then its `COLUMNS` numbers. */
type FeeRow = readonly number[]

export class WaitingTimes {
  readonly #tables = HORIZONS.map(() => new Float64Array(BUCKETS * COLUMNS))
  /** Blocks whose fading isn't in the tables yet; negative after a reorganization. */
  #blocks = 0

  /** @param blocks that joined the chain; negative: that left it */
  fade(blocks: number): void {
    this.#blocks += blocks
  }

  /** @param sign -1 takes an observation back @param price wei per gas */
  count(price: bigint, waited: Waited, sign: 1 | -1 = 1): void {
    const wei = Math.min(Number(price), Number.MAX_SAFE_INTEGER * 1e3)
    const at = bucketOf(wei) * COLUMNS
    for (const table of this.#faded()) {
      const add = (column: number, value: number): void => {
        table[at + column] = Math.max(0, (table[at + column] ?? 0) + sign * value)
      }
      if (waited.kind === 'confirmed') {
        add(CONFIRMED, 1)
        add(PRICES, wei)
      }
      for (const [i, target] of COUNTED.entries()) {
        if (waited.kind === 'confirmed' && waited.blocks <= target) add(IN_TIME + i, 1)
        if (waited.kind === 'priced out' || (waited.kind === 'cut' && waited.blocks >= target)) add(OVERRAN + i, 1)
      }
    }
  }

  /** One for each target, never rising with the blocks. @param waiting transactions without an outcome yet */
  estimates(waiting: Iterable<WaitingPrice>): readonly FeeEstimate[] {
    const tables = this.#faded()
    const late = lateOnes(waiting)
    let best: bigint | null = null
    return FEE_TARGETS.map((target) => {
      const found = estimateOf(tables, late, target)
      // What is confirmed sooner is confirmed in time for more blocks, too.
      if (best !== null && (found.gasPrice === null || found.gasPrice > best))
        return { ...found, gasPrice: best, reason: 'known' as const }
      best = found.gasPrice
      return found
    })
  }

  /** Per horizon its buckets that hold something, for `restore`. */
  rows(): readonly (readonly FeeRow[])[] {
    return this.#faded().map((table) =>
      Array.from({ length: BUCKETS }, (_, bucket) => [
        bucket,
        ...table.subarray(bucket * COLUMNS, (bucket + 1) * COLUMNS),
      ]).filter((row) => row.slice(1).some((value) => value > NOTHING)),
    )
  }

  /** A copy that can be counted on without changing this one. */
  copy(): WaitingTimes {
    const copy = new WaitingTimes()
    for (const [i, table] of this.#faded().entries()) copy.#tables[i]?.set(table)
    return copy
  }

  /** What `rows` returned. @returns why it can't be, and nothing is taken then; null when done */
  restore(horizons: readonly (readonly FeeRow[])[]): string | null {
    if (horizons.length !== HORIZONS.length) return `${horizons.length} horizons, want ${HORIZONS.length}`
    for (const row of horizons.flat()) {
      const fault = faultOfRow(row)
      if (fault !== null) return fault
    }
    for (const [i, table] of this.#tables.entries()) {
      table.fill(0)
      for (const [bucket = 0, ...values] of horizons[i] ?? []) table.set(values, bucket * COLUMNS)
    }
    this.#blocks = 0
    return null
  }

  #faded(): readonly Float64Array[] {
    if (this.#blocks === 0) return this.#tables
    for (const [i, table] of this.#tables.entries()) {
      const factor = 0.5 ** (this.#blocks / (HORIZONS[i]?.halfLifeBlocks ?? 1))
      for (let at = 0; at < table.length; at++) table[at] = (table[at] ?? 0) * factor
    }
    this.#blocks = 0
    return this.#tables
  }
}

function bucketOf(wei: number): number {
  if (wei < LOWEST) return 0
  return Math.min(BUCKETS - 1, 1 + Math.floor(Math.log(wei / LOWEST) / STEP))
}

/** Per target and bucket, the transactions that have missed it. */
function lateOnes(waiting: Iterable<WaitingPrice>): readonly Float64Array[] {
  const late = COUNTED.map(() => new Float64Array(BUCKETS))
  for (const { price, blocks } of waiting) {
    const bucket = bucketOf(Number(price))
    for (const [i, target] of COUNTED.entries()) {
      const counts = late[i]
      if (blocks >= target && counts !== undefined) counts[bucket] = (counts[bucket] ?? 0) + 1
    }
  }
  return late
}

/** The shortest horizon that knows the target and enough about it; else the longest, which says what is missing. */
function estimateOf(tables: readonly Float64Array[], late: readonly Float64Array[], target: FeeTarget): FeeEstimate {
  const judged = (table: Float64Array, blocks: (typeof COUNTED)[number], share: number): Judged => {
    const index = COUNTED.indexOf(blocks)
    return cheapestInTime(table, late[index] ?? new Float64Array(BUCKETS), { index, share })
  }
  let last: FeeEstimate | null = null
  for (const [i, horizon] of HORIZONS.entries()) {
    const table = tables[i]
    if (table === undefined || !(horizon.targets as readonly number[]).includes(target)) continue
    last = { blocks: target, horizon: horizon.name, ...judged(table, target, CONFIRMED_SHARE) }
    if (last.reason !== 'too few transactions') break
  }
  if (last === null) throw new RangeError(`no horizon knows ${target} blocks`)
  const [shortest] = tables
  const earlier = EARLIER[target]
  if (last.gasPrice === null || shortest === undefined || earlier === undefined) return last
  const { gasPrice } = judged(shortest, earlier, EARLIER_SHARE)
  return gasPrice !== null && gasPrice > last.gasPrice ? { ...last, gasPrice } : last
}

type Judged = Pick<FeeEstimate, 'gasPrice' | 'reason' | 'transactions' | 'confirmedShare'>

/** From the highest price down, in ranges with enough observations: the last that was in time, and its median price. */
function cheapestInTime(
  table: Float64Array,
  late: Float64Array,
  { index, share }: { readonly index: number; readonly share: number },
): Judged {
  const of = (bucket: number, column: number): number => table[bucket * COLUMNS + column] ?? 0
  const seenIn = (bucket: number): number => of(bucket, CONFIRMED) + of(bucket, OVERRAN + index) + (late[bucket] ?? 0)
  let transactions = 0
  let best: { readonly top: number; readonly bottom: number; readonly share: number } | null = null
  let [top, seen, inTime, wasJudged] = [BUCKETS - 1, 0, 0, false]
  for (let bucket = BUCKETS - 1; bucket >= 0; bucket--) {
    transactions += seenIn(bucket)
    seen += seenIn(bucket)
    inTime += of(bucket, IN_TIME + index)
    if (seen < LEAST_WEIGHT) continue
    wasJudged = true
    if (inTime < share * seen) {
      if (seen >= CLEARLY_FAILED) break
      continue
    }
    best = { top, bottom: bucket, share: inTime / seen }
    ;[top, seen, inTime] = [bucket - 1, 0, 0]
  }
  if (best !== null)
    return { gasPrice: medianPrice(of, best), reason: 'known', transactions, confirmedShare: best.share }
  const reason = wasJudged ? 'unreached' : 'too few transactions'
  return { gasPrice: null, reason, transactions, confirmedShare: null }
}

/** wei per gas: the mean of the bucket in which half of the range's confirmed ones lie above */
function medianPrice(
  of: (bucket: number, column: number) => number,
  { top, bottom }: { readonly top: number; readonly bottom: number },
): bigint {
  let confirmed = 0
  for (let bucket = bottom; bucket <= top; bucket++) confirmed += of(bucket, CONFIRMED)
  let left = confirmed / 2
  for (let bucket = bottom; bucket <= top; bucket++) {
    left -= of(bucket, CONFIRMED)
    if (left <= 0 && of(bucket, CONFIRMED) > 0) return BigInt(Math.round(of(bucket, PRICES) / of(bucket, CONFIRMED)))
  }
  return 0n
}

/** Null when the row could have come from here. */
function faultOfRow(row: FeeRow): string | null {
  const [bucket = -1, ...values] = row
  if (values.length !== COLUMNS) return `${values.length} numbers in a row, want ${COLUMNS}`
  if (!Number.isInteger(bucket) || bucket < 0 || bucket >= BUCKETS) return `bucket ${bucket}, want 0 to ${BUCKETS - 1}`
  if (!values.every((value) => Number.isFinite(value) && value >= 0)) return 'a count that is no number from 0 on'
  const confirmed = values[CONFIRMED] ?? 0
  const inTime = values.slice(IN_TIME, OVERRAN)
  const isRising = inTime.every((value, i) => value >= (inTime[i - 1] ?? 0) - NOTHING)
  return isRising && inTime.every((value) => value <= confirmed + NOTHING) ? null : 'more in time than confirmed'
}

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
  #saveFrom = 0
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
    await this.#save()
  }

  /** Call it before the pool takes the change: a block's transactions are judged before the pool drops them. */
  onHeadChanged({ head, removed, added }: HeadChanged): void {
    for (const block of [...removed].reverse()) this.#takeBack(block)
    this.#returned = new Set(removed.flatMap((block) => block.transactions.map(({ hash }) => toHex(hash))))
    for (const block of added) this.#takeBlock(block)
    const now = this.deps.clock.monotonic()
    if (head.header.number === 0n || !this.#isCurrent() || now < this.#saveFrom) return
    this.#saveFrom = now + SAVE_MS
    void this.#save()
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

  /** What can't be saved is told once, until it can be. */
  async #save(): Promise<void> {
    if (this.#file === null) return
    try {
      await this.#file.save(this.#snapshot())
      this.#isTold = false
    } catch (error: unknown) {
      if (!this.#isTold)
        this.deps.log.warn('fee estimates are not saved', { file: this.options.file, error: messageOf(error) })
      this.#isTold = true
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
