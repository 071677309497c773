// How far back a node of mode `full` can go: to read a state, and to follow another branch.

/** How far back mode `full` reaches, in blocks. */
export interface WindowSize {
  /** heads whose state can be read, the newest included */
  readonly states: bigint
  /** blocks that a reorganisation may take back */
  readonly reorg: bigint
}

/**
 * As many states as the reference keeps. Reorganisations of 57 days of the network's blocks: undo records are small, and the trie
 * nodes of older states can be made again from them.
 */
export const FULL_WINDOW: WindowSize = { states: 128n, reorg: 8192n }
