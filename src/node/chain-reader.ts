// Asynchronous reads of the chain, answered by the chain worker: what RPC and the host's views use.
import type { WireClient } from '../base/wire/client'
import type { ChainWire } from './worker/chain-wire'
import type {
  AccountInfo,
  BlockDetail,
  BlockId,
  BlockSummary,
  PendingCounts,
  ReceiptInfo,
  TransactionInfo,
} from './worker/shapes'

/** All methods reject with CHAIN_NOT_OPEN while the node is not running. */
export interface ChainReader {
  head(): Promise<BlockSummary>
  /** Newest first, downwards from `from` (null = head), at most 1024. */
  blocksDown(from: number | null, count: number): Promise<readonly BlockSummary[]>
  /** By height, hash (32 bytes) or the head; null when unknown. */
  block(id: BlockId): Promise<BlockDetail | null>
  /** The same without transactions. */
  summary(id: BlockId): Promise<BlockSummary | null>
  /** Of the canonical chain or the pool. */
  transaction(hash: Uint8Array): Promise<TransactionInfo | null>
  receipt(hash: Uint8Array): Promise<ReceiptInfo | null>
  /** Executable pool transactions. */
  pending(): Promise<readonly TransactionInfo[]>
  counts(): Promise<PendingCounts>
  /** Balance, nonce and maturing subsidies; null when the block is unknown. @throws CHAIN_STATE_UNAVAILABLE */
  account(address: Uint8Array, at?: BlockId): Promise<AccountInfo | null>
  code(address: Uint8Array, at?: BlockId): Promise<Uint8Array | null>
  /** 32 bytes. @param slot 32 bytes */
  storage(address: Uint8Array, slot: Uint8Array, at?: BlockId): Promise<Uint8Array | null>
  /** Next nonce counting the executable pool transactions. */
  poolNonce(address: Uint8Array): Promise<bigint>
  /** Difficulty the child of the head must have. */
  nextDifficulty(): Promise<bigint>
  /** wei per gas */
  gasPrice(): Promise<bigint>
}

/** @param client asked at each call, so that a restarted worker is found; throws CHAIN_NOT_OPEN when there is none */
export function createChainReader(client: () => WireClient<ChainWire>): ChainReader {
  return {
    head: async () => client().call('chain.head', {}),
    blocksDown: async (from, count) => client().call('chain.blocksDown', { from, count }),
    block: async (id) => client().call('chain.block', { id }),
    summary: async (id) => client().call('chain.summary', { id }),
    transaction: async (hash) => client().call('chain.transaction', { hash }),
    receipt: async (hash) => client().call('chain.receipt', { hash }),
    pending: async () => client().call('chain.pending', {}),
    counts: async () => client().call('chain.counts', {}),
    account: async (address, at = 'head') => client().call('chain.account', { address, at }),
    code: async (address, at = 'head') => client().call('chain.code', { address, at }),
    storage: async (address, slot, at = 'head') => client().call('chain.storage', { address, slot, at }),
    poolNonce: async (address) => client().call('chain.poolNonce', { address }),
    nextDifficulty: async () => client().call('chain.nextDifficulty', {}),
    gasPrice: async () => client().call('chain.gasPrice', {}),
  }
}
