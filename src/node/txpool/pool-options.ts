// The pool's limits and the reference's numbers for them. Source: prlx core/tx_pool.go

/** The limits. */
export interface TxPoolOptions {
  readonly chainId: bigint
  /** wei per gas for peers' transactions */
  readonly minimumPrice: bigint
  /** Minimum price increase of a replacement, percent. */
  readonly priceBumpPercent: number
  /** Slots of 32 KiB for all transactions. */
  readonly capacity: number
  /**
   * Executable ones over all accounts; above it, peers' accounts with more than their guaranteed number are trimmed.
   */
  readonly executable: number
  /** Executable ones guaranteed to each account. */
  readonly executablePerAccount: number
  /** Queued ones over all accounts; above it, the newest of peers are dropped. */
  readonly queued: number
  readonly queuedPerAccount: number
  /** How long a peer's account with queued transactions may be inactive, ms. */
  readonly queuedLifetimeMs: number
  /** Deeper reorganisations reinject nothing. */
  readonly reorgDepth: number
  /** Whether local transactions are treated like peers'. */
  readonly noLocals: boolean
  /** Accounts that are local from the start, 20 bytes each. */
  readonly locals: readonly Uint8Array[]
}

export const TXPOOL_DEFAULTS = {
  minimumPrice: 1n,
  priceBumpPercent: 10,
  capacity: 12_288,
  executable: 10_240,
  executablePerAccount: 32,
  queued: 2048,
  queuedPerAccount: 128,
  queuedLifetimeMs: 3 * 3600 * 1000,
  reorgDepth: 64,
  noLocals: false,
  locals: [],
} as const satisfies Partial<TxPoolOptions>
