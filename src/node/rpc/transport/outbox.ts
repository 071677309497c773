// Outgoing messages of a WebSocket or IPC connection: one at a time, streams in chunks, with a limit on what a client
// that doesn't read may leave unsent.
import type { Answer } from '../../../net/json-rpc/json-rpc'
import { gathered } from './http-listener'

export interface MessageWriter {
  isOpen(): boolean
  /** Resolves when the client can take more, or the connection ended. @param isEnd whether it ends a message */
  write(data: string | Buffer, isEnd: boolean): Promise<void>
}

interface OutboxDeps {
  readonly writer: MessageWriter
  /** The client doesn't read, or a stream failed midway: the connection is unusable. */
  readonly onBroken: (reason: string) => void
  readonly maxUnreadBytes: number
  /** True when half the limit is unsent: read no more requests until it is less. */
  readonly onPressure: (isHigh: boolean) => void
}

/** Assumed size of a stream waiting for its turn: it holds little before it begins. */
const STREAM_BYTES = 64 * 1024

export class Outbox {
  readonly #queue: Exclude<Answer, null>[] = []
  #queued = 0
  #isPressed = false
  #isSending = false
  #isClosed = false

  constructor(private readonly deps: OutboxDeps) {}

  /** Queues an answer: it was requested, so it is never dropped; back-pressure delays further requests. */
  answer(answer: Answer): void {
    if (answer !== null) this.#add(answer)
  }

  notice(text: string): void {
    if (this.#queued + text.length > this.deps.maxUnreadBytes) this.#break('the client does not read')
    else this.#add(text)
  }

  /** Ends open streams; nothing is sent from now on. */
  close(): void {
    this.#isClosed = true
    for (const waiting of this.#queue.splice(0)) if (typeof waiting !== 'string') abandon(waiting)
  }

  #add(item: Exclude<Answer, null>): void {
    if (this.#isClosed) {
      if (typeof item !== 'string') abandon(item)
      return
    }
    this.#queue.push(item)
    this.#count(sizeOf(item))
    if (!this.#isSending) void this.#send()
  }

  async #send(): Promise<void> {
    this.#isSending = true
    try {
      for (let item = this.#queue.shift(); item !== undefined; item = this.#queue.shift()) {
        if (typeof item === 'string') await this.deps.writer.write(item, true)
        else await this.#stream(item)
        this.#count(-sizeOf(item))
      }
    } catch {
      this.#break('an answer could not be finished')
    } finally {
      this.#isSending = false
    }
  }

  async #stream(chunks: AsyncIterable<string | Uint8Array>): Promise<void> {
    const { writer } = this.deps
    for await (const piece of gathered(chunks)) {
      if (!writer.isOpen()) return
      await writer.write(piece, false)
    }
    await writer.write('', true)
  }

  #count(bytes: number): void {
    this.#queued += bytes
    const isPressed = this.#queued > this.deps.maxUnreadBytes / 2
    if (isPressed === this.#isPressed) return
    this.#isPressed = isPressed
    this.deps.onPressure(isPressed)
  }

  #break(reason: string): void {
    this.close()
    this.deps.onBroken(reason)
  }
}

function sizeOf(item: Exclude<Answer, null>): number {
  return typeof item === 'string' ? item.length : STREAM_BYTES
}

/** Releases the source of a stream that nobody will read. */
function abandon(chunks: AsyncIterable<string | Uint8Array>): void {
  const iterator = chunks[Symbol.asyncIterator]()
  const end = async (): Promise<void> => {
    await iterator.next() // return() alone doesn't end a stream that hasn't begun
    await iterator.return?.()
  }
  end().catch(() => undefined) // it failed: released as well
}
