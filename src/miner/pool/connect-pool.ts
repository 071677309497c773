// Gets a pool's session to the point where shares can be sent, finding out its dialect on the way.
import type { Disposable } from '../../base/disposable'
import type { Clock } from '../../base/time'
import type { DialectName } from '../../config/pool-url'
import { DETECTION_ORDER, openSession } from './open-session'
import type { PoolEntry } from './pool-entry'
import type { PoolSession, SessionDeps, SessionEnd } from './session'

export type ConnectOutcome = { readonly session: PoolSession } | { readonly end: SessionEnd }

/** Resolves with a session that is logged in (its first job may be still to come), or with how the last try ended. */
export async function connectPool(entry: PoolEntry, deps: SessionDeps, signal: AbortSignal): Promise<ConnectOutcome> {
  if (entry.dialect !== null) return tryDialect(entry, entry.dialect, deps, signal)
  const reasons: string[] = []
  for (const dialect of DETECTION_ORDER) {
    const outcome = await tryDialect(entry, dialect, deps, signal)
    if ('session' in outcome) {
      entry.dialect = dialect
      return outcome
    }
    if (outcome.end.kind !== 'foreign') return outcome
    reasons.push(`${dialect}: ${outcome.end.reason}`)
  }
  return { end: { kind: 'refused', reason: `no dialect was understood (${reasons.join('; ')})` } }
}

async function tryDialect(
  entry: PoolEntry,
  dialect: DialectName,
  deps: SessionDeps,
  signal: AbortSignal,
): Promise<ConnectOutcome> {
  const url = entry.movedTo === null ? entry.url : { ...entry.url, ...entry.movedTo }
  const detecting = entry.dialect === null
  const session = openSession({ url, dialect, detecting, difficultyUnit: entry.difficultyUnit }, deps)
  // For as long as the session lives.
  session.events.on('answered', (latencyMs) => entry.stats.answered(latencyMs))
  const outcome = await untilReady(session, signal)
  if ('end' in outcome && outcome.end.kind === 'foreign' && !detecting)
    return { end: { kind: 'refused', reason: outcome.end.reason } }
  return outcome
}

function untilReady(session: PoolSession, signal: AbortSignal): Promise<ConnectOutcome> {
  return new Promise((resolve) => {
    const held: Disposable[] = []
    const settle = (outcome: ConnectOutcome): void => {
      for (const each of held) each.dispose()
      signal.removeEventListener('abort', onAbort)
      resolve(outcome)
    }
    const onAbort = (): void => session.close('stopped')
    held.push(session.events.on('ready', () => settle({ session })))
    held.push(session.events.on('ended', (end) => settle({ end })))
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) settle({ end: { kind: 'closed', reason: 'stopped' } })
    else session.start()
  })
}

/** Resolves when the session has given work; rejects, with the session closed, when it ends or gives none in time. */
export function firstJob(session: PoolSession, clock: Clock, limitMs: number): Promise<void> {
  if (session.job !== null) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const settle = (fault: string | null): void => {
      for (const each of held) each.dispose()
      if (fault === null) {
        resolve()
        return
      }
      session.close(fault)
      reject(new Error(fault))
    }
    const held = [
      session.events.on('jobChanged', () => settle(null)),
      session.events.on('ended', (end) => settle(end.reason)),
      clock.setTimeout(() => settle('it gave no work'), limitMs),
    ]
  })
}
