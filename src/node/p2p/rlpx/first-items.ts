// Decoding before both sides know each other's version: reads the known items and ignores later ones and padding.
import { decodeRlp, type RlpItem } from '../../codec/rlp'

/** The RLP item at the start of `bytes`, whatever follows; null when there is none. */
export function leadingItem(bytes: Uint8Array): RlpItem | null {
  const prefix = bytes[0]
  if (prefix === undefined) return null
  const size = itemSize(bytes, prefix)
  if (size === null || size > bytes.length) return null
  const decoded = decodeRlp(bytes.subarray(0, size))
  return decoded.ok ? decoded.value : null
}

/** The first `count` byte strings of the list at the start of `bytes`. */
export function firstItems(bytes: Uint8Array, count: number): readonly Uint8Array[] | null {
  const list = leadingItem(bytes)
  if (list === null || list instanceof Uint8Array) return null
  const items: Uint8Array[] = []
  for (const item of list.slice(0, count)) if (item instanceof Uint8Array) items.push(item.slice())
  return items.length === count ? items : null
}

function itemSize(bytes: Uint8Array, prefix: number): number | null {
  if (prefix < 0x80) return 1
  const short = prefix - (prefix >= 0xc0 ? 0xc0 : 0x80)
  if (short < 56) return 1 + short
  const digits = short - 55
  if (digits > 4) return null
  let length = 0
  for (let i = 1; i <= digits; i++) length = length * 256 + (bytes[i] ?? 0)
  return 1 + digits + length
}
