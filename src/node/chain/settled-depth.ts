// The two tags for blocks that no reorganisation is expected to reach. Source: rpc.md 1 (row 4)

/** Blocks under the head, never below genesis. */
export const SETTLED_DEPTHS = { safe: 6, finalized: 100 } as const
