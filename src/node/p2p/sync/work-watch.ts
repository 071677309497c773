// Whether a run brings anything: time counts against a peer until it delivers headers or blocks that are new and whose proof of
// work was checked. What we take for checking and executing them is our own time.
import type { Clock } from '../../../base/time'

/** A stopwatch of the peer's time alone, in ms on the monotonic clock. */
export class WorkWatch {
  #idleMs = 0
  /** monotonic ms; null while we are at work ourselves. */
  #since: number | null
  #ours = 0
  #hasWorked = false

  constructor(private readonly clock: Clock) {
    this.#since = clock.monotonic()
  }

  /** How long nothing new has come. */
  get idleMs(): number {
    return this.#idleMs + (this.#since === null ? 0 : this.clock.monotonic() - this.#since)
  }

  /** Whether the peer has brought anything that was new and that work was done for. */
  get hasWorked(): boolean {
    return this.#hasWorked
  }

  worked(): void {
    this.#hasWorked = true
    this.#idleMs = 0
    if (this.#since !== null) this.#since = this.clock.monotonic()
  }

  /** While `work` is under way the peer is waited for by nobody. */
  async ours<T>(work: Promise<T>): Promise<T> {
    if (this.#ours++ === 0) {
      this.#idleMs = this.idleMs
      this.#since = null
    }
    try {
      return await work
    } finally {
      if (--this.#ours === 0) this.#since = this.clock.monotonic()
    }
  }
}
