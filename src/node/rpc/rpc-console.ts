// JSON-RPC for the program's own window: the methods of read-only-methods.ts, one call at a time, with answers of
// limited size.
import { CallScope } from './dispatch/call-scope'
import { Dispatcher, type DispatcherDeps } from './dispatch/dispatch'
import { READ_ONLY_METHODS } from './methods/read-only-methods'

const WINDOW = { transport: 'ipc', remote: 'NA', local: 'NA', userAgent: 'window', origin: '' } as const

/** Executes the console's calls. */
export class RpcConsole {
  readonly #dispatcher: Dispatcher
  readonly #names: ReadonlySet<string>

  /** @param deps with every method; those that change something are removed here */
  constructor(deps: DispatcherDeps) {
    const methods = new Map([...deps.methods].filter(([name]) => READ_ONLY_METHODS.includes(name)))
    this.#names = new Set(methods.keys())
    this.#dispatcher = new Dispatcher({ ...deps, methods, otherMethod: () => null })
  }

  methods(): readonly string[] {
    return [...this.#names].sort()
  }

  /**
   * The whole answer as JSON text, errors included; an unknown method is one. @param params the text after `"params":`
   */
  async ask(method: string, params: readonly unknown[], signal: AbortSignal): Promise<string> {
    const scope = new CallScope('ipc', null, () => WINDOW)
    const gone = (): void => scope.clientGone()
    signal.addEventListener('abort', gone, { once: true })
    try {
      // Sent as a batch, whose answers are limited and never streamed.
      const answer = await this.#dispatcher.answer(JSON.stringify([{ jsonrpc: '2.0', id: 1, method, params }]), scope)
      scope.answered()
      return typeof answer === 'string' ? answer.slice(1, -1) : ''
    } finally {
      signal.removeEventListener('abort', gone)
    }
  }
}
