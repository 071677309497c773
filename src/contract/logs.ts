// The log of this run as the UI reads it, piece by piece.
import { z } from 'zod'
import { LOG_LEVELS } from '../base/logger'
import { call } from '../base/wire/define'
import { countSchema, nothing, timeSchema } from './shapes'

export const logLineSchema = z.object({
  /** Grows by one with each line of this run. */
  id: countSchema,
  at: timeSchema,
  level: z.enum(LOG_LEVELS),
  /** Trade or service, parts behind a dot. */
  module: z.string(),
  /** Message and fields in one line, secrets as `***`. */
  text: z.string(),
})

export const activitySchema = z.object({
  /** Grows by one with each entry since start; tells equal entries apart. */
  id: countSchema,
  at: timeSchema,
  level: z.enum(['info', 'warn', 'error']),
  /** Trade or service. */
  module: z.string(),
  /** A fixed sentence without variables. */
  message: z.string(),
  /** The variables, in the order they were logged; bytes as hex, secrets as `***`. */
  fields: z.array(z.object({ name: z.string(), value: z.string() })),
})

/** Entries of one answer at most. */
export const MAX_EVENTS = 500

/** Lines of one answer at most. */
export const MAX_LOG_LINES = 2_000

export const supportBundleSchema = z.object({
  /** Proposed name of the file. */
  name: z.string(),
  /** Versions, settings and the last log lines as text, without any secret. */
  text: z.string(),
})

export const logCalls = {
  'app.supportBundle': call(nothing, supportBundleSchema, 'control'),
  /** Lines from id `from` on that are still kept, oldest first; `next` is where to go on. */
  'app.logs': call(
    z.object({ from: countSchema, count: z.number().int().min(1).max(MAX_LOG_LINES) }),
    z.object({ lines: z.array(logLineSchema), next: countSchema }),
  ),
  /** What happened before the entry `before` (null = up to now) and is still kept, oldest first; the last `count` of it. */
  'app.events': call(
    z.object({ before: countSchema.nullable(), count: z.number().int().min(1).max(MAX_EVENTS) }),
    z.object({ entries: z.array(activitySchema) }),
  ),
}

export type LogLineView = z.infer<typeof logLineSchema>
export type ActivityView = z.infer<typeof activitySchema>
export type SupportBundleView = z.infer<typeof supportBundleSchema>
