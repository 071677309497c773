// Limits how often something runs: at once when it was quiet, else once at the end of the interval, with the latest
// state.
import type { Disposable } from '../../base/disposable'
import type { Clock } from '../../base/time'

interface CoalescerOptions {
  readonly clock: Clock
  /** Maximum runs per second. */
  readonly maxRate: number
}

export class Coalescer implements Disposable {
  readonly #run: () => void
  #lastRunAt = Number.NEGATIVE_INFINITY
  #isDue = false
  #timer: Disposable | null = null

  constructor(
    private readonly options: CoalescerOptions,
    run: () => void,
  ) {
    this.#run = run
  }

  /**
   * Something changed: runs right after the code that is running now, or at the end of the current interval. So changes
   * that are announced one after the other cause one run, not a second one half an interval later.
   */
  trigger(): void {
    if (this.#timer !== null || this.#isDue) return
    const { clock, maxRate } = this.options
    const waitMs = this.#lastRunAt + 1_000 / maxRate - clock.monotonic()
    if (waitMs > 0) {
      this.#timer = clock.setTimeout(() => this.#fire(), waitMs)
      return
    }
    this.#isDue = true
    queueMicrotask(() => {
      if (this.#isDue) this.#fire()
    })
  }

  dispose(): void {
    this.#timer?.dispose()
    this.#timer = null
    this.#isDue = false
  }

  #fire(): void {
    this.#timer = null
    this.#isDue = false
    this.#lastRunAt = this.options.clock.monotonic()
    this.#run()
  }
}
