// Whether a run makes progress: time counts against a peer until it delivers new headers or blocks with verified proof
// of work. The time we spend verifying and executing doesn't count.
import type { Clock } from '../../../base/time'

/** A stopwatch of the peer's time only, ms on the monotonic clock. */
export class WorkWatch {
  #idleMs = 0
  /** monotonic ms; null while we are working ourselves */
  #since: number | null
  #ours = 0
  /** Whether the peer has delivered anything new with proof of work. */
  hasWorked = false

  constructor(private readonly clock: Clock) {
    this.#since = clock.monotonic()
  }

  /** Time without anything new. */
  get idleMs(): number {
    return this.#idleMs + (this.#since === null ? 0 : this.clock.monotonic() - this.#since)
  }

  worked(): void {
    this.hasWorked = true
    this.#idleMs = 0
    if (this.#since !== null) this.#since = this.clock.monotonic()
  }

  /** While `work` runs, the clock is stopped. */
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
