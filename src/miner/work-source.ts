// The port for jobs and shares: implemented by pool connections and our own node.
import type { Emitter } from '../base/events'
import type { PoolDiagnosis } from './pool-trouble'

/** The top bits of every nonce, fixed by a pool. */
export interface Extranonce {
  /** number of fixed bits, a multiple of 8, 8..56 */
  readonly bits: number
  /** their value, 0..2^bits - 1; the first nonce is prefix * 2^(64 - bits) */
  readonly prefix: bigint
}

/** Whether both fix the same bits, or none. */
export function isSameExtranonce(a: Extranonce | null, b: Extranonce | null): boolean {
  return a?.bits === b?.bits && a?.prefix === b?.prefix
}

/** Work as given by its source. */
export interface Job {
  /** the source's name for the job; any text */
  readonly jobId: string
  /** 32 bytes */
  readonly sealHash: Uint8Array
  /** 32 bytes; identifies the epoch */
  readonly seedHash: Uint8Array
  readonly epoch: number
  /** 32 bytes, big-endian; a hash at or below it is a hit */
  readonly target: Uint8Array
  /** null when the source doesn't report it */
  readonly height: number | null
  /** expected hashes per share: 2^256 / (target + 1), nearest integer; `difficultyOfTarget` in difficulty.ts */
  readonly difficulty: bigint
  readonly extranonce: Extranonce | null
  /** true: shares of earlier jobs are worthless from now on */
  readonly cleanJobs: boolean
  /** `host:port` of the pool that gave it; absent when not from a pool */
  readonly pool?: string
}

/** A solution that the CPU has verified. */
export interface Share {
  readonly job: Job
  readonly nonce: bigint
  /** 32 bytes, from the verification */
  readonly mixDigest: Uint8Array
  /** 32 bytes, big-endian: the final hash */
  readonly result: Uint8Array
  /** true when a later clean job has replaced this share's; the source decides whether to send it */
  readonly replaced: boolean
}

/** The outcome of a share; a rejection is a verdict, not an error. */
export type ShareVerdict =
  | { readonly kind: 'accepted'; readonly latencyMs: number }
  | {
      readonly kind: 'rejected'
      readonly reason: string
      /** the pool's number for the reason; absent: it gave none */
      readonly code?: number
      readonly latencyMs: number
    }
  /** its job was replaced, or another share made the block: not sent, or of no use to the source */
  | { readonly kind: 'stale' }
  /** never answered, or couldn't be sent */
  | { readonly kind: 'lost'; readonly reason: string }

/** Of the pool in use, or of our own node. */
export interface WorkSourceState {
  readonly kind: 'solo' | 'pool' | 'none'
  /** work is available and shares can be sent */
  readonly connected: boolean
  /** `host:port`, IPv6 in brackets; `local:0` for the embedded node; empty without a source */
  readonly host: string
  /** password masked as `***`; `solo://local` for the embedded node */
  readonly url: string
  /** changes of the active pool since startup; the first connection isn't one */
  readonly switches: number
  /** for the operator, verbatim; empty when there is nothing to report */
  readonly warning: string
  /** what is wrong with the pool in use or being tried; absent or null: nothing known */
  readonly diagnosis?: PoolDiagnosis | null
}

/** A job of null: there is no work, and devices wait. */
export interface WorkSourceEvents {
  jobChanged: Job | null
  stateChanged: WorkSourceState
}

/** `jobChanged` is emitted for the current job at startup too, if there is one, and for each new one. */
export interface WorkSource {
  readonly events: Emitter<WorkSourceEvents>
  state(): WorkSourceState
  start(signal: AbortSignal): Promise<void>
  stop(): Promise<void>
  /** Resolves with the verdict; rejects only when the signal aborts. */
  submit(share: Share, signal: AbortSignal): Promise<ShareVerdict>
}

/** Names of the embedded node as a source. */
export const SOLO_HOST = 'local:0'
export const SOLO_URL = 'solo://local'

/** The state of a miner without a work source. */
export const NO_SOURCE: WorkSourceState = {
  kind: 'none',
  connected: false,
  host: '',
  url: '',
  switches: 0,
  warning: '',
}
