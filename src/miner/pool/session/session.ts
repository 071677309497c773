// One connection to a pool from login to its end, whatever its dialect and transport.
import type { Emitter } from '../../../base/events'
import type { Logger } from '../../../base/logger'
import type { Clock } from '../../../base/time'
import type { DialectName, PoolUrl } from '../../../config/values/pool-url'
import type { Job, Share, ShareVerdict } from '../../work-source'
import type { JobMaker } from './job-maker'
import type { DifficultyUnit } from './share-target'

/** A dialect spoken in lines over a socket. */
export type LineDialect = Exclude<DialectName, 'getwork'>

/** Why a session is over. */
export type SessionEnd =
  /** worth another try soon. `probeNext`: a guessed dialect got no answer; the next attempt begins with this one */
  | { readonly kind: 'lost'; readonly reason: string; readonly probeNext?: LineDialect }
  /** the pool answered, and not in a dialect that was asked for; `untried` need a connection of their own */
  | { readonly kind: 'foreign'; readonly reason: string; readonly untried: readonly LineDialect[] }
  /** login, certificate or algorithm: another try would end the same way */
  | { readonly kind: 'refused'; readonly reason: string }
  /** the pool asks to come back */
  | {
      readonly kind: 'moved'
      readonly reason: string
      readonly host: string
      readonly port: number
      readonly waitMs: number
    }
  /** we ended it */
  | { readonly kind: 'closed'; readonly reason: string }

export interface SessionEvents {
  jobChanged: Job
  /** the work of before is gone and there is none at present (getwork: the node syncs) */
  workLost: string
  /** a request of ours was answered after so many ms */
  answered: number
  /** logged in: shares can be sent */
  ready: undefined
  /** last event of a session */
  ended: SessionEnd
}

/** A share as the session dealt with it; `unsent` may be tried on another session of the same pool. */
export type SubmitOutcome = ShareVerdict | { readonly kind: 'unsent' }

export interface PoolSession {
  readonly url: PoolUrl
  readonly dialect: DialectName
  readonly events: Emitter<SessionEvents>
  /** how the pool's difficulties are read; null where it sends targets */
  readonly difficultyUnit: DifficultyUnit | null
  /** logged in and not ended */
  readonly ready: boolean
  /** the latest job; null before the first */
  readonly job: Job | null
  /** why there is no work though the session is well; null otherwise */
  readonly idleReason: string | null
  start(): void
  submit(share: Share): Promise<SubmitOutcome>
  /** @param rate H/s, whole */
  reportHashrate(rate: bigint): void
  /** Idempotent; ends with `closed`. */
  close(reason: string): void
}

export interface SessionLimits {
  readonly connectMs: number
  /** of one request */
  readonly responseMs: number
  /** no new job for that long ends the session */
  readonly workMs: number
  /** between two getwork polls */
  readonly pollMs: number
  /** after an error answer of a getwork node */
  readonly pollErrorMs: number
}

export const SESSION_LIMITS: SessionLimits = {
  connectMs: 5_000,
  responseMs: 10_000,
  workMs: 600_000,
  pollMs: 500,
  pollErrorMs: 5_000,
}

/** Which dialect each pool was found to speak, over restarts. */
export interface DialectMemory {
  load(): Promise<void>
  find(url: PoolUrl): LineDialect | null
  keep(url: PoolUrl, dialect: LineDialect): void
}

export interface SessionDeps {
  /** absent: found out again by each start */
  readonly dialects?: DialectMemory
  readonly clock: Clock
  readonly log: Logger
  readonly jobs: JobMaker
  readonly limits: SessionLimits
  /** `headframe/VERSION` */
  readonly agent: string
  /** 64 hex digits that name this run in hashrate reports */
  readonly runId: string
  /** PEM texts to trust instead of the system's, from `SSL_CERT_FILE`; null: the system's */
  readonly certificates: string | null
  /** Text of a pool for the operator. */
  readonly say: (text: string) => void
}
