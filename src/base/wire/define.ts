// Typed calls and events across a boundary (window, browser, worker): one definition, validated on the receiving side.
import type { z } from 'zod'
import { defineErrors } from '../errors'

/**
 * Who may call: anyone who may look, who may control devices, who sits at the machine and may read what the signer
 * recorded, who may decide about requests (also from elsewhere, where that was allowed), who sits at the machine and may also
 * change what the signer has and does by itself.
 */
export type Access = 'read' | 'control' | 'here' | 'decide' | 'approve'

/** One call: its parameters, its result, and the access that it takes. */
export interface CallSpec<P extends z.ZodType = z.ZodType, R extends z.ZodType = z.ZodType> {
  readonly params: P
  readonly result: R
  readonly access: Access
}

/** One event, as its sender keeps it. */
export interface EventSpec<P extends z.ZodType = z.ZodType> {
  /** A state event carries the whole new value, so a client that missed one is right again at the next. */
  readonly payload: P
  /** At most so many a second; the sender keeps the latest value. */
  readonly maxRate: number
}

/** All calls and events of one wire; both ends import the same. */
export interface WireSpec {
  readonly calls: Readonly<Record<string, CallSpec>>
  readonly events: Readonly<Record<string, EventSpec>>
}

/** The names of a wire's calls. */
export type CallName<W extends WireSpec> = keyof W['calls'] & string
/** The names of a wire's events. */
export type EventName<W extends WireSpec> = keyof W['events'] & string
/** The parameters of one call, as its validator gives them. */
export type ParamsOf<W extends WireSpec, N extends CallName<W>> = z.infer<W['calls'][N]['params']>
/** The result of one call. */
export type ResultOf<W extends WireSpec, N extends CallName<W>> = z.infer<W['calls'][N]['result']>
/** The payload of one event. */
export type PayloadOf<W extends WireSpec, N extends EventName<W>> = z.infer<W['events'][N]['payload']>

/** What one side does for each call. The second parameter ends when the other side goes away. */
export type Handlers<W extends WireSpec> = {
  readonly [N in CallName<W>]: (params: ParamsOf<W, N>, signal: AbortSignal) => Promise<ResultOf<W, N>> | ResultOf<W, N>
}

/** Declares one call. */
export function call<P extends z.ZodType, R extends z.ZodType>(
  params: P,
  result: R,
  access: Access = 'read',
): CallSpec<P, R> {
  return { params, result, access }
}

/** Declares one event. */
export function event<P extends z.ZodType>(payload: P, maxRate: number): EventSpec<P> {
  return { payload, maxRate }
}

/** Moves whole messages, in order; both ends see the same bytes or the same cloned objects. */
export interface Transport {
  /** `transfer`: buffers that may move instead of being copied (workers only; others ignore it). */
  send(message: unknown, transfer?: readonly ArrayBuffer[]): void
  /** One listener at a time. */
  onMessage(listener: (message: unknown) => void): void
  onClose(listener: (reason: string) => void): void
  /** Of a transport to a thread of ours: a promise that resolves when the thread has ended. */
  close(): unknown
}

/** The frames themselves. `id` pairs an answer with its call. */
export type WireFrame =
  | { readonly t: 'call'; readonly id: number; readonly name: string; readonly params: unknown }
  | { readonly t: 'result'; readonly id: number; readonly result: unknown }
  | {
      readonly t: 'error'
      readonly id: number
      readonly code: string
      readonly message: string
      readonly data: unknown
    }
  | { readonly t: 'event'; readonly name: string; readonly payload: unknown }

/** The frame, or null for anything that is not one. */
export function parseFrame(message: unknown): WireFrame | null {
  if (typeof message !== 'object' || message === null || !('t' in message)) return null
  const frame = message as Record<string, unknown>
  const paired = Number.isSafeInteger(frame.id)
  if (frame.t === 'event') return typeof frame.name === 'string' ? (message as WireFrame) : null
  if (!paired) return null
  if (frame.t === 'call') return typeof frame.name === 'string' ? (message as WireFrame) : null
  if (frame.t === 'error')
    return typeof frame.code === 'string' && typeof frame.message === 'string' ? (message as WireFrame) : null
  return frame.t === 'result' ? (message as WireFrame) : null
}

export const WireError = defineErrors({
  CONTRACT_INVALID: (d: { name: string; reason: string }) => `${d.name}: ${d.reason}`,
  CONTRACT_UNKNOWN: (d: { name: string }) => `no call named ${d.name}`,
  CONTRACT_DENIED: (d: { name: string; access: Access; reason: string }) =>
    `${d.name} needs ${d.access} access: ${d.reason}`,
  CONTRACT_BUSY: (d: { name: string; limit: number }) =>
    `${d.name} has to wait: ${d.limit} calls of this connection are not answered yet`,
  CONTRACT_CLOSED: (d: { reason: string }) => `connection closed: ${d.reason}`,
  CONTRACT_TIMEOUT: (d: { name: string; timeoutMs: number }) => `${d.name} was not answered within ${d.timeoutMs} ms`,
  CONTRACT_FAILED: (d: { name: string }) => `${d.name} failed for an internal reason, see the log`,
})
