// How a caller identifies a block: by height, hash or tag.

/** Tags without a height; `safe` and `finalized` are known words that this chain lacks. */
export type BlockTag = 'latest' | 'earliest' | 'pending' | 'safe' | 'finalized'

/** A block as identified by a caller; only its form was validated. */
export type BlockArgument =
  | { readonly kind: 'tag'; readonly tag: BlockTag }
  | { readonly kind: 'number'; readonly number: number }
  | { readonly kind: 'hash'; readonly hash: Uint8Array; readonly requireCanonical: boolean }
  | { readonly kind: 'neither' }

/** Depth of two tags below the head, which no reorganisation is expected to reach; never below genesis. */
export const SETTLED_DEPTHS = { safe: 6, finalized: 100 } as const
