// How far chance moves the found number from the expected one. Pure.

import { poissonRange } from '../../../../base/poisson'
import type { EarningsView } from '../../../../contract/fleet'

const PER_CENT = 100

interface Luck {
  /** Found as a percentage of the expected number; so are the ends of the range that holds 95% of all cases. */
  readonly percent: number
  readonly low: number
  readonly high: number
  /** Accepted shares or blocks. */
  readonly count: number
  readonly verdict: 'normal' | 'low' | 'high'
}

export interface LuckInput {
  readonly earnings: EarningsView
  readonly isSolo: boolean
}

/** Null while less than one share or block was expected: that says nothing. */
export function luckOf({ earnings, isSolo }: LuckInput): Luck | null {
  const rows = earnings.rows.filter(({ pool }) => (pool === '') === isSolo)
  const mean = rows.reduce((total, row) => total + row.expectedShares, 0)
  const count = rows.reduce((total, row) => total + row.shares, 0)
  if (mean < 1) return null
  const range = poissonRange(mean)
  const percent = (of: number): number => (PER_CENT * of) / mean
  const verdict = count < range.low ? 'low' : count > range.high ? 'high' : 'normal'
  return { percent: percent(count), low: percent(range.low), high: percent(range.high), count, verdict }
}
