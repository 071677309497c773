// Statistics of one pool since startup: answer times, and the outcomes of its shares.
import type { ShareVerdict } from '../work-source'

/** Answers in the latency statistics: some minutes at the usual share rate, hours at most. */
const KEPT_ANSWERS = 128
const MEDIAN = 0.5
const PERCENTILE_95 = 0.95

/** Collects the statistics. */
export class PoolStats {
  #answers: number[] = []
  /** `lost`: never answered, or couldn't be sent */
  shares = { accepted: 0, rejected: 0, lost: 0 }

  answered(latencyMs: number): void {
    this.#answers = [...this.#answers.slice(1 - KEPT_ANSWERS), latencyMs]
  }

  settled({ kind }: ShareVerdict): void {
    if (kind !== 'stale') this.shares = { ...this.shares, [kind]: this.shares[kind] + 1 }
  }

  /** Null before the first answer. */
  get latency(): ReturnType<typeof latencyOf> {
    return latencyOf(this.#answers)
  }
}

/** Of these times, ms; null without any. */
export function latencyOf(times: readonly number[]) {
  if (times.length === 0) return null
  const sorted = [...times].sort((a, b) => a - b)
  return { count: sorted.length, medianMs: quantile(sorted, MEDIAN), p95Ms: quantile(sorted, PERCENTILE_95) }
}

/** A percentile. @param sorted ascending, not empty; @param part 0..1 */
function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? 0
}
