// Returning to the first pool: it is tested on a second connection, and must be healthy for a while.
import type { Disposable } from '../../base/disposable'
import type { Clock } from '../../base/time'

/** Tests within the time for which it must be healthy. */
const TESTS = 5
/** Maximum delay of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1

interface FirstPoolDeps {
  readonly clock: Clock
  /** Whether a later pool is in use and the first one may be tried. */
  readonly isDue: () => boolean
  /** Logs in on a second connection and waits for work; rejects when there is none. */
  readonly test: () => Promise<void>
  /** The first pool was healthy for the whole time. */
  readonly goBack: () => void
}

/** Tests the first pool periodically. */
export class FirstPoolReturn {
  /** monotonic ms of the first of consecutive good tests; null after a bad one */
  #wellSince: number | null = null
  #isTesting = false

  /** @param healthMs how long it must be healthy */
  constructor(
    private readonly healthMs: number,
    private readonly deps: FirstPoolDeps,
  ) {}

  start(): Disposable {
    const everyMs = Math.min(Math.max(1, Math.floor(this.healthMs / TESTS)), MAX_TIMER_MS)
    return this.deps.clock.setInterval(() => this.#turn(), everyMs)
  }

  #turn(): void {
    const { clock, isDue, goBack } = this.deps
    if (!isDue()) {
      this.#wellSince = null
      return
    }
    if (this.#isTesting) return
    if (this.#wellSince !== null && clock.monotonic() - this.#wellSince >= this.healthMs) {
      this.#wellSince = null
      goBack()
      return
    }
    this.#isTesting = true
    void this.#test().finally(() => {
      this.#isTesting = false
    })
  }

  async #test(): Promise<void> {
    try {
      await this.deps.test()
      this.#wellSince ??= this.deps.clock.monotonic()
    } catch {
      this.#wellSince = null // a failure is a valid test result
    }
  }
}
