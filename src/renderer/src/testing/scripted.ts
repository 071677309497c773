// A backend whose states and answers are scripted by a test or a story. It talks to nobody.
import type { Disposable } from '../../../base/disposable'
import {
  type CallName,
  type EventName,
  type ParamsOf,
  type PayloadOf,
  type ResultOf,
  WireError,
} from '../../../base/wire/define'
import type { Contract } from '../../../contract/contract'
import type { Backend, ConnectionState } from '../data/backend'

type Answer = (params: never) => unknown

export interface SeenCall {
  readonly name: string
  readonly params: unknown
}

export class ScriptedBackend implements Backend {
  readonly calls: SeenCall[] = []
  readonly tokens: string[] = []
  retries = 0
  #connection: ConnectionState = { kind: 'open' }
  readonly #answers = new Map<string, Answer>()
  readonly #listeners = new Map<string, Set<(payload: never) => void>>()
  readonly #values = new Map<string, unknown>()
  readonly #connectionListeners = new Set<() => void>()
  #unread: readonly string[] = []
  readonly #unreadListeners = new Set<() => void>()

  /** The answer to a call from now on; a thrown error counts as the answer too. */
  answer<N extends CallName<Contract>>(
    name: N,
    handler: (params: ParamsOf<Contract, N>) => ResultOf<Contract, N> | Promise<ResultOf<Contract, N>>,
  ): this {
    this.#answers.set(name, handler)
    return this
  }

  /** Sends an event; later subscribers get it too. */
  emit<N extends EventName<Contract>>(name: N, payload: PayloadOf<Contract, N>): this {
    this.#values.set(name, payload)
    for (const listener of this.#listeners.get(name) ?? []) listener(payload as never)
    return this
  }

  /** As if an event had never been sent. */
  forget(name: EventName<Contract>): this {
    this.#values.delete(name)
    return this
  }

  setConnection(state: ConnectionState): void {
    this.#connection = state
    for (const listener of [...this.#connectionListeners]) listener()
  }

  async call<N extends CallName<Contract>>(name: N, params: ParamsOf<Contract, N>): Promise<ResultOf<Contract, N>> {
    this.calls.push({ name, params })
    const answer = this.#answers.get(name)
    if (answer === undefined) throw new WireError('CONTRACT_UNKNOWN', { name })
    return (await answer(params as never)) as ResultOf<Contract, N>
  }

  on<N extends EventName<Contract>>(name: N, listener: (payload: PayloadOf<Contract, N>) => void): Disposable {
    const set = this.#listeners.get(name) ?? new Set()
    this.#listeners.set(name, set)
    set.add(listener)
    if (this.#values.has(name)) listener(this.#values.get(name) as never)
    return { dispose: () => void set.delete(listener) }
  }

  connection(): ConnectionState {
    return this.#connection
  }

  onConnection(listener: () => void): Disposable {
    this.#connectionListeners.add(listener)
    return { dispose: () => void this.#connectionListeners.delete(listener) }
  }

  unread(): readonly string[] {
    return this.#unread
  }

  /** As if the page couldn't read these events' latest values. */
  setUnread(names: readonly EventName<Contract>[]): void {
    this.#unread = names
    for (const listener of [...this.#unreadListeners]) listener()
  }

  onUnread(listener: () => void): Disposable {
    this.#unreadListeners.add(listener)
    return { dispose: () => void this.#unreadListeners.delete(listener) }
  }

  signIn(token: string): void {
    this.tokens.push(token)
  }

  retry(): void {
    this.retries += 1
  }

  close(): void {
    this.#listeners.clear()
  }
}
