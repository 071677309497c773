// What the UI knows about money: expectation, luck, effort, losses and cost of what was mined, all from one ledger.
import { z } from 'zod'
import { call } from '../base/wire/define'
import { countSchema, decimalSchema, timeSchema } from './shapes'

/** Why a figure is missing. A missing figure is never 0, and 0 is always measured. */
const missingSchema = z.enum([
  /** Nothing was recorded in the period. */
  'nothing-mined',
  /** Less than two minutes were recorded. */
  'too-early',
  /** Our node wasn't at the head, or there is none: hashes and shares have no price. */
  'no-network-difficulty',
  /** No device was observed long enough to know its usual hashrate. */
  'no-usual-hashrate',
  /** No device reports its power. */
  'no-power-reading',
  /** No price per kWh is set. */
  'no-power-price',
  /** No price of a LAX is set. */
  'no-lax-price',
  /** Only the pool knows. */
  'pool-knows',
  /** It isn't about lost hashes, or nobody here can count them. */
  'not-measured',
])

/** A number, or why there is none. */
export const figureSchema = z.union([
  z.object({ value: z.number(), missing: z.null() }),
  z.object({ value: z.null(), missing: missingSchema }),
])

/** wei, or why they are unknown. */
export const amountSchema = z.union([
  z.object({ value: decimalSchema, missing: z.null() }),
  z.object({ value: z.null(), missing: missingSchema }),
])

/** What takes hashes. Each lost hash has one cause. */
const lossCauses = [
  'error',
  'silent',
  'wrong-results',
  'slow',
  'heat',
  'no-work',
  'rejected',
  'stale',
  'unanswered',
  'off',
  'paused',
  'building',
  'starting',
] as const
const lossCauseSchema = z.enum(lossCauses)

/** How a loss is shown: a faulty device, heat, work that didn't come or didn't count, or something planned. */
export const lossKindSchema = z.enum(['fault', 'heat', 'work', 'planned'])

/** A device by its index; null: it isn't there anymore. */
const ledgerDeviceSchema = z.object({ index: countSchema.nullable(), name: z.string() })

const shareCountsSchema = z.object({
  accepted: countSchema,
  rejected: countSchema,
  /** For an outdated job: counted here only, never as rejected too. */
  stale: countSchema,
  /** Never answered, or couldn't be sent. */
  unanswered: countSchema,
  /** Wrong results, as checked by the CPU. */
  failed: countSchema,
})

/** What was found, accepted or not, beside what is found on average: a Poisson process. */
const luckSchema = z.object({
  found: countSchema,
  mean: z.number().nonnegative(),
  /** Ends of the range that holds 95% of all cases, in shares or blocks. */
  low: countSchema,
  high: countSchema,
  /** `early`: less than one was expected, which says nothing. */
  verdict: z.enum(['early', 'low', 'normal', 'high']),
})

/** What was mined for one source, or for all of them. */
const minedSchema = z.object({
  /** Computed. */
  hashes: z.number().nonnegative(),
  /** Shares (solo: blocks) that these hashes find on average, each at its job's difficulty at the time. */
  expectedShares: z.number().nonnegative(),
  /** Blocks of the network that these hashes find on average. */
  expectedBlocks: figureSchema,
  shares: shareCountsSchema,
  /** Found by our own node's work. */
  foundBlocks: figureSchema,
  /** Those of them that the chain has replaced since: they pay nothing, and aren't in `income`. */
  sideBlocks: figureSchema,
  /** Solo: subsidies and fees of the found blocks that are on the chain. Pool: average value of the accepted shares, before its fee. */
  income: amountSchema,
  /** hashes / network difficulty × subsidy, each at the values of its time. */
  expectedIncome: amountSchema,
  /** 0..1: the part of the work that has a price, of the hashes (`expectedIncome`) or the accepted shares (`income`), whichever is less. */
  pricedPart: z.number().min(0).max(1),
  luck: luckSchema,
})

/** One cause of a period; the rows add up to the gap. */
const lossRowSchema = z.object({
  cause: lossCauseSchema,
  kind: lossKindSchema,
  /** In the miner's own words: pause reasons, the pool that gave no work; may be empty. */
  reason: z.string(),
  devices: z.array(ledgerDeviceSchema),
  /** First and last moment; `to` null: it lasts. */
  from: timeSchema,
  to: timeSchema.nullable(),
  /** Time of all devices together. */
  ms: countSchema,
  hashes: z.number().nonnegative(),
  /** Average value of these hashes at the values of their time. */
  income: amountSchema,
})

/** usual = counted + lost - gained, exactly. `counted`: computed hashes without those of shares that didn't count. */
const periodLossesSchema = z.object({
  /** Hashes that the devices compute at their usual rate in the watched time. */
  usualHashes: figureSchema,
  /** May be negative in a short period: a share stands for its difficulty, whenever its hashes were computed. */
  countedHashes: figureSchema,
  /** The sum of the rows. */
  lostHashes: figureSchema,
  /** Of devices that were faster than usual. */
  gainedHashes: z.number().nonnegative(),
  lostIncome: amountSchema,
  /** The costliest first. */
  rows: z.array(lossRowSchema),
})

const periodSchema = z.object({
  from: timeSchema,
  to: timeSchema,
  /** How long something was recorded. */
  recordedMs: countSchema,
  total: minedSchema,
  /** By source; `pool` is `host:port`, empty for our own node. */
  sources: z.array(minedSchema.extend({ pool: z.string() })),
  /**
   * What rigs mined for our own node over the stratum port; null without any. In no other figure: what they lose and draw
   * isn't known here. `hashes` are those that their accepted shares stand for; `shares` and `luck` are about blocks.
   */
  rigs: minedSchema.nullable(),
  losses: periodLossesSchema,
  energy: z.object({
    kilowattHours: figureSchema,
    /** In the currency. */
    cost: figureSchema,
    /** 0..1: the part of the hashes whose devices report their power. */
    meteredPart: z.number().min(0).max(1),
  }),
  /** In the currency, at today's price of a LAX. */
  margin: z.object({ income: figureSchema, expectedIncome: figureSchema, margin: figureSchema }),
})

/** What mining brings on average from now on, at the hashrate of the last 15 minutes. */
const forecastSchema = z.object({
  blocksPerDay: figureSchema,
  incomePerDay: amountSchema,
  /** Seconds until the next block: median and the ends of the range that holds 80% of all cases. Solo only. */
  nextBlock: z.object({ median: figureSchema, early: figureSchema, late: figureSchema }),
})

const priceSchema = z.number().nonnegative().nullable()
/** The options under `money`; null: not set. */
const pricesSchema = z.object({
  /** Of a LAX. */
  lax: priceSchema,
  /** Of a kWh. */
  power: priceSchema,
  /** Symbol or code, such as EUR; may be empty. */
  currency: z.string(),
})

const moneySchema = z.object({
  network: z.string(),
  /** One for each pair of neighboring bounds, in their order. */
  periods: z.array(periodSchema),
  /** From the first bound to the last. */
  whole: periodSchema,
  /** Work on the current block as a percentage of what a block takes on average; only grows until one is found. Solo. */
  effort: figureSchema,
  /** When the last block was found, or recording began; null before that. */
  effortSince: timeSchema.nullable(),
  forecast: forecastSchema,
  prices: pricesSchema,
  devices: z.array(
    ledgerDeviceSchema.extend({
      /** H/s */
      usualHashrate: figureSchema,
      /** From the first bound to the last: its part of `whole.losses`. */
      usualHashes: figureSchema,
      lostHashes: figureSchema,
    }),
  ),
  /** The oldest record; null without any. */
  firstAt: timeSchema.nullable(),
  /** Why the latest records aren't on disk; empty when they are. */
  notSaved: z.string(),
  takenAt: timeSchema,
})

export const moneyCalls = {
  /**
   * Ascending UTC times, such as the viewer's midnights; rounded down to 15 minutes, which every time zone's midnights
   * are multiples of. Records older than 32 days are kept as whole UTC days, for 400 days.
   */
  'miner.money': call(z.object({ bounds: z.array(timeSchema).min(2).max(400) }), moneySchema),
}

export type Figure = z.infer<typeof figureSchema>
export type Amount = z.infer<typeof amountSchema>
export type LossRowView = z.infer<typeof lossRowSchema>
export type MoneyPeriod = z.infer<typeof periodSchema>
export type MoneyView = z.infer<typeof moneySchema>
