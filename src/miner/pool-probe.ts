// "Test connection": a full login beside the active pool, up to the first job, and nothing submitted (ui.md 3.3).
import { messageOf } from '../base/errors'
import type { PoolUrl } from '../config/pool-url'
import { connectPool, firstJob } from './pool/connect-pool'
import { newPoolEntry } from './pool/pool-entry'
import type { SessionDeps } from './pool/session'
import type { Job } from './work-source'

export type ProbeOutcome =
  | {
      readonly dialect: string
      readonly job: Job
      /** median of its answers; null without any */
      readonly latencyMs: number | null
    }
  | { readonly fault: string }
export type PoolProbe = (url: PoolUrl, signal: AbortSignal) => Promise<ProbeOutcome>

/** Never rejects. @param deps of a session */
export async function probePool(url: PoolUrl, deps: SessionDeps, signal: AbortSignal): Promise<ProbeOutcome> {
  const entry = newPoolEntry(url)
  const outcome = await connectPool(entry, deps, signal)
  if ('end' in outcome) return { fault: outcome.end.reason }
  const { session } = outcome
  try {
    await firstJob(session, deps.clock, deps.limits.responseMs)
    const { job, dialect } = session
    return job === null
      ? { fault: 'it gave no work' }
      : { dialect, job, latencyMs: entry.stats.latency?.medianMs ?? null }
  } catch (error) {
    return { fault: messageOf(error) }
  } finally {
    session.close('tested')
  }
}
