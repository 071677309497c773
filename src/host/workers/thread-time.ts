// CPU time of a thread: used for limits, so that a busy computer decides like an idle one.
import { readlinkSync } from 'node:fs'
import type { ThreadTime } from '../../base/time'
import { textOrNull } from '../../files/text-or-null'

const told = process as { readonly threadCpuUsage?: () => { readonly user: number; readonly system: number } }

/** CPU time used by the calling thread, ms; null when neither runtime nor system reports it. */
export const threadCpuMs: ThreadTime = () => {
  if (told.threadCpuUsage !== undefined) {
    const { user, system } = told.threadCpuUsage()
    return (user + system) / 1_000
  }
  return scheduledMs('/proc/thread-self') || null
}

/** The system's number of the calling thread; null where it has none. Linux: /proc/thread-self is `PID/task/NUMBER`. */
export function threadNumber(): number | null {
  try {
    const number = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    return Number.isSafeInteger(number) ? number : null
  } catch {
    return null
  }
}

/** CPU time used by another thread of this process, ms; null when the system doesn't report it. */
export function cpuMsOfThread(number: number): number | null {
  return scheduledMs(`/proc/self/task/${number}`)
}

/** Linux: nanoseconds, first in the thread's `schedstat`. */
function scheduledMs(thread: string): number | null {
  const text = textOrNull(`${thread}/schedstat`)
  return text === null ? null : Number(text.split(' ')[0]) / 1e6
}
