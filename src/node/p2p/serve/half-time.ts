// Work for strangers that may have half of a thread at most: one piece after another, and a pause as long as the piece took.
import { type Clock, sleep } from '../../../base/time'

/** A piece that was slow because others had the thread isn't paid for in full. */
const MAX_PAUSE_MS = 100

/** A rejected piece doesn't stop the next; the pause is bounded. */
export class HalfTime {
  #last: Promise<void> = Promise.resolve()

  constructor(private readonly clock: Clock) {}

  /** Runs `work` after all that was given before, and the pause behind it. */
  run<T>(work: () => Promise<T> | T): Promise<T> {
    const before = this.#last
    const result = before.then(work)
    this.#last = before.then(async () => {
      const start = this.clock.monotonic()
      await result.catch(() => undefined)
      const tookMs = this.clock.monotonic() - start
      if (tookMs > 0) await sleep(this.clock, Math.min(tookMs, MAX_PAUSE_MS))
    })
    return result
  }
}
