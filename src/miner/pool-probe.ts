// "Test connection": a full login on a second connection, up to the first job, without submitting anything.
import { messageOf } from '../base/errors'
import type { PoolUrl } from '../config/values/pool-url'
import { endTrouble } from './pool/pool-doctor'
import { newPoolEntry } from './pool/pool-entry'
import { type ConnectOutcome, connectPool, firstJob, NoWorkError } from './pool/session/connect-pool'
import { DETECTION_ORDER } from './pool/session/open-session'
import type { SessionDeps } from './pool/session/session'
import type { PoolTrouble } from './pool-trouble'
import type { Job } from './work-source'

/** The test's result. */
export type ProbeOutcome =
  | {
      readonly dialect: string
      readonly job: Job
      /** median answer time; null without answers */
      readonly latencyMs: number | null
    }
  | { readonly fault: string; readonly trouble: PoolTrouble }
/** Tests one pool. */
export type PoolProbe = (url: PoolUrl, signal: AbortSignal) => Promise<ProbeOutcome>

/** Never rejects. @param deps of a session */
export async function probePool(url: PoolUrl, deps: SessionDeps, signal: AbortSignal): Promise<ProbeOutcome> {
  const entry = newPoolEntry(url)
  let outcome = await connectPool(entry, deps, signal)
  // The next attempt skips a dialect that got no answer.
  for (let left = DETECTION_ORDER.length - 1; left > 0 && wantsMore(outcome); left--)
    outcome = await connectPool(entry, deps, signal)
  if ('end' in outcome) {
    const { end } = outcome
    return { fault: end.reason, trouble: end.kind === 'closed' ? 'silence' : endTrouble(end) }
  }
  const { session } = outcome
  try {
    await firstJob(session, deps.clock, deps.limits.responseMs)
    const { job, dialect } = session
    return job === null
      ? { fault: 'it gave no work', trouble: 'no-work' }
      : { dialect, job, latencyMs: entry.stats.latency?.medianMs ?? null }
  } catch (error) {
    return { fault: messageOf(error), trouble: error instanceof NoWorkError ? error.trouble : 'no-work' }
  } finally {
    session.close('tested')
  }
}

function wantsMore(outcome: ConnectOutcome): boolean {
  return 'end' in outcome && outcome.end.kind === 'lost' && outcome.end.probeNext !== undefined
}
