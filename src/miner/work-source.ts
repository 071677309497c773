// The port through which work comes and shares go: a pool connection and the own node both meet it.
import type { Emitter } from '../base/events'

/** The top bits of every nonce that a pool fixes. */
export interface Extranonce {
  /** number of fixed bits, a multiple of 8, 8..56 */
  readonly bits: number
  /** their value, 0..2^bits - 1; the first nonce is prefix * 2^(64 - bits) */
  readonly prefix: bigint
}

/** Work as its source gives it. */
export interface Job {
  /** the source's own name of the job; any text */
  readonly jobId: string
  /** 32 bytes */
  readonly sealHash: Uint8Array
  /** 32 bytes; names the epoch */
  readonly seedHash: Uint8Array
  readonly epoch: number
  /** 32 bytes, big-endian; a hash at or under it counts */
  readonly target: Uint8Array
  /** null when the source does not tell */
  readonly height: number | null
  /** expected hashes of a share: 2^256 / (target + 1), nearest whole number; `difficultyOfTarget` in difficulty.ts */
  readonly difficulty: bigint
  readonly extranonce: Extranonce | null
  /** true: shares of earlier jobs are worth nothing from now on */
  readonly cleanJobs: boolean
  /** `host:port` of the pool that gave it; absent where it is of no pool */
  readonly pool?: string
}

/** A solution that passed the CPU check. */
export interface Share {
  readonly job: Job
  readonly nonce: bigint
  /** 32 bytes, from the CPU check */
  readonly mixDigest: Uint8Array
  /** 32 bytes, big-endian: the final hash */
  readonly result: Uint8Array
  /** true when a later clean job has replaced this share's one; the source decides whether to send it */
  readonly replaced: boolean
}

/** What became of a share; a rejection is a verdict, not an error. */
export type ShareVerdict =
  | { readonly kind: 'accepted'; readonly latencyMs: number }
  | { readonly kind: 'rejected'; readonly reason: string; readonly latencyMs: number }
  /** not sent, since its job was replaced */
  | { readonly kind: 'stale' }
  /** never answered, or could not be sent */
  | { readonly kind: 'lost'; readonly reason: string }

export interface WorkSourceState {
  readonly kind: 'solo' | 'pool' | 'none'
  /** work can be had and shares can be sent */
  readonly connected: boolean
  /** `host:port`, IPv6 in brackets; `local:0` for the embedded node; empty without a source */
  readonly host: string
  /** password masked as `***`; `solo://local` for the embedded node */
  readonly url: string
  /** changes of the active pool since start; the first connection is not one */
  readonly switches: number
  /** for the operator, verbatim; empty when there is nothing to say */
  readonly warning: string
}

export interface WorkSourceEvents {
  /** null: there is no work at present; devices wait */
  jobChanged: Job | null
  stateChanged: WorkSourceState
}

/** `jobChanged` is emitted for the current job at start too, if there is one by then, and for each new one. */
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

/** The state of a miner that has nowhere to get work from. */
export const NO_SOURCE: WorkSourceState = {
  kind: 'none',
  connected: false,
  host: '',
  url: '',
  switches: 0,
  warning: '',
}
