// Hashes and addresses as text: shortened in lists, checksummed and whole in approvals.
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

/** True if the case of its letters contradicts their checksum (EIP-55), as after a typo. All in one case carry none. */
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
