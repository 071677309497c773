// Hashes, addresses and foreign text as text that cannot mislead: shortened in lists, checksummed and whole in approvals,
// control and direction marks made visible.
import { checksumAddress } from '../../../base/checksum-address'

/** First 6 digits, `…`, last 4. */
export function shortHex(hex: string): string {
  const digits = hex.slice(2)
  return digits.length <= 10 ? hex : `0x${digits.slice(0, 6)}…${digits.slice(-4)}`
}

/** `0x` and groups of 4 digits with spaces between. */
export function groupHex(hex: string): string {
  return `0x${hex.slice(2).replace(/(.{4})(?=.)/g, '$1 ')}`
}

/** True for `0x` and 40 hex digits, whatever their case. */
export function isAddress(text: string): boolean {
  return /^0x[0-9a-fA-F]{40}$/.test(text)
}

/**
 * True if the case of its letters contradicts their checksum (EIP-55), as after a typo. All in one case carry none.
 */
export function isMisspelled(address: string): boolean {
  const digits = address.slice(2)
  const isMixed = /[a-f]/.test(digits) && /[A-F]/.test(digits)
  return isAddress(address) && isMixed && checksumAddress(address) !== address
}

/** True for `0x` and 64 hex digits. */
export function isHash(text: string): boolean {
  return /^0x[0-9a-fA-F]{64}$/.test(text)
}

/** The mixed-case spelling that carries a checksum (EIP-55); text that isn't an address comes back as it is. */
export function spelledAddress(text: string): string {
  return isAddress(text) ? checksumAddress(text) : text
}

interface TextPiece {
  readonly text: string
  /** True for a mark that represents an invisible character. */
  readonly isMark: boolean
}

/**
 * Splits foreign text so that nothing in it is invisible: control characters, direction overrides, zero-width characters
 * become marks such as `U+202E`. Line feeds stay when `keepLines`.
 */
export function visiblePieces(text: string, keepLines: boolean): readonly TextPiece[] {
  const pieces: TextPiece[] = []
  let plain = ''
  for (const character of text) {
    if (!isInvisible(character, keepLines)) {
      plain += character
      continue
    }
    if (plain !== '') pieces.push({ text: plain, isMark: false })
    plain = ''
    pieces.push({ text: codePointName(character), isMark: true })
  }
  if (plain !== '') pieces.push({ text: plain, isMark: false })
  return pieces
}

function isInvisible(character: string, keepLines: boolean): boolean {
  if (keepLines && character === '\n') return false
  return /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\u2028\u2029]/u.test(character)
}

function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
