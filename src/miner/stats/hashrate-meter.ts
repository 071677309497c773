// One device's hashrate over 10 s, 60 s and 15 min, from a counter that is read once a second.

import { SlotRing } from './slot-ring'
import type { Hashrate } from './snapshot'

const NOW_SECONDS = 10
/** The window of `s60`. */
export const SHORT_SECONDS = 60
const LONG_SECONDS = 900
/** `now` is 0 after this long without a finished batch */
const SILENT_MS = 15_000

export const NO_HASHRATE: Hashrate = { now: 0, s60: 0, m15: 0 }

/** The meter of one device. */
export class HashrateMeter {
  readonly #ring = new SlotRing(LONG_SECONDS)
  /** When the clock started; null before that. Monotonic ms. */
  startedAt: number | null = null
  #lastBatchAt: number | null = null
  #lastCount = 0n
  /** As of the last sample. */
  rate: Hashrate = NO_HASHRATE

  /** Starts the clock, paused or not. Later calls have no effect. @param at monotonic ms */
  begin(at: number): void {
    this.startedAt ??= at
  }

  /** @param at monotonic ms, never decreasing; @param count hashes finished so far, never decreasing */
  sample(at: number, count: bigint): void {
    const done = count > this.#lastCount ? Number(count - this.#lastCount) : 0
    this.#lastCount = count
    if (done > 0) {
      this.begin(at)
      this.#ring.add(at, done)
      this.#lastBatchAt = at
    }
    this.rate = this.#compute(at)
  }

  #compute(at: number): Hashrate {
    const startedAt = this.startedAt
    if (startedAt === null || at <= startedAt) return NO_HASHRATE
    const over = (seconds: number): number => this.#ring.sum(at, seconds) / Math.min(seconds, (at - startedAt) / 1_000)
    return { now: this.#now(at, over), s60: over(SHORT_SECONDS), m15: over(LONG_SECONDS) }
  }

  /** Batches may be longer than the window: then it extends back to the last one. */
  #now(at: number, over: (seconds: number) => number): number {
    if (this.#lastBatchAt === null) return 0
    const silentMs = at - this.#lastBatchAt
    if (silentMs > SILENT_MS) return 0
    return over(Math.max(NOW_SECONDS, Math.floor(silentMs / 1_000) + 1))
  }
}

/** Sums per window. */
export function sumHashrates(rates: readonly Hashrate[]): Hashrate {
  return rates.reduce((a, b) => ({ now: a.now + b.now, s60: a.s60 + b.s60, m15: a.m15 + b.m15 }), NO_HASHRATE)
}
