// How far chance alone takes what was found away from what was to be expected. Pure.
import type { EarningsView } from '../../../contract/fleet'

/** Standard deviations that hold a value 19 times of 20. */
const Z = 1.96
const PER_CENT = 100

/**
 * Between these counts a Poisson count of this mean lies 19 times of 20, in parts of the mean.
 * Source: the cube-root rule of Wilson and Hilferty, good to a per cent from 1 on.
 */
export function poissonBand(mean: number): { readonly low: number; readonly high: number } {
  const end = (count: number, z: number): number => count * (1 - 1 / (9 * count) + z / (3 * Math.sqrt(count))) ** 3
  return { low: Math.max(0, end(mean, -Z)) / mean, high: end(mean + 1, Z) / mean }
}

export interface Luck {
  /** Accepted work of the computed, in per cent; so are the ends of what chance explains. */
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
  /** Of the present job; tells what to expect where nothing was found yet. */
  readonly difficulty: number | null
}

/** Null while less than one share or block was to be expected: that says nothing. */
export function luckOf({ earnings, isSolo, difficulty }: LuckInput): Luck | null {
  const rows = earnings.rows.filter(({ pool }) => (pool === '') === isSolo)
  const hashes = rows.reduce((total, row) => total + row.hashes, 0)
  const work = rows.reduce((total, row) => total + row.work, 0)
  const count = rows.reduce((total, row) => total + row.shares, 0)
  const each = count > 0 ? work / count : difficulty
  if (each === null || each <= 0 || hashes / each < 1) return null
  const band = poissonBand(hashes / each)
  const [percent, low, high] = [work / hashes, band.low, band.high].map((part) => PER_CENT * part)
  if (percent === undefined || low === undefined || high === undefined) return null
  return { percent, low, high, count, verdict: percent < low ? 'low' : percent > high ? 'high' : 'normal' }
}
