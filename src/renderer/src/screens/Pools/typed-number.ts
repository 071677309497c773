// Numbers typed into the calculator: one decimal mark, point or comma; large ones with a unit letter. Pure.

const SIZES: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, g: 1e9, t: 1e12, p: 1e15, e: 1e18 }

/** Null if it isn't a number from 0 to `most`. */
export function readNumber(text: string, most: number): number | null {
  if (!/^\d{1,7}([.,]\d{1,6})?$/.test(text.trim())) return null
  const value = Number(text.trim().replace(',', '.'))
  return value <= most ? value : null
}

/** `62.3 M`, `62,3MH/s`, `4.29 G`, `71300`: null if it isn't a number above 0. */
export function readScaled(text: string): number | null {
  const match = /^(\d{1,18}(?:[.,]\d{1,6})?)\s*([kmgtpe]?)(?:h\/s)?$/i.exec(text.trim())
  if (match === null) return null
  const [, digits = '', size = ''] = match
  const value = Number(digits.replace(',', '.')) * (SIZES[size.toLowerCase()] ?? 1)
  return value > 0 ? value : null
}
