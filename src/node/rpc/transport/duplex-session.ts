// JSON-RPC on one WebSocket or IPC connection: messages, answers and notices; running calls end with it.
import type { Disposable } from '../../../base/disposable'
import { messageOf } from '../../../base/errors'
import { endOfValue } from '../../../base/json-text'
import type { Logger } from '../../../base/logger'
import type { Answer } from '../../../net/json-rpc/json-rpc'
import type { RpcCaller } from '../../ports/accounts-port'
import type { Dispatcher } from '../dispatch/dispatch'
import { CallScope, type PushConnection } from '../dispatch/method'
import { gathered } from './http-listener'
import type { TransportLimits } from './limits'

export interface MessageWriter {
  isOpen(): boolean
  /** Resolves when the client can take more, or the connection ended. @param isEnd whether it ends a message */
  write(data: string | Buffer, isEnd: boolean): Promise<void>
}

interface OutboxDeps {
  readonly writer: MessageWriter
  /** The client doesn't read, or a stream failed midway: the connection is unusable. */
  readonly onBroken: (reason: string) => void
  readonly maxUnreadBytes: number
  /** True when half the limit is unsent: read no more requests until it is less. */
  readonly onPressure: (isHigh: boolean) => void
}

/** Assumed size of a stream waiting for its turn: it holds little before it begins. */
const STREAM_BYTES = 64 * 1024

class Outbox {
  readonly #queue: Exclude<Answer, null>[] = []
  #queued = 0
  #isPressed = false
  #isSending = false
  #isClosed = false

  constructor(private readonly deps: OutboxDeps) {}

  /** Queues an answer: it was requested, so it is never dropped; back-pressure delays further requests. */
  answer(answer: Answer): void {
    if (answer !== null) this.#add(answer)
  }

  notice(text: string): void {
    if (this.#queued + text.length > this.deps.maxUnreadBytes) this.#break('the client does not read')
    else this.#add(text)
  }

  /** Ends open streams; nothing is sent from now on. */
  close(): void {
    this.#isClosed = true
    for (const waiting of this.#queue.splice(0)) if (typeof waiting !== 'string') abandon(waiting)
  }

  #add(item: Exclude<Answer, null>): void {
    if (this.#isClosed) {
      if (typeof item !== 'string') abandon(item)
      return
    }
    this.#queue.push(item)
    this.#count(sizeOf(item))
    if (!this.#isSending) void this.#send()
  }

  async #send(): Promise<void> {
    this.#isSending = true
    try {
      for (let item = this.#queue.shift(); item !== undefined; item = this.#queue.shift()) {
        if (typeof item === 'string') await this.deps.writer.write(item, true)
        else await this.#stream(item)
        this.#count(-sizeOf(item))
      }
    } catch {
      this.#break('an answer could not be finished')
    } finally {
      this.#isSending = false
    }
  }

  async #stream(chunks: AsyncIterable<string | Uint8Array>): Promise<void> {
    const { writer } = this.deps
    for await (const piece of gathered(chunks)) {
      if (!writer.isOpen()) return
      await writer.write(piece, false)
    }
    await writer.write('', true)
  }

  #count(bytes: number): void {
    this.#queued += bytes
    const isPressed = this.#queued > this.deps.maxUnreadBytes / 2
    if (isPressed === this.#isPressed) return
    this.#isPressed = isPressed
    this.deps.onPressure(isPressed)
  }

  #break(reason: string): void {
    this.close()
    this.deps.onBroken(reason)
  }
}

function sizeOf(item: Exclude<Answer, null>): number {
  return typeof item === 'string' ? item.length : STREAM_BYTES
}

/** Releases the source of a stream that nobody will read. */
function abandon(chunks: AsyncIterable<string | Uint8Array>): void {
  const iterator = chunks[Symbol.asyncIterator]()
  const end = async (): Promise<void> => {
    await iterator.next() // return() alone doesn't end a stream that hasn't begun
    await iterator.return?.()
  }
  end().catch(() => undefined) // it failed: released as well
}

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
