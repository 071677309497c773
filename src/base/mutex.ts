// Runs one body at a time, in request order.

export class Mutex {
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  /** How many bodies are still queued. */
  get waiting(): number {
    return this.#waiting
  }

  /** Runs `body` after all earlier ones have settled. */
  run<T>(body: () => Promise<T>): Promise<T> {
    this.#waiting++
    const result = this.#last.then(() => {
      this.#waiting--
      return body()
    })
    this.#last = result.catch(() => undefined) // a failure belongs to its caller, not to the next one
    return result
  }
}
