// The context of one request: a signal created only when needed, and callbacks for when the answer is out.
import { type Ending, EndSource, signalOf } from '../../../base/ending'
import type { RpcCaller } from '../../ports/accounts-port'
import { RpcFault } from '../../rpc-fault'
import { shareOf } from '../transport/caller'
import type { MethodContext, PushConnection, RpcTransport } from './method'

/** Created for each request; ends with it. */
export class CallScope implements MethodContext {
  #signal: AbortSignal | null = null
  #caller: string | null = null
  #afterAnswer: (() => void)[] = []
  readonly #end = new EndSource()

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
    this.#signal ??= signalOf(this.#end)
    return this.#signal
  }

  /** The client disconnected, or time ran out. */
  get ending(): Ending {
    return this.#end
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
    this.#end.end(reason)
  }

  clientGone(): void {
    this.abort(new RpcFault('RPC_CLIENT_GONE', undefined))
  }
}
