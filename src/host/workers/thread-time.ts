// CPU time of a thread: used for limits, so that a busy computer decides like an idle one.
import { readFileSync } from 'node:fs'
import type { ThreadTime } from '../../base/time'

/** Linux reports it here, nanoseconds first. */
const THREAD_FILE = '/proc/thread-self/schedstat'

const told = process as { readonly threadCpuUsage?: () => { readonly user: number; readonly system: number } }

/** CPU time used by the calling thread, ms; null when neither runtime nor system reports it. */
export const threadCpuMs: ThreadTime = () => {
  if (told.threadCpuUsage !== undefined) {
    const { user, system } = told.threadCpuUsage()
    return (user + system) / 1_000
  }
  try {
    const nanoseconds = Number(readFileSync(THREAD_FILE, 'utf8').split(' ')[0])
    return nanoseconds > 0 ? nanoseconds / 1e6 : null
  } catch {
    return null
  }
}
