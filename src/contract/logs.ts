// This run's log as the UI reads it, in pages.
import { z } from 'zod'
import { LOG_LEVELS } from '../base/logger'
import { call } from '../base/wire/define'
import { countSchema, nothing, timeSchema } from './shapes'

const logLineSchema = z.object({
  /** Increases by one with each line of this run. */
  id: countSchema,
  at: timeSchema,
  level: z.enum(LOG_LEVELS),
  /** Trade or service; parts separated by dots. */
  module: z.string(),
  /** Message and fields in one line, secrets as `***`. */
  text: z.string(),
})

export const activitySchema = z.object({
  /** Increases by one with each entry since startup; tells equal entries apart. */
  id: countSchema,
  at: timeSchema,
  level: z.enum(['info', 'warn', 'error']),
  /** Trade or service. */
  module: z.string(),
  /** A fixed sentence without variables. */
  message: z.string(),
  /** The variables in logging order; bytes as hex, secrets as `***`. */
  fields: z.array(z.object({ name: z.string(), value: z.string() })),
})

/** Maximum entries in one answer. */
export const MAX_EVENTS = 500

/** Maximum lines in one answer. */
export const MAX_LOG_LINES = 2_000

const supportBundleSchema = z.object({
  /** Suggested file name. */
  name: z.string(),
  /** Versions, settings and the last log lines as text, without secrets. */
  text: z.string(),
})

export const logCalls = {
  'app.supportBundle': call(nothing, supportBundleSchema, 'control'),
  /** Kept lines from id `from` on, oldest first; continue at `next`. */
  'app.logs': call(
    z.object({ from: countSchema, count: z.number().int().min(1).max(MAX_LOG_LINES) }),
    z.object({ lines: z.array(logLineSchema), next: countSchema }),
  ),
  /** The last `count` kept entries before `before` (null = now), oldest first. */
  'app.events': call(
    z.object({ before: countSchema.nullable(), count: z.number().int().min(1).max(MAX_EVENTS) }),
    z.object({ entries: z.array(activitySchema) }),
  ),
}

export type LogLineView = z.infer<typeof logLineSchema>
export type ActivityView = z.infer<typeof activitySchema>
export type SupportBundleView = z.infer<typeof supportBundleSchema>
