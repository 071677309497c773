// Keeps what is wrong with each pool, tells the log, and decides what the miner does by itself. Whatever hinders a
// share from being accepted ends up here, and so does its absence.
import { equalBytes } from '../../base/bytes'
import type { Logger } from '../../base/logger'
import { type Clock, durationText } from '../../base/time'
import {
  loginTrouble,
  type PoolDiagnosis,
  type PoolTrouble,
  rejectionTrouble,
  TROUBLE_WORDS,
  troubleText,
} from '../pool-trouble'
import { IMPROBABLE_SHARES } from '../stats/proof'
import type { Job, ShareVerdict } from '../work-source'
import type { PoolEntry } from './pool-entry'
import { epochAt } from './session/job-maker'
import type { SessionEnd } from './session/session'

/** Rejected shares in a row after which the miner logs in again. */
const MAX_REJECTED = 5
/** They must spread over this long: a fast rig has as many in flight when a block is found. */
const REJECTED_MS = 10_000
/** A single rejected share in a row of accepted ones is chance; so many aren't. */
const SHOWN_REJECTED = 3
/** A silence shorter than this proves nothing, however many shares were expected. */
const MIN_SILENCE_MS = 60_000
/** From here on, the lack of a first share is reported, however high the difficulty. */
const FIRST_SHARE_MS = 600_000
/** At most one log line per pool and trouble in this time; the count has the others. */
const LOG_EVERY_MS = 60_000
const LONGEST_ANSWER = 200
const NO_SEAL = new Uint8Array()
/** A chain of ten-minute blocks stands still for this long once in a million times: 0.001 squared. */
const OLD_WORK_MS = 2 * IMPROBABLE_SHARES * 600_000
/** Longer ones are no share in the time that anyone waits: the difficulty is misread, or meant for a farm. */
const HOPELESS_MS = 86_400_000

/** What the miner does by itself. */
export type Remedy = 'none' | 'login' | 'leave' | 'otherUnit'

/** What is wrong with a pool now; null: nothing known. */
export function diagnosisOf({ health }: PoolEntry): PoolDiagnosis | null {
  const open = [...health.noted.values()].filter(({ isOver }) => !isOver)
  // What was done about it says less than why.
  const causes = open.filter(({ trouble }) => trouble !== 'nothing-accepted' && trouble !== 'no-share-yet')
  const found = causes.at(-1) ?? open.at(-1)
  if (found === undefined) return null
  const { trouble, since, count, answer } = found
  return { trouble, since, count, answer }
}

interface Work {
  /** H/s */
  readonly hashrate: number
  /** expected hashes per share; null: there is no job */
  readonly difficulty: number | null
  readonly ms: number
}

/** The doctor of all pools. */
export class PoolDoctor {
  constructor(
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {}

  /** Something went wrong. @returns the trouble with its count */
  noticed(entry: PoolEntry, trouble: PoolTrouble, words: string): PoolDiagnosis {
    const { noted } = entry.health
    const before = noted.get(trouble)
    const answer = printable(words)
    const now = this.clock.monotonic()
    const isDue = before?.loggedAt == null || now - before.loggedAt >= LOG_EVERY_MS
    const { since = this.clock.now(), count = 0 } = before ?? {}
    const found = { trouble, since, count: count + 1, answer }
    noted.delete(trouble) // the latest comes last
    noted.set(trouble, { ...found, isOver: false, loggedAt: isDue ? now : before.loggedAt })
    if (isDue)
      this.log.warn('pool trouble', {
        pool: entry.url.masked,
        trouble,
        count: found.count,
        reason: troubleText(found),
      })
    return found
  }

  over(entry: PoolEntry, trouble: PoolTrouble): void {
    const before = entry.health.noted.get(trouble)
    if (before !== undefined) entry.health.noted.set(trouble, { ...before, isOver: true })
  }

  /** A session ended, or couldn't begin. */
  ended(entry: PoolEntry, end: SessionEnd): PoolTrouble | null {
    if (end.kind === 'closed') return null
    const trouble = endTrouble(end)
    entry.health.tries += 1
    this.noticed(entry, trouble, end.reason)
    return trouble
  }

  /** The pool gave work that fits. A height that the seed contradicts tells nothing. */
  jobCame(entry: PoolEntry, { height: told, epoch, sealHash }: Pick<Job, 'height' | 'epoch' | 'sealHash'>): void {
    const { health } = entry
    const height = told !== null && epochAt(told) === epoch ? told : null
    const before = health.work?.height ?? null
    const isHigher = height !== null && before !== null && height > before
    const isOther = (height === null || before === null) && !equalBytes(health.work?.sealHash ?? NO_SEAL, sealHash)
    if (isHigher || isOther) health.work = { height, sealHash, ms: 0, toldMs: 0 }
    health.nextTryAt = null
    for (const trouble of health.noted.keys()) {
      const { endedBy } = TROUBLE_WORDS[trouble]
      if (endedBy === 'job' || (endedBy === 'height' && health.work?.ms === 0)) this.over(entry, trouble)
    }
  }

  settled(entry: PoolEntry, verdict: ShareVerdict): Remedy {
    const { health } = entry
    if (verdict.kind === 'stale') return 'none'
    if (verdict.kind === 'accepted') {
      this.#accepted(entry)
      return 'none'
    }
    const now = this.clock.monotonic()
    const { count, since } = health.streak
    health.streak = count === 0 ? { count: 1, since: now } : { count: count + 1, since }
    const trouble =
      verdict.kind === 'lost' ? 'share-unanswered' : rejectionTrouble(verdict.reason, verdict.code ?? null)
    this.noticed(entry, trouble, verdict.reason)
    // One rejected share of many is counted and logged, but isn't the pool's state.
    if (health.acceptedAt !== null && health.streak.count < SHOWN_REJECTED) this.over(entry, trouble)
    if (health.streak.count < MAX_REJECTED || now - health.streak.since < REJECTED_MS) return 'none'
    health.streak = { count: 0, since: now }
    health.logins += 1
    return health.logins === 1 ? 'login' : 'leave'
  }

  worked(entry: PoolEntry, { hashrate, difficulty, ms }: Work): Remedy {
    const { health } = entry
    const { work } = health
    if (difficulty !== null && work !== null) work.ms += ms
    if (work !== null && work.ms - work.toldMs >= OLD_WORK_MS) {
      work.toldMs = work.ms
      const what = work.height === null ? 'the same work' : `height ${work.height}`
      this.noticed(entry, 'old-work', `${what} for ${durationText(work.ms)}`)
      health.left += 1
      return 'leave'
    }
    // Paused devices say nothing about the pool.
    if (difficulty !== null && hashrate <= 0) return 'none'
    health.silentMs += ms
    if (difficulty !== null) health.expected += (hashrate * ms) / 1_000 / difficulty
    if (health.silentMs < MIN_SILENCE_MS) return 'none'
    if (health.expected >= IMPROBABLE_SHARES) {
      this.noticed(
        entry,
        'nothing-accepted',
        `${health.expected.toFixed(0)} shares were due in ${durationText(health.silentMs)}`,
      )
      health.expected = 0
      health.silentMs = 0
      health.left += 1
      return 'leave'
    }
    if (health.silentMs < FIRST_SHARE_MS || health.acceptedAt !== null) return 'none'
    const shareMs = difficulty === null ? null : (difficulty / hashrate) * 1_000
    if (shareMs !== null)
      this.noticed(entry, 'no-share-yet', `at this difficulty a share takes ${durationText(shareMs)} on average`)
    else if (diagnosisOf(entry) === null) this.noticed(entry, 'no-work', '')
    return shareMs !== null && shareMs > HOPELESS_MS ? 'otherUnit' : 'none'
  }

  #accepted({ health }: PoolEntry): void {
    for (const trouble of health.noted.keys()) {
      const { endedBy } = TROUBLE_WORDS[trouble]
      if (endedBy === 'job' || endedBy === 'share') health.noted.delete(trouble)
    }
    health.streak = { count: 0, since: 0 }
    health.logins = 0
    health.acceptedAt = this.clock.now()
    health.expected = 0
    health.silentMs = 0
    health.tries = 0
    health.nextTryAt = null
    health.left = 0
  }
}

/** The class of an end. */
export function endTrouble(end: Exclude<SessionEnd, { kind: 'closed' }>): PoolTrouble {
  if (end.kind === 'moved') return 'redirect'
  if (end.kind !== 'foreign') return end.trouble
  return loginTrouble(end.reason) === 'login-banned' ? 'login-banned' : 'other-protocol'
}

/** A pool's words, without control and direction characters. */
function printable(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_ANSWER)
}
