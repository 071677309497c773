// What the UI knows about the computer that the program runs on, as far as it may stop the work.
import { z } from 'zod'
import { event } from '../base/wire/define'
import { countSchema, timeSchema } from './shapes'

export const diskSchema = z.object({
  /** Room on the data directory's disk; null where the system does not tell. */
  freeBytes: countSchema.nullable(),
  takenAt: timeSchema,
})

/** Below so much room somebody should look. */
export const DISK_ATTENTION_BYTES = 5 * 1024 ** 3
/** Below so much the node will soon stop writing, which it does at 512 MiB. */
export const DISK_PROBLEM_BYTES = 1024 ** 3

export const machineEvents = {
  'app.disk': event(diskSchema, 1),
}

export type DiskView = z.infer<typeof diskSchema>

/** How bad it is; null = well, or not known. */
export function diskLevel({ freeBytes }: Pick<DiskView, 'freeBytes'>): 'attention' | 'problem' | null {
  if (freeBytes === null || freeBytes >= DISK_ATTENTION_BYTES) return null
  return freeBytes < DISK_PROBLEM_BYTES ? 'problem' : 'attention'
}
