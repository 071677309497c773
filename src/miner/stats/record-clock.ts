// The time that records get and lose their age by, when the computer's clock may be wrong: a dead battery boots in the
// past, a typing error leaps years ahead, and either may be set right at any moment.
import type { Clock } from '../../base/time'

/** Smaller differences between the two clocks are drift or a step of NTP. */
const DRIFT_MS = 600_000
/** How long a clock must run evenly before its word counts against records. */
const STEADY_MS = 86_400_000

/** Decides which time is right. */
export class RecordClock {
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>
  /** UTC ms of the newest record of earlier runs; null without any */
  readonly #last: number | null
  readonly #longestMs: number
  /** what counts as UTC ms at a monotonic time */
  #base: { readonly utc: number; readonly mono: number }
  /** monotonic ms; records may be dropped from then on */
  #trustedFrom: number
  /** A disbelieved difference, and since which monotonic ms it has lasted. */
  #doubted: { readonly leap: number; readonly since: number } | null = null

  /**
   * @param last UTC ms of the newest record of earlier runs; null without any
   * @param longestMs how long records are kept: a longer leap is never believed at once
   */
  constructor(clock: Pick<Clock, 'now' | 'monotonic'>, last: number | null, longestMs: number) {
    this.#clock = clock
    this.#last = last
    this.#longestMs = longestMs
    const [utc, mono] = [clock.now(), clock.monotonic()]
    this.#base = { utc, mono }
    const since = last === null ? 0 : utc - last
    this.#trustedFrom = since >= -DRIFT_MS && since <= longestMs ? mono : mono + STEADY_MS
  }

  /** @returns UTC ms, and by how much the times given so far in this run were wrong */
  read(): { readonly now: number; readonly shift: number } {
    const [told, mono] = [this.#clock.now(), this.#clock.monotonic()]
    // Monotonic times have fractions, and records whole milliseconds.
    const counted = Math.round(this.#base.utc + (mono - this.#base.mono))
    const leap = told - counted
    if (Math.abs(leap) <= DRIFT_MS) {
      this.#base = { utc: told, mono }
      this.#doubted = null
      return { now: told, shift: 0 }
    }
    // The monotonic clock doesn't count sleep.
    const isSleep = leap > 0 && leap <= this.#longestMs && !this.#isBehind(counted)
    if (!isSleep && !this.#isBetter(told, counted) && !this.#hasLasted(leap, mono)) return { now: counted, shift: 0 }
    this.#base = { utc: told, mono }
    this.#doubted = null
    this.#trustedFrom = mono + STEADY_MS
    return { now: told, shift: isSleep ? 0 : leap }
  }

  /** Whether the time may be held against records: it agrees with the last run, or has run evenly for a day. */
  get mayDrop(): boolean {
    return this.#clock.monotonic() >= this.#trustedFrom
  }

  /** A clock that runs evenly for a day is believed whatever it says. */
  #hasLasted(leap: number, mono: number): boolean {
    if (this.#doubted === null || Math.abs(this.#doubted.leap - leap) > DRIFT_MS) this.#doubted = { leap, since: mono }
    return mono - this.#doubted.since >= STEADY_MS
  }

  /** Time doesn't run backwards between two runs; without an earlier one, the computer's clock knows best. */
  #isBetter(told: number, counted: number): boolean {
    if (this.#last === null) return true
    if (this.#isBehind(told) !== this.#isBehind(counted)) return this.#isBehind(counted)
    return Math.abs(told - this.#last) < Math.abs(counted - this.#last)
  }

  #isBehind(time: number): boolean {
    return this.#last !== null && time < this.#last - DRIFT_MS
  }
}
