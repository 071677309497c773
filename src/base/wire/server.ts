// The answering side of a wire: checks access, then parameters, then runs the handler; sends state events.
import { HeadframeError, messageOf } from '../errors'
import type { Logger } from '../logger'
import { check } from './client'
import {
  type Access,
  type EventName,
  type Handlers,
  type PayloadOf,
  parseFrame,
  resultOf,
  type Transport,
  WireError,
  type WireFrame,
  type WireSpec,
} from './define'

/** Access control and limits for calls. */
interface WireServerOptions {
  readonly log: Logger
  /** Null when the caller has access, else the reason. Checked before the parameters. */
  readonly deny: (access: Access) => string | null
  /** Maximum number of unanswered calls; more are refused. Missing = unlimited, for trusted peers. */
  readonly maxCalls?: number
}

/** Sends events; the handlers it was created with answer calls. */
export interface WireServer<W extends WireSpec> {
  /** @param transfer buffers to move instead of copy (workers only; other transports ignore it) */
  emit<N extends EventName<W>>(name: N, payload: PayloadOf<W, N>, transfer?: readonly ArrayBuffer[]): void
  close(): void
}

/** No access control: both ends are our own threads. */
export const trustedPeer: WireServerOptions['deny'] = () => null

/** An error as it crosses a wire: those without a code are logged, and hidden. @param name the call that failed */
export function wireFault(name: string, error: unknown, log: Logger) {
  if (error instanceof HeadframeError) return { code: error.code, message: error.message, data: error.data }
  log.error('a contract call failed', { name, error: messageOf(error) })
  const { code, message, data } = new WireError('CONTRACT_FAILED', { name })
  return { code, message, data }
}

/** Answers calls of `spec` that arrive on `transport` with `handlers`. */
export function serveWire<W extends WireSpec>(
  spec: W,
  transport: Transport,
  handlers: Handlers<W>,
  options: WireServerOptions,
): WireServer<W> {
  const gone = new AbortController()
  const { maxCalls = Number.POSITIVE_INFINITY } = options
  let open = 0

  const run = async (name: string, params: unknown): Promise<unknown> => {
    const definition = Object.hasOwn(spec.calls, name) ? spec.calls[name] : undefined
    if (definition === undefined) throw new WireError('CONTRACT_UNKNOWN', { name: name.slice(0, 80) })
    const reason = options.deny(definition.access)
    if (reason !== null) throw new WireError('CONTRACT_DENIED', { name, access: definition.access, reason })
    const parsed = check(definition.params, params)
    if (!parsed.ok) throw new WireError('CONTRACT_INVALID', { name, reason: parsed.reason })
    if (open >= maxCalls) throw new WireError('CONTRACT_BUSY', { name, limit: maxCalls })
    const handler = handlers[name as keyof Handlers<W>] as (params: unknown, signal: AbortSignal) => unknown
    open += 1
    try {
      return await resultOf(handler(parsed.value, gone.signal))
    } finally {
      open -= 1
    }
  }

  const answerError = (id: number, name: string, error: unknown): WireFrame => {
    return { t: 'error', id, ...wireFault(name, error, options.log) }
  }

  transport.onMessage((message) => {
    const frame = parseFrame(message)
    if (frame?.t !== 'call') return
    run(frame.name, frame.params)
      .then(
        (result) => gone.signal.aborted || transport.send({ t: 'result', id: frame.id, result } satisfies WireFrame),
      )
      // also when the result can't be sent
      .catch((error: unknown) => gone.signal.aborted || transport.send(answerError(frame.id, frame.name, error)))
  })
  transport.onClose(() => gone.abort())

  return {
    emit: (name, payload, transfer) =>
      void (gone.signal.aborted || transport.send({ t: 'event', name, payload } satisfies WireFrame, transfer)),
    close: () => transport.close(),
  }
}
