// The time by which policies count: it advances with the machine's uptime, so that a wall clock that is set, by a person,
// a program or the network, neither frees nor forgets a use.
import { uptime } from 'node:os'
import { z } from 'zod'
import type { Clock } from '../../base/time'
import { textOrNull } from '../../files/text-or-null'

/** A moment by all clocks, kept with each use. */
export const momentShape = z.object({
  /** By which policies count, UTC ms. */
  at: z.number(),
  /** What the wall clock said, UTC ms. */
  wall: z.number(),
  /** ms */
  up: z.number(),
  /** Identifies the start of the machine; null when the system doesn't tell. */
  boot: z.string().nullable(),
})
export type Moment = z.infer<typeof momentShape>

/** The machine's clock that includes sleep and that nobody sets. */
export interface Uptime {
  /** Since the machine started, ms. */
  readonly ms: () => number
  /** Identifies this start; null when the system doesn't tell. */
  readonly boot: string | null
}

/** The machine's own, with its present start, which is read now: later the process may have no files. */
export function machineUptime(): Uptime {
  // Linux tells one start of the machine from the next.
  const boot = textOrNull('/proc/sys/kernel/random/boot_id')?.trim() ?? null
  return { ms: () => uptime() * 1_000, boot }
}

/**
 * The present moment.
 * @param before the last one kept; null = none. Across a restart of the machine only the wall clock tells how much time
 * has passed.
 */
export function momentAfter(before: Moment | null, clock: Clock, uptime: Uptime): Moment {
  const [wall, up] = [clock.now(), uptime.ms()]
  const { boot } = uptime
  if (before === null) return { at: wall, wall, up, boot }
  const isSameStart = before.boot === boot && up >= before.up
  const passed = isSameStart ? up - before.up : Math.max(wall - before.wall, 0)
  return { at: before.at + passed, wall, up, boot }
}
