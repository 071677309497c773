// A query worker as seen by the host thread: opened, sent requests with a flag each, told when a caller disconnects.
import { setImmediate } from 'node:timers'
import type { Ending } from '../../../base/ending'
import { HeadframeError } from '../../../base/errors'
import { type Clock, within } from '../../../base/time'
import { createWireClient, type WireClient } from '../../../base/wire/client'
import type { Transport } from '../../../base/wire/define'
import type { PendingBlockInfo } from '../../worker/wire/pending-shapes'
import { createFlags, FLAG_COUNT, Flags } from '../flags'
import {
  type AskRequest,
  type QueryAnswer,
  type QueryOpen,
  type QueryWire,
  queryWire,
  type StreamRequest,
} from '../query-wire'

/** A query that was sent, or is about to be. */
export interface Asked {
  /** @throws the worker's errors; never settles once the query was taken back */
  readonly answer: Promise<string>
  /** Tells the engine to stop. */
  stop(): void
  /** Takes it back. False when the worker has started it. */
  recall(): boolean
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
  readonly #readers = new Map<number, (text: string | Uint8Array) => void>()
  /** Begun and not sent yet. */
  #outbox: { readonly flag: number; readonly request: AskRequest }[] = []
  /** Promises by flag; those of answered queries stay until the flag is used again. */
  readonly #open = new Map<number, { resolve: (text: string) => void; reject: (error: unknown) => void }>()
  #pending: PendingBlockInfo | null = null
  #isLost = false

  /** @param deps.connect starts a query worker @param onClose called once when it is gone */
  constructor(
    private readonly deps: { readonly connect: () => Transport; readonly clock: Clock },
    onClose: () => void,
  ) {
    this.#client = createWireClient(queryWire, deps.connect())
    this.#client.on('query.answers', ({ answers }) => this.#settle(answers))
    this.#client.on('query.chunk', ({ flag, text }) => this.#readers.get(flag)?.(text))
    this.#client.onClose(() => {
      this.#isLost = true
      onClose()
    })
  }

  get isLost(): boolean {
    return this.#isLost
  }

  async open(options: Omit<QueryOpen, 'flags'>): Promise<void> {
    await this.#client.call('query.open', { ...options, flags: this.#buffer })
  }

  /** Sent with everything else that is asked in the same turn. @throws the reason of `ending`, and the worker's own errors */
  async ask(request: AskRequest, ending: Ending): Promise<string> {
    const asked = this.#begin(await this.#takeFlag(), request)
    const stop = ending.onEnd(() => asked.stop())
    try {
      return await asked.answer
    } catch (error: unknown) {
      throw ending.ended ?? error
    } finally {
      stop.dispose()
    }
  }

  /** The same for a query that can be taken back. At most FLAG_COUNT may be open: @throws RangeError */
  begin(request: AskRequest): Asked {
    const flag = this.#free.pop()
    if (flag === undefined) throw new RangeError(`more than ${FLAG_COUNT} queries of one worker`)
    return this.#begin(flag, request)
  }

  /** Sends what was begun. Resolves when the worker has passed all of it, answered or taken back, or is lost. */
  async flush(): Promise<void> {
    const asks = this.#outbox
    if (asks.length === 0) return
    this.#outbox = []
    try {
      const { answers } = await this.#client.call('query.ask', { asks })
      this.#settle(answers)
    } catch (error: unknown) {
      for (const { flag } of asks) this.#open.get(flag)?.reject(error)
    }
    for (const { flag } of asks) this.#giveFlag(flag)
  }

  #begin(flag: number, request: AskRequest): Asked {
    this.#flags.reset(flag)
    if (this.#outbox.length === 0) setImmediate(() => void this.flush())
    this.#outbox.push({ flag, request })
    const answer = new Promise<string>((resolve, reject) => this.#open.set(flag, { resolve, reject }))
    return { answer, stop: () => this.#flags.stop(flag), recall: () => this.#flags.recall(flag) }
  }

  #settle(answers: readonly QueryAnswer[]): void {
    for (const { flag, text, error } of answers) {
      const open = this.#open.get(flag)
      if (error !== null) open?.reject(new HeadframeError(error.code, error.message, error.data))
      else open?.resolve(text ?? 'null')
    }
  }

  async *stream(request: StreamRequest, ending: Ending): AsyncGenerator<string | Uint8Array> {
    const flag = await this.#takeFlag()
    const stop = ending.onEnd(() => this.#flags.stop(flag))
    const chunks: (string | Uint8Array)[] = []
    let wake: (() => void) | null = null
    let isDone = false
    this.#readers.set(flag, (text) => {
      chunks.push(text)
      wake?.()
    })
    const finished = this.#client
      .call('query.stream', { flag, request })
      .then(({ rest }) => void (rest === '' || chunks.push(rest)))
      .finally(() => {
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
    await this.#client.call('query.pending', block)
  }

  /** Resolves when its thread has ended, gracefully if it responds. */
  async close(): Promise<void> {
    for (let flag = 0; flag < FLAG_COUNT; flag++) this.#flags.stop(flag)
    try {
      await within(this.#client.call('query.close', {}), CLOSE_MS, this.deps.clock)
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
