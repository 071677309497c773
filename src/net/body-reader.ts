// Request bodies: cut at the limit, and bounded over all connections together.
import type { IncomingMessage } from 'node:http'
import type { ByteBudget } from '../base/limits/byte-budget'
import { ByteGatherer } from './byte-gatherer'

export interface RequestBody {
  /** UTF-8; what was cut does not parse as JSON. */
  readonly text: string
  /** True when the body went on behind the limit; the rest is not read, so the connection cannot be used again. */
  readonly isCut: boolean
}

/** How much of a body is read, and who waits for it. */
export interface BodyReading {
  readonly limitBytes: number
  /** Held while the body is read. */
  readonly budget: ByteBudget
  /** Called in the turn in which the body has become whole; null when the budget is spent. */
  readonly done: (body: RequestBody | null) => void
  /** Called instead when the client goes away before that. */
  readonly failed: (error: Error) => void
}

/** Reads the body of a request whose body nobody has read. */
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
  // Both stay to the end: the connection may break after its body was cut, and more than one of them may tell of it.
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
 * The same for who waits: null when the budget is spent.
 * Not `for await`: leaving that loop early would destroy the connection that the answer needs.
 * @throws when the client goes away before the body is whole
 */
export function readBody(
  request: IncomingMessage,
  limitBytes: number,
  budget: ByteBudget,
): Promise<RequestBody | null> {
  return new Promise((resolve, reject) => takeBody(request, { limitBytes, budget, done: resolve, failed: reject }))
}
