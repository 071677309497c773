// How far back a `full` node can go: to read a state, and to switch branches.

/** Reach of mode `full`, in blocks. */
export interface WindowSize {
  /** number of heads whose state can be read, the newest included */
  readonly states: bigint
  /** blocks that a reorganisation may remove */
  readonly reorg: bigint
  /** Blocks whose undo records are kept at least; 0: all. Their states can be read, without proofs. */
  readonly history: bigint
  /** Longest list of nodes that lies in a block's record: the index of a window full of them takes 20 MB. */
  readonly recordBytes: number
}

const RECORD_BYTES = 262_144

/** As many states as prlx keeps. Reorganisations reach 57 days back on the main network: undo records are small. */
export const FULL_WINDOW: WindowSize = { states: 128n, reorg: 8192n, history: 0n, recordBytes: RECORD_BYTES }
