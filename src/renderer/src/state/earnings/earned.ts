// The value of accepted work, and the range that chance puts it in. Pure.
import type { EarningsView } from '../../../../contract/fleet'
import { type LuckInput, luckOf } from './earnings-luck'

/** Integer parts of a percentage, which a bigint can be multiplied by. */
const PARTS = 10_000
const PER_CENT = 100

interface Earned {
  /** wei that the accepted shares or the found blocks are worth on average, before any fee */
  readonly wei: bigint
  /** wei, the ends of the range that holds 95% of such periods; null while that isn't meaningful */
  readonly range: { readonly low: bigint; readonly high: bigint } | null
}

/** Null if nothing was mined for such a source. */
export function earnedOf({ earnings, isSolo }: LuckInput): Earned | null {
  const rows = earnings.rows.filter(({ pool }) => (pool === '') === isSolo)
  const computed = sumOf(rows, 'computed')
  if (computed === 0n) return null
  const luck = luckOf({ earnings, isSolo })
  const part = (percent: number): bigint => (computed * BigInt(Math.round(percent * PARTS))) / BigInt(PER_CENT * PARTS)
  return {
    wei: sumOf(rows, 'expected'),
    range: luck === null ? null : { low: part(luck.low), high: part(luck.high) },
  }
}

function sumOf(rows: EarningsView['rows'], name: 'computed' | 'expected'): bigint {
  return rows.reduce((total, row) => total + BigInt(row[name]), 0n)
}
