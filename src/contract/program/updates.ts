// What the UI knows about newer versions of the program. Nothing is asked of any host unless the user says where and when.
import { z } from 'zod'
import { call } from '../../base/wire/define'
import { countSchema, done, nothing, timeSchema } from '../shapes'

export const updatesSchema = z.object({
  /** Version of this program. */
  running: z.string(),
  check: z.enum(['manual', 'daily', 'never']),
  /** An address to ask is known. */
  hasAddress: z.boolean(),
  /** Of the last look, also in an earlier start; null = nobody ever looked. */
  lookedAt: timeSchema.nullable(),
  /** What is under way; `total` is what was announced, 0 while that is not known. */
  work: z.object({ kind: z.enum(['look', 'fetch']), doneBytes: countSchema, totalBytes: countSchema }).nullable(),
  /** Why the last look or download failed; empty = it did not. */
  failure: z.string(),
  /** Newer than this program, and what changed, a line each. */
  found: z.object({ version: z.string(), changes: z.array(z.string()) }).nullable(),
  /** Downloaded and verified. */
  waiting: z.object({ version: z.string() }).nullable(),
  /** The next start puts what waits in place; else the user installs it from `folder`. */
  isAutomatic: z.boolean(),
  /** Null for who is not at this computer. */
  folder: z.string().nullable(),
})

export const updateCalls = {
  'app.updates': call(nothing, updatesSchema, 'control'),
  /** Asks for the newest version now. Fails where that is switched off, or the host can't be reached or trusted. */
  'app.updateLook': call(nothing, updatesSchema, 'control'),
  /** Begins to download and verify what was found; how far it is, and how it ended, `app.updates` says. */
  'app.updateFetch': call(nothing, done, 'control'),
  /** What waits is thrown away. */
  'app.updateForget': call(nothing, done, 'control'),
}

export type UpdatesView = z.infer<typeof updatesSchema>
