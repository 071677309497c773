// How patiently a page waits for a program that is away. On the same computer, trying again costs nothing.
import { isLoopback } from '../../../base/ip-address'

/** Seconds before the 1st, 2nd, ... retry; the last value repeats. */
export const BACK_OFF_SECONDS = [1, 2, 5, 10, 30] as const
export const LOOPBACK_BACK_OFF_SECONDS = [1] as const
/** A program that accepts a connection but sends nothing counts as away. */
const PROBE_MS = 2_000

/** Whether the host in a page's address is this computer. @param hostname as in a URL, an IPv6 literal in brackets */
export function isThisComputer(hostname: string): boolean {
  return hostname === 'localhost' || isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'))
}

/** Browsers delay new WebSockets by up to 5 s after several refused ones, plain requests not: these find it out. */
export async function isAnswering(fetchPage: typeof fetch): Promise<boolean> {
  try {
    await fetchPage('./', { cache: 'no-store', signal: AbortSignal.timeout(PROBE_MS) })
    return true
  } catch {
    return false
  }
}
