// "Test connection": a full login beside the active pool, up to the first job, and nothing submitted (ui.md 3.3).
import { messageOf } from '../base/errors'
import { connectPool, firstJob } from './pool/connect-pool'
import { newPoolEntry } from './pool/pool-entry'
import type { PoolUrl } from './pool/pool-url'
import type { SessionDeps } from './pool/session'
import type { Job } from './work-source'

export type ProbeOutcome = { readonly dialect: string; readonly job: Job } | { readonly fault: string }
export type PoolProbe = (url: PoolUrl, signal: AbortSignal) => Promise<ProbeOutcome>

/** Never rejects. @param deps of a session */
export async function probePool(url: PoolUrl, deps: SessionDeps, signal: AbortSignal): Promise<ProbeOutcome> {
  const outcome = await connectPool(newPoolEntry(url), deps, signal)
  if ('end' in outcome) return { fault: outcome.end.reason }
  const { session } = outcome
  try {
    await firstJob(session, deps.clock, deps.limits.responseMs)
    const { job, dialect } = session
    return job === null ? { fault: 'it gave no work' } : { dialect, job }
  } catch (error) {
    return { fault: messageOf(error) }
  } finally {
    session.close('tested')
  }
}
