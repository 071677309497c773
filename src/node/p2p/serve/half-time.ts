// Limits work for strangers to half of a thread: one task at a time, then a pause as long as the task took.
import { type Clock, sleep } from '../../../base/time'

/** A task that was slow because the thread was busy isn't charged in full. */
const MAX_PAUSE_MS = 100

/** A rejected task doesn't stop the next; the pause is bounded. */
export class HalfTime {
  #last: Promise<void> = Promise.resolve()

  constructor(private readonly clock: Clock) {}

  /** Runs `work` after all earlier tasks and their pauses. */
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
