// Who may build a dataset now: every device at once, or one after another (`--dag-load-mode`).

export class BuildGate {
  #tail: Promise<unknown> = Promise.resolve()

  /** @param isSequential one device after another */
  constructor(readonly isSequential: boolean) {}

  /** Runs `build` when it is its turn; a build that fails lets the next one begin. @throws what `build` throws */
  async run<T>(build: () => Promise<T>): Promise<T> {
    if (!this.isSequential) return build()
    const turn = this.#tail.then(build)
    this.#tail = turn.catch(() => undefined) // its own caller is told
    return turn
  }
}
