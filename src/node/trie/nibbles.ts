// Paths of the Merkle-Patricia trie: half-bytes, and their compact ("hex prefix") form. Source: yellow paper appendix C.

/** Two nibbles per byte, high one first. */
export function nibblesOf(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(2 * bytes.length)
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0
    out[2 * i] = byte >>> 4
    out[2 * i + 1] = byte & 15
  }
  return out
}

/** Number of equal nibbles at the start of `a` and in `b` from `from` on. */
export function commonPrefix(a: Uint8Array, b: Uint8Array, from = 0): number {
  const limit = Math.min(a.length, b.length - from)
  let i = 0
  while (i < limit && a[i] === b[from + i]) i++
  return i
}

/** Compact form: flag nibble (2 = leaf, 1 = odd), then the path. */
export function packNibbles(path: Uint8Array, leaf: boolean): Uint8Array {
  const odd = path.length % 2
  const out = new Uint8Array((path.length - odd) / 2 + 1)
  out[0] = ((leaf ? 2 : 0) + odd) * 16 + (odd === 1 ? (path[0] ?? 0) : 0)
  for (let i = odd, at = 1; i < path.length; i += 2, at++) out[at] = (path[i] ?? 0) * 16 + (path[i + 1] ?? 0)
  return out
}

/** The path in a compact form, and whether it is a leaf's. */
export function unpackNibbles(packed: Uint8Array): { readonly path: Uint8Array; readonly leaf: boolean } {
  const all = nibblesOf(packed)
  const flag = all[0] ?? 0
  return { path: all.subarray((flag & 1) === 1 ? 1 : 2), leaf: flag >= 2 }
}
