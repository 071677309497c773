// Typed calls and events across a boundary (window, browser, worker): one definition, validated on the receiving side.
import type { z } from 'zod'
import { defineErrors } from '../errors'

/**
 * Lowest first: may look; may control devices; is at the machine, reading the signer's records; may decide requests,
 * maybe remotely; is at the machine, changing what the signer holds and does on its own.
 */
export type Access = 'read' | 'control' | 'here' | 'decide' | 'approve'

/** One call: its parameters, its result and the access it requires. */
export interface CallSpec<P extends z.ZodType = z.ZodType, R extends z.ZodType = z.ZodType> {
  readonly params: P
  readonly result: R
  readonly access: Access
}

/** One event, as its sender declares it. */
interface EventSpec<P extends z.ZodType = z.ZodType> {
  /** A state event carries the whole new value, so a client that missed one is correct again after the next. */
  readonly payload: P
  /** Maximum rate per second; the sender keeps only the latest value in between. */
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

/** What a handler returns; where the result has no members it may be nothing. */
// biome-ignore lint/suspicious/noConfusingVoidType: the handler's own return type
type Answer<R> = Record<string, never> extends R ? R | void : R

/** The result that an answer stands for. */
export async function resultOf<R>(answer: Promise<Answer<R>> | Answer<R>): Promise<R> {
  const given = await answer
  return (given === undefined ? {} : given) as R
}

/** One side's handlers, one for each call; the signal aborts when the other side disconnects. */
export type Handlers<W extends WireSpec> = {
  readonly [N in CallName<W>]: (
    params: ParamsOf<W, N>,
    signal: AbortSignal,
  ) => Promise<Answer<ResultOf<W, N>>> | Answer<ResultOf<W, N>>
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

/** Moves whole messages in order; both ends see the same bytes or structured clones. */
export interface Transport {
  /** `transfer`: buffers to move instead of copy (workers only; other transports ignore it). */
  send(message: unknown, transfer?: readonly ArrayBuffer[]): void
  /** One listener only. */
  onMessage(listener: (message: unknown) => void): void
  onClose(listener: (reason: string) => void): void
  /** On a transport to one of our threads: a promise that resolves when the thread has ended. */
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

/** The frame, or null for anything else. */
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
  CONTRACT_FAILED: (d: { name: string }) => `${d.name} failed for an internal reason, see the log`,
})
