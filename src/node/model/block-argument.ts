// How a caller names a block: by height, hash or tag.

/** Names without a height; `safe` and `finalized` are known words that this chain doesn't have. */
export type BlockTag = 'latest' | 'earliest' | 'pending' | 'safe' | 'finalized'

/** A block as a caller named it, checked for form only. */
export type BlockArgument =
  | { readonly kind: 'tag'; readonly tag: BlockTag }
  | { readonly kind: 'number'; readonly number: number }
  | { readonly kind: 'hash'; readonly hash: Uint8Array; readonly requireCanonical: boolean }
  | { readonly kind: 'neither' }
