// The log of this run as the UI reads it, piece by piece.
import { z } from 'zod'
import { LOG_LEVELS } from '../base/logger'
import { call } from '../base/wire/define'
import { countSchema, timeSchema } from './shapes'

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

/** Lines of one answer at most. */
export const MOST_LOG_LINES = 2_000

export const logCalls = {
  /** Lines from id `from` on that are still kept, oldest first; `next` is where to go on. */
  'app.logs': call(
    z.object({ from: countSchema, count: z.number().int().min(1).max(MOST_LOG_LINES) }),
    z.object({ lines: z.array(logLineSchema), next: countSchema }),
  ),
}

export type LogLineView = z.infer<typeof logLineSchema>
