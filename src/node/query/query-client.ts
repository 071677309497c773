// One query worker as the host thread sees it: opened, given requests with a flag each, told when a caller is gone.
import type { Disposable } from '../../base/disposable'
import { createWireClient, type WireClient } from '../../base/wire/client'
import type { Transport } from '../../base/wire/define'
import type { PendingBlockInfo } from '../worker/pending-shapes'
import { createFlags, FLAG_COUNT, Flags } from './flags'
import { type AskRequest, type QueryOpen, type QueryWire, queryWire, type StreamRequest } from './query-wire'

export class QueryClient {
  readonly #client: WireClient<QueryWire>
  readonly #buffer = createFlags()
  readonly #flags = new Flags(this.#buffer)
  readonly #free = Array.from({ length: FLAG_COUNT }, (_, i) => i)
  readonly #waiting: (() => void)[] = []
  readonly #readers = new Map<number, (text: string) => void>()
  #pending: PendingBlockInfo | null = null
  #streams = 0

  /** @param onClose called once when the worker is gone */
  constructor(transport: Transport, onClose: () => void) {
    this.#client = createWireClient(queryWire, transport)
    this.#client.on('query.chunk', ({ flag, text }) => this.#readers.get(flag)?.(text))
    this.#client.onClose(onClose)
  }

  /** Requests that were sent and not answered. */
  get load(): number {
    return FLAG_COUNT - this.#free.length + this.#waiting.length
  }

  /** A stream keeps its worker busy for as long as its reader takes. */
  get isStreaming(): boolean {
    return this.#streams > 0
  }

  async open(options: Omit<QueryOpen, 'flags'>): Promise<void> {
    await this.#client.call('query.open', { ...options, flags: this.#buffer })
  }

  async ask(request: AskRequest, signal: AbortSignal): Promise<string> {
    const flag = await this.#takeFlag()
    const stop = this.#stopsWith(flag, signal)
    try {
      signal.throwIfAborted()
      return await this.#client.call('query.ask', { flag, request })
    } finally {
      stop.dispose()
      this.#giveFlag(flag)
    }
  }

  async *stream(request: StreamRequest, signal: AbortSignal): AsyncGenerator<string> {
    this.#streams++ // at once: whoever chooses a worker next must see it
    const flag = await this.#takeFlag()
    const stop = this.#stopsWith(flag, signal)
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
    finished.catch(() => undefined) // awaited below, unless the reader leaves before
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
      signal.throwIfAborted()
    } finally {
      this.#flags.stop(flag)
      await finished.catch(() => undefined)
      stop.dispose()
      this.#readers.delete(flag)
      this.#streams--
      this.#giveFlag(flag)
    }
  }

  /** Makes the worker know the pending block; messages keep their order, so the next request finds it. */
  async setPending(block: PendingBlockInfo): Promise<void> {
    if (this.#pending === block) return
    this.#pending = block
    const { parentHash, stateRoot, number, timestamp, miner, difficulty, gasLimit, changes } = block
    const pending = { parentHash, stateRoot, number, timestamp, coinbase: miner, difficulty, gasLimit, changes }
    await this.#client.call('query.pending', pending)
  }

  async close(): Promise<void> {
    for (let flag = 0; flag < FLAG_COUNT; flag++) this.#flags.stop(flag)
    try {
      await this.#client.call('query.close', {})
    } finally {
      this.#client.close()
    }
  }

  #stopsWith(flag: number, signal: AbortSignal): Disposable {
    const stop = (): void => this.#flags.stop(flag)
    signal.addEventListener('abort', stop, { once: true })
    return { dispose: () => signal.removeEventListener('abort', stop) }
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
