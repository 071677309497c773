// Shares on their way to their job's pool: paced, kept across a reconnect, with their answers evaluated.
import type { Disposable } from '../../base/disposable'
import { messageOf } from '../../base/errors'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import { rejectionTrouble } from '../pool-trouble'
import { isSameExtranonce, type Job, type Share, type ShareVerdict } from '../work-source'
import { type PoolEntry, readOtherWay } from './pool-entry'
import type { PoolSession } from './session/session'
import { SubmitPace } from './session/submit-pace'

const KEPT_MS = 60_000
const MAX_HELD = 256
/** Sending it would submit a different nonce. */
const MISFIT = lost('the pool gave another extranonce after the reconnect')
const LATE = lost(`the pool did not come back within ${KEPT_MS / 1_000} s`)

interface Held {
  readonly share: Share
  readonly entry: PoolEntry
  readonly settle: (verdict: ShareVerdict) => void
  readonly timer: Disposable
  /** being sent: a new session must not send it again */
  isSent: boolean
  /** it expired while being sent */
  isLate: boolean
}

/** The shares waiting for a session. */
export class HeldShares {
  readonly #held = new Set<Held>()

  constructor(private readonly clock: Clock) {}

  /** Resolves when a later session of `entry` has handled it, or with `lost`. */
  hold(share: Share, entry: PoolEntry): Promise<ShareVerdict> {
    if (this.#held.size >= MAX_HELD) return Promise.resolve(lost('too many shares wait for the pool to come back'))
    return new Promise((resolve) => {
      const settle = (verdict: ShareVerdict): void => {
        this.#held.delete(held)
        held.timer.dispose()
        resolve(verdict)
      }
      const expire = (): void => {
        if (held.isSent) held.isLate = true
        else settle(LATE)
      }
      const timer = this.clock.setTimeout(expire, KEPT_MS)
      const held: Held = { share, entry, settle, timer, isSent: false, isLate: false }
      this.#held.add(held)
    })
  }

  /** A session of `entry` has work: shares it may accept are sent once each, the pool's other shares are lost. */
  async send(session: PoolSession, entry: PoolEntry): Promise<void> {
    for (const held of [...this.#held].filter((each) => each.entry === entry)) {
      if (held.isSent || !this.#held.has(held)) continue
      if (!fits(held.share, session)) {
        held.settle(MISFIT)
        continue
      }
      held.isSent = true
      const outcome = await session.submit(held.share)
      held.isSent = false
      if (outcome.kind !== 'unsent') {
        held.settle(outcome)
        continue
      }
      if (held.isLate) held.settle(LATE)
      return
    }
  }

  clear(reason: string): void {
    for (const held of [...this.#held]) held.settle(lost(reason))
  }
}

/** A share fits when its nonce has the same fixed prefix. */
export function fits({ job }: Share, session: PoolSession): boolean {
  return isSameExtranonce(job.extranonce, session.job?.extranonce ?? null)
}

function lost(reason: string): ShareVerdict {
  return { kind: 'lost', reason }
}

/** Consecutive rejections for low difficulty after which the pool's difficulties are read the other way. */
const MISREAD_AFTER = 5
const TOO_LOW = 'difficulty too low for this rig'

interface Served {
  readonly session: PoolSession
  readonly entry: PoolEntry
}

interface PoolSharesDeps {
  readonly clock: Clock
  readonly log: Logger
  readonly active: () => Served | null
  /** A warning for the operator begins, or ends with null. */
  readonly onPace: (warning: string | null) => void
  /** A share of this pool was answered, or never was. */
  readonly onSettled: (entry: PoolEntry, verdict: ShareVerdict) => void
}

/** Sends shares to the right session. */
export class PoolShares {
  readonly #origins = new WeakMap<Job, Served>()
  readonly #held: HeldShares
  readonly #pace: SubmitPace
  #tooEasyInARow = 0
  #isTooLow = false

  /** @param maxPerSecond solutions per second above which they are paced; undefined: the default */
  constructor(
    private readonly deps: PoolSharesDeps,
    maxPerSecond: number | undefined,
  ) {
    this.#held = new HeldShares(deps.clock)
    this.#pace = new SubmitPace(deps.clock, maxPerSecond)
  }

  /** A session gave a job, and takes the shares kept for its pool. */
  jobCame(job: Job, served: Served): void {
    this.#origins.set(job, served)
    this.#held.send(served.session, served.entry).catch((error: unknown) => {
      this.deps.log.warn('saved shares could not be sent', { reason: messageOf(error) })
    })
  }

  sessionBegan(): void {
    this.#tooEasyInARow = 0
  }

  async submit(share: Share, signal: AbortSignal): Promise<ShareVerdict> {
    const origin = this.#origins.get(share.job)
    if (origin === undefined) return { kind: 'lost', reason: 'the job is of no pool' }
    if (!(await this.#pace.turn(signal))) return { kind: 'lost', reason: TOO_LOW }
    if (this.#pace.throttled !== this.#isTooLow) {
      this.#isTooLow = this.#pace.throttled
      this.deps.onPace(this.#isTooLow ? TOO_LOW : null)
    }
    const outcome = await origin.session.submit(share)
    const verdict = outcome.kind === 'unsent' ? await this.#submitLater(share, origin.entry) : outcome
    origin.entry.stats.settled(verdict)
    this.#judge(verdict, origin.entry)
    this.deps.onSettled(origin.entry, verdict)
    return verdict
  }

  clear(reason: string): void {
    this.#held.clear(reason)
  }

  async #submitLater(share: Share, entry: PoolEntry): Promise<ShareVerdict> {
    const active = this.deps.active()
    if (active?.entry === entry && active.session.job !== null) {
      if (!fits(share, active.session)) return MISFIT
      const again = await active.session.submit(share)
      if (again.kind !== 'unsent') return again
    }
    return this.#held.hold(share, entry)
  }

  #judge(verdict: ShareVerdict, entry: PoolEntry): void {
    if (verdict.kind === 'accepted') this.#tooEasyInARow = 0
    if (verdict.kind !== 'rejected') return
    if (rejectionTrouble(verdict.reason, verdict.code ?? null) !== 'share-difficulty') return
    this.#tooEasyInARow += 1
    const served = this.deps.active()
    const active = served?.entry === entry ? served : null
    const unit = active?.session.difficultyUnit ?? null
    if (this.#tooEasyInARow < MISREAD_AFTER || !readOtherWay(entry, unit)) return
    this.deps.log.warn('shares are too easy for the pool; reading its difficulty the other way', {
      pool: entry.url.masked,
      unit: entry.difficultyUnit,
    })
    active?.session.close('difficulty read the other way')
  }
}
