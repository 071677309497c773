// "Test connection": a full login on a second connection, up to the first job, without submitting anything.
import { messageOf } from '../../base/errors'
import type { PoolUrl } from '../../config/values/pool-url'
import type { PoolTrouble } from '../pool-trouble'
import type { Job } from '../work-source'
import { endTrouble } from './pool-doctor'
import { PoolEntry } from './pool-entry'
import { type ConnectOutcome, connectPool, firstJob, NoWorkError } from './session/connect-pool'
import { LineSocket } from './session/line-socket'
import { DETECTION_ORDER } from './session/open-session'
import type { SessionDeps } from './session/session'

type ProbeOutcome =
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
  const entry = new PoolEntry(url)
  let outcome = await connectPool(entry, deps, signal)
  // The next attempt skips a dialect that got no answer.
  for (let left = DETECTION_ORDER.length - 1; left > 0 && wantsMore(outcome); left--)
    outcome = await connectPool(entry, deps, signal)
  if ('end' in outcome) {
    const { end } = outcome
    const trouble = end.kind === 'closed' ? 'silence' : endTrouble(end)
    const isMute = trouble === 'silence' || trouble === 'connection-lost'
    return { fault: end.reason, trouble: isMute && (await speaksTls(url, deps)) ? 'tls-port' : trouble }
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

/** Whether a port that gives no answer to plain requests speaks TLS; its certificate doesn't matter. */
function speaksTls(url: PoolUrl, { clock, limits, certificates }: SessionDeps): Promise<boolean> {
  if (url.tls) return Promise.resolve(false)
  return new Promise((resolve) => {
    const wish = { ...url, tls: true, verify: false, certificates, connectMs: limits.connectMs }
    const socket = new LineSocket(wish, clock)
    socket.events.on('connected', () => {
      resolve(true)
      socket.close('tested')
    })
    socket.events.on('closed', () => resolve(false))
    socket.connect()
  })
}

function wantsMore(outcome: ConnectOutcome): boolean {
  return 'end' in outcome && outcome.end.kind === 'lost' && outcome.end.probeNext !== undefined
}
