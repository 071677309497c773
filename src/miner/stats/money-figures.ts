// Every figure of expectation, luck, effort, loss and cost, computed from the ledger's records. Pure. A figure that
// can't be computed says why; it is never 0 then.
import { poissonRange } from '../../base/poisson'
import { WEI_PER_MICRO } from '../../base/units'
import { LOSS_KINDS, type LossCause } from './loss-cause'
import type { BlockWorth, MoneyRecords, OffTime } from './money-ledger'
import { type DeviceSums, readLossKey, type Slot, type SourceSums } from './money-slots'

/** Why there is no figure; `src/contract/money.ts` says what each means. */
type Missing =
  | 'nothing-mined'
  | 'too-early'
  | 'no-network-difficulty'
  | 'no-usual-hashrate'
  | 'no-power-reading'
  | 'no-power-price'
  | 'no-lax-price'
  | 'pool-knows'
  | 'not-measured'

type Known<T> = { value: T; missing: null } | { value: null; missing: Missing }
/** A number that may be missing. */
export type Figure = Known<number>
/** wei, in decimal digits. */
export type Amount = Known<string>

/** Prices in one currency; null: not set. */
export interface Prices {
  readonly lax: number | null
  readonly power: number | null
  readonly currency: string
}

/** All figures of a period; the contract says what each means. */
export type MoneyPeriod = ReturnType<typeof moneyPeriod>

/** What the figures depend on besides the records. */
export interface FigureContext {
  readonly prices: Prices
  /** index by device key */
  readonly present: ReadonlyMap<string, { readonly index: number }>
  /** for time in which nothing ran; null: unknown */
  readonly worth: BlockWorth | null
  /** UTC ms */
  readonly now: number
}

const MIN_RECORD_MS = 120_000
/** A loss this fresh still lasts. */
const LASTS_MS = 5_000
const DAY_S = 86_400
const MICRO_PER_LAX = 1e6
const JOULES_PER_KWH = 3.6e6
const MS_PER_SECOND = 1_000

/** A value that is known. */
export function known<T>(value: T): { value: T; missing: null } {
  return { value, missing: null }
}

/** A value that isn't. */
export function missing(why: Missing): { value: null; missing: Missing } {
  return { value: null, missing: why }
}

/** What was found beside the range of a Poisson mean. */
export function luckOf(found: number, mean: number) {
  const { low, high } = poissonRange(mean)
  const verdict: 'early' | 'low' | 'normal' | 'high' =
    mean < 1 ? 'early' : found < low ? 'low' : found > high ? 'high' : 'normal'
  return { found, mean, low, high, verdict }
}

/** The figures of the records between `from` and `to`. */
export function moneyPeriod(
  { sums, offs }: MoneyRecords,
  { from, to }: { readonly from: number; readonly to: number },
  context: FigureContext,
) {
  const entries = Object.entries(sums.sources)
  const total = minedOf(entries)
  const losses = lossesOf(sums, offs, { from, to, context })
  const energy = energyOf(Object.values(sums.devices), context.prices)
  return {
    from,
    to,
    recordedMs: Math.round(sums.recordedMs),
    total,
    sources: entries.map((entry) => ({ pool: entry[0], ...minedOf([entry]) })),
    rigs: sums.rigs === undefined ? null : minedOf([['', sums.rigs]]),
    losses,
    energy,
    margin: marginOf(total, energy.cost, context.prices),
  }
}

function minedOf(entries: readonly (readonly [string, SourceSums])[]) {
  const of = (name: keyof SourceSums, among = entries): number => among.reduce((sum, [, each]) => sum + each[name], 0)
  const solo = entries.filter(([pool]) => pool === '')
  const pools = entries.filter(([pool]) => pool !== '')
  // Shares that a pool didn't count were found all the same: luck isn't what took them.
  const refused = of('rejected', pools) + of('stale', pools) + of('unanswered', pools)
  const [hashes, pricedHashes, mean, work] = [of('hashes'), of('pricedHashes'), of('due'), of('work')]
  const none: Missing = hashes > 0 || of('accepted') > 0 ? 'no-network-difficulty' : 'nothing-mined'
  const blocks = (name: 'accepted' | 'orphaned'): Figure => {
    if (solo.length > 0) return known(of(name, solo))
    return missing(hashes > 0 ? 'pool-knows' : 'nothing-mined')
  }
  // Without a price for some of the work, its value isn't known; what is known would look like all of it.
  const isPriced = of('accepted') > 0 ? of('pricedWork') > 0 : pricedHashes > 0
  return {
    hashes,
    expectedShares: mean,
    expectedBlocks: pricedHashes > 0 ? known(of('dueBlocks')) : missing(none),
    shares: {
      accepted: of('accepted'),
      rejected: of('rejected'),
      stale: of('stale'),
      unanswered: of('unanswered'),
      failed: of('failed'),
    },
    foundBlocks: blocks('accepted'),
    sideBlocks: blocks('orphaned'),
    income: isPriced ? known(String(weiOf(of('micro')))) : missing(none),
    expectedIncome: pricedHashes > 0 ? known(String(weiOf(of('dueMicro')))) : missing(none),
    pricedPart: hashes > 0 ? Math.min(1, pricedHashes / hashes, work > 0 ? of('pricedWork') / work : 1) : 0,
    luck: luckOf(of('accepted') + refused, mean),
  }
}

interface Period {
  readonly from: number
  readonly to: number
  readonly context: FigureContext
}

/** What a device computes at its usual rate, and lost. */
interface Lost {
  readonly usualHashes: Figure
  readonly lostHashes: Figure
}

/** What the devices computed and lost between `from` and `to`, by key: those that take a part in the losses of the period. */
export function lostByDevice({ sums, offs }: MoneyRecords, period: Period) {
  const parts = allParts(sums, offs, period)
  return new Map(
    [...new Set(parts.map(({ key }) => key).concat(Object.keys(sums.devices)))].map((key): [string, Lost] => {
      const device = sums.devices[key]
      const own = parts.filter((part) => part.key === key)
      const of = (is: (part: Part) => boolean): number =>
        own.reduce((sum, part) => sum + (is(part) ? part.hashes : 0), 0)
      const off = of(({ cause }) => cause === 'off')
      const isKnown = (device?.watchedMs ?? 0) > 0 || off > 0
      const isCounted = isKnown || of(({ cause }) => REFUSALS.has(cause)) > 0
      const none = missing('no-usual-hashrate')
      return [
        key,
        {
          usualHashes: isKnown ? known((device?.usual ?? 0) + off) : none,
          lostHashes: isCounted ? known(of(({ hashes }) => hashes > 0)) : none,
        },
      ]
    }),
  )
}

function allParts({ devices }: Slot, offs: readonly OffTime[], period: Period): Part[] {
  return [...Object.entries(devices).flatMap(([key, sums]) => partsOf(key, sums, period)), ...offParts(offs, period)]
}

/** usual = counted + lost - gained. */
function lossesOf(sums: Slot, offs: readonly OffTime[], period: Period) {
  const devices = Object.entries(sums.devices)
  const parts = allParts(sums, offs, period)
  const taken = parts.filter(({ hashes }) => hashes > 0)
  const rows = grouped(taken, period).sort((a, b) => b.hashes - a.hashes)
  const lost = taken.reduce((sum, { hashes }) => sum + hashes, 0)
  const gained = parts.reduce((sum, { hashes }) => sum - Math.min(0, hashes), 0)
  const refused = parts.reduce((sum, { cause, hashes }) => sum + (REFUSALS.has(cause) ? hashes : 0), 0)
  const watched = devices.reduce((sum, [, { watchedMs }]) => sum + watchedMs, 0)
  const usual = devices.reduce((sum, [, device]) => sum + device.usual, 0)
  const off = parts.reduce((sum, { cause, hashes }) => sum + (cause === 'off' ? hashes : 0), 0)
  const isEarly = watched === 0 && off === 0 && sums.recordedMs < MIN_RECORD_MS
  const none: Missing = devices.length === 0 ? 'nothing-mined' : isEarly ? 'too-early' : 'no-usual-hashrate'
  const isKnown = watched > 0 || off > 0
  return {
    usualHashes: isKnown ? known(usual + off) : missing(none),
    countedHashes: isKnown ? known(usual + off - lost + gained) : missing(none),
    lostHashes: isKnown || refused > 0 ? known(lost) : missing(none),
    gainedHashes: gained,
    lostIncome: isKnown || refused > 0 ? amountOf(taken) : missing(none),
    rows,
  }
}

const REFUSALS: ReadonlySet<LossCause> = new Set(['rejected', 'stale', 'unanswered', 'wrong-results'])

interface Part {
  readonly cause: LossCause
  readonly reason: string
  readonly key: string
  readonly name: string
  readonly from: number
  readonly to: number
  readonly ms: number
  readonly hashes: number
  /** hashes whose value is in `micro` */
  readonly priced: number
  readonly micro: number
}

function partsOf(key: string, { name, losses }: DeviceSums, { from, to }: Period): Part[] {
  return Object.entries(losses).flatMap(([filed, { pricedHashes: priced, ...loss }]) => {
    const why = readLossKey(filed)
    if (why === null) return []
    return [{ ...why, key, name, ...loss, priced, from: Math.max(from, loss.from), to: Math.min(to, loss.to) }]
  })
}

function offParts(offs: readonly OffTime[], { from, to, context: { worth } }: Period): Part[] {
  const perMicro = worth?.difficulty ? Number(worth.subsidyWei / WEI_PER_MICRO) / worth.difficulty : null
  return offs.flatMap((off) => {
    const [begin, end] = [Math.max(from, off.from), Math.min(to, off.to)]
    return Object.entries(off.rates).map(([key, { name, rate }]) => {
      const hashes = (rate * (end - begin)) / MS_PER_SECOND
      const priced = perMicro === null ? 0 : hashes
      const micro = perMicro === null ? 0 : hashes * perMicro
      const time = { from: begin, to: end, ms: end - begin }
      return { cause: 'off' as const, reason: '', key, name, ...time, hashes, priced, micro }
    })
  })
}

/** The same cause and reason on several devices is one row. */
function grouped(parts: readonly Part[], { context: { present, now } }: Period) {
  const rows = new Map<string, Part[]>()
  for (const part of parts) {
    const key = `${part.cause} ${part.reason}`
    rows.set(key, [...(rows.get(key) ?? []), part])
  }
  return [...rows.values()].flatMap((same) => {
    const [first] = same
    if (first === undefined) return []
    const devices = new Map(same.map(({ key, name }) => [key, { index: present.get(key)?.index ?? null, name }]))
    const to = Math.max(...same.map((part) => part.to))
    return [
      {
        cause: first.cause,
        kind: LOSS_KINDS[first.cause],
        reason: first.reason,
        devices: [...devices.values()].sort((a, b) => (a.index ?? Infinity) - (b.index ?? Infinity)),
        from: Math.min(...same.map((part) => part.from)),
        to: now - to < LASTS_MS && first.cause !== 'off' ? null : to,
        ms: Math.round(same.reduce((sum, { ms }) => sum + ms, 0)),
        hashes: same.reduce((sum, { hashes }) => sum + hashes, 0),
        income: amountOf(same),
      },
    ]
  })
}

/** Missing if any part of it has no price. */
function amountOf(parts: readonly Part[]): Amount {
  const isPriced = parts.every(({ hashes, priced }) => hashes - priced <= 1e-6 * Math.abs(hashes))
  if (!isPriced) return missing('no-network-difficulty')
  const micro = parts.reduce((sum, part) => sum + part.micro, 0)
  return known(String(weiOf(Math.max(0, micro))))
}

function energyOf(
  devices: readonly DeviceSums[],
  { power }: Prices,
): { kilowattHours: Figure; cost: Figure; meteredPart: number } {
  const of = (name: 'joules' | 'meteredMs' | 'meteredHashes' | 'hashes'): number =>
    devices.reduce((sum, device) => sum + device[name], 0)
  const meteredPart = of('hashes') > 0 ? Math.min(1, of('meteredHashes') / of('hashes')) : 0
  if (of('meteredMs') === 0) {
    const none = missing(devices.length > 0 ? 'no-power-reading' : 'nothing-mined')
    return { kilowattHours: none, cost: none, meteredPart }
  }
  const kilowattHours = of('joules') / JOULES_PER_KWH
  const cost = power === null ? missing('no-power-price') : known(kilowattHours * power)
  return { kilowattHours: known(kilowattHours), cost, meteredPart }
}

function marginOf(total: ReturnType<typeof minedOf>, cost: Figure, { lax }: Prices) {
  const inMoney = (amount: Amount): Figure => {
    if (amount.value === null) return amount
    if (lax === null) return missing('no-lax-price')
    return known((Number(BigInt(amount.value) / WEI_PER_MICRO) / MICRO_PER_LAX) * lax)
  }
  const income = inMoney(total.income)
  const margin = income.value === null ? income : cost.value === null ? cost : known(income.value - cost.value)
  return { income, expectedIncome: inMoney(total.expectedIncome), margin }
}

interface ForecastInput {
  /** H/s; null in the first two minutes */
  readonly hashrate: number | null
  readonly isSolo: boolean
  readonly worth: BlockWorth | null
  /** seconds between blocks that the difficulty rule aims at */
  readonly spacingSeconds: number
}

/** Quantiles of the waiting time for the next block. */
const [EARLY, HALF, LATE] = [0.1, 0.5, 0.9]

/** From a hashrate and what blocks need and pay now. */
export function forecastOf({ hashrate, isSolo, worth, spacingSeconds }: ForecastInput) {
  const difficulty = worth?.difficulty ?? null
  const why: Missing | null =
    hashrate === null ? 'too-early' : worth === null || difficulty === null ? 'no-network-difficulty' : null
  if (why !== null || hashrate === null || worth === null || difficulty === null) {
    const none = missing(why ?? 'no-network-difficulty')
    return { blocksPerDay: none, incomePerDay: none, nextBlock: { median: none, early: none, late: none } }
  }
  // If our hashrate is the whole network's, more of it raises the difficulty: the chain's pace is the bound.
  const perDay = Math.min(DAY_S / spacingSeconds, (hashrate * DAY_S) / difficulty)
  const wait = (part: number): Figure => {
    if (!isSolo) return missing('pool-knows')
    return perDay > 0 ? known((-Math.log(1 - part) * DAY_S) / perDay) : missing('nothing-mined')
  }
  return {
    blocksPerDay: known(perDay),
    incomePerDay: known(String(weiOf(perDay * Number(worth.subsidyWei / WEI_PER_MICRO)))),
    nextBlock: { median: wait(HALF), early: wait(EARLY), late: wait(LATE) },
  }
}

function weiOf(micro: number): bigint {
  return BigInt(Math.round(micro)) * WEI_PER_MICRO
}
