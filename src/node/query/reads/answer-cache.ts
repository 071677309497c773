// Cache of answers at one head, so that the same question is computed once. A new head clears it.
import type { AskRequest } from '../query-wire'

/** Longest question cached, in characters. */
const MAX_KEY = 4_096

/** Keyed by the question; limited in characters. Never returns an answer of an older head. */
export class AnswerCache {
  readonly #answers = new Map<string, string>()
  #size = 0
  #head: unknown = null

  /** @param maxCharacters of all. Few, since V8 copies them at each collection while every question is new */
  constructor(private readonly maxCharacters = 2 * 1024 * 1024) {}

  /** At once when cached or answered so. @param head changes with the head; compared again when a late answer arrives */
  get(request: AskRequest, head: () => unknown, ask: () => string | Promise<string>): string | Promise<string> {
    const now = head()
    if (now !== this.#head) {
      this.#answers.clear()
      this.#size = 0
      this.#head = now
    }
    const key = keyOf(request)
    if (key === null) return ask()
    const known = this.#answers.get(key)
    if (known !== undefined) return known
    const asked = ask()
    if (typeof asked !== 'string') return this.#later(key, head, asked)
    this.#keep(key, asked)
    return asked
  }

  async #later(key: string, head: () => unknown, asked: Promise<string>): Promise<string> {
    const before = this.#head
    const answer = await asked
    if (head() === before && this.#head === before) this.#keep(key, answer)
    return answer
  }

  #keep(key: string, answer: string): void {
    if (this.#answers.has(key)) return
    this.#size += key.length + answer.length
    if (this.#size > this.maxCharacters) {
      this.#answers.clear()
      this.#size = key.length + answer.length
    }
    if (this.#size <= this.maxCharacters) this.#answers.set(key, answer)
  }
}

/** Null when the answer depends on more than the head (pending transactions, time limits), or the question is too long. */
function keyOf(request: AskRequest): string | null {
  const isPending = 'at' in request && request.at.kind === 'tag' && request.at.tag === 'pending'
  if (isPending || request.kind === 'accessList') return null
  const key = textOf(request)
  return key.length > MAX_KEY ? null : key
}

/** Injective: values are length-prefixed. Not JSON, which can't hold bytes. Stops once it is too long to cache. */
function textOf(value: unknown): string {
  if (value instanceof Uint8Array)
    return `x${value.length}:${Buffer.from(value.buffer, value.byteOffset, Math.min(value.length, MAX_KEY)).toString('latin1')}`
  if (typeof value === 'string') return `"${value.length}:${value}`
  if (typeof value !== 'object' || value === null) return `${typeof value} ${String(value)};`
  let text = Array.isArray(value) ? '[' : '{'
  for (const name in value) {
    text += `${name}:${textOf(value[name as keyof typeof value])}`
    if (text.length > MAX_KEY) break
  }
  return `${text}}`
}
