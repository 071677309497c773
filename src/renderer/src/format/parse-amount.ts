// Parses typed amounts without rounding and without guessing.

/** Why a text isn't an amount. */
export type AmountFault =
  | { readonly kind: 'notNumber' }
  | { readonly kind: 'tooFine'; readonly decimals: number }
  /** In some languages the mark groups thousands, in others it begins the decimals; both readings, spelled unmistakably. */
  | { readonly kind: 'ambiguous'; readonly small: string; readonly large: string }

type ReadAmount =
  | { readonly value: bigint; readonly fault: null }
  | { readonly value: null; readonly fault: AmountFault }

/** Whether `1.234` or `1,234` could mean a thousand. A zero at the front groups nothing. */
export function isAmbiguous(text: string): boolean {
  return /^[1-9]\d{0,2}[.,]\d{3}$/.test(text.trim())
}

/** `text` in units of 10^`decimals`. One decimal mark, point or comma. */
export function readAmount(text: string, decimals: number): ReadAmount {
  const typed = text.trim()
  const match = /^(\d{1,60})(?:([.,])(\d{1,60}))?$/.exec(typed)
  if (match === null) return { value: null, fault: { kind: 'notNumber' } }
  const [, whole = '', mark = '', fraction = ''] = match
  if (isAmbiguous(typed)) {
    const small = decimals === 0 ? whole : `${whole}${unmistakable(fraction, mark)}`
    return { value: null, fault: { kind: 'ambiguous', small, large: `${whole}${fraction}` } }
  }
  if (fraction.length > decimals) return { value: null, fault: { kind: 'tooFine', decimals } }
  return { value: BigInt(whole + fraction.padEnd(decimals, '0')), fault: null }
}

/** The same, null for what isn't an amount. */
export function parseAmount(text: string, decimals: number): bigint | null {
  return readAmount(text, decimals).value
}

/** The shortest text that `parseAmount` reads back as `value`. */
export function amountText(value: bigint, decimals: number): string {
  const digits = value.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '')
  const text = fraction === '' ? whole : `${whole}.${fraction}`
  return isAmbiguous(text) ? `${text}0` : text
}

/** Decimals without zeros at the end; a fourth digit where three could be a group. */
function unmistakable(fraction: string, mark: string): string {
  const kept = fraction.replace(/0+$/, '')
  return kept === '' ? '' : `${mark}${kept.length === 3 ? `${kept}0` : kept}`
}
