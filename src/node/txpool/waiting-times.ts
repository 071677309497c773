// How many blocks transactions of each price waited, and from that the price that is confirmed within 1, 3, 6 or 24
// blocks. The method is that of Bitcoin Core's `estimatesmartfee`: buckets of prices, counted over three horizons whose
// past fades with each block.

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
export type Waited =
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
export interface FeeEstimate {
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
