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
   * The answer at `head`, or what `ask` gives.
   * @param head any value that changes with the head; asked again when the answer is there, since it may have moved meanwhile
   */
  async get(request: AskRequest, head: () => unknown, ask: () => Promise<string>): Promise<string> {
    const now = head()
    if (now !== this.#head) this.#empty(now)
    const key = keyOf(request)
    if (key === null) return ask()
    const known = this.#answers.get(key)
    if (known !== undefined) return known
    const answer = await ask()
    if (head() === now && this.#head === now) this.#keep(key, answer)
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
  const key = JSON.stringify(request, (_name, value: unknown) => {
    if (value instanceof Uint8Array)
      return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1')
    return typeof value === 'bigint' ? value.toString() : value
  })
  return key.length > MAX_KEY ? null : key
}
