// clef supports only part of EIP-712. A document within these limits is displayed to strict callers'
// programs exactly as by clef; recorded in vectors/signer/typed-data.json.
import type { TypeTable } from './types'

const WIDTHS = ['', '8', '16', '32', '64', '128', '256']

/** True for a document with a type that clef rejects: fixed, nested and most plain arrays, unusual widths. */
export function isBeyondReference(types: TypeTable): boolean {
  return [...types.values()].flat().some(({ type }) => !isKnown(type))
}

function isKnown(type: string): boolean {
  if (/^[A-Z]\w*(\[\])?$/.test(type)) return true
  if (/^bytes\d*(\[\])?$/.test(type)) return true
  const width = /^u?int(\d*)$/.exec(type)?.[1]
  if (width !== undefined) return WIDTHS.includes(width)
  return ['address', 'bool', 'string'].includes(type)
}
