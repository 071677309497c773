// Serializes dataset builds: all devices at once, or one after another (`--dag-load-mode`); ahead-of-time builds always
// one after another.

/** The gate shared by all devices. */
export class BuildQueue {
  #tail: Promise<unknown> = Promise.resolve()
  #ahead: Promise<unknown> = Promise.resolve()

  /** @param isSequential one device after another */
  constructor(readonly isSequential: boolean) {}

  /** Runs `build` when it is its turn; a failed build doesn't stop the next. @throws what `build` throws */
  async run<T>(build: () => Promise<T>): Promise<T> {
    if (!this.isSequential) return build()
    const turn = this.#tail.then(build)
    this.#tail = turn.catch(() => undefined) // its own caller gets the error
    return turn
  }

  /** Like `run`, for a build beside the search: never two at once, so that a rig keeps nearly its whole rate. */
  async runAhead<T>(build: () => Promise<T>): Promise<T> {
    const turn = this.#ahead.then(() => this.run(build))
    this.#ahead = turn.catch(() => undefined) // its own caller gets the error
    return turn
  }
}
