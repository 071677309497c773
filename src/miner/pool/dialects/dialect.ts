// What every line dialect has in common: messages, and the small link through which a dialect talks.

import type { PoolUrl } from '../../../config/values/pool-url'
import type { Share } from '../../work-source'
import type { JobFields } from '../session/job-maker'
import type { LineDialect, SessionEnd } from '../session/session'
import type { DifficultyUnit } from '../session/share-target'

/** A request of ours without its id. Members are written in this order. */
export interface Outgoing {
  readonly jsonrpc?: '2.0'
  readonly method: string
  readonly params?: unknown
  readonly worker?: string
}

export interface RpcFault {
  /** null where the pool gave none */
  readonly code: number | null
  readonly message: string
}

export interface RpcAnswer {
  readonly result: unknown
  readonly error: RpcFault | null
}

/** A line of the pool that answers none of our requests. */
export interface PoolMessage {
  readonly id: unknown
  /** null for a bare result */
  readonly method: string | null
  readonly params: unknown
  readonly result: unknown
  /** the whole line, where numbers must be read digit by digit */
  readonly line: string
}

export interface DialectLink {
  readonly url: PoolUrl
  /** `headframe/VERSION` */
  readonly agent: string
  /** Sends and waits. Rejects when the session ends, the time limit of one answer included. */
  request(message: Outgoing, id?: number): Promise<RpcAnswer>
  /** Sends a request whose answer does not matter. */
  tell(message: Outgoing, id?: number): void
  /** A job came. */
  job(fields: JobFields): void
  /** Text of the pool for the operator. */
  say(text: string): void
  /** The session is over. */
  end(reason: SessionEnd): void
}

export type LoginOutcome =
  | { readonly kind: 'in' }
  /** the pool does not speak this dialect; `isClean`: it refused the request, so the connection is as good as new */
  | { readonly kind: 'foreign'; readonly reason: string; readonly isClean: boolean }
  /** it does, and does not want this login */
  | { readonly kind: 'refused'; readonly reason: string }

export interface Dialect {
  readonly name: LineDialect
  /** Replaced jobs' shares are still worth sending. */
  readonly sendsReplaced: boolean
  /** how difficulties are read at present; null where the dialect sends targets */
  readonly difficultyUnit: DifficultyUnit | null
  login(): Promise<LoginOutcome>
  /** True when the message was one of this dialect. */
  take(message: PoolMessage): boolean
  /** A share's request; the session sends it with its own id. */
  submission(share: Share): Outgoing
  /** True when this answer means that the pool counts the share. */
  accepts(answer: RpcAnswer): boolean
  /** The report of a hashrate (H/s, whole) under this run's name (32 bytes hex without prefix). */
  hashrateReport(rate: bigint, runId: string): { readonly message: Outgoing; readonly id: number | null }
  /** Longest silence of ours that the pool accepts; null: none agreed. */
  silenceMs(): number | null
}

/** First ids of a session: some pools answer the login with fixed ones. */
export const LOGIN_IDS = { first: 1, second: 2, authorize: 3, work: 5, hashrate: 9 } as const

/** `user.worker/path` */
export function fullLogin({ user, worker, path }: PoolUrl): string {
  return `${worker === '' ? user : `${user}.${worker}`}${path}`
}

/** 16 hex digits of the nonce, most significant first. */
export function nonceDigits(nonce: bigint): string {
  return nonce.toString(16).padStart(16, '0')
}

/** The digits after those that the pool fixed. */
export function nonceTail({ nonce, job }: Pick<Share, 'nonce' | 'job'>): string {
  return nonceDigits(nonce).slice((job.extranonce?.bits ?? 0) / 4)
}

/** An answer as `true` without an error: the family's yes. */
export function isYes({ result, error }: RpcAnswer): boolean {
  return error === null && result === true
}

/** The element of a params array, undefined where there is none. */
export function element(params: unknown, index: number): unknown {
  return Array.isArray(params) ? params[index] : undefined
}

/** The member of a params object, undefined where there is none. */
export function member(params: unknown, name: string): unknown {
  if (typeof params !== 'object' || params === null || Array.isArray(params)) return undefined
  const entries: Readonly<Record<string, unknown>> = { ...params }
  return Object.hasOwn(entries, name) ? entries[name] : undefined
}

/** A name of a job or a worker as text; null for objects, null and what is longer than 256 characters. */
export function nameText(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const text = String(value)
  return text.length > 256 ? null : text
}

/** What the reference sends for `eth_submitHashrate` over lines: 0x and 32 digits, 0x and the run's 64. */
export function lineHashrate(rate: bigint, runId: string, worker: string): Outgoing {
  return {
    jsonrpc: '2.0',
    method: 'eth_submitHashrate',
    params: [`0x${rate.toString(16).padStart(32, '0')}`, `0x${runId}`],
    ...(worker === '' ? {} : { worker }),
  }
}
