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

/** No chain reaches it: greater heights stand for it, because they only have to stay unknown. */
const LAST_HEIGHT = Number.MAX_SAFE_INTEGER

/** A height from a caller as a number. */
export function heightFromCaller(number: bigint): number {
  return number > LAST_HEIGHT ? LAST_HEIGHT : Number(number)
}

/** In answers to a caller: it never names another height than the caller did. */
export function heightName(height: number): string {
  return height === LAST_HEIGHT ? `${height} or above` : String(height)
}
