// One at a time per name: two sends of one account must not get the same nonce.

export class KeyLocks {
  readonly #tails = new Map<string, Promise<unknown>>()

  /** Runs `act` after all earlier calls with this name have settled. */
  async run<T>(name: string, act: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(name) ?? Promise.resolve()
    const running = before.then(act, act)
    const tail = running.catch(() => undefined) // the caller handles it
    this.#tails.set(name, tail)
    try {
      return await running
    } finally {
      if (this.#tails.get(name) === tail) this.#tails.delete(name)
    }
  }
}
