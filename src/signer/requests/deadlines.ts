// Timeouts of requests. Countdowns stop while the user can't be at the screen: it is locked, or the computer sleeps.
import type { Disposable } from '../../base/disposable'
import type { Clock } from '../../base/time'

/** The clock, and the callback for timeouts. */
export interface DeadlinesDeps {
  readonly clock: Clock
  /** This request timed out; called once. */
  readonly onOver: (id: string) => void
  /** UTC ms at which it times out; null while its countdown is stopped. */
  readonly onMoved: (id: string, at: number | null) => void
}

interface Countdown {
  leftMs: number
  /** Monotonic. */
  since: number
  timer: Disposable | null
}

/** One countdown per displayed request, ms; `limitMs` 0 = no timeout. */
export class Deadlines {
  readonly #limitMs: number
  readonly #deps: DeadlinesDeps
  readonly #countdowns = new Map<string, Countdown>()
  #isAway = false

  /** @param limitMs per request; 0 = no timeout */
  constructor(limitMs: number, deps: DeadlinesDeps) {
    this.#limitMs = limitMs
    this.#deps = deps
  }

  start(id: string): void {
    if (this.#limitMs === 0) return
    const countdown: Countdown = { leftMs: this.#limitMs, since: 0, timer: null }
    this.#countdowns.set(id, countdown)
    if (!this.#isAway) this.#run(id, countdown)
  }

  end(id: string): void {
    this.#countdowns.get(id)?.timer?.dispose()
    this.#countdowns.delete(id)
  }

  /** @returns whether any countdown changed */
  setAway(isAway: boolean): boolean {
    if (this.#isAway === isAway) return false
    this.#isAway = isAway
    for (const [id, countdown] of this.#countdowns) {
      if (isAway) this.#halt(id, countdown)
      else this.#run(id, countdown)
    }
    return this.#countdowns.size > 0
  }

  #run(id: string, countdown: Countdown): void {
    const { clock, onOver, onMoved } = this.#deps
    countdown.since = clock.monotonic()
    countdown.timer = clock.setTimeout(() => {
      this.#countdowns.delete(id)
      onOver(id)
    }, countdown.leftMs)
    onMoved(id, clock.now() + countdown.leftMs)
  }

  #halt(id: string, countdown: Countdown): void {
    countdown.timer?.dispose()
    countdown.timer = null
    countdown.leftMs = Math.max(0, countdown.leftMs - (this.#deps.clock.monotonic() - countdown.since))
    this.#deps.onMoved(id, null)
  }
}
