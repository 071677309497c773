// Brings a pool's session to the point where shares can be sent, detecting its dialect if needed.
import type { Disposable } from '../../../base/disposable'
import type { Clock } from '../../../base/time'
import type { PoolEntry } from '../pool-entry'
import { DETECTION_ORDER, openSession, type SessionRequest } from './open-session'
import type { LineDialect, PoolSession, SessionDeps, SessionEnd } from './session'

/** A session, or how the attempt ended. */
export type ConnectOutcome = { readonly session: PoolSession } | { readonly end: SessionEnd }

/** Resolves with a logged-in session (its first job may still be pending), or with how the last attempt ended. */
export async function connectPool(entry: PoolEntry, deps: SessionDeps, signal: AbortSignal): Promise<ConnectOutcome> {
  // A remembered dialect that was wrong isn't used a second time.
  if (entry.dialect === null && entry.probeNext === null) entry.dialect = deps.dialects?.find(entry.url) ?? null
  if (entry.dialect === null) return findDialect(entry, deps, signal)
  const known = entry.dialect
  // A detected dialect remains a guess: the pool may have changed.
  const detecting = entry.url.dialect === null
  const outcome = await login(entry, { dialects: [known], detecting }, { deps, signal })
  if ('session' in outcome) return outcome
  const { end } = outcome
  if (end.kind === 'foreign' && !detecting) return { end: { kind: 'refused', reason: end.reason } }
  if (end.kind === 'foreign' || (end.kind === 'lost' && end.probeNext !== undefined)) forgetDialect(entry)
  return end.kind === 'foreign' ? { end: { kind: 'lost', reason: end.reason } } : outcome
}

/** A detected dialect is detected again at the next attempt, starting with the last result. */
export function forgetDialect(entry: PoolEntry): void {
  if (entry.url.dialect !== null) return
  if (entry.dialect !== null && entry.dialect !== 'getwork') entry.probeNext = entry.dialect
  entry.dialect = null
}

/** Only rejections of all dialects count as a rejection: a silent pool may be slow. */
async function findDialect(entry: PoolEntry, deps: SessionDeps, signal: AbortSignal): Promise<ConnectOutcome> {
  const reasons: string[] = []
  let dialects = orderFrom(entry.probeNext)
  for (;;) {
    const [first, ...others] = dialects
    if (first === undefined)
      return { end: { kind: 'refused', reason: `no dialect was understood (${reasons.join('; ')})` } }
    const outcome = await login(entry, { dialects: [first, ...others], detecting: true }, { deps, signal })
    if ('session' in outcome) {
      entry.dialect = outcome.session.dialect
      entry.probeNext = null
      return outcome
    }
    const { end } = outcome
    if (end.kind === 'lost' && end.probeNext !== undefined) entry.probeNext = end.probeNext
    if (end.kind !== 'foreign') return outcome
    reasons.push(end.reason)
    dialects = end.untried
  }
}

function orderFrom(first: LineDialect | null): readonly LineDialect[] {
  const at = first === null ? 0 : DETECTION_ORDER.indexOf(first)
  return [...DETECTION_ORDER.slice(at), ...DETECTION_ORDER.slice(0, at)]
}

async function login(
  entry: PoolEntry,
  request: Pick<SessionRequest, 'dialects' | 'detecting'>,
  { deps, signal }: { readonly deps: SessionDeps; readonly signal: AbortSignal },
): Promise<ConnectOutcome> {
  const url = entry.movedTo === null ? entry.url : { ...entry.url, ...entry.movedTo }
  const session = openSession({ url, ...request, difficultyUnit: entry.difficultyUnit }, deps)
  // For the lifetime of the session.
  session.events.on('answered', (latencyMs) => entry.stats.answered(latencyMs))
  return untilReady(session, signal)
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

/** Resolves with a session that has given work. @throws Error with the reason */
export async function openWithWork(entry: PoolEntry, deps: SessionDeps, signal: AbortSignal): Promise<PoolSession> {
  const outcome = await connectPool(entry, deps, signal)
  if ('end' in outcome) throw new Error(outcome.end.reason)
  await firstJob(outcome.session, deps.clock, deps.limits.responseMs)
  return outcome.session
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
