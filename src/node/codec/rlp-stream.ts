// Cutting a growing stream of RLP items: how much of what has come so far is whole.
import { bigintFromBytes } from '../../base/bytes'

/** Position behind the last whole item of `bytes`; 0 when there is none. Only lengths are looked at. */
export function wholeItems(bytes: Uint8Array): number {
  let at = 0
  for (;;) {
    const end = itemEnd(bytes, at)
    if (end === null || end > bytes.length) return at
    at = end
  }
}

/** Null when the prefix is not all there. */
function itemEnd(bytes: Uint8Array, at: number): number | null {
  const prefix = bytes[at]
  if (prefix === undefined) return null
  if (prefix < 0x80) return at + 1
  const short = prefix - (prefix >= 0xc0 ? 0xc0 : 0x80)
  if (short < 56) return at + 1 + short
  const payload = at + 1 + (short - 55)
  return payload > bytes.length ? null : payload + Number(bigintFromBytes(bytes.subarray(at + 1, payload)))
}
