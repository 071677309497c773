// JSON-RPC on one WebSocket or IPC connection: messages, answers and notices; running calls end with it.
import type { Disposable } from '../../../base/disposable'
import { messageOf } from '../../../base/errors'
import { endOfValue } from '../../../base/json-text'
import type { Logger } from '../../../base/logger'
import type { RpcCaller } from '../../ports/accounts-port'
import type { Dispatcher } from '../dispatch/dispatch'
import { CallScope, type PushConnection } from '../dispatch/method'
import type { TransportLimits } from './limits'
import { type MessageWriter, Outbox } from './outbox'

interface DuplexSessionDeps {
  readonly transport: RpcCaller['transport']
  readonly who: () => RpcCaller
  /** See `PushConnection`. */
  readonly share: string | null
  readonly dispatcher: Dispatcher
  readonly writer: MessageWriter
  readonly limits: TransportLimits
  readonly log: Logger
  readonly hangUp: (reason: string) => void
  /** Pauses and resumes reading from the client. */
  readonly setReading: (isReading: boolean) => void
  /** Whether the connection waits for an answer or has subscriptions; called on open, and after each message. */
  readonly setBusy: (isBusy: boolean) => void
}

/** What begins no value. */
const STRAY = /^[ \t\r\n]*[\]},]/

/** One connection's calls, subscriptions and outgoing messages. */
export class DuplexSession implements PushConnection {
  readonly subscriptions = new Map<string, Disposable>()
  #isClosed = false
  readonly #scopes = new Set<CallScope>()
  readonly #outbox: Outbox
  #isReading = true
  #isPressed = false
  /** Being closed: further input is ignored. */
  #isBroken = false

  constructor(private readonly deps: DuplexSessionDeps) {
    this.#outbox = new Outbox({
      writer: deps.writer,
      onBroken: (reason) => this.hangUp(reason),
      maxUnreadBytes: deps.limits.maxUnreadBytes,
      onPressure: (isHigh) => {
        this.#isPressed = isHigh
        this.#updateReading()
      },
    })
    deps.setBusy(false)
  }

  get share(): string | null {
    return this.deps.share
  }

  send(text: string): void {
    this.#outbox.notice(text)
  }

  hangUp(reason: string): void {
    this.#isBroken = true
    this.#updateReading() // or its close frame would never be read
    this.#endSubscriptions()
    this.deps.hangUp(reason)
  }

  /** Handles one message. False when it wasn't JSON: the caller then closes, after queued messages are sent. */
  take(text: string): boolean {
    if (this.#isBroken) return true
    const { dispatcher, transport } = this.deps
    const scope = new CallScope(transport, this, this.deps.who)
    const given = dispatcher.answer(text, scope)
    if (given === dispatcher.parseError) {
      if (STRAY.test(text) || endOfValue(text, 0) >= 0) this.#outbox.answer(given) // incomplete JSON gets no answer
      return false
    }
    if (!(given instanceof Promise)) {
      this.#outbox.answer(given)
      scope.answered()
      this.#updateBusy()
      return true
    }
    this.#scopes.add(scope)
    this.#updateReading()
    this.#updateBusy()
    given
      .then((answer) => this.#outbox.answer(answer))
      .catch((error: unknown) => this.deps.log.debug('an RPC message failed', { error: messageOf(error) }))
      .finally(() => this.#finish(scope))
    return true
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#endSubscriptions()
    for (const scope of this.#scopes) scope.clientGone()
    this.#outbox.close()
  }

  #endSubscriptions(): void {
    for (const subscription of this.subscriptions.values()) subscription.dispose()
    this.subscriptions.clear()
  }

  #finish(scope: CallScope): void {
    this.#scopes.delete(scope)
    this.#updateReading()
    scope.answered()
    this.#updateBusy()
  }

  #updateBusy(): void {
    if (!this.#isClosed) this.deps.setBusy(this.#scopes.size > 0 || this.subscriptions.size > 0)
  }

  /** Accepts no more messages while many are in progress, or while the client doesn't read its answers. */
  #updateReading(): void {
    const isBusy = this.#isPressed || this.#scopes.size >= this.deps.limits.maxCallsAtOnce
    const isReading = this.#isBroken || !isBusy
    if (this.#isReading === isReading || this.#isClosed) return
    this.#isReading = isReading
    this.deps.setReading(isReading)
  }
}
