// Detects devices that stopped working: silent, stuck while building, or much slower than before. It only decides; the
// farm acts.

import { HOUR_MS } from '../../../base/time'
import { SlotRing } from '../../stats/slot-ring'
import type { DeviceState } from '../../stats/snapshot'

/** A device that should search but finishes nothing for this long is restarted. */
const SILENT_MS = 30_000
/** After this long it is reported as not responding. */
const LATE_MS = 10_000
/** A build without progress for this long counts as hung. */
const STUCK_BUILD_MS = 120_000
/** Compiling takes minutes on a slow CPU that is busy with other devices; longer counts as hung. */
export const STUCK_COMPILE_MS = 600_000
const SLOW_MS = 120_000
/** Window of the rate comparison. */
const RATE_SECONDS = 60
const MEAN_SECONDS = 3_600
/** A mean over less mining time isn't used. */
const MEAN_MIN_SECONDS = 600
const RESTARTS_AN_HOUR = 3

interface Watched {
  readonly state: DeviceState
  /** hashes finished, never decreasing */
  readonly hashes: bigint
  /** 0..1 while building */
  readonly progress: number | null
}

interface WatchdogOptions {
  /** 0..1: a rate below this fraction of its own mean of the last hour, for two minutes, is a fault; 0 = never */
  readonly minRateFraction: number
}

/** The watchdog's decision. */
export interface WatchdogVerdict {
  readonly kind: 'restart' | 'give-up'
  readonly reason: string
}

/** Watches one device. */
export class Watchdog {
  /** Restarts by the watchdog since startup. */
  restarts = 0
  /** monotonic ms of restarts in the last hour */
  #recent: number[] = []
  #phase = ''
  #seen = 0n
  #progress = -1
  #aliveAt = 0
  #slowSince: number | null = null
  readonly #hashes = new SlotRing(MEAN_SECONDS)
  readonly #mined = new SlotRing(MEAN_SECONDS)
  #lastAt: number | null = null
  #searchingSince: number | null = null

  constructor(private readonly options: WatchdogOptions) {}

  /** @param at monotonic ms, never decreasing */
  observe(at: number, { state, hashes, progress }: Watched): WatchdogVerdict | null {
    const done = hashes > this.#seen ? Number(hashes - this.#seen) : 0
    const isBusy = state === 'mining' || state === 'building' || state === 'compiling'
    if (state !== this.#phase || done > 0 || (progress !== null && progress !== this.#progress)) this.#aliveAt = at
    this.#phase = state
    this.#seen = hashes
    this.#progress = progress ?? -1
    this.#measure(at, done, state === 'mining')
    if (!isBusy) return null
    const silentMs = at - this.#aliveAt
    if (state === 'mining' && silentMs >= SILENT_MS) return this.failed(at, 'no finished batch for 30 s')
    if (state === 'compiling' && silentMs >= STUCK_COMPILE_MS)
      return this.failed(at, 'kernels were not compiled within 10 min')
    if (state === 'building' && silentMs >= STUCK_BUILD_MS) return this.failed(at, 'dataset did not grow for 2 min')
    return state === 'mining' && this.#isSlow(at) ? this.failed(at, 'hashrate far below the mean of the hour') : null
  }

  /** The device reported that it can't continue, or was found so. @param at monotonic ms */
  failed(at: number, reason: string): WatchdogVerdict {
    this.#aliveAt = at
    this.#slowSince = null
    this.#searchingSince = null
    this.#recent = this.#recent.filter((each) => at - each < HOUR_MS)
    if (this.#recent.length >= RESTARTS_AN_HOUR) return { kind: 'give-up', reason }
    this.#recent.push(at)
    this.restarts += 1
    return { kind: 'restart', reason }
  }

  /** False: it should be searching but has finished nothing for a while. @param at monotonic ms */
  responds(at: number): boolean {
    return this.#phase !== 'mining' || at - this.#aliveAt < LATE_MS
  }

  /** The user restarted the device: its restart count is reset. */
  forgive(): void {
    this.#recent = []
  }

  #measure(at: number, done: number, isMining: boolean): void {
    if (isMining && this.#lastAt !== null && this.#searchingSince !== null) {
      this.#hashes.add(at, done)
      this.#mined.add(at, (at - this.#lastAt) / 1_000)
    }
    this.#searchingSince = isMining ? (this.#searchingSince ?? at) : null
    this.#lastAt = at
  }

  #isSlow(at: number): boolean {
    const { minRateFraction } = this.options
    const minedSeconds = this.#mined.sum(at, MEAN_SECONDS)
    const since = this.#searchingSince
    const isJudged = minRateFraction > 0 && since !== null && at - since >= RATE_SECONDS * 1_000
    if (!isJudged || minedSeconds < MEAN_MIN_SECONDS) return false
    const mean = this.#hashes.sum(at, MEAN_SECONDS) / minedSeconds
    const seconds = this.#mined.sum(at, RATE_SECONDS)
    const rate = seconds === 0 ? 0 : this.#hashes.sum(at, RATE_SECONDS) / seconds
    if (rate >= mean * minRateFraction) {
      this.#slowSince = null
      return false
    }
    this.#slowSince ??= at
    return at - this.#slowSince >= SLOW_MS
  }
}
