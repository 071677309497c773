// One at a time, in the order of asking.

export class Mutex {
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  /** How many bodies have not begun. */
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
    this.#last = result.catch(() => undefined) // a failure is its caller's, not the next one's
    return result
  }
}
