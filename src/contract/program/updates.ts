// What the UI knows about newer versions of the program. No host is contacted unless the user configured where and
// when.
import { z } from 'zod'
import { call } from '../../base/wire/define'
import { countSchema, done, nothing, timeSchema } from '../shapes'

const updatesSchema = z.object({
  /** Version of this program. */
  running: z.string(),
  check: z.enum(['manual', 'daily', 'never']),
  /** An update address is configured. */
  hasAddress: z.boolean(),
  /** Time of the last check, in earlier runs too; null = never checked. */
  lookedAt: timeSchema.nullable(),
  /** The transfer under way; `total` is the announced size, 0 while unknown. */
  work: z.object({ kind: z.enum(['look', 'fetch']), doneBytes: countSchema, totalBytes: countSchema }).nullable(),
  /** Why the last check or download failed; empty = it didn't. */
  failure: z.string(),
  /** A version newer than this one and its changes, one per line. */
  found: z.object({ version: z.string(), changes: z.array(z.string()) }).nullable(),
  /** Downloaded and verified. */
  waiting: z.object({ version: z.string() }).nullable(),
  /** True: the next start installs it; false: the user installs it from `folder`. */
  isAutomatic: z.boolean(),
  /** Null for connections from other computers. */
  folder: z.string().nullable(),
})

export const updateCalls = {
  'app.updates': call(nothing, updatesSchema, 'control'),
  /** Checks for the newest version now. Fails when that is switched off, or the host can't be reached or trusted. */
  'app.updateLook': call(nothing, updatesSchema, 'control'),
  /** Starts to download and verify the version found; `app.updates` reports progress and outcome. */
  'app.updateFetch': call(nothing, done, 'control'),
  /** Discards the downloaded update. */
  'app.updateForget': call(nothing, done, 'control'),
}

export type UpdatesView = z.infer<typeof updatesSchema>
