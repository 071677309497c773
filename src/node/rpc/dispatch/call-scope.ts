// The context of one request: a signal created only when needed, and callbacks for when the answer is out.
import type { Disposable } from '../../../base/disposable'

import type { RpcCaller } from '../../ports/accounts-port'
import { RpcFault } from '../../rpc-fault'

import { shareOf } from '../transport/caller'

import type { MethodContext, PushConnection, RpcTransport } from './method'

/** Created for each request; ends with it. */
export class CallScope implements MethodContext {
  #controller: AbortController | null = null
  #reason: Error | null = null
  #caller: string | null = null
  #afterAnswer: (() => void)[] = []
  readonly #onEnd = new Set<(reason: Error) => void>()

  constructor(
    readonly transport: RpcTransport,
    readonly connection: PushConnection | null,
    readonly who: () => RpcCaller,
  ) {}

  get caller(): string {
    this.#caller ??= this.connection?.share ?? shareOf(this.who())
    return this.#caller
  }

  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController()
      if (this.#reason !== null) this.#controller.abort(this.#reason)
    }
    return this.#controller.signal
  }

  /** Null until the client disconnected or time ran out. */
  get ended(): Error | null {
    return this.#reason
  }

  /** Cheaper than a signal listener. */
  onEnd(listener: (reason: Error) => void): Disposable {
    this.#onEnd.add(listener)
    return { dispose: () => void this.#onEnd.delete(listener) }
  }

  afterAnswer(callback: () => void): void {
    this.#afterAnswer.push(callback)
  }

  /** The answer has been queued. */
  answered(): void {
    const callbacks = this.#afterAnswer
    this.#afterAnswer = []
    for (const callback of callbacks) callback()
  }

  /** The first reason stays. */
  abort(reason: Error): void {
    if (this.#reason !== null) return
    this.#reason = reason
    this.#controller?.abort(reason)
    for (const listener of this.#onEnd) listener(reason)
  }

  clientGone(): void {
    this.abort(new RpcFault('RPC_CLIENT_GONE', undefined))
  }
}
