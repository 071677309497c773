// Brings a pool's session to the point where shares can be sent, detecting its dialect if needed.
import type { Disposable } from '../../../base/disposable'
import type { Clock } from '../../../base/time'
import { loginTrouble, type PoolTrouble } from '../../pool-trouble'
import type { PoolEntry } from '../pool-entry'
import { DETECTION_ORDER, openSession, type SessionRequest } from './open-session'
import type { LineDialect, PoolSession, SessionDeps, SessionEnd } from './session'

/** A session, or how the attempt ended. */
export type ConnectOutcome = { readonly session: PoolSession } | { readonly end: SessionEnd }

/** Resolves with a logged-in session (its first job may still be pending), or with how the last attempt ended. */
export async function connectPool(entry: PoolEntry, deps: SessionDeps, signal: AbortSignal): Promise<ConnectOutcome> {
  // A remembered dialect that was wrong isn't used a second time.
  if (entry.dialect === null && entry.probeNext === null) {
    const remembered = deps.dialects?.find(entry.url) ?? null
    entry.dialect = remembered !== null && entry.refuted.has(remembered) ? null : remembered
  }
  if (entry.dialect === null) return findDialect(entry, deps, signal)
  const known = entry.dialect
  // A detected dialect remains a guess: the pool may have changed.
  const detecting = entry.url.dialect === null
  const outcome = await login(entry, { dialects: [known], detecting }, { deps, signal })
  if ('session' in outcome) return outcome
  const { end } = outcome
  if (end.kind === 'foreign' && !detecting)
    return { end: { kind: 'refused', reason: end.reason, trouble: 'other-protocol' } }
  if (end.kind === 'foreign' || (end.kind === 'lost' && end.probeNext !== undefined)) forgetDialect(entry)
  return end.kind === 'foreign' ? { end: { kind: 'lost', reason: end.reason, trouble: 'other-protocol' } } : outcome
}

/** A detected dialect is detected again at the next attempt, starting with the last result. */
function forgetDialect(entry: PoolEntry): void {
  if (entry.url.dialect !== null) return
  if (entry.dialect !== null && entry.dialect !== 'getwork') entry.probeNext = entry.dialect
  entry.dialect = null
}

/** A detected dialect's session gave no job that fits: another one comes next; after the last, all of them again. */
export function learnFrom(entry: PoolEntry, end: SessionEnd): void {
  const { dialect, url, refuted } = entry
  const isMisfit = end.kind === 'lost' && (end.trouble === 'job-misfit' || end.trouble === 'other-coin')
  forgetDialect(entry)
  if (!isMisfit || url.dialect !== null || dialect === null || dialect === 'getwork') return
  refuted.add(dialect)
  if (DETECTION_ORDER.every((known) => refuted.has(known))) refuted.clear()
  entry.probeNext = null
}

/** Only rejections of all dialects count as a rejection: a silent pool may be slow. */
async function findDialect(entry: PoolEntry, deps: SessionDeps, signal: AbortSignal): Promise<ConnectOutcome> {
  const reasons: string[] = []
  let dialects = orderFrom(entry)
  for (;;) {
    const [first, ...others] = dialects
    if (first === undefined) {
      const reason = `no dialect was understood (${reasons.join('; ')})`
      const trouble = loginTrouble(reason) === 'login-banned' ? 'login-banned' : 'other-protocol'
      return { end: { kind: 'refused', reason, trouble } }
    }
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

function orderFrom({ probeNext, refuted }: PoolEntry): readonly LineDialect[] {
  const at = probeNext === null ? 0 : DETECTION_ORDER.indexOf(probeNext)
  return [...DETECTION_ORDER.slice(at), ...DETECTION_ORDER.slice(0, at)].filter((dialect) => !refuted.has(dialect))
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

/** A session that gave no work. */
export class NoWorkError extends Error {
  constructor(
    reason: string,
    readonly trouble: PoolTrouble,
  ) {
    super(reason)
  }
}

/** Resolves when the session has given work; rejects, with the session closed, when it ends or gives none in time. */
export function firstJob(session: PoolSession, clock: Clock, limitMs: number): Promise<void> {
  if (session.job !== null) return Promise.resolve()
  return new Promise((resolve, reject) => {
    let misfit: string | null = null
    const settle = (fault: NoWorkError | null): void => {
      for (const each of held) each.dispose()
      if (fault === null) {
        resolve()
        return
      }
      session.close(fault.message)
      reject(fault)
    }
    const late = (): void =>
      settle(
        misfit === null
          ? new NoWorkError(session.idleReason ?? 'it gave no work', 'no-work')
          : new NoWorkError(misfit, 'job-misfit'),
      )
    const held = [
      session.events.on('jobChanged', () => settle(null)),
      session.events.on('misfit', (reason) => {
        misfit = reason
      }),
      session.events.on('ended', (end) => {
        const trouble = end.kind === 'lost' || end.kind === 'refused' ? end.trouble : 'no-work'
        settle(new NoWorkError(end.reason, end.kind === 'moved' ? 'redirect' : trouble))
      }),
      clock.setTimeout(late, limitMs),
    ]
  })
}
