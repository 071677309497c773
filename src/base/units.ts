// Amounts of LAX. wei is the only unit internally; text comes from big integers, never from floats.

/** Decimals of one LAX. */
export const LAX_DECIMALS = 18
export const WEI_PER_LAX = 10n ** 18n
export const WEI_PER_GWEI = 10n ** 9n
/** In a millionth of a LAX, the unit of the ledger of money. */
export const WEI_PER_MICRO = 10n ** 12n

/** The largest number of 256 bits. */
export const MAX_UINT256 = 2n ** 256n - 1n

/** Exact decimal text of `wei` in a unit of `decimals` places, trailing zeros dropped: 1500000000000000000 -> `1.5`. */
export function formatDecimal(wei: bigint, decimals: number = LAX_DECIMALS): string {
  const sign = wei < 0n ? '-' : ''
  const digits = (wei < 0n ? -wei : wei).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return fraction === '' ? `${sign}${whole}` : `${sign}${whole}.${fraction}`
}

/** wei of a decimal text such as `12.5`; null when it isn't one or has more than `decimals` places. */
export function parseDecimal(text: string, decimals: number = LAX_DECIMALS): bigint | null {
  const match = /^(\d{1,60})(?:\.(\d+))?$/.exec(text.trim())
  if (match === null) return null
  const fraction = match[2] ?? ''
  if (fraction.length > decimals) return null
  return BigInt(`${match[1]}${fraction.padEnd(decimals, '0')}`)
}
