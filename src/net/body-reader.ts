// Request bodies: cut off at a limit, and capped over all connections together.
import type { IncomingMessage } from 'node:http'
import type { ByteBudget } from '../base/limits/byte-budget'

/** Reserved at least as soon as a second piece arrives. */
const MIN_RESERVED = 4_096

const EMPTY: Buffer = Buffer.alloc(0)

/** Uses at most twice the memory of the data, however many pieces it arrives in. */
export class ByteGatherer {
  #bytes: Buffer = EMPTY
  #length = 0

  /** Bytes so far. */
  get length(): number {
    return this.#length
  }

  /** @param piece must not be changed afterwards: a single one is kept without a copy */
  add(piece: Buffer): void {
    const length = this.#length + piece.length
    if (this.#length === 0) this.#bytes = piece
    else {
      if (length > this.#bytes.length) this.#grow(length)
      piece.copy(this.#bytes, this.#length)
    }
    this.#length = length
  }

  /** Returns everything and resets. */
  take(): Buffer {
    const whole = this.#length === this.#bytes.length ? this.#bytes : this.#bytes.subarray(0, this.#length)
    this.#bytes = EMPTY
    this.#length = 0
    return whole
  }

  #grow(length: number): void {
    const next = Buffer.allocUnsafe(Math.max(MIN_RESERVED, 2 * length))
    this.#bytes.copy(next, 0, 0, this.#length)
    this.#bytes = next
  }
}

/** A request body as read. */
export interface RequestBody {
  /** UTF-8; truncated text doesn't parse as JSON. */
  readonly text: string
  /** True when the body exceeds the limit; the rest isn't read, so the connection can't be reused. */
  readonly isCut: boolean
}

/** How much of a body to read, and where to deliver it. */
interface BodyReading {
  readonly limitBytes: number
  /** Reserved while the body is read. */
  readonly budget: ByteBudget
  /** Called in the turn in which the body is complete; null when the budget is exhausted. */
  readonly done: (body: RequestBody | null) => void
  /** Called instead when the client disconnects before that. */
  readonly failed: (error: Error) => void
}

/** Reads a request body that nothing has consumed yet. */
export function takeBody(request: IncomingMessage, { limitBytes, budget, done, failed }: BodyReading): void {
  const gathered = new ByteGatherer()
  let length = 0
  let isOver = false
  const leave = (): void => {
    isOver = true
    request.removeListener('data', onData)
    request.removeListener('end', onEnd)
    budget.give(length)
  }
  const end = (outcome: 'whole' | 'cut' | 'busy'): void => {
    leave()
    if (outcome !== 'whole') request.pause()
    const text = gathered.take().toString('utf8')
    done(outcome === 'busy' ? null : { text, isCut: outcome === 'cut' })
  }
  const onData = (part: Buffer): void => {
    const isCut = part.length > limitBytes - length
    const kept = isCut ? part.subarray(0, limitBytes - length) : part
    if (!budget.take(kept.length)) {
      end('busy')
      return
    }
    gathered.add(kept)
    length += kept.length
    if (isCut) end('cut')
  }
  const onEnd = (): void => end('whole')
  // Both stay: the connection may break after its body was cut off, and several events may report it.
  const fail = (error: Error): void => {
    if (isOver) return
    leave()
    failed(error)
  }
  request.on('data', onData)
  request.on('end', onEnd)
  request.on('error', fail)
  request.on('close', () => {
    if (!request.complete) fail(new Error('the client went away'))
  })
}

/**
 * The same as a promise, null when the budget is exhausted; not `for await`, which would destroy the connection that the
 * answer needs when left early. @throws when the client disconnects before the body is complete
 */
export function readBody(
  request: IncomingMessage,
  limitBytes: number,
  budget: ByteBudget,
): Promise<RequestBody | null> {
  return new Promise((resolve, reject) => takeBody(request, { limitBytes, budget, done: resolve, failed: reject }))
}
