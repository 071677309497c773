// JSON-RPC for the program's own window: the methods of read-only-methods.ts, with answers of limited size.
import { Dispatcher, type DispatcherDeps } from './dispatch/dispatch'
import { CallScope } from './dispatch/method'
import { READ_ONLY_METHODS } from './methods/read-only-methods'

const WINDOW = { transport: 'ipc', remote: 'NA', local: 'NA', userAgent: 'window', origin: '' } as const

export class RpcConsole {
  readonly #dispatcher: Dispatcher
  readonly #names: readonly string[]

  /** @param deps with every method; those that change something are removed here */
  constructor(deps: DispatcherDeps) {
    const methods = new Map([...deps.methods].filter(([name]) => READ_ONLY_METHODS.includes(name)))
    this.#names = [...methods.keys()].sort()
    this.#dispatcher = new Dispatcher({ ...deps, methods, otherMethod: () => null })
  }

  methods(): readonly string[] {
    return this.#names
  }

  /** The whole answer as JSON text, errors included; an unknown method is one. */
  async ask(method: string, params: readonly unknown[], signal: AbortSignal): Promise<string> {
    // Sent as a batch, whose answers are limited and never streamed.
    return (await this.exchange(JSON.stringify([{ jsonrpc: '2.0', id: 1, method, params }]), signal)).slice(1, -1)
  }

  /** A batch's answers as JSON text. @param batch text of a list of requests */
  async exchange(batch: string, signal: AbortSignal): Promise<string> {
    const scope = new CallScope('ipc', null, () => WINDOW)
    const gone = (): void => scope.clientGone()
    signal.addEventListener('abort', gone, { once: true })
    try {
      const answer = await this.#dispatcher.answer(batch, scope)
      scope.answered()
      return typeof answer === 'string' ? answer : ''
    } finally {
      signal.removeEventListener('abort', gone)
    }
  }
}
