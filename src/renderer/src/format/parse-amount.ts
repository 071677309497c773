// Parses typed amounts without rounding.

/**
 * `text` in units of 10^`decimals`, null if it isn't such a number. One decimal mark, point or comma. A comma followed
 * by three digits could also group thousands, so it is rejected rather than guessed.
 */
export function parseAmount(text: string, decimals: number): bigint | null {
  const match = /^(\d{1,60})(?:([.,])(\d{1,60}))?$/.exec(text.trim())
  if (match === null) return null
  const [, whole = '', mark = '', fraction = ''] = match
  if (mark === ',' && fraction.length === 3) return null
  if (fraction.length > decimals) return null
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

/** The shortest text that `parseAmount` reads back as `value`. */
export function amountText(value: bigint, decimals: number): string {
  const digits = value.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}
