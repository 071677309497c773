// The calling side of a wire: calls with answers, and the last value of each event.
import type { z } from 'zod'
import type { Disposable } from '../disposable'
import { HeadframeError, schemaFault } from '../errors'
import { raiseListenerFailure } from '../events'
import {
  type CallName,
  type EventName,
  type ParamsOf,
  type PayloadOf,
  parseFrame,
  type ResultOf,
  type Transport,
  WireError,
  type WireFrame,
  type WireSpec,
} from './define'

/** Calls with typed parameters and results; state events keep their last value for late listeners. */
export interface WireClient<W extends WireSpec> {
  /** @throws the error the other side answered with (same code), CONTRACT_INVALID, CONTRACT_CLOSED */
  call<N extends CallName<W>>(name: N, params: ParamsOf<W, N>, options?: CallOptions): Promise<ResultOf<W, N>>
  /** Delivers the current value immediately when one has already arrived. */
  on<N extends EventName<W>>(name: N, listener: (payload: PayloadOf<W, N>) => void): Disposable
  onClose(listener: (reason: string) => void): Disposable
  /** Events of this wire whose latest value failed its check: what listeners have is older. */
  unread(): readonly string[]
  /** Called whenever they change. */
  onUnread(listener: () => void): Disposable
  /** Open calls reject. On a transport to a thread of ours: resolves when the thread, busy or not, has ended. */
  close(): Promise<void>
}

/** Per-call options besides the parameters. */
interface CallOptions {
  /** Buffers transferred with the call (workers only). */
  readonly transfer?: readonly ArrayBuffer[]
}

interface Waiting {
  readonly name: string
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/** Speaks `spec` over `transport`, which it owns from then on. */
export function createWireClient<W extends WireSpec>(spec: W, transport: Transport): WireClient<W> {
  const waiting = new Map<number, Waiting>()
  const listeners = new Map<string, Set<(payload: never) => void>>()
  const lastValues = new Map<string, unknown>()
  const closeListeners = new Set<(reason: string) => void>()
  const { read, unread, onUnread } = unreadEvents()
  let nextId = 1
  let closedReason: string | null = null

  const settle = (frame: Extract<WireFrame, { id: number }>): void => {
    const entry = waiting.get(frame.id)
    if (entry === undefined) return
    waiting.delete(frame.id)
    if (frame.t === 'error') entry.reject(new HeadframeError(frame.code, frame.message, frame.data))
    if (frame.t !== 'result') return
    const parsed = check(spec.calls[entry.name]?.result, frame.result)
    if (parsed.ok) entry.resolve(parsed.value)
    else entry.reject(new WireError('CONTRACT_INVALID', { name: entry.name, reason: parsed.reason }))
  }

  transport.onMessage((message) => {
    const frame = parseFrame(message)
    if (frame === null) return
    if (frame.t !== 'event') return settle(frame)
    const parsed = read(frame.name, spec.events[frame.name]?.payload, frame.payload)
    if (!parsed.ok) return
    lastValues.set(frame.name, parsed.value)
    tell(listeners.get(frame.name) ?? [], frame.name, parsed.value)
  })
  transport.onClose((reason) => {
    closedReason = reason
    for (const entry of waiting.values()) entry.reject(new WireError('CONTRACT_CLOSED', { reason }))
    waiting.clear()
    for (const listener of [...closeListeners]) listener(reason)
  })

  return {
    call(name, params, options = {}) {
      if (closedReason !== null) return Promise.reject(new WireError('CONTRACT_CLOSED', { reason: closedReason }))
      const id = nextId++
      return new Promise((resolve, reject) => {
        waiting.set(id, { name, resolve: resolve as (value: unknown) => void, reject })
        transport.send({ t: 'call', id, name, params } satisfies WireFrame, options.transfer)
      })
    },
    on(name, listener) {
      const set = listeners.get(name) ?? new Set()
      listeners.set(name, set)
      set.add(listener)
      if (lastValues.has(name)) listener(lastValues.get(name) as never)
      return { dispose: () => void set.delete(listener) }
    },
    onClose(listener) {
      closeListeners.add(listener)
      return { dispose: () => void closeListeners.delete(listener) }
    },
    unread,
    onUnread,
    close: async () => void (await transport.close()),
  }
}

/** Which events' latest values failed their checks. */
function unreadEvents() {
  const names = new Set<string>()
  const listeners = new Set<() => void>()
  return {
    unread: (): readonly string[] => [...names],
    onUnread(listener: () => void): Disposable {
      listeners.add(listener)
      return { dispose: () => void listeners.delete(listener) }
    },
    /** As `check`. An event that isn't in the contract is none that somebody waits for. */
    read(name: string, schema: z.ZodType | undefined, value: unknown): ReturnType<typeof check> {
      const parsed = check(schema, value)
      if (schema === undefined || parsed.ok !== names.has(name)) return parsed
      if (parsed.ok) names.delete(name)
      else names.add(name)
      for (const listener of [...listeners]) listener()
      return parsed
    },
  }
}

/** A listener that throws doesn't keep the others from being called. */
function tell(listeners: Iterable<(payload: never) => void>, event: string, payload: unknown): void {
  for (const listener of [...listeners]) {
    try {
      listener(payload as never)
    } catch (error) {
      raiseListenerFailure(error, event)
    }
  }
}

/** Runs a validator; the reason names the first failing path. */
export function check(
  schema: z.ZodType | undefined,
  value: unknown,
): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: string } {
  if (schema === undefined) return { ok: false, reason: 'not in the contract' }
  const parsed = schema.safeParse(value)
  if (parsed.success) return { ok: true, value: parsed.data }
  return { ok: false, reason: schemaFault(parsed.error, 'value') }
}
