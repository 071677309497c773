// Which share difficulty a rig gets: one that lets it find a share every ten seconds, whatever it hashes.
import { bytesFromBigint } from '../../base/bytes'
import { MAX_UINT256 } from '../../base/units'

/** One share in this time, ms. */
const GOAL_MS = 10_000
/** Of a rig about which nothing is known: 3 s at 10 MH/s. */
export const START_DIFFICULTY = 2 ** 25
const MIN_DIFFICULTY = 256
const MAX_DIFFICULTY = 2 ** 50
/** So many shares at over twice the pace raise the difficulty at once. */
const FAST_SHARES = 8
/** The pace is judged over this time. */
const WINDOW_MS = 120_000
/** Without a share for this long the difficulty falls. */
const SILENT_MS = 30_000
const SILENT_FACTOR = 4
const MAX_FACTOR = 16
/** Within half and twice the pace the difficulty stays: chance alone moves it that far. */
const TOLERANCE = 2
/** A rig that was silent for long begins again at this fraction of what it has shown. */
const MAX_FALL = 64

/** Difficulties are expected hashes per share. Times are monotonic ms. */
export class VariableDifficulty {
  #difficulty: number
  /** the highest one at which it found a share */
  #shown = 0
  #shares = 0
  #since: number

  constructor(start: number, at: number) {
    this.#difficulty = bounded(start)
    this.#since = at
  }

  /** The current difficulty, which from now on is no higher than this: the block's. */
  limited(most: number): number {
    this.#difficulty = Math.max(1, Math.min(this.#difficulty, Math.floor(most)))
    return this.#difficulty
  }

  /** A share of this difficulty was accepted. True: the difficulty has changed. */
  shareFound(at: number, difficulty: number): boolean {
    this.#shown = Math.max(this.#shown, difficulty)
    // Shares of an easier job, found before the last change, say nothing about the current pace.
    if (difficulty < this.#difficulty) return false
    this.#shares += 1
    const dueMs = this.#shares * GOAL_MS
    const elapsedMs = Math.max(1, at - this.#since)
    if (this.#shares < FAST_SHARES || elapsedMs * TOLERANCE > dueMs) return false
    return this.#change(dueMs / elapsedMs, at)
  }

  /** Call it every few seconds. True: the difficulty has changed. */
  check(at: number): boolean {
    const elapsedMs = at - this.#since
    if (this.#shares === 0 && elapsedMs >= SILENT_MS) return this.#change(1 / SILENT_FACTOR, at)
    if (elapsedMs < WINDOW_MS) return false
    const pace = (this.#shares * GOAL_MS) / elapsedMs
    if (pace < TOLERANCE && pace > 1 / TOLERANCE) {
      this.#restart(at)
      return false
    }
    return this.#change(pace, at)
  }

  /** The rig reports its hashrate (H/s). True: the difficulty has changed. Only a rig without shares is believed. */
  reported(hashrate: number, at: number): boolean {
    if (this.#shown > 0 || !(hashrate > 0)) return false
    const wanted = bounded((hashrate * GOAL_MS) / 1_000)
    if (wanted < this.#difficulty * TOLERANCE && wanted * TOLERANCE > this.#difficulty) return false
    return this.#change(wanted / this.#difficulty, at, Number.POSITIVE_INFINITY)
  }

  #change(factor: number, at: number, most = MAX_FACTOR): boolean {
    const limited = Math.min(most, Math.max(1 / most, factor))
    const before = this.#difficulty
    this.#difficulty = Math.max(bounded(before * limited), Math.floor(this.#shown / MAX_FALL))
    this.#restart(at)
    return this.#difficulty !== before
  }

  #restart(at: number): void {
    this.#shares = 0
    this.#since = at
  }
}

function bounded(difficulty: number): number {
  return Math.round(Math.min(MAX_DIFFICULTY, Math.max(MIN_DIFFICULTY, difficulty)))
}

/** 32 bytes, big-endian: floor((2^256 - 1) / difficulty). @param difficulty an integer from 1 */
export function targetOfDifficulty(difficulty: number): Uint8Array {
  return bytesFromBigint(MAX_UINT256 / BigInt(difficulty), 32)
}
