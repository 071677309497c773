// Who may build a dataset now: every device at once, or one after another (`--dag-load-mode`); ahead of an epoch always the latter.

export class BuildGate {
  #tail: Promise<unknown> = Promise.resolve()
  #ahead: Promise<unknown> = Promise.resolve()

  /** @param isSequential one device after another */
  constructor(readonly isSequential: boolean) {}

  /** Runs `build` when it is its turn; a build that fails lets the next one begin. @throws what `build` throws */
  async run<T>(build: () => Promise<T>): Promise<T> {
    if (!this.isSequential) return build()
    const turn = this.#tail.then(build)
    this.#tail = turn.catch(() => undefined) // its own caller is told
    return turn
  }

  /** As `run`, for a build beside the search: never two at once, so that a rig keeps nearly its whole rate. */
  async runAhead<T>(build: () => Promise<T>): Promise<T> {
    const turn = this.#ahead.then(() => this.run(build))
    this.#ahead = turn.catch(() => undefined) // its own caller is told
    return turn
  }
}
