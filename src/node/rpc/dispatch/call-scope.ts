// What surrounds one request: a signal that is only made when somebody looks at it, and what waits for the answer to be out.
import type { Disposable } from '../../../base/disposable'

import type { RpcCaller } from '../../ports/accounts-port'
import { RpcFault } from '../../rpc-fault'

import { shareOf } from '../transport/caller'

import type { MethodContext, PushConnection, RpcTransport } from './method'

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

  /** Null until the client went away or the time was over. */
  get ended(): Error | null {
    return this.#reason
  }

  /** Cheaper than a listener of the signal. */
  onEnd(listener: (reason: Error) => void): Disposable {
    this.#onEnd.add(listener)
    return { dispose: () => void this.#onEnd.delete(listener) }
  }

  afterAnswer(callback: () => void): void {
    this.#afterAnswer.push(callback)
  }

  /** The answer is on its way. */
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
