// An amount as it is typed in a terminal: digits and a unit, with nothing left to guess.
import { parseDecimal } from '../../base/units'

const DECIMALS = { LAX: 18, gwei: 9, wei: 0 } as const

/** Completes "AMOUNT: VALUE is not ...". */
export const AMOUNT_EXPECTED =
  'an amount above 0 with its unit, a point before decimals and no other mark: 1.5LAX, 30gwei or 7wei'

/** wei of `1.5LAX`, `30 gwei` or `7wei`; null for anything else, also where two readings are possible (`1,5LAX`, `1e3wei`, `1.5`). */
export function parseAmount(text: string): bigint | null {
  const [, digits = '', unit = ''] = /^((?:0|[1-9][0-9]{0,29})(?:\.[0-9]{1,18})?) ?(LAX|lax|gwei|wei)$/.exec(text) ?? []
  const decimals = unit === 'gwei' || unit === 'wei' ? DECIMALS[unit] : DECIMALS.LAX
  const wei = digits === '' ? null : parseDecimal(digits, decimals)
  return wei === null || wei === 0n ? null : wei
}
