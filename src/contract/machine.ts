// What the UI knows about the computer the program runs on, as far as it can stop the work.
import { z } from 'zod'
import { event } from '../base/wire/define'
import { countSchema, timeSchema } from './shapes'

const diskSchema = z.object({
  /** Free space on the data directory's disk; null when the system doesn't report it. */
  freeBytes: countSchema.nullable(),
  takenAt: timeSchema,
})

/** Below this much free space, warn. */
const DISK_ATTENTION_BYTES = 5 * 1024 ** 3
/** Below this much the node will soon stop writing, which it does at 512 MiB. */
const DISK_PROBLEM_BYTES = 1024 ** 3

export const machineEvents = {
  'app.disk': event(diskSchema, 1),
}

export type DiskView = z.infer<typeof diskSchema>

/** Severity; null = fine, or unknown. */
export function diskLevel({ freeBytes }: Pick<DiskView, 'freeBytes'>): 'attention' | 'problem' | null {
  if (freeBytes === null || freeBytes >= DISK_ATTENTION_BYTES) return null
  return freeBytes < DISK_PROBLEM_BYTES ? 'problem' : 'attention'
}
