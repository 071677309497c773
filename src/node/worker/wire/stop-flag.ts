// A word of memory that the host thread shares with the chain worker, which reads no messages while it executes a
// block.

/** Raised once, to close the chain; both sides create one over the same buffer. */
export class StopFlag {
  readonly #word: Int32Array

  constructor(readonly buffer: SharedArrayBuffer = new SharedArrayBuffer(4)) {
    this.#word = new Int32Array(buffer)
  }

  raise(): void {
    Atomics.store(this.#word, 0, 1)
  }

  get isRaised(): boolean {
    return Atomics.load(this.#word, 0) === 1
  }
}
