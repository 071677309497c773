// What the text in the chain search means. Pure.

type Search =
  | { readonly kind: 'page'; readonly path: string }
  /** A block's or a transaction's hash: only the node knows which. */
  | { readonly kind: 'hash'; readonly hash: string }

/** Null if it isn't a height, hash or address. Heights may be grouped as displayed; `0x` is optional. */
export function readSearch(text: string): Search | null {
  const plain = text.trim()
  const digits = plain.replace(/[\s.,'\u00a0\u202f_]/g, '')
  if (/^\d{1,15}$/.test(digits)) return { kind: 'page', path: `/node/block/${Number(digits)}` }
  const hex = /^(?:0x)?([0-9a-f]+)$/i.exec(plain)?.[1]?.toLowerCase() ?? ''
  if (hex.length === 64) return { kind: 'hash', hash: `0x${hex}` }
  if (hex.length === 40) return { kind: 'page', path: `/node/address/0x${hex}` }
  return null
}
