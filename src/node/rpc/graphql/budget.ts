// The cost limits of one GraphQL request: fields, characters of the answer, concurrent reads, and the caller's
// connection.
import { rpcFailed } from '../../rpc-fault'
import type { CallScope } from '../dispatch/method'

/** Resolved fields, including list entries. */
const MAX_FIELDS = 20_000
/** Characters of all texts in an answer. */
const MAX_CHARACTERS = 25 * 1024 * 1024
/** Concurrent chain reads; the others wait. */
const MAX_READS = 8

/** Tracks the cost of one request. */
export class Budget {
  #fields = 0
  #characters = 0
  #running = 0
  readonly #waiting: (() => void)[] = []
  /** The limit that was reached: everything after it fails with this error, and so does the request. */
  #over: Error | null = null

  #tellEnd: (reason: Error) => void = () => undefined
  /** Rejects when a limit is reached. */
  readonly ended = new Promise<never>((_resolve, reject) => {
    this.#tellEnd = reject
  })

  constructor(private readonly scope: Pick<CallScope, 'ending'>) {
    this.ended.catch(() => undefined) // there may be no waiter left
  }

  get isOver(): boolean {
    return this.#over !== null
  }

  /** @throws RpcFault RPC_FAILED when the request exceeds a limit, RPC_TIME_LIMIT, RPC_CLIENT_GONE */
  spend(fields: number, characters = 0): void {
    if (this.#over !== null) throw this.#over
    const { ended } = this.scope.ending
    if (ended !== null) this.#end(ended)
    this.#fields += fields
    this.#characters += characters
    if (this.#fields > MAX_FIELDS) this.#end(tooMuch(`more than ${MAX_FIELDS} fields`))
    if (this.#characters > MAX_CHARACTERS) this.#end(tooMuch(`more than ${MAX_CHARACTERS} characters`))
  }

  /** Runs `read` when its turn comes. */
  async read<T>(read: () => Promise<T>): Promise<T> {
    this.spend(1)
    if (this.#running >= MAX_READS) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#running++
    try {
      this.spend(0)
      return await read()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#running--
      else next()
    }
  }

  #end(reason: Error): never {
    this.#over = reason
    this.#tellEnd(reason)
    throw reason
  }
}

function tooMuch(what: string): Error {
  return rpcFailed(`the query asks for ${what}: ask for less at a time`)
}
