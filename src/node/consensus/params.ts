// A network's rules as numbers. One set of modules serves every network; the differences are here. Source: prlx
// params/config.go

export interface ConsensusParams {
  readonly chainId: bigint
  /** Difficulty changes at multiples of this height; 0 = never. 2016 on main. */
  readonly retargetIntervalBlocks: number
  /** target block time of the difficulty rules, seconds; 600 on main */
  readonly targetSpacingSeconds: number
  /** First height under ASERT, at least 2; null = never. 17560 on main. */
  readonly asertActivationHeight: number | null
  /** seconds */
  readonly asertHalfLifeSeconds: number
  /** ASERT's anchor: the block below the activation height, or always the parent (for a network with long pauses). */
  readonly asertAnchor: 'fixed' | 'parent'
  /** With anchor `parent`: a longer gap between two blocks counts as this; null = no limit. */
  readonly maxSolveSeconds: number | null
  readonly minimumDifficulty: bigint
  readonly coinbaseMaturityBlocks: number
  /** wei of block 1; halves every `subsidyHalvingBlocks` */
  readonly initialSubsidy: bigint
  readonly subsidyHalvingBlocks: number
  /** How many seconds a header may be ahead of our clock. */
  readonly futureLimitSeconds: number
}

const COMMON = {
  targetSpacingSeconds: 600,
  asertHalfLifeSeconds: 172_800,
  asertAnchor: 'fixed',
  maxSolveSeconds: null,
  minimumDifficulty: 1n,
  coinbaseMaturityBlocks: 100,
  initialSubsidy: 50n * 10n ** 18n,
  subsidyHalvingBlocks: 210_000,
  futureLimitSeconds: 300,
} as const

export const MAIN_CONSENSUS: ConsensusParams = {
  ...COMMON,
  chainId: 2110n,
  retargetIntervalBlocks: 2016,
  asertActivationHeight: 17_560,
}

export const TEST_CONSENSUS: ConsensusParams = {
  ...COMMON,
  chainId: 2111n,
  retargetIntervalBlocks: 2016,
  asertActivationHeight: null,
}

/** Blocks every 5 s on one core; after the program was closed, no burst of blocks follows. */
export const PRACTICE_CONSENSUS: ConsensusParams = {
  ...COMMON,
  chainId: 1337n,
  retargetIntervalBlocks: 2016,
  targetSpacingSeconds: 5,
  asertActivationHeight: 2,
  asertHalfLifeSeconds: 60,
  asertAnchor: 'parent',
  maxSolveSeconds: 60,
  minimumDifficulty: 4096n,
  coinbaseMaturityBlocks: 10,
}
