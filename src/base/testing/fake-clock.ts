// A clock that tests advance by hand: `advance` fires due timers in order of their time.
import type { Disposable } from '../disposable'
import type { Clock } from '../time'

interface Timer {
  at: number
  readonly periodMs: number | null
  readonly callback: () => void
}

/** Starts at `startMs` (UTC) with a monotonic reading of 0. */
export class FakeClock implements Clock {
  #startMs: number
  #elapsedMs = 0
  readonly #timers = new Set<Timer>()

  constructor(startMs = 1_700_000_000_000) {
    this.#startMs = startMs
  }

  now(): number {
    return this.#startMs + this.#elapsedMs
  }

  monotonic(): number {
    return this.#elapsedMs
  }

  setTimeout(callback: () => void, delayMs: number): Disposable {
    return this.#add({ at: this.#elapsedMs + Math.max(0, delayMs), periodMs: null, callback })
  }

  setInterval(callback: () => void, periodMs: number): Disposable {
    return this.#add({ at: this.#elapsedMs + periodMs, periodMs, callback })
  }

  /** Sets the wall clock, by so many ms from what it is; the monotonic clock and timers don't notice. */
  setWallClock(byMs: number): void {
    this.#startMs += byMs
  }

  /** Moves time forward by `ms`, firing what falls due, earliest first. */
  advance(ms: number): void {
    const end = this.#elapsedMs + ms
    for (;;) {
      const due = [...this.#timers].filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0]
      if (due === undefined) break
      this.#elapsedMs = Math.max(this.#elapsedMs, due.at)
      if (due.periodMs === null) this.#timers.delete(due)
      else due.at += due.periodMs
      due.callback()
    }
    this.#elapsedMs = end
  }

  /** Timers not yet fired or disposed; 0 after a clean stop. */
  get pending(): number {
    return this.#timers.size
  }

  #add(timer: Timer): Disposable {
    this.#timers.add(timer)
    return { dispose: () => void this.#timers.delete(timer) }
  }
}
