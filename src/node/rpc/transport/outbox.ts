// What waits to be sent on a WebSocket or IPC connection: one message after the other, streams in pieces, and a limit on
// what a client that does not read may leave lying here.
import type { Answer } from '../../../net/json-rpc/answerer'

/** How a transport writes. Each resolves when the client's side can take more, or the connection ended. */
export interface MessageWriter {
  message(text: string): Promise<void>
  stream(chunks: AsyncIterable<string | Uint8Array>): Promise<void>
}

export interface OutboxDeps {
  readonly writer: MessageWriter
  /** The client does not read, or a stream failed in the middle: the connection is of no more use. */
  readonly onBroken: (reason: string) => void
  readonly maxUnreadBytes: number
  /** Half of that waits: nothing more should be asked until it is less again. */
  readonly onPressure: (isHigh: boolean) => void
}

/** What a stream that waits for its turn counts as: it holds little before it is begun. */
const STREAM_BYTES = 64 * 1024

export class Outbox {
  readonly #queue: Exclude<Answer, null>[] = []
  #queued = 0
  #isPressed = false
  #isSending = false
  #isClosed = false

  constructor(private readonly deps: OutboxDeps) {}

  /** An answer: asked for, so it is never too much; pressure keeps further questions away. */
  answer(answer: Answer): void {
    if (answer !== null) this.#add(answer)
  }

  /** A notice. */
  notice(text: string): void {
    if (this.#queued + text.length > this.deps.maxUnreadBytes) this.#break('the client does not read')
    else this.#add(text)
  }

  /** Ends open streams; nothing is sent from now on. */
  close(): void {
    this.#isClosed = true
    for (const waiting of this.#queue.splice(0)) if (typeof waiting !== 'string') abandon(waiting)
  }

  /** Resolves when all that was put in is sent. */
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
        if (typeof item === 'string') await this.deps.writer.message(item)
        else await this.deps.writer.stream(item)
        this.#count(-sizeOf(item))
      }
    } catch {
      this.#break('an answer could not be finished')
    } finally {
      this.#isSending = false
    }
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

/** Lets the source of a stream that nobody will read go. */
function abandon(chunks: AsyncIterable<string | Uint8Array>): void {
  const iterator = chunks[Symbol.asyncIterator]()
  const end = async (): Promise<void> => {
    await iterator.next() // a stream that was not begun does not end by return() alone
    await iterator.return?.()
  }
  end().catch(() => undefined) // it failed: gone as well
}
