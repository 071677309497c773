// What all line dialects share: messages, and the link through which a dialect talks.

import type { PoolUrl } from '../../../config/values/pool-url'
import type { Share } from '../../work-source'
import type { JobFields } from '../session/job-maker'
import type { LineDialect, SessionEnd } from '../session/session'
import type { DifficultyUnit } from '../session/share-target'

/** A request without its id. Members are written in this order. */
export interface Outgoing {
  readonly jsonrpc?: '2.0'
  readonly method: string
  readonly params?: unknown
  readonly worker?: string
}

/** An error from a pool. */
export interface RpcFault {
  /** null when the pool gave none */
  readonly code: number | null
  readonly message: string
}

/** A pool's answer to one of our requests. */
export interface RpcAnswer {
  readonly result: unknown
  readonly error: RpcFault | null
}

/** A line from the pool that isn't an answer. */
export interface PoolMessage {
  readonly id: unknown
  /** null for a bare result */
  readonly method: string | null
  readonly params: unknown
  readonly result: unknown
  /** the whole line, for numbers that must be read digit by digit */
  readonly line: string
}

/** What a dialect can use of its session. */
export interface DialectLink {
  readonly url: PoolUrl
  /** `headframe/VERSION` */
  readonly agent: string
  /** Sends and awaits the answer. Rejects when the session ends, and on timeout. */
  request(message: Outgoing, id?: number): Promise<RpcAnswer>
  /** Sends a request whose answer is ignored. */
  tell(message: Outgoing, id?: number): void
  job(fields: JobFields): void
  /** A job arrived that can't be worked on yet, and why. */
  waits(reason: string): void
  /** For the operator: what is assumed. */
  say(text: string): void
  end(reason: SessionEnd): void
}

/** The outcome of a login. */
export type LoginOutcome =
  | { readonly kind: 'in' }
  /** the pool doesn't speak this dialect; `isClean`: it rejected the request, so the connection can be reused */
  | { readonly kind: 'foreign'; readonly reason: string; readonly isClean: boolean }
  /** it does, but rejects this login */
  | { readonly kind: 'refused'; readonly reason: string }

/** A line dialect, with what most of them have in common. */
export abstract class Dialect {
  abstract readonly name: LineDialect
  /** Shares of replaced jobs are still worth sending. */
  readonly sendsReplaced: boolean = false
  #early: (() => JobFields | string) | null = null

  constructor(protected readonly link: DialectLink) {}

  /** current interpretation of difficulties; null when the dialect sends targets */
  get difficultyUnit(): DifficultyUnit | null {
    return null
  }

  abstract login(): Promise<LoginOutcome>
  /** True when the message belongs to this dialect. */
  abstract take(message: PoolMessage): boolean
  /** A share's request; the session adds its id. */
  abstract submission(share: Share): Outgoing

  /** True when this answer means that the pool accepts the share. */
  accepts(answer: RpcAnswer): boolean {
    return isYes(answer)
  }

  /** @param rate H/s; as hashwarp sends it: 0x and 32 digits, 0x and the run's 64 (`runId` without prefix) */
  hashrateReport(rate: bigint, runId: string): { readonly message: Outgoing; readonly id: number | null } {
    const params = [`0x${rate.toString(16).padStart(32, '0')}`, `0x${runId}`]
    const message = { jsonrpc: '2.0', method: 'eth_submitHashrate', params, ...this.workerMember } as const
    return { message, id: LOGIN_IDS.hashrate }
  }

  /** Longest silence of ours that the pool tolerates; null: none agreed. */
  silenceMs(): number | null {
    return null
  }

  protected authorize(head: Pick<Outgoing, 'jsonrpc'> = {}): Promise<RpcAnswer> {
    const { url } = this.link
    const params = [`${loginName(url)}${url.path}`, url.password?.reveal() ?? '']
    return this.link.request({ ...head, method: 'mining.authorize', params }, LOGIN_IDS.authorize)
  }

  protected get workerMember(): Pick<Outgoing, 'worker'> {
    const { worker } = this.link.url
    return worker === '' ? {} : { worker }
  }

  /** A job came. @param read it, by the settings known then, or what they lack: the latest such job waits for that */
  protected give(read: () => JobFields | string): void {
    const job = read()
    this.#early = typeof job === 'string' ? read : null
    if (typeof job === 'string') this.link.waits(`the pool gave a job, but hasn't sent ${job} yet`)
    else this.link.job(job)
  }

  /** A setting came: the job that waits may have all of them. */
  protected settingsCame(): void {
    if (this.#early !== null) this.give(this.#early)
  }
}

/** First ids of a session: some pools answer logins with fixed ones. */
export const LOGIN_IDS = { first: 1, second: 2, authorize: 3, work: 5, hashrate: 9 } as const

/** `user.worker` */
export function loginName({ user, worker }: PoolUrl): string {
  return worker === '' ? user : `${user}.${worker}`
}

/** How `mining.authorize` was answered. @param isIn by the answer */
export function loginOutcome({ error }: RpcAnswer, isIn: boolean): LoginOutcome {
  return isIn ? { kind: 'in' } : { kind: 'refused', reason: error?.message ?? 'the login was refused' }
}

/** 16 hex digits of the nonce, most significant first. */
export function nonceDigits(nonce: bigint): string {
  return nonce.toString(16).padStart(16, '0')
}

/** The digits after the pool's fixed ones. */
export function nonceTail({ nonce, job }: Pick<Share, 'nonce' | 'job'>): string {
  return nonceDigits(nonce).slice((job.extranonce?.bits ?? 0) / 4)
}

/** True for `true` without an error: the family's success. */
export function isYes({ result, error }: RpcAnswer): boolean {
  return error === null && result === true
}

/** An element of a params array, undefined if missing. */
export function element(params: unknown, index: number): unknown {
  return Array.isArray(params) ? params[index] : undefined
}

/** A member of a params object, undefined if missing. */
export function member(params: unknown, name: string): unknown {
  if (typeof params !== 'object' || params === null || Array.isArray(params)) return undefined
  const entries: Readonly<Record<string, unknown>> = { ...params }
  return Object.hasOwn(entries, name) ? entries[name] : undefined
}

/** A job or worker name as text; null for objects, null and names longer than 256 characters. */
export function nameText(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const text = String(value)
  return text.length > 256 ? null : text
}

/** `[code, text]`, `{code, message}`, a string, or nothing, which some pools write as something empty. */
export function faultOf(error: unknown): RpcFault | null {
  if (error === null || error === undefined || error === false || error === 0 || error === '') return null
  if (typeof error === 'object' && Object.values(error).every((part) => part === null)) return null
  const parts: Readonly<Record<string, unknown>> = typeof error === 'object' ? { ...error } : {}
  const code = parts.code ?? parts[0]
  const text = typeof error === 'string' ? error : (parts.message ?? parts[1])
  const message = typeof text === 'string' && text !== '' ? text.slice(0, 200) : `error ${String(code).slice(0, 40)}`
  return { code: typeof code === 'number' ? code : null, message }
}
