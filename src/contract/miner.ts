// What the UI knows about mining: devices with their sensors, totals, the work source, and history for charts.
import { z } from 'zod'
import { call, event } from '../base/wire/define'
import { incidentCalls, incidentEvents } from './incidents'
import { amountSchema, moneyCalls } from './money'
import { poolCalls, poolDiagnosisSchema, poolEvents } from './pools'
import { rigsCalls, rigsEvents } from './rigs'
import { countSchema, done, timeSchema } from './shapes'

const rate = z.number().nonnegative().nullable()

const hashrateSchema = z.object({ now: rate, s60: rate, m15: rate })
const sharesSchema = z.object({ accepted: countSchema, rejected: countSchema, failed: countSchema })

export const deviceSchema = z.object({
  index: countSchema,
  name: z.string(),
  /** `01:00.0`; empty for a CPU. */
  pci: z.string(),
  backend: z.enum(['cpu', 'opencl', 'cuda', 'simulated']),
  threads: countSchema.nullable(),
  state: z.enum(['starting', 'compiling', 'building', 'mining', 'waiting', 'paused', 'error']),
  /** 0..1 while it builds its dataset. */
  progress: z.number().min(0).max(1).nullable(),
  hashrate: hashrateSchema,
  shares: sharesSchema,
  paused: z.boolean(),
  /** The miner's own words, in a fixed order; empty exactly when not paused. */
  pauseReasons: z.array(z.string()),
  /** True when `miner.resume` can lift one of the reasons. */
  canResume: z.boolean(),
  /** What went wrong in state `error`; empty otherwise. */
  error: z.string(),
  /** Watchdog restarts since the miner started. */
  restarts: countSchema,
  /** When the pause ends by itself; null when it lasts until `miner.resume` or it isn't paused. */
  pauseEndsAt: timeSchema.nullable(),
  /** Celsius. */
  temperature: z.object({ core: z.number().nullable(), hotspot: z.number().nullable(), memory: z.number().nullable() }),
  fanPercent: z.number().nullable(),
  powerWatts: z.number().nullable(),
  /** Mean of the power readings in the seconds that `hashrate.s60` covers; null without any. */
  meanPowerWatts: z.number().nullable(),
  powerLimitWatts: z.number().nullable(),
  clockMhz: z.object({ core: z.number().nullable(), memory: z.number().nullable() }),
  datasetBytes: countSchema.nullable(),
  /** False: it should be working but has finished nothing for a while; absent = it responds. */
  responds: z.boolean().optional(),
  /** Hashrate that its accepted shares of the last 15 min account for; null in the first two minutes. */
  effectiveHashrate: rate.optional(),
  /** Median H/s while it mined, of the last day or else week; null or absent = not known yet. */
  usualHashrate: rate.optional(),
  /** Core °C at which it pauses, and below which it resumes; null or absent = no temperature limit. */
  temperatureLimits: z.object({ stop: z.number(), start: z.number() }).nullable().optional(),
  takenAt: timeSchema,
})

/** Static facts about a device; null where unknown. */
const deviceDetailsSchema = z.object({
  /** With its version; may be empty. */
  driver: z.string(),
  memoryBytes: countSchema.nullable(),
  epoch: countSchema.nullable(),
  /** Memory the current epoch needs, and the next one. */
  neededBytes: countSchema.nullable(),
  nextNeededBytes: countSchema.nullable(),
  /** The last epoch that fits its memory. */
  lastEpoch: countSchema.nullable(),
  /** When the epoch after that begins, at the chain's current pace. */
  memoryFullAt: timeSchema.nullable(),
  /** When the next epoch begins, and for how many seconds it won't mine then: 0 where its DAG is built ahead. */
  nextChangeAt: timeSchema.nullable(),
  changeSeconds: z.number().nonnegative().nullable(),
  temperatureLimits: z.object({ stop: z.number(), start: z.number() }).nullable(),
  /** Work items per group and hashes per launch; null where that doesn't apply. */
  launch: z.object({ groupSize: countSchema, batchHashes: countSchema }).nullable(),
  /** Duration of the last full build. */
  buildSeconds: z.number().nonnegative().nullable(),
})

const backendSchema = z.enum(['cpu', 'opencl', 'cuda', 'simulated'])

export const inventorySchema = z.object({
  /** By index. */
  devices: z.array(deviceDetailsSchema),
  /** Found, but not used in this run. */
  excluded: z.array(z.object({ name: z.string(), pci: z.string(), backend: backendSchema, driver: z.string() })),
  /** GPU kinds whose driver couldn't be opened; `reason` names the library. */
  missing: z.array(z.object({ backend: backendSchema, reason: z.string() })),
})

/** A device's solutions and their outcome, newest first. */
export const solutionsSchema = z.object({
  /** At most 50. Difficulties in expected hashes: the job's, and this hash's own. */
  shares: z.array(
    z.object({
      at: timeSchema,
      outcome: z.enum(['accepted', 'rejected', 'failed', 'stale', 'lost']),
      jobDifficulty: z.number(),
      ownDifficulty: z.number().nullable(),
      latencyMs: z.number().nullable(),
      reason: z.string(),
    }),
  ),
  /** Wrong results, as checked by the CPU, at most 50; `nonce` is 16 hex digits. */
  failed: z.array(z.object({ at: timeSchema, epoch: countSchema, nonce: z.string() })),
})

const devicesSchema = z.object({ devices: z.array(deviceSchema), takenAt: timeSchema })

const minerStatusSchema = z.object({
  state: z.enum(['off', 'running', 'failed']),
  uptimeSeconds: countSchema,
  hashrate: hashrateSchema.extend({ effective: rate }),
  shares: sharesSchema,
  source: z.object({
    kind: z.enum(['solo', 'pool', 'none']),
    connected: z.boolean(),
    host: z.string(),
    /** Password masked. */
    url: z.string(),
    /** Expected hashes per share of the current job; null without a job. */
    difficulty: z.number().nullable(),
    epoch: countSchema.nullable(),
    height: countSchema.nullable(),
    switches: countSchema,
    warning: z.string(),
    /** What is wrong with the pool in use, or being tried; null when nothing is known to be. */
    diagnosis: poolDiagnosisSchema.nullable(),
  }),
  /** The last accepted share or block: evidence that mining works. */
  lastProof: z.object({ at: timeSchema, device: countSchema }).nullable(),
  /** Shares that the hashes since then (or startup) find on average: e^-x is the probability of this silence. */
  expectedSinceProof: z.number().nonnegative(),
  takenAt: timeSchema,
})

const seriesNames = [
  'hashrate',
  'core',
  'hotspot',
  'memory',
  'fan',
  'power',
  'coreClock',
  'memoryClock',
  'effective',
] as const
const seriesSchema = z.enum(seriesNames)
const windowSchema = z.enum(['10m', '1h', '24h', '7d'])

/** Point i was taken at `firstAt + i * stepMs`; null where nothing was recorded. */
const historySchema = z.object({
  stepMs: countSchema,
  firstAt: timeSchema,
  values: z.array(z.number().nullable()),
  /** Minimum and maximum of each point; absent where a point is a single sample. */
  min: z.array(z.number().nullable()).optional(),
  max: z.array(z.number().nullable()).optional(),
})

/**
 * A period in which a device didn't mine; `to` null = ongoing. `silent`: it should have, but finished nothing.
 * `waiting`: there was no work, and `reason` is the pool that wasn't connected; otherwise the reason is in the miner's
 * own words.
 */
const spanSchema = z.object({
  kind: z.enum(['paused', 'error', 'building', 'silent', 'waiting']),
  from: timeSchema,
  to: timeSchema.nullable(),
  reason: z.string(),
})

/** What a device's charts show besides its values. */
const timelineSchema = z.object({
  spans: z.array(spanSchema),
  /** Single moments, oldest first; nearby ones of a kind are merged, with their `count`. */
  marks: z.array(
    z.object({
      kind: z.enum(['accepted', 'rejected', 'failed', 'epoch', 'restart']),
      at: timeSchema,
      count: countSchema,
      /** Why a share was rejected, or the epoch number; may be empty. */
      text: z.string(),
    }),
  ),
})

/** In display order: watts, MHz, MHz, percent. */
export const tuningKnobs = ['power', 'coreClock', 'memoryClock', 'fan'] as const
const knobSchema = z.enum(tuningKnobs)

/** `efficiency`: hashes per joule. `margin`: income minus power cost per day, in the tariff's currency. */
const goalSchema = z.enum(['efficiency', 'margin'])

/** Null: left to the GPU. */
const settingSchema = z.number().nonnegative().max(1e6).nullable()

const tunedCardSchema = z.object({
  /** Those the GPU supports. */
  knobs: z.array(
    z.object({
      knob: knobSchema,
      least: z.number(),
      most: z.number(),
      /** Null: the GPU decides, or doesn't report it. */
      now: z.number().nullable(),
      /** The GPU's default; null: it has no fixed one. */
      usual: z.number().nullable(),
      /** False: this program lacks the rights. Null: unknown until tried. */
      allowed: z.boolean().nullable(),
      /** True: set by this program. */
      isSet: z.boolean(),
    }),
  ),
  search: z
    .object({
      goal: goalSchema,
      running: z.boolean(),
      steps: countSchema,
      /** In the goal's unit; null before the first step is done. */
      best: z.number().nullable(),
      /** Why it ended early; empty otherwise. */
      /** Every step measured, oldest first: the settings, and what they gave; null where the step failed. */
      points: z.array(
        z.object({
          settings: z.partialRecord(knobSchema, settingSchema),
          /** H/s */
          rate: z.number().nullable(),
          watts: z.number().nullable(),
          /** In the goal's unit. */
          score: z.number().nullable(),
          /** Wrong results, restarts and overheating during the step. */
          faults: countSchema,
        }),
      ),
      error: z.string(),
    })
    .nullable(),
})

const target = z.object({ /** Null = all devices. */ device: countSchema.nullable() })

/** A fault that a simulated device can be given; `none` ends a lasting one. */
const simulatedFaultSchema = z.enum([
  'none',
  'hang',
  'error',
  'overheat',
  'sensor-lost',
  'out-of-memory',
  'wrong-result',
])

const ofDevice = z.object({ device: countSchema })

/** A measurement at the main network's size: the current one, or the last one of this run. */
const measurementSchema = z.object({
  kind: z.enum(['none', 'preparing', 'measuring', 'done', 'failed']),
  secondsLeft: z.number().nullable(),
  devices: z.array(
    deviceSchema.pick({ index: true, name: true, state: true, progress: true, error: true }).extend({
      /** H/s; null until all is done, and for a device that failed. */
      hashrate: z.number().nonnegative().nullable(),
    }),
  ),
  /** Why it failed; empty otherwise. */
  reason: z.string(),
  /** H/s of all devices that were measured. */
  hashrate: z.number().nonnegative().nullable(),
  /** What that brings a day on average; known while a node of the main network is in sync. */
  incomePerDay: amountSchema,
})

export const minerCalls = {
  ...poolCalls,
  ...rigsCalls,
  ...moneyCalls,
  ...incidentCalls,
  /** `forSeconds`: the pause ends by itself after this long; absent = it lasts until `miner.resume`. */
  'miner.pause': call(target.extend({ forSeconds: z.number().int().min(1).max(86_400).optional() }), done, 'control'),
  'miner.resume': call(target, done, 'control'),
  'miner.restart': call(z.object({}), done, 'control'),
  /** Measures this computer at the main network's size, or stops that: nothing is mined, and mining pauses meanwhile. */
  'miner.measure': call(z.object({ run: z.boolean() }), measurementSchema, 'control'),
  'miner.measurement': call(z.object({}), measurementSchema, 'control'),
  /** Practice and custom networks only; at most 16 in all. */
  'miner.addSimulated': call(z.object({ count: z.number().int().min(1).max(16) }), done, 'control'),
  /** Refused for real devices. */
  'miner.simulateFault': call(z.object({ device: countSchema, fault: simulatedFaultSchema }), done, 'control'),
  'miner.history': call(
    z.object({ device: countSchema.nullable(), series: seriesSchema, window: windowSchema }),
    historySchema,
  ),
  'miner.inventory': call(z.object({}), inventorySchema),
  'miner.solutions': call(z.object({ device: countSchema }), solutionsSchema),
  /** Events of a device within the window, as far as this run has seen them. */
  'miner.timeline': call(z.object({ device: countSchema, window: windowSchema }), timelineSchema),
  /** `card` is null where nothing can be set. `hasTariff`: the margin can be computed. */
  'miner.tuning': call(ofDevice, z.object({ card: tunedCardSchema.nullable(), hasTariff: z.boolean() })),
  /** Until the program ends; absent knobs stay as they are. Ends a search. */
  'miner.tune': call(ofDevice.extend({ settings: z.partialRecord(knobSchema, settingSchema) }), done, 'control'),
  /** Back to the GPU's own values, or to what `headframe tune` set. */
  'miner.tuneReset': call(ofDevice, done, 'control'),
  /** Runs a GPU's fans at full speed for `runsMs`, to find it among others. */
  'miner.locate': call(ofDevice, z.object({ runsMs: countSchema }), 'control'),
  /** Null ends the search; what it found stays in effect. */
  'miner.tuneSearch': call(ofDevice.extend({ goal: goalSchema.nullable() }), done, 'control'),
}

export const minerEvents = {
  ...poolEvents,
  ...rigsEvents,
  ...incidentEvents,
  'miner.devices': event(devicesSchema, 2),
  'miner.status': event(minerStatusSchema, 2),
}

export type DeviceView = z.infer<typeof deviceSchema>
export type DevicesView = z.infer<typeof devicesSchema>
export type MinerStatusView = z.infer<typeof minerStatusSchema>
export type SeriesName = z.infer<typeof seriesSchema>
export type HistoryWindow = z.infer<typeof windowSchema>
export type HistoryView = z.infer<typeof historySchema>
export type TimelineView = z.infer<typeof timelineSchema>
/** One span of a device's timeline. */
export type TimelineSpan = TimelineView['spans'][number]
/** One moment of a device's timeline. */
export type TimelineMark = TimelineView['marks'][number]
export type DeviceDetailsView = z.infer<typeof deviceDetailsSchema>
export type MeasurementView = z.infer<typeof measurementSchema>
export type InventoryView = z.infer<typeof inventorySchema>
export type SolutionsView = z.infer<typeof solutionsSchema>
export type SimulatedFault = z.infer<typeof simulatedFaultSchema>
export type TuningKnob = z.infer<typeof knobSchema>
export type TunedCardView = z.infer<typeof tunedCardSchema>
