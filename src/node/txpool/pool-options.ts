// The pool's limits and the reference's numbers for them. Source: prlx core/tx_pool.go

export interface TxPoolOptions {
  readonly chainId: bigint
  /** wei per gas for transactions of peers */
  readonly minimumPrice: bigint
  /** How much more a replacement must offer, percent. */
  readonly priceBumpPercent: number
  /** Slots of 32 KiB of all transactions together. */
  readonly capacity: number
  /** Executable ones of all accounts; over it, accounts of peers with more than their guaranteed number give way. */
  readonly executable: number
  /** Executable ones that an account may always have. */
  readonly executablePerAccount: number
  /** Queued ones of all accounts; over it, the newest of peers give way. */
  readonly queued: number
  readonly queuedPerAccount: number
  /** How long an account of peers may do nothing with transactions behind a gap, ms. */
  readonly queuedLifetimeMs: number
  /** Reorgs deeper than this give nothing back. */
  readonly reorgDepth: number
  /** Whether what comes from here is treated like what comes from peers. */
  readonly noLocals: boolean
  /** Accounts that count as ours from the start, 20 bytes each. */
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
