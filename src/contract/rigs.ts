// What the UI knows about other rigs: the last report of each, and commands to them.
import { z } from 'zod'
import { call, event } from '../base/wire/define'
import { countSchema, timeSchema } from './shapes'

const rigRates = z.object({ now: z.number(), s60: z.number(), m15: z.number() })
const rigShares = z.object({ accepted: countSchema, rejected: countSchema, failed: countSchema })

/** A rig's public API reports 0 for unknown, so 0 means unknown in sensors here. */
const rigGpuSchema = z.object({
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
  powerLimitWatts: z.number(),
  clockMhz: z.object({ core: z.number(), memory: z.number() }),
})

const rigFiguresSchema = z.object({
  /** The rig accepts remote control. */
  control: z.boolean(),
  version: z.string(),
  uptimeSeconds: countSchema,
  pool: z.object({ connected: z.boolean(), host: z.string(), warning: z.string() }),
  hashrate: rigRates.extend({ effective: z.number() }),
  shares: rigShares,
  powerWatts: z.number(),
  /** A GPU's index in this list identifies it in commands. */
  gpus: z.array(rigGpuSchema),
})

/** Texts come from the rig: untrusted, show them as text only. */
const rigSchema = z.object({
  name: z.string(),
  /** `host:port`; empty for the local one. */
  host: z.string(),
  /** Its label `group`; empty without one. */
  group: z.string(),
  local: z.boolean(),
  online: z.boolean(),
  /** Why it is not online, verbatim; empty when it is. */
  error: z.string(),
  /** Age of the kept figures; null = never reached. */
  ageSeconds: countSchema.nullable(),
  /** The operator's labels; the one named `group` is its group. */
  labels: z.record(z.string(), z.string()),
  /** A token for it is stored here. */
  hasToken: z.boolean(),
  /** It comes from the `--rig-file` file, or is this computer: it can't be changed here. */
  isFixed: z.boolean(),
  /** Number of the poll that brought the figures; 0 = never reached. Increases with each. */
  reading: countSchema,
  /** Median hashrate over the last 24 h; null while less than half an hour is known. */
  usualHashrate: z.number().nullable(),
  /** Its last report; null = never reached. */
  figures: rigFiguresSchema.nullable(),
  /** Set for a rig that mines for this node over stratum, without being configured; it takes no commands. */
  worker: z
    .object({
      /** Its program, as it names itself; empty = unknown. */
      software: z.string(),
      dialect: z.string(),
      connections: countSchema,
      /** Expected hashes per share. */
      difficulty: z.number(),
      /** H/s as it reports it; null = it doesn't, or not lately. */
      reportedHashrate: z.number().nullable(),
      /** H/s that its accepted shares are worth; null in its first two minutes. */
      effectiveHashrate: z.number().nullable(),
      stale: countSchema,
      blocks: countSchema,
      lastSeenAt: timeSchema,
      lastShareAt: timeSchema.nullable(),
    })
    .nullable(),
})

const rigsSchema = z.object({
  /** False when it only monitors. */
  mining: z.boolean(),
  /** Rigs can be added, changed and removed in this run. */
  isEditable: z.boolean(),
  /** Why the config file doesn't hold the current list, so that changes are lost at a restart; empty when it does. */
  notKept: z.string(),
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
    /** H/s over 60 s of the GPUs whose power is known: the denominator for `powerWatts`. */
    meteredHashrate: z.number(),
  }),
  takenAt: timeSchema,
})

const rigName = z.string().max(64)
const typedRig = z.object({
  /** The watched rig that this replaces; null = a new one. */
  replaces: rigName.nullable(),
  /** Empty = HOST:PORT. */
  name: z.string().max(64),
  /** `HOST:PORT` */
  address: z.string().min(1).max(300),
  /** Null = keep the stored one, as long as the address stays the same; empty = none. Never returned. */
  token: z.string().max(512).nullable(),
})
/** Whether the changed list was saved to the config file, and so survives a restart; `reason` says why not. */
const keptSchema = z.object({ kept: z.boolean(), reason: z.string() })

/** Point i was taken at `firstAt + i * stepMs`; null where nothing was recorded. */
const rigHistorySchema = z.object({
  stepMs: countSchema,
  firstAt: timeSchema,
  values: z.array(z.number().nullable()),
  min: z.array(z.number().nullable()),
  max: z.array(z.number().nullable()),
})

export const rigsCalls = {
  /** Asks a rig for its summary with the values typed; nothing is saved. */
  'miner.rigTest': call(
    typedRig,
    z.object({
      ok: z.boolean(),
      /** Why it failed, or empty; may contain the rig's own words. */
      fault: z.string(),
      /** Null when it didn't answer. */
      figures: rigFiguresSchema.nullable(),
    }),
    'control',
  ),
  /** Adds or changes a watched rig immediately. */
  'miner.rigSave': call(typedRig, keptSchema, 'control'),
  'miner.rigRemove': call(z.object({ name: rigName }), keptSchema, 'control'),
  /** Totals of a rig observed since startup; null for a rig that isn't watched. */
  'miner.rigHistory': call(
    z.object({
      rig: rigName,
      series: z.enum(['hashrate', 'power', 'hottest']),
      window: z.enum(['1h', '24h']),
    }),
    rigHistorySchema.nullable(),
  ),
  /** The last hour of one GPU of a rig. */
  'miner.rigGpuHistory': call(
    z.object({
      rig: rigName,
      gpu: countSchema,
      series: z.enum(['hashrate', 'core', 'hotspot', 'memory', 'fan', 'power']),
    }),
    rigHistorySchema.nullable(),
  ),
  /** One command to several rigs, each with its own stored token; nothing is rolled back. */
  'miner.rigCommand': call(
    z.object({
      rigs: z.array(z.string().max(64)).min(1).max(256),
      action: z.enum(['pause', 'resume', 'restart']),
      /** Null = the whole rig. */
      gpu: countSchema.nullable(),
    }),
    z.object({
      results: z.array(
        z.object({
          rig: z.string(),
          /** Empty = done. */
          error: z.string(),
          /** HTTP status when the rig refused; null when there was no answer. */
          status: countSchema.nullable(),
          /** Readings with a higher number were taken after the answer. */
          reading: countSchema,
        }),
      ),
    }),
    'control',
  ),
}

export const rigsEvents = {
  'miner.rigs': event(rigsSchema, 1),
}

export type RigView = z.infer<typeof rigSchema>
export type RigsView = z.infer<typeof rigsSchema>
export type RigFiguresView = z.infer<typeof rigFiguresSchema>
export type RigGpuView = z.infer<typeof rigGpuSchema>
