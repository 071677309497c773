// Statistics of one pool since startup: answer times, and the outcomes of its shares.
import type { ShareVerdict } from '../work-source'

/** Answers in the latency statistics: some minutes at the usual share rate, hours at most. */
const KEPT_ANSWERS = 128
const MEDIAN = 0.5
const PERCENTILE_95 = 0.95

/** Answer times. */
export interface Latency {
  /** number of answers, 1..128 */
  readonly count: number
  readonly medianMs: number
  /** 95th percentile */
  readonly p95Ms: number
}

/** Shares by outcome. */
export interface PoolShares {
  readonly accepted: number
  readonly rejected: number
  /** never answered, or couldn't be sent */
  readonly lost: number
}

/** Collects the statistics. */
export class PoolStats {
  #answers: number[] = []
  #shares: PoolShares = { accepted: 0, rejected: 0, lost: 0 }

  /** A request was answered after this many ms. */
  answered(latencyMs: number): void {
    this.#answers = [...this.#answers.slice(1 - KEPT_ANSWERS), latencyMs]
  }

  settled({ kind }: ShareVerdict): void {
    if (kind !== 'stale') this.#shares = { ...this.#shares, [kind]: this.#shares[kind] + 1 }
  }

  get shares(): PoolShares {
    return this.#shares
  }

  /** Null before the first answer. */
  get latency(): Latency | null {
    return latencyOf(this.#answers)
  }
}

/** Of these times; null without any. */
export function latencyOf(times: readonly number[]): Latency | null {
  if (times.length === 0) return null
  const sorted = [...times].sort((a, b) => a - b)
  return { count: sorted.length, medianMs: quantile(sorted, MEDIAN), p95Ms: quantile(sorted, PERCENTILE_95) }
}

/** A percentile. @param sorted ascending, not empty; @param part 0..1 */
function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? 0
}
