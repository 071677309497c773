// The outcomes of an import.

/** What became of a block. `future` asks for a retry later and blames no peer. */
export type ImportOutcome =
  | { readonly kind: 'known' }
  | { readonly kind: 'side' }
  | { readonly kind: 'head' }
  | { readonly kind: 'future'; readonly reason: string }
  | { readonly kind: 'refused'; readonly reason: string }
