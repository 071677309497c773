// A query worker as seen by the host thread: opened, sent requests with a flag each, notified when a caller
// disconnects.
import type { Ending } from '../../../base/ending'
import type { Clock } from '../../../base/time'
import { createWireClient, type WireClient } from '../../../base/wire/client'
import type { Transport } from '../../../base/wire/define'
import { within } from '../../../base/within'
import type { PendingBlockInfo } from '../../worker/wire/pending-shapes'
import { createFlags, FLAG_COUNT, Flags } from '../flags'
import { type AskRequest, type QueryOpen, type QueryWire, queryWire, type StreamRequest } from '../query-wire'

/** How a worker is started. */
export interface QueryClientDeps {
  /** Starts a query worker and connects to it. */
  readonly connect: () => Transport
  readonly clock: Clock
}

/** How long a worker may take to close its database, ms. */
const CLOSE_MS = 500

/** Rejects with HOST_WORKER_LOST when its thread is gone; the client is unusable then. */
export class QueryClient {
  readonly #client: WireClient<QueryWire>
  readonly #buffer = createFlags()
  readonly #flags = new Flags(this.#buffer)
  readonly #free = Array.from({ length: FLAG_COUNT }, (_, i) => i)
  readonly #waiting: (() => void)[] = []
  readonly #readers = new Map<number, (text: string) => void>()
  readonly #clock: Clock
  #pending: PendingBlockInfo | null = null
  #isLost = false

  /** @param onClose called once when the worker is gone */
  constructor(deps: QueryClientDeps, onClose: () => void) {
    this.#clock = deps.clock
    this.#client = createWireClient(queryWire, deps.connect())
    this.#client.on('query.chunk', ({ flag, text }) => this.#readers.get(flag)?.(text))
    this.#client.onClose(() => {
      this.#isLost = true
      onClose()
    })
  }

  /** It no longer answers. */
  get isLost(): boolean {
    return this.#isLost
  }

  async open(options: Omit<QueryOpen, 'flags'>): Promise<void> {
    await this.#client.call('query.open', { ...options, flags: this.#buffer })
  }

  /** @throws the reason of `ending`, and the worker's own errors */
  async ask(request: AskRequest, ending: Ending): Promise<string> {
    const flag = await this.#takeFlag()
    const stop = ending.onEnd(() => this.#flags.stop(flag))
    try {
      if (ending.ended !== null) throw ending.ended
      return await this.#client.call('query.ask', { flag, request })
    } finally {
      stop.dispose()
      this.#giveFlag(flag)
    }
  }

  async *stream(request: StreamRequest, ending: Ending): AsyncGenerator<string> {
    const flag = await this.#takeFlag()
    const stop = ending.onEnd(() => this.#flags.stop(flag))
    const chunks: string[] = []
    let wake: (() => void) | null = null
    let isDone = false
    this.#readers.set(flag, (text) => {
      chunks.push(text)
      wake?.()
    })
    const finished = this.#client.call('query.stream', { flag, request }).finally(() => {
      isDone = true
      wake?.()
    })
    finished.catch(() => undefined) // awaited below, unless the reader leaves first
    try {
      for (;;) {
        const next = chunks.shift()
        if (next !== undefined) {
          yield next
          this.#flags.taken(flag)
        } else if (isDone) break
        else await new Promise<void>((resolve) => (wake = resolve))
      }
      await finished
      if (ending.ended !== null) throw ending.ended
    } finally {
      this.#flags.stop(flag)
      await finished.catch(() => undefined)
      stop.dispose()
      this.#readers.delete(flag)
      this.#giveFlag(flag)
    }
  }

  /** Sends the pending block to the worker; messages keep their order, so the next request sees it. */
  async setPending(block: PendingBlockInfo): Promise<void> {
    if (this.#pending === block) return
    this.#pending = block
    const { parentHash, stateRoot, number, timestamp, miner, difficulty, gasLimit, changes } = block
    const pending = { parentHash, stateRoot, number, timestamp, coinbase: miner, difficulty, gasLimit, changes }
    await this.#client.call('query.pending', pending)
  }

  /** Resolves when its thread has ended, gracefully if it responds. */
  async close(): Promise<void> {
    for (let flag = 0; flag < FLAG_COUNT; flag++) this.#flags.stop(flag)
    try {
      await within(this.#client.call('query.close', {}), CLOSE_MS, this.#clock)
    } finally {
      await this.end()
    }
  }

  /** Ends its thread, whatever it is doing. */
  async end(): Promise<void> {
    await this.#client.close()
  }

  async #takeFlag(): Promise<number> {
    for (;;) {
      const flag = this.#free.pop()
      if (flag !== undefined) {
        this.#flags.reset(flag)
        return flag
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }

  #giveFlag(flag: number): void {
    this.#free.push(flag)
    this.#waiting.shift()?.()
  }
}
