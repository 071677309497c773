// What the UI knows about pools: the failover list, how each one responds, and why it is used.
import { z } from 'zod'
import { call, event } from '../base/wire/define'
import { addressSchema, countSchema, decimalSchema, done, timeSchema } from './shapes'

/**
 * What is wrong with a pool, and what the operator can do about it, by the name of the window's text. Those of login,
 * certificate and port need the operator; the rest may pass.
 */
export const troubleActions = {
  dns: 'address',
  'no-route': 'network',
  'proxy-unreached': 'proxy',
  'proxy-login': 'proxyLogin',
  'proxy-target': 'address',
  'connection-refused': 'address',
  'connect-timeout': 'address',
  'connection-lost': 'other',
  silence: 'other',
  'http-port': 'address',
  'tls-port': 'tls',
  'plain-port': 'plain',
  'tls-refused': 'other',
  'other-protocol': 'scheme',
  'other-coin': 'address',
  'certificate-expired': 'clock',
  'certificate-clock': 'clock',
  'certificate-name': 'address',
  'certificate-authority': 'authority',
  'login-refused': 'login',
  'login-address': 'payout',
  'login-password': 'password',
  'login-banned': 'wait',
  redirect: 'other',
  'job-misfit': 'scheme',
  'no-work': 'other',
  'old-work': 'other',
  'share-unauthorized': 'login',
  'share-difficulty': 'unit',
  'share-stale': 'network',
  'share-duplicate': 'other',
  'share-invalid': 'scheme',
  'share-rejected': 'other',
  'share-unanswered': 'other',
  'share-flood': 'harder',
  'nothing-accepted': 'other',
  'no-share-yet': 'easier',
} as const

const poolTroubleSchema = z.enum(Object.keys(troubleActions) as (keyof typeof troubleActions)[])

export const poolDiagnosisSchema = z.object({
  trouble: poolTroubleSchema,
  since: timeSchema,
  /** How often it was seen since then. */
  count: countSchema,
  /** The pool's last answer, or the system's words: foreign text; may be empty. */
  answer: z.string(),
})

const poolSchema = z.object({
  /** Position in the failover order, from 0. */
  index: countSchema,
  /** Password masked. */
  url: z.string(),
  /** `host:port` */
  host: z.string(),
  /** Login without the password. */
  user: z.string(),
  worker: z.string(),
  tls: z.boolean(),
  /** False: its certificate isn't verified. */
  verified: z.boolean(),
  active: z.boolean(),
  /** `planned`: only in the config file, used after a restart. */
  state: z.enum(['active', 'connecting', 'idle', 'unusable', 'planned']),
  /** Why it isn't used, or how its last session ended; empty when there is nothing to report. */
  lastFault: z.string(),
  /** What is wrong with it now; null when nothing is known to be. */
  diagnosis: poolDiagnosisSchema.nullable(),
  /** Failed attempts since it last worked. */
  tries: countSchema,
  /** The next attempt, while waiting for it. */
  nextTryAt: timeSchema.nullable(),
  /** When its session became active; null when it isn't active. */
  connectedAt: timeSchema.nullable(),
  /** Expected hashes per share of its current job; null without one. */
  difficulty: z.number().nullable(),
  /** Median from request to answer since startup; null before the first answer. */
  latency: z
    .object({ count: countSchema, medianMs: z.number().nonnegative(), p95Ms: z.number().nonnegative() })
    .nullable(),
  /** Since startup; `lost`: never answered, or couldn't be sent. */
  shares: z.object({ accepted: countSchema, rejected: countSchema, lost: countSchema }),
  /** How it last became active; null when it was the first one, or never was. */
  lastSwitch: z
    .object({
      at: timeSchema,
      cause: z.enum(['asked', 'failed', 'returned']),
      /** `host:port` of the previous pool. */
      from: z.string(),
      /** How the previous one failed, in its own words; empty for other causes. */
      reason: z.string(),
    })
    .nullable(),
})

const poolsSchema = z.object({
  /** `solo`: the miner works for its own node; adding a pool switches to it immediately. */
  kind: z.enum(['pools', 'solo', 'none']),
  pools: z.array(poolSchema),
  takenAt: timeSchema,
})

/** How the active pool's work keeps up with our own node's chain. */
const poolHeadSchema = z.object({
  /** `own`: the work comes from our own node. `unknown`: `why` says what is missing. */
  state: z.enum(['on', 'behind', 'ahead', 'noJob', 'unknown', 'own']),
  why: z.enum(['', 'noNode', 'oldHead', 'noHeadYet']),
  /** When this state began, if that was observed. */
  since: timeSchema.nullable(),
  job: z.object({ height: countSchema.nullable(), epoch: countSchema, at: timeSchema }).nullable(),
  /** The own node's head; `at`: when it arrived, null when it predates startup. */
  head: z.object({ height: countSchema, epoch: countSchema, at: timeSchema.nullable() }).nullable(),
  /** From a new head to the pool's work for it; negative when the pool was first. */
  delays: z.object({ count: countSchema, p50Ms: z.number(), p95Ms: z.number(), lastMs: z.number() }).nullable(),
  /** Addresses that this pool's blocks are known to pay. */
  coinbases: z.array(addressSchema),
  takenAt: timeSchema,
})

/** What was mined for one pool in a period. */
const earningsRowSchema = z.object({
  /** `host:port`; empty for our own node. */
  pool: z.string(),
  /** Accepted shares; blocks for our own node. */
  shares: countSchema,
  rejected: countSchema,
  /** Expected hashes of the accepted shares. */
  work: z.number().nonnegative(),
  /** Part of it that `expected` is based on: while our node wasn't at the head, shares have no price. */
  pricedWork: z.number().nonnegative(),
  /** Average value in wei, each share at the network difficulty of its time; before any fee. */
  expected: decimalSchema,
  /** Hashes computed for it. */
  hashes: z.number().nonnegative(),
  /** Shares (blocks for our own node) these hashes find on average, each at its job's difficulty at the time. */
  expectedShares: z.number().nonnegative(),
  /** Average value of the computed hashes in wei, at the network difficulty of their time; before any fee. */
  computed: decimalSchema,
})

const earningsSchema = z.object({
  /** Start of the count: the requested time, rounded down to 15 minutes. */
  from: timeSchema,
  /** Time of the oldest record (kept for 400 days); null without any. */
  firstAt: timeSchema.nullable(),
  rows: z.array(earningsRowSchema),
})

/** Summary of a day, made each morning from the records and kept for a month. */
export const dayReportSchema = z.object({
  /** At most 24 hours before `to`; later when nothing was mined until then. */
  from: timeSchema,
  to: timeSchema,
  rows: z.array(earningsRowSchema),
  /** kWh of the devices that report their power; null when none did. */
  energy: z.number().nonnegative().nullable(),
  /** The devices have no records from before the program started. */
  watchedFrom: timeSchema,
  devices: z.array(
    z.object({
      index: countSchema,
      name: z.string(),
      /** ms in which it didn't mine, for whatever reason. */
      lostMs: countSchema,
      /** How often it stopped responding. */
      hangs: countSchema,
      restarts: countSchema,
      /** Wrong results, as checked by the CPU. */
      failed: countSchema,
    }),
  ),
  /** Shares that earned nothing, by reason; most frequent first. */
  refused: z.array(z.object({ reason: z.string(), count: countSchema })),
  /** `host:port` and latency of pools that answered. */
  pools: z.array(z.object({ host: z.string(), medianMs: z.number().nonnegative() })),
})

/** `shown`: the `url` that the caller's list has at this position; another pool there now is left alone. */
const index = z.object({ index: countSchema, shown: z.string().optional() })
const address = z.object({ url: z.string().min(1).max(1_024) })
/** Whether the changed list was saved to the config file, and so survives a restart; `reason` says why not. */
const kept = z.object({ kept: z.boolean(), reason: z.string() })

export const poolCalls = {
  /** Appended to the list. */
  'miner.poolAdd': call(address, kept, 'control'),
  /** The address as typed, for an edit form; its password masked. */
  'miner.poolAddress': call(index, z.object({ url: z.string() }), 'control'),
  /** A masked password (`:***@`) keeps the stored one while the host is the same. An active pool is reconnected. */
  'miner.poolEdit': call(index.extend(address.shape), kept, 'control'),
  /** `undo` identifies it for `miner.poolRestore`, for a short while. */
  'miner.poolRemove': call(index, kept.extend({ undo: countSchema }), 'control'),
  /** Restores a removed pool, with its password, to its position. */
  'miner.poolRestore': call(z.object({ undo: countSchema }), kept, 'control'),
  /** Moves it in the failover order; the active pool stays active. */
  'miner.poolMove': call(index.extend({ to: countSchema }), kept, 'control'),
  'miner.poolActivate': call(index, done, 'control'),
  'miner.earnings': call(z.object({ since: timeSchema }), earningsSchema),
  /** Logs in on a second connection and waits for a job; nothing is submitted. */
  'miner.poolTest': call(
    /** `index`: the pool whose password a masked one stands for; with an empty address that pool is tested as it is. */
    z.object({ url: z.string().max(1_024), index: countSchema.nullable().optional() }),
    z.object({
      ok: z.boolean(),
      /** Why it failed; empty on success. */
      fault: z.string(),
      /** Its class; null on success, or when the address can't be read. */
      trouble: poolTroubleSchema.nullable(),
      dialect: z.string(),
      height: countSchema.nullable(),
      epoch: countSchema.nullable(),
      /** Expected hashes per share; null without a job. */
      difficulty: z.number().nullable(),
      /** Median answer time; null without answers. */
      latencyMs: z.number().nullable(),
    }),
    'control',
  ),
}

export const poolEvents = {
  'miner.pools': event(poolsSchema, 2),
  'miner.poolHead': event(poolHeadSchema, 1),
  /** Newest first. */
  'miner.reports': event(z.object({ reports: z.array(dayReportSchema) }), 1),
}

export type PoolView = z.infer<typeof poolSchema>
export type PoolTrouble = z.infer<typeof poolTroubleSchema>
export type PoolDiagnosisView = z.infer<typeof poolDiagnosisSchema>
export type PoolsView = z.infer<typeof poolsSchema>
export type PoolHeadView = z.infer<typeof poolHeadSchema>
export type DayReportView = z.infer<typeof dayReportSchema>
export type EarningsView = z.infer<typeof earningsSchema>
export type EarningsRowView = z.infer<typeof earningsRowSchema>
