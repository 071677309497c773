// Answers at one head, so that the same question is worked out once. A new head empties it.
import type { AskRequest } from '../query-wire'

/** Longest question that is kept, in characters. */
const MAX_KEY = 4_096

/** By the question; bounded in characters. Answers of an older head are never given. */
export class AnswerCache {
  readonly #answers = new Map<string, string>()
  #size = 0
  #head: unknown = null

  /** @param maxCharacters of questions and answers together */
  constructor(private readonly maxCharacters = 8 * 1024 * 1024) {}

  /**
   * The answer at `head`, at once when it is known; otherwise what `ask` gives.
   * @param head any value that changes with the head; asked again when the answer is there, since it may have moved meanwhile
   */
  get(request: AskRequest, head: () => unknown, ask: () => string | Promise<string>): string | Promise<string> {
    const now = head()
    if (now !== this.#head) this.#empty(now)
    const key = keyOf(request)
    if (key === null) return ask()
    return this.#answers.get(key) ?? this.#ask(key, head, ask)
  }

  async #ask(key: string, head: () => unknown, ask: () => string | Promise<string>): Promise<string> {
    const before = this.#head
    const answer = await ask()
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

  #empty(head: unknown): void {
    this.#answers.clear()
    this.#size = 0
    this.#head = head
  }
}

/** Null for what depends on more than the head (pending transactions, the time there was), or is too long. */
function keyOf(request: AskRequest): string | null {
  const isPending = 'at' in request && request.at.kind === 'tag' && request.at.tag === 'pending'
  if (isPending || request.kind === 'accessList' || request.kind === 'addressSearch') return null
  const key = textOf(request)
  return key.length > MAX_KEY ? null : key
}

/**
 * Different values have different texts: what has no fixed length tells it first. Not JSON, which knows no bytes.
 * Stops where a text is too long to be kept.
 */
function textOf(value: unknown): string {
  if (value instanceof Uint8Array)
    return `x${value.length}:${Buffer.from(value.buffer, value.byteOffset, Math.min(value.length, MAX_KEY)).toString('latin1')}`
  if (typeof value === 'string') return `"${value.length}:${value}`
  if (typeof value !== 'object' || value === null) return `${typeof value} ${String(value)};`
  let text = Array.isArray(value) ? '[' : '{'
  for (const [name, member] of Object.entries(value)) {
    text += `${name}:${textOf(member)}`
    if (text.length > MAX_KEY) break
  }
  return `${text}}`
}
