// What the UI knows about pools and other rigs: the list of failover, and what the watched rigs said last.
import { z } from 'zod'
import { call, event } from '../base/wire/define'
import { countSchema, done, timeSchema } from './shapes'

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
})

export const poolsSchema = z.object({
  /** `solo`: the miner works for its own node, and all of the list is planned. */
  kind: z.enum(['pools', 'solo', 'none']),
  pools: z.array(poolSchema),
  takenAt: timeSchema,
})

const rigRates = z.object({ now: z.number(), s60: z.number(), m15: z.number() })
const rigShares = z.object({ accepted: countSchema, rejected: countSchema, failed: countSchema })

/** The public API of a rig says 0 for unknown, so here 0 means unknown in sensors. */
export const rigGpuSchema = z.object({
  name: z.string(),
  pci: z.string(),
  backend: z.string(),
  hashrate: rigRates,
  shares: rigShares,
  paused: z.boolean(),
  pauseReason: z.string(),
  temperature: z.object({ core: z.number(), hotspot: z.number(), memory: z.number() }),
  fanPercent: z.number(),
  powerWatts: z.number(),
})

export const rigFiguresSchema = z.object({
  /** That rig lets itself be controlled. */
  control: z.boolean(),
  version: z.string(),
  uptimeSeconds: countSchema,
  pool: z.object({ connected: z.boolean(), host: z.string(), warning: z.string() }),
  hashrate: rigRates.extend({ effective: z.number() }),
  shares: rigShares,
  powerWatts: z.number(),
  gpus: z.array(rigGpuSchema),
})

/** Texts are the rig's own: foreign, to be shown as text. */
export const rigSchema = z.object({
  name: z.string(),
  /** `host:port`; empty for the local one. */
  host: z.string(),
  local: z.boolean(),
  online: z.boolean(),
  /** Why it is not online, verbatim; empty when it is. */
  error: z.string(),
  /** Since the kept figures arrived; null = never reached. */
  ageSeconds: countSchema.nullable(),
  /** A token for it is stored here. */
  hasToken: z.boolean(),
  /** What it said last; null = never reached. */
  figures: rigFiguresSchema.nullable(),
})

export const rigsSchema = z.object({
  /** False on a monitor. */
  mining: z.boolean(),
  rigs: z.array(rigSchema),
  /** Sums over the rigs that are online. */
  totals: z.object({
    rigs: countSchema,
    online: countSchema,
    gpus: countSchema,
    paused: countSchema,
    hashrate: rigRates.extend({ effective: z.number() }),
    shares: rigShares,
    powerWatts: z.number(),
  }),
  takenAt: timeSchema,
})

const index = z.object({ index: countSchema })
const address = z.object({ url: z.string().min(1).max(1_024) })
/** Whether the changed list was written to the config file, and so outlives this start; `reason` tells why not. */
const kept = z.object({ kept: z.boolean(), reason: z.string() })

export const fleetCalls = {
  /** Appended to the list. */
  'miner.poolAdd': call(address, kept, 'control'),
  'miner.poolRemove': call(index, kept, 'control'),
  /** Another place in the order of failover; the active pool stays active. */
  'miner.poolMove': call(index.extend({ to: countSchema }), kept, 'control'),
  'miner.poolActivate': call(index, done, 'control'),
  /** Logs in beside the active pool and waits for a job; nothing is submitted. */
  'miner.poolTest': call(
    address,
    z.object({
      ok: z.boolean(),
      /** Why not, or empty. */
      fault: z.string(),
      dialect: z.string(),
      height: countSchema.nullable(),
      epoch: countSchema.nullable(),
      /** Expected hashes of a share; null without a job. */
      difficulty: z.number().nullable(),
    }),
    'control',
  ),
  /** One command to several rigs, each with its own stored token; nothing is rolled back. */
  'miner.rigCommand': call(
    z.object({
      rigs: z.array(z.string().max(64)).min(1).max(256),
      action: z.enum(['pause', 'resume', 'restart']),
      /** Null = all of the rig. */
      gpu: countSchema.nullable(),
    }),
    z.object({ results: z.array(z.object({ rig: z.string(), /** Empty = done. */ error: z.string() })) }),
    'control',
  ),
}

export const fleetEvents = {
  'miner.pools': event(poolsSchema, 2),
  'miner.rigs': event(rigsSchema, 1),
}

export type PoolView = z.infer<typeof poolSchema>
export type PoolsView = z.infer<typeof poolsSchema>
export type RigView = z.infer<typeof rigSchema>
export type RigsView = z.infer<typeof rigsSchema>
export type RigFiguresView = z.infer<typeof rigFiguresSchema>
