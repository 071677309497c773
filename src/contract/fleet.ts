// What the UI knows about pools: the list of failover, how each one answers, and why it is used.
import { z } from 'zod'
import { call, event } from '../base/wire/define'
import { addressSchema, countSchema, decimalSchema, done, timeSchema } from './shapes'

export const poolSchema = z.object({
  /** Place in the order of failover, from 0. */
  index: countSchema,
  /** Password masked. */
  url: z.string(),
  /** `host:port` */
  host: z.string(),
  /** Login without password. */
  user: z.string(),
  worker: z.string(),
  tls: z.boolean(),
  /** False: its certificate is not checked. */
  verified: z.boolean(),
  active: z.boolean(),
  /** `planned`: in the config file only, used from the next start on. */
  state: z.enum(['active', 'connecting', 'idle', 'unusable', 'planned']),
  /** Why it is not used, or how its last session ended; empty when there is nothing to say. */
  lastFault: z.string(),
  /** Since when its session is the active one; null where it is not. */
  connectedAt: timeSchema.nullable(),
  /** Expected hashes of a share of its present job; null without one. */
  difficulty: z.number().nullable(),
  /** From a request to its answer, over the last answers of this start; null before the first. */
  latency: z
    .object({ count: countSchema, medianMs: z.number().nonnegative(), p95Ms: z.number().nonnegative() })
    .nullable(),
  /** Since start; `lost`: never answered, or could not be sent. */
  shares: z.object({ accepted: countSchema, rejected: countSchema, lost: countSchema }),
  /** How it became the active one last; null when it was the first one, or never was. */
  lastSwitch: z
    .object({
      at: timeSchema,
      cause: z.enum(['asked', 'failed', 'returned']),
      /** `host:port` of the pool before it. */
      from: z.string(),
      /** How that one failed, in its own words; empty for the other causes. */
      reason: z.string(),
    })
    .nullable(),
})

export const poolsSchema = z.object({
  /** `solo`: the miner works for its own node; a pool that is added is mined for at once. */
  kind: z.enum(['pools', 'solo', 'none']),
  pools: z.array(poolSchema),
  takenAt: timeSchema,
})

/** How the active pool's work keeps up with the own node's chain. */
export const tipSchema = z.object({
  /** `own`: the work is the own node's. `unknown`: `why` tells what is missing. */
  state: z.enum(['on', 'behind', 'ahead', 'noJob', 'unknown', 'own']),
  why: z.enum(['', 'noNode', 'syncing', 'noHeadYet']),
  /** Since when it is so, where that was seen. */
  since: timeSchema.nullable(),
  job: z.object({ height: countSchema.nullable(), epoch: countSchema, at: timeSchema }).nullable(),
  /** Of the own node; `at`: when it came, null where it was there before this start. */
  head: z.object({ height: countSchema, epoch: countSchema, at: timeSchema.nullable() }).nullable(),
  /** From a new head to the pool's work for it; less than 0 where the pool was first. */
  delays: z.object({ count: countSchema, p50Ms: z.number(), p95Ms: z.number(), lastMs: z.number() }).nullable(),
  /** Addresses that blocks of this pool are known to pay. */
  coinbases: z.array(addressSchema),
  takenAt: timeSchema,
})

/** What was mined for one pool since a time. */
export const earningsRowSchema = z.object({
  /** `host:port`; empty for the own node. */
  pool: z.string(),
  /** Accepted; blocks where it is the own node. */
  shares: countSchema,
  rejected: countSchema,
  /** Expected hashes of the accepted shares. */
  work: z.number().nonnegative(),
  /** Of those, what `expected` was reckoned from: while the own node was not at the tip a share has no price. */
  pricedWork: z.number().nonnegative(),
  /** wei that they are worth on average, each at the network's difficulty of its moment; before any fee. */
  expected: decimalSchema,
  /** Computed for it. */
  hashes: z.number().nonnegative(),
  /** Shares (blocks of the own node) that these hashes find on average, each at its job's difficulty of its moment. */
  expectedShares: z.number().nonnegative(),
  /** wei that the computed hashes are worth on average, at the network's difficulty of their moment; before any fee. */
  computed: decimalSchema,
})

export const earningsSchema = z.object({
  /** Counted from here on: the asked time, down to ten minutes. */
  from: timeSchema,
  /** Of the first record kept (a month at most); null without any. */
  firstAt: timeSchema.nullable(),
  rows: z.array(earningsRowSchema),
})

/** What became of a day, made each morning from what was recorded and kept for a month. */
export const dayReportSchema = z.object({
  /** At most 24 hours before `to`; later where nothing was mined yet. */
  from: timeSchema,
  to: timeSchema,
  rows: z.array(earningsRowSchema),
  /** kWh of the devices that report their power; null where none did. */
  energy: z.number().nonnegative().nullable(),
  /** Of the devices there is no record of the time before, for the program was started then. */
  watchedFrom: timeSchema,
  devices: z.array(
    z.object({
      index: countSchema,
      name: z.string(),
      /** ms in which it did not mine, for whatever reason. */
      lostMs: countSchema,
      /** Times that it did not respond. */
      hangs: countSchema,
      restarts: countSchema,
      /** Wrong results that the CPU found. */
      failed: countSchema,
    }),
  ),
  /** Shares that counted for nothing, by the reason that was given; most first. */
  refused: z.array(z.object({ reason: z.string(), count: countSchema })),
  /** `host:port` of pools that answered, and how fast. */
  pools: z.array(z.object({ host: z.string(), medianMs: z.number().nonnegative() })),
})

const index = z.object({ index: countSchema })
const address = z.object({ url: z.string().min(1).max(1_024) })
/** Whether the changed list was written to the config file, and so outlives this start; `reason` tells why not. */
const kept = z.object({ kept: z.boolean(), reason: z.string() })

export const fleetCalls = {
  /** Appended to the list. */
  'miner.poolAdd': call(address, kept, 'control'),
  /** The address as it was typed, for a form that changes it; its password masked. */
  'miner.poolAddress': call(index, z.object({ url: z.string() }), 'control'),
  /** A masked password (`:***@`) stays the one it was, where the host stays too. The active pool is connected to again. */
  'miner.poolEdit': call(index.extend(address.shape), kept, 'control'),
  /** `undo` names it for `miner.poolRestore`, for a little while. */
  'miner.poolRemove': call(index, kept.extend({ undo: countSchema }), 'control'),
  /** Puts back what was removed, with its password, to its place. */
  'miner.poolRestore': call(z.object({ undo: countSchema }), kept, 'control'),
  /** Another place in the order of failover; the active pool stays active. */
  'miner.poolMove': call(index.extend({ to: countSchema }), kept, 'control'),
  'miner.poolActivate': call(index, done, 'control'),
  'miner.earnings': call(z.object({ since: timeSchema }), earningsSchema),
  /** Logs in beside the active pool and waits for a job; nothing is submitted. */
  'miner.poolTest': call(
    /** `index`: whose password a masked one stands for; with an empty address that pool is tested as it is. */
    z.object({ url: z.string().max(1_024), index: countSchema.nullable().optional() }),
    z.object({
      ok: z.boolean(),
      /** Why not, or empty. */
      fault: z.string(),
      dialect: z.string(),
      height: countSchema.nullable(),
      epoch: countSchema.nullable(),
      /** Expected hashes of a share; null without a job. */
      difficulty: z.number().nullable(),
      /** Median of its answers; null without any. */
      latencyMs: z.number().nullable(),
    }),
    'control',
  ),
}

export const fleetEvents = {
  'miner.pools': event(poolsSchema, 2),
  'miner.tip': event(tipSchema, 1),
  /** Newest first. */
  'miner.reports': event(z.object({ reports: z.array(dayReportSchema) }), 1),
}

export type PoolView = z.infer<typeof poolSchema>
export type PoolsView = z.infer<typeof poolsSchema>
export type TipView = z.infer<typeof tipSchema>
export type DayReportView = z.infer<typeof dayReportSchema>
export type EarningsView = z.infer<typeof earningsSchema>
export type EarningsRowView = z.infer<typeof earningsRowSchema>
