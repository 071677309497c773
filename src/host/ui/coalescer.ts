// Limits how often something runs: immediately when it was quiet, else once at the end of the interval, with the latest
// state.
import type { Disposable } from '../../base/disposable'
import type { Clock } from '../../base/time'

export interface CoalescerOptions {
  readonly clock: Clock
  /** Maximum runs per second. */
  readonly maxRate: number
}

export class Coalescer implements Disposable {
  readonly #options: CoalescerOptions
  readonly #run: () => void
  #lastRunAt = Number.NEGATIVE_INFINITY
  #timer: Disposable | null = null

  constructor(options: CoalescerOptions, run: () => void) {
    this.#options = options
    this.#run = run
  }

  /** Something changed: runs now or at the end of the current interval. */
  trigger(): void {
    if (this.#timer !== null) return
    const { clock, maxRate } = this.#options
    const waitMs = this.#lastRunAt + 1_000 / maxRate - clock.monotonic()
    if (waitMs <= 0) this.#fire()
    else this.#timer = clock.setTimeout(() => this.#fire(), waitMs)
  }

  dispose(): void {
    this.#timer?.dispose()
    this.#timer = null
  }

  #fire(): void {
    this.#timer = null
    this.#lastRunAt = this.#options.clock.monotonic()
    this.#run()
  }
}
