// CPU time of a thread: what a limit is measured in, so that a computer whose cores are all busy decides as an idle one.
import { readFileSync } from 'node:fs'

/** Linux tells it here, nanoseconds first. */
const THREAD_FILE = '/proc/thread-self/schedstat'

const told = process as { readonly threadCpuUsage?: () => { readonly user: number; readonly system: number } }

/** CPU time that the calling thread has used, ms; null where neither runtime nor system tells it. */
export function threadCpuMs(): number | null {
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
