// The way back to the first pool: it is tested beside the pool in use, and has to be well for a while before it is returned to.
import type { Disposable } from '../../base/disposable'
import type { Clock } from '../../base/time'

/** Tests within the time that the first pool has to be well. */
const TESTS = 5
/** Timers take no more. */
const MAX_TIMER_MS = 2 ** 31 - 1

export interface FirstPoolDeps {
  readonly clock: Clock
  /** Whether a later pool is in use and the first one may be tried. */
  readonly isDue: () => boolean
  /** Logs in beside the pool in use and waits for work; rejects when there is none. */
  readonly test: () => Promise<void>
  /** The first pool was well for the whole time. */
  readonly goBack: () => void
}

export class FirstPoolReturn {
  /** monotonic ms of the first good test in a row; null after a bad one */
  #wellSince: number | null = null
  #isTesting = false

  /** @param healthMs how long it has to be well */
  constructor(
    private readonly healthMs: number,
    private readonly deps: FirstPoolDeps,
  ) {}

  /** Tests until it is disposed of. */
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
    this.#test().finally(() => {
      this.#isTesting = false
    })
  }

  async #test(): Promise<void> {
    try {
      await this.deps.test()
      this.#wellSince ??= this.deps.clock.monotonic()
    } catch {
      this.#wellSince = null // that it fails is what is tested for
    }
  }
}
