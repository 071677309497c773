// How often each method is called, for display: totals since the start and of the last minute. Only names in the method
// table are kept, so that callers can't fill memory with made-up names.
import type { Clock } from '../../../base/time'

/** A method and its counts. */
export interface MethodCount {
  readonly method: string
  readonly total: number
  readonly failed: number
  readonly lastMinute: number
  /** From the call to its answer; of a stream, to its beginning. */
  readonly seconds: number
}

/** Stands for every name that isn't in the table. */
export const OTHER_METHODS = 'other'

const SLICE_MS = 5_000
const SLICES = 12

interface Counter {
  total: number
  failed: number
  ms: number
  /** The last minute, by slice number. */
  readonly slices: { number: number; count: number }[]
}

/** Counts calls and failures by method. */
export class CallCounts {
  readonly #counters = new Map<string, Counter>()

  constructor(private readonly clock: Clock) {}

  /** @param method a name from the table, or OTHER_METHODS @param ms that it took */
  add(method: string, hasFailed: boolean, ms = 0): void {
    const counter = this.#counterOf(method)
    counter.total += 1
    counter.ms += ms
    if (hasFailed) counter.failed += 1
    const number = Math.floor(this.clock.monotonic() / SLICE_MS)
    const slot = number % SLICES
    const slice = counter.slices[slot]
    if (slice?.number === number) slice.count += 1
    else counter.slices[slot] = { number, count: 1 }
  }

  /** Most frequent first. */
  list(): readonly MethodCount[] {
    const oldest = Math.floor(this.clock.monotonic() / SLICE_MS) - SLICES
    const counts = [...this.#counters].map(([method, { total, failed, ms, slices }]) => {
      const lastMinute = slices.reduce((sum, { number, count }) => sum + (number > oldest ? count : 0), 0)
      return { method, total, failed, lastMinute, seconds: ms / 1_000 }
    })
    return counts.sort((a, b) => b.lastMinute - a.lastMinute || b.total - a.total || (a.method < b.method ? -1 : 1))
  }

  #counterOf(method: string): Counter {
    const known = this.#counters.get(method)
    if (known !== undefined) return known
    const counter: Counter = { total: 0, failed: 0, ms: 0, slices: [] }
    this.#counters.set(method, counter)
    return counter
  }
}
