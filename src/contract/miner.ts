// What the UI knows about mining: devices with their sensors, totals, the source of work, and history for charts.
import { z } from 'zod'
import { call, event } from '../base/wire/define'
import { fleetCalls, fleetEvents } from './fleet'
import { countSchema, done, timeSchema } from './shapes'

const rate = z.number().nonnegative().nullable()

export const hashrateSchema = z.object({ now: rate, s60: rate, m15: rate })
export const sharesSchema = z.object({ accepted: countSchema, rejected: countSchema, failed: countSchema })

export const deviceSchema = z.object({
  index: countSchema,
  name: z.string(),
  /** `01:00.0`; empty for a CPU. */
  pci: z.string(),
  backend: z.enum(['cpu', 'opencl', 'cuda', 'simulated']),
  threads: countSchema.nullable(),
  state: z.enum(['starting', 'building', 'mining', 'waiting', 'paused', 'error']),
  /** 0..1 while building its dataset. */
  progress: z.number().min(0).max(1).nullable(),
  hashrate: hashrateSchema,
  shares: sharesSchema,
  paused: z.boolean(),
  /** The miner's own words, in their fixed order; empty exactly when not paused. */
  pauseReasons: z.array(z.string()),
  /** True when `miner.resume` can lift one of the reasons. */
  canResume: z.boolean(),
  /** What went wrong in state `error`; empty otherwise. */
  error: z.string(),
  /** Times that the watchdog restarted it since the miner started. */
  restarts: countSchema,
  /** When a pause ends by itself; null when it lasts until `miner.resume` or there is none. */
  pauseEndsAt: timeSchema.nullable(),
  /** Celsius. */
  temperature: z.object({ core: z.number().nullable(), hotspot: z.number().nullable(), memory: z.number().nullable() }),
  fanPercent: z.number().nullable(),
  powerWatts: z.number().nullable(),
  powerLimitWatts: z.number().nullable(),
  clockMhz: z.object({ core: z.number().nullable(), memory: z.number().nullable() }),
  datasetBytes: countSchema.nullable(),
  takenAt: timeSchema,
})

export const devicesSchema = z.object({ devices: z.array(deviceSchema), takenAt: timeSchema })

export const minerStatusSchema = z.object({
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
    /** Expected hashes of a share of the current job; null without a job. */
    difficulty: z.number().nullable(),
    epoch: countSchema.nullable(),
    height: countSchema.nullable(),
    switches: countSchema,
    warning: z.string(),
  }),
  /** The last accepted share or block; the proof that mining works. */
  lastProof: z.object({ at: timeSchema, device: countSchema }).nullable(),
  takenAt: timeSchema,
})

export const seriesNames = [
  'hashrate',
  'core',
  'hotspot',
  'memory',
  'fan',
  'power',
  'coreClock',
  'memoryClock',
] as const
export const seriesSchema = z.enum(seriesNames)
export const windowSchema = z.enum(['10m', '1h', '24h'])

/** Point i was taken at `firstAt + i * stepMs`; null where nothing was recorded. */
export const historySchema = z.object({
  stepMs: countSchema,
  firstAt: timeSchema,
  values: z.array(z.number().nullable()),
  /** Least and most of each point; absent where a point is a single sample. */
  min: z.array(z.number().nullable()).optional(),
  max: z.array(z.number().nullable()).optional(),
})

/** What a device's charts show beside its values. */
export const timelineSchema = z.object({
  /** Times in which it did not mine, with the reason in the miner's own words; `to` null = still. */
  spans: z.array(
    z.object({
      kind: z.enum(['paused', 'error', 'building']),
      from: timeSchema,
      to: timeSchema.nullable(),
      reason: z.string(),
    }),
  ),
  /** Single moments, oldest first; close ones of a kind are one with their `count`. */
  marks: z.array(
    z.object({
      kind: z.enum(['accepted', 'rejected', 'failed', 'epoch', 'restart']),
      at: timeSchema,
      count: countSchema,
      /** Why a share was refused, or the number of the epoch; may be empty. */
      text: z.string(),
    }),
  ),
})

const target = z.object({ /** Null = all devices. */ device: countSchema.nullable() })

/** What a simulated device can be made to suffer; `none` ends what lasts. */
export const simulatedFaultSchema = z.enum([
  'none',
  'hang',
  'error',
  'overheat',
  'sensor-lost',
  'out-of-memory',
  'wrong-result',
])

export const minerCalls = {
  ...fleetCalls,
  /** `forSeconds`: the pause ends by itself then, after a second to a day; absent = it lasts until `miner.resume`. */
  'miner.pause': call(target.extend({ forSeconds: z.number().int().min(1).max(86_400).optional() }), done, 'control'),
  'miner.resume': call(target, done, 'control'),
  'miner.restart': call(z.object({}), done, 'control'),
  /** Practice and custom networks only; at most 16 in all. */
  'miner.addSimulated': call(z.object({ count: z.number().int().min(1).max(16) }), done, 'control'),
  /** Refused for real devices. */
  'miner.simulateFault': call(z.object({ device: countSchema, fault: simulatedFaultSchema }), done, 'control'),
  'miner.history': call(
    z.object({ device: countSchema.nullable(), series: seriesSchema, window: windowSchema }),
    historySchema,
  ),
  /** What happened to a device within the window, as far as this start has seen it. */
  'miner.timeline': call(z.object({ device: countSchema, window: windowSchema }), timelineSchema),
}

export const minerEvents = {
  ...fleetEvents,
  'miner.devices': event(devicesSchema, 2),
  'miner.status': event(minerStatusSchema, 2),
}

export type HashrateView = z.infer<typeof hashrateSchema>
export type SharesView = z.infer<typeof sharesSchema>
export type DeviceView = z.infer<typeof deviceSchema>
export type DevicesView = z.infer<typeof devicesSchema>
export type MinerStatusView = z.infer<typeof minerStatusSchema>
export type SeriesName = z.infer<typeof seriesSchema>
export type HistoryWindow = z.infer<typeof windowSchema>
export type HistoryView = z.infer<typeof historySchema>
export type TimelineView = z.infer<typeof timelineSchema>
export type TimelineSpan = TimelineView['spans'][number]
export type TimelineMark = TimelineView['marks'][number]
export type SimulatedFault = z.infer<typeof simulatedFaultSchema>
