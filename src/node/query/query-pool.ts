// The query workers together: opens them, chooses one for each request, starts a lost one again (twice in five minutes).
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import type { Transport } from '../../base/wire/define'
import { ChainError } from '../errors'
import type { PendingBlockInfo } from '../worker/pending-shapes'
import { AnswerCache } from './answer-cache'
import { QueryClient } from './query-client'
import type { NodeQueries } from './query-port'
import type { AskRequest, QueryOpen, StreamRequest } from './query-wire'

export interface QueryPoolOptions {
  /** 1 or 2 */
  readonly workers: number
  readonly open: Omit<QueryOpen, 'flags'>
}

export interface QueryPoolDeps {
  /** Starts a query worker and connects to it. */
  readonly connect: () => Transport
  /** Changes with the head, which the workers must have seen before this tells of it. */
  readonly head: () => unknown
  readonly pendingBlock: () => Promise<PendingBlockInfo>
  readonly clock: Clock
  readonly log: Logger
}

const RESTART_WINDOW_MS = 5 * 60_000
const MOST_RESTARTS = 2

export class QueryPool implements NodeQueries {
  readonly #options: QueryPoolOptions
  readonly #deps: QueryPoolDeps
  readonly #answers = new AnswerCache()
  #clients: QueryClient[] = []
  #restarts: number[] = []
  /** Workers that are being opened. */
  readonly #opening = new Set<Promise<void>>()
  #isOpen = false

  constructor(options: QueryPoolOptions, deps: QueryPoolDeps) {
    this.#options = options
    this.#deps = deps
  }

  /** The chain must be open. @throws STORE_UNREADABLE */
  async start(): Promise<void> {
    this.#isOpen = true
    await Promise.all(Array.from({ length: this.#options.workers }, () => this.#add()))
  }

  /** Before the chain closes. Resolves when no worker has the database open any more, one that is just being opened included. */
  async stop(): Promise<void> {
    this.#isOpen = false
    await Promise.allSettled(this.#opening)
    const clients = this.#clients
    this.#clients = []
    await Promise.allSettled(clients.map((client) => client.close()))
  }

  ask(request: AskRequest, signal: AbortSignal): Promise<string> {
    return this.#answers.get(request, this.#deps.head, () => this.#askWorker(request, signal))
  }

  async #askWorker(request: AskRequest, signal: AbortSignal): Promise<string> {
    const client = this.#choose(false)
    if (needsPending(request)) await client.setPending(await this.#deps.pendingBlock())
    return client.ask(request, signal)
  }

  async *stream(request: StreamRequest, signal: AbortSignal): AsyncGenerator<string> {
    yield* this.#choose(true).stream(request, signal)
  }

  /** Streams gather on the worker that streams already, so that short questions find the other one. */
  #choose(forStream: boolean): QueryClient {
    const ranked = [...this.#clients].sort((a, b) => {
      const streaming = Number(a.isStreaming) - Number(b.isStreaming)
      return (forStream ? -streaming : streaming) || a.load - b.load
    })
    const [best] = ranked
    if (best === undefined) throw new ChainError('CHAIN_NOT_OPEN', undefined)
    return best
  }

  #add(): Promise<void> {
    const opening = this.#openOne().finally(() => this.#opening.delete(opening))
    this.#opening.add(opening)
    return opening
  }

  async #openOne(): Promise<void> {
    const client = new QueryClient(this.#deps.connect(), () => this.#lost(client))
    await client.open(this.#options.open)
    if (this.#isOpen) this.#clients.push(client)
    else await client.close()
  }

  #lost(client: QueryClient): void {
    const isOurs = this.#clients.includes(client)
    this.#clients = this.#clients.filter((other) => other !== client)
    if (!isOurs || !this.#isOpen) return
    const now = this.#deps.clock.monotonic()
    this.#restarts = [...this.#restarts.filter((at) => now - at < RESTART_WINDOW_MS), now]
    const { log } = this.#deps
    if (this.#restarts.length > MOST_RESTARTS) return void log.error('query worker lost too often, not started again')
    log.warn('query worker lost, starting another')
    this.#add().catch((error: unknown) => log.error('query worker not started', { error: String(error) }))
  }
}

function needsPending(request: AskRequest): boolean {
  if (request.kind === 'accessList') return true // its estimate is made on the pending block
  return 'at' in request && request.at.kind === 'tag' && request.at.tag === 'pending'
}
