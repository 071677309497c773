// What the UI knows about incidents: what is or was wrong, what it cost, what was done, and who was told.
import { z } from 'zod'
import { call, event } from '../base/wire/define'
import { amountSchema, figureSchema, lossKindSchema } from './money'
import { countSchema, done, nothing, timeSchema } from './shapes'

/** As many are sent at once. */
export const MAX_INCIDENTS = 1_000

/** What is wrong. The window's sentence is `ui.incident.<cause>`, with the incident's values. */
const incidentCauseSchema = z.enum([
  // one device
  'device-error',
  'device-silent',
  'wrong-results',
  'hot',
  'fan',
  'power-limit',
  'slow',
  'rejected-shares',
  'sensor-lost',
  'heat-unseen',
  // the work of all devices
  'no-work',
  'no-share',
  'pool-lost',
  'pool-trouble',
  // planned: listed, never an alarm
  'paused',
  'building',
  'off',
  // watched rigs
  'rig-offline',
  'rig-stale',
  'rig-hot',
  'rig-slow',
  'rig-pool',
  // rigs on the stratum port; `rig-offline` and `rig-slow` can be about them, too
  'rig-silent',
  'rig-rejected',
  // this program
  'record-unsaved',
  // the node, compared with another one
  'beside-differs',
  'beside-unknown',
])

/** `note`: listed only. `problem`: costs now, or may break something. */
const incidentLevelSchema = z.enum(['note', 'attention', 'problem'])

const incidentSchema = z.object({
  id: z.string(),
  cause: incidentCauseSchema,
  kind: lossKindSchema,
  level: incidentLevelSchema,
  /** Empty when it isn't about devices of this computer. */
  devices: z.array(z.object({ index: countSchema, name: z.string() })),
  /** `host:port`; empty when it isn't about a pool. */
  pool: z.string(),
  /** Empty when it isn't about another rig. */
  rig: z.string(),
  /** For the sentence: numbers, and words of others as they are. */
  values: z.record(z.string(), z.union([z.string(), z.number()])),
  since: timeSchema,
  /** Null: it lasts. */
  until: timeSchema.nullable(),
  /** Hashes lost to it so far, and their average value. */
  hashes: figureSchema,
  income: amountSchema,
  /** What the miner did about it by itself, oldest first. */
  actions: z.array(
    z.object({
      at: timeSchema,
      /** `restarted` a device, `paused` it, `switched` to another pool (its host in `text`). */
      did: z.enum(['restarted', 'paused', 'switched']),
      text: z.string(),
    }),
  ),
  /** When someone acknowledged it; null: nobody did. */
  acknowledgedAt: timeSchema.nullable(),
  /** Alerts sent about it, oldest first; `fault` is empty when it arrived. */
  alerts: z.array(z.object({ at: timeSchema, sink: z.string(), fault: z.string() })),
})

const incidents = z.array(incidentSchema)

/** From which level on a place reports. */
const celsius = z.number().int().min(20).max(150)
const heatLevels = z.object({ warn: celsius, critical: celsius })
const percent = z.number().int().min(1).max(100)
const deviceLevelsSchema = z.object({
  core: heatLevels,
  hotspot: heatLevels,
  memory: heatLevels,
  /** Fan speed, and power draw as a part of the GPU's own limit. */
  fan: percent,
  power: percent,
})

/** Allowed input of each rule, and its value when nothing was set. */
export const ruleBounds = {
  ratePercent: { min: 1, max: 100, usual: 90 },
  poolLostSeconds: { min: 10, max: 3_600, usual: 60 },
  rigOfflineSeconds: { min: 10, max: 86_400, usual: 60 },
  rigRatePercent: { min: 1, max: 100, usual: 80 },
} as const

export const incidentRulesSchema = z.object({
  /** By device: its PCI address, or index and name of a device without one. Others have the usual levels. */
  levels: z.record(z.string().max(200), deviceLevelsSchema),
  /** Of devices not listed, and of watched rigs. */
  usualLevels: deviceLevelsSchema,
  /** Below this part of the usual hashrate a device is slow. */
  ratePercent: percent,
  poolLostSeconds: z.number().int().min(ruleBounds.poolLostSeconds.min).max(ruleBounds.poolLostSeconds.max),
  rigOfflineSeconds: z.number().int().min(ruleBounds.rigOfflineSeconds.min).max(ruleBounds.rigOfflineSeconds.max),
  rigRatePercent: percent,
})

export const incidentCalls = {
  /** Those that overlap the period, newest first, at most MAX_INCIDENTS of `total`; a year is kept. */
  'miner.incidentHistory': call(
    z.object({ from: timeSchema, to: timeSchema }),
    z.object({ incidents, total: countSchema }),
  ),
  /** They stay listed, but nobody is told again. Unknown ids are ignored. */
  'miner.incidentAcknowledge': call(z.object({ ids: z.array(z.string().max(300)).min(1).max(1_000) }), done, 'control'),
  'miner.incidentRules': call(nothing, incidentRulesSchema),
  /** Effective immediately. */
  'miner.incidentRulesSave': call(incidentRulesSchema, done, 'control'),
}

export const incidentEvents = {
  /** `open`: problems first, then by start, newest first. `recent`: ended in the last 24 hours, newest first. */
  'miner.incidents': event(z.object({ open: incidents, recent: incidents, takenAt: timeSchema }), 1),
}

export type IncidentCause = z.infer<typeof incidentCauseSchema>
export type IncidentView = z.infer<typeof incidentSchema>
export type DeviceLevels = z.infer<typeof deviceLevelsSchema>
export type IncidentRulesView = z.infer<typeof incidentRulesSchema>
