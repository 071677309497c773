// What the UI knows about other rigs: what each said last, and the commands to them.
import { z } from 'zod'
import { call, event } from '../base/wire/define'
import { countSchema, timeSchema } from './shapes'

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
  powerLimitWatts: z.number(),
  clockMhz: z.object({ core: z.number(), memory: z.number() }),
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
  /** The place of one in this list is what commands call it. */
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
  /** It stands in the file of `--rig-file`, or is this computer: it cannot be changed here. */
  isFixed: z.boolean(),
  /** Number of the look that brought the figures; 0 = never reached. Grows with each. */
  reading: countSchema,
  /** Middle of its hashrate over the last 24 h; null while less than half an hour of it is known. */
  usualHashrate: z.number().nullable(),
  /** What it said last; null = never reached. */
  figures: rigFiguresSchema.nullable(),
})

export const rigsSchema = z.object({
  /** False on a monitor. */
  mining: z.boolean(),
  /** Rigs can be added, changed and removed in this start. */
  isEditable: z.boolean(),
  /** Why the config file does not have the list as it is now, so that it ends with this start; empty when it has. */
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
    /** H/s over 60 s of the GPUs whose power is known: what `powerWatts` is set against. */
    meteredHashrate: z.number(),
  }),
  takenAt: timeSchema,
})

const rigName = z.string().max(64)
const typedRig = z.object({
  /** The watched rig that this is a change of; null = another one. */
  replaces: rigName.nullable(),
  /** Empty = HOST:PORT. */
  name: z.string().max(64),
  /** `HOST:PORT` */
  address: z.string().min(1).max(300),
  /** Null = the one that is stored, as long as the address stays the same; empty = none. Comes in, never goes out. */
  token: z.string().max(512).nullable(),
})
/** Whether the changed list was written to the config file, and so outlives this start; `reason` tells why not. */
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
  /** Asks a rig for its summary as it was typed; nothing is kept. */
  'miner.rigTest': call(
    typedRig,
    z.object({
      ok: z.boolean(),
      /** Why not, or empty; may hold words of the other side. */
      fault: z.string(),
      /** Null when it did not answer. */
      figures: rigFiguresSchema.nullable(),
    }),
    'control',
  ),
  /** Adds or changes a watched rig, at once. */
  'miner.rigSave': call(typedRig, keptSchema, 'control'),
  'miner.rigRemove': call(z.object({ name: rigName }), keptSchema, 'control'),
  /** What was seen of a rig as a whole since this start; null for a rig that is not watched. */
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
      /** Null = all of the rig. */
      gpu: countSchema.nullable(),
    }),
    z.object({
      results: z.array(
        z.object({
          rig: z.string(),
          /** Empty = done. */
          error: z.string(),
          /** Of the rig's HTTP answer when it refused; null when there was none. */
          status: countSchema.nullable(),
          /** Readings with a greater number are of after the answer. */
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
export type RigHistoryView = z.infer<typeof rigHistorySchema>
