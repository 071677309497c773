// The two tags for blocks that no reorganisation is expected to reach.

/** Depth below the head; never below genesis. */
export const SETTLED_DEPTHS = { safe: 6, finalized: 100 } as const
