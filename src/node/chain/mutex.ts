// One at a time, in the order of asking.

export class Mutex {
  #last: Promise<unknown> = Promise.resolve()

  /** Runs `body` after all earlier ones have settled. */
  run<T>(body: () => Promise<T>): Promise<T> {
    const result = this.#last.then(body)
    this.#last = result.catch(() => undefined) // a failure is its caller's, not the next one's
    return result
  }
}
