// What was seen of one pool since start: how fast it answers, and what became of the shares that it was given.
import type { ShareVerdict } from '../work-source'

/** Answers that a latency is told from: of some minutes at the usual pace of shares, of few hours at least. */
const KEPT_ANSWERS = 128
const MEDIAN = 0.5
const MOST = 0.95

export interface Latency {
  /** answers that it is told from, 1..128 */
  readonly count: number
  readonly medianMs: number
  /** 19 of 20 answers came within this time */
  readonly p95Ms: number
}

export interface PoolShares {
  readonly accepted: number
  readonly rejected: number
  /** never answered, or could not be sent */
  readonly lost: number
}

export class PoolStats {
  #answers: number[] = []
  #shares: PoolShares = { accepted: 0, rejected: 0, lost: 0 }

  /** A request of ours was answered after so many ms. */
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
    if (this.#answers.length === 0) return null
    const sorted = [...this.#answers].sort((a, b) => a - b)
    return { count: sorted.length, medianMs: quantile(sorted, MEDIAN), p95Ms: quantile(sorted, MOST) }
  }
}

/** The least of the values that so great a part of all does not pass. @param sorted ascending, not empty; @param part 0..1 */
export function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? 0
}
