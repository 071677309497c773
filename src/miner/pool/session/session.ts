// One connection to a pool from login to end, independent of dialect and transport.
import type { Emitter } from '../../../base/events'
import type { Logger } from '../../../base/logger'
import type { Clock } from '../../../base/time'
import type { DialectName, PoolUrl } from '../../../config/values/pool-url'
import type { PoolTrouble } from '../../pool-trouble'
import type { Job, Share, ShareVerdict } from '../../work-source'
import type { JobMaker } from './job-maker'
import type { DifficultyUnit } from './share-target'

/** A dialect spoken in lines over a socket. */
export type LineDialect = Exclude<DialectName, 'getwork'>

/** Why a session ended. */
export type SessionEnd =
  /** worth retrying soon. `probeNext`: a guessed dialect got no answer; the next attempt begins with this one */
  | {
      readonly kind: 'lost'
      readonly reason: string
      readonly trouble: PoolTrouble
      readonly probeNext?: LineDialect
    }
  /** the pool answered, but not in a requested dialect; `untried` ones need a new connection */
  | { readonly kind: 'foreign'; readonly reason: string; readonly untried: readonly LineDialect[] }
  /** login, certificate or algorithm: a retry would end the same way */
  | { readonly kind: 'refused'; readonly reason: string; readonly trouble: PoolTrouble }
  /** the pool asks to reconnect */
  | {
      readonly kind: 'moved'
      readonly reason: string
      readonly host: string
      readonly port: number
      readonly waitMs: number
    }
  /** we ended it */
  | { readonly kind: 'closed'; readonly reason: string }

/** A session's events. */
export interface SessionEvents {
  jobChanged: Job
  /** a job that can't be worked on, and why */
  misfit: string
  /** the previous work is gone and there is none at present (getwork: the node syncs) */
  workLost: string
  /** a request was answered after this many ms */
  answered: number
  /** logged in: shares can be sent */
  ready: undefined
  /** last event of a session */
  ended: SessionEnd
}

/** A share's outcome in the session; `unsent` may be tried on another session of the same pool. */
export type SubmitOutcome = ShareVerdict | { readonly kind: 'unsent' }

/** A session, whatever its transport. */
export interface PoolSession {
  readonly url: PoolUrl
  readonly dialect: DialectName
  readonly events: Emitter<SessionEvents>
  /** current interpretation of difficulties; null when the pool sends targets */
  readonly difficultyUnit: DifficultyUnit | null
  /** logged in and not ended */
  readonly ready: boolean
  /** the latest job; null before the first */
  readonly job: Job | null
  /** why there is no work though the session is fine; null otherwise */
  readonly idleReason: string | null
  start(): void
  submit(share: Share): Promise<SubmitOutcome>
  /** @param rate H/s, integer */
  reportHashrate(rate: bigint): void
  /** Idempotent; ends with `closed`. */
  close(reason: string): void
}

/** Time limits. */
export const SESSION_LIMITS = {
  connectMs: 5_000,
  /** per request */
  responseMs: 10_000,
  /** the session ends without a new job for this long */
  workMs: 600_000,
  /** between two getwork polls */
  pollMs: 500,
  /** after an error from a getwork node */
  pollErrorMs: 5_000,
}

/** The detected dialect of each pool, kept across restarts. */
export interface DialectMemory {
  load(): Promise<void>
  find(url: PoolUrl): LineDialect | null
  keep(url: PoolUrl, dialect: LineDialect): void
}

/** What a session uses. */
export interface SessionDeps {
  /** absent: detected in each run */
  readonly dialects?: DialectMemory
  readonly clock: Clock
  readonly log: Logger
  readonly jobs: JobMaker
  readonly limits: typeof SESSION_LIMITS
  /** `headframe/VERSION` */
  readonly agent: string
  /** 64 hex digits that identify this run in hashrate reports */
  readonly runId: string
  /** PEM texts of the trusted authorities: `SSL_CERT_FILE`'s or the system's; null: Node's own list */
  readonly certificates: string | null
  /** A pool's message for the operator. */
  readonly say: (text: string) => void
}
