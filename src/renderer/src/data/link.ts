// Keeps subscriptions across several connections: listeners stay while the wire client under them is replaced.
import type { Disposable } from '../../../base/disposable'
import { createWireClient, type WireClient } from '../../../base/wire/client'
import {
  type CallName,
  type EventName,
  type ParamsOf,
  type PayloadOf,
  type ResultOf,
  type Transport,
  WireError,
} from '../../../base/wire/define'
import { type Contract, contract } from '../../../contract/contract'
import type { ConnectionState } from './backend'

type Subscribe = (client: WireClient<Contract>) => Disposable

interface Subscription {
  readonly subscribe: Subscribe
  current: Disposable | null
}

export class BackendLink {
  #client: WireClient<Contract> | null = null
  #connection: ConnectionState = { kind: 'connecting' }
  readonly #subscriptions = new Set<Subscription>()
  readonly #listeners = new Set<() => void>()
  readonly #unreadListeners = new Set<() => void>()

  connection(): ConnectionState {
    return this.#connection
  }

  onConnection(listener: () => void): Disposable {
    this.#listeners.add(listener)
    return { dispose: () => void this.#listeners.delete(listener) }
  }

  unread(): readonly string[] {
    return this.#client?.unread() ?? []
  }

  onUnread(listener: () => void): Disposable {
    this.#unreadListeners.add(listener)
    return { dispose: () => void this.#unreadListeners.delete(listener) }
  }

  /** @throws CONTRACT_CLOSED while there is no connection, otherwise as WireClient.call */
  call<N extends CallName<Contract>>(name: N, params: ParamsOf<Contract, N>): Promise<ResultOf<Contract, N>> {
    if (this.#client === null) return Promise.reject(new WireError('CONTRACT_CLOSED', { reason: 'no contact' }))
    return this.#client.call(name, params)
  }

  on<N extends EventName<Contract>>(name: N, listener: (payload: PayloadOf<Contract, N>) => void): Disposable {
    const subscribe: Subscribe = (client) => client.on(name, listener)
    const entry: Subscription = { subscribe, current: this.#client === null ? null : subscribe(this.#client) }
    this.#subscriptions.add(entry)
    return {
      dispose: () => {
        entry.current?.dispose()
        this.#subscriptions.delete(entry)
      },
    }
  }

  /** Uses `transport` from now on. `onLost` is called once, when it closes. */
  attach(transport: Transport, onLost: (reason: string) => void): void {
    const client = createWireClient(contract, transport)
    this.#client = client
    const onUnread = (): void => {
      for (const listener of [...this.#unreadListeners]) listener()
    }
    client.onUnread(onUnread)
    onUnread() // another connection begins with none
    for (const entry of this.#subscriptions) entry.current = entry.subscribe(client)
    client.onClose((reason) => {
      if (this.#client !== client) return
      this.#client = null
      onLost(reason)
    })
    this.setConnection({ kind: 'open' })
  }

  /** Drops the connection without calling `onLost`. */
  detach(): void {
    const client = this.#client
    this.#client = null
    void client?.close()
  }

  setConnection(state: ConnectionState): void {
    this.#connection = state
    for (const listener of [...this.#listeners]) listener()
  }
}
