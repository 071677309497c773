// Asynchronous reads of the chain, answered by the chain worker: what RPC and the host's views use.
import type { WireClient } from '../base/wire/client'
import type { ChainWire } from './worker/chain-wire'
import type { BadBlockInfo } from './worker/import-shapes'
import type { PendingBlockInfo } from './worker/pending-shapes'
import type { AccountContentInfo } from './worker/pool-wire'
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
  /** RLP of a block; null when it is unknown. */
  blockBytes(id: BlockId): Promise<Uint8Array | null>
  /** Of a whole block; null when it is unknown or was never executed. */
  receipts(id: BlockId): Promise<readonly ReceiptInfo[] | null>
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
  /** Accounts with waiting transactions, of one account only when named. */
  poolContent(address?: Uint8Array): Promise<readonly AccountContentInfo[]>
  /** The head and the executable pool transactions, with what they change in the head's state. */
  pendingBlock(): Promise<PendingBlockInfo>
  /** The last blocks that broke a rule, newest first, since the chain was opened. */
  badBlocks(): Promise<readonly BadBlockInfo[]>
  /** Height of the oldest canonical block whose state can be read. */
  statesFrom(): Promise<number>
  /** wei per gas */
  gasPrice(): Promise<bigint>
}

/** Asks for the pending block and keeps the last answer, so that an unchanged one does not cross again. */
function pendingBlockOf(client: () => WireClient<ChainWire>): () => Promise<PendingBlockInfo> {
  let kept: { readonly from: WireClient<ChainWire>; readonly id: number; readonly block: PendingBlockInfo } | null =
    null
  return async () => {
    const from = client()
    const before = kept?.from === from ? kept : null
    const { id, block } = await from.call('chain.pendingBlock', { known: before?.id ?? null })
    const found = block ?? before?.block
    if (found === undefined) throw new RangeError(`pending block ${id} was not sent`)
    if (kept?.from !== from || kept.id < id) kept = { from, id, block: found }
    return found
  }
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
    blockBytes: async (id) => client().call('chain.blockBytes', { id }),
    receipts: async (id) => client().call('chain.receipts', { id }),
    pending: async () => client().call('chain.pending', {}),
    counts: async () => client().call('chain.counts', {}),
    account: async (address, at = 'head') => client().call('chain.account', { address, at }),
    code: async (address, at = 'head') => client().call('chain.code', { address, at }),
    storage: async (address, slot, at = 'head') => client().call('chain.storage', { address, slot, at }),
    poolNonce: async (address) => client().call('chain.poolNonce', { address }),
    nextDifficulty: async () => client().call('chain.nextDifficulty', {}),
    poolContent: async (address) => client().call('chain.poolContent', { address: address ?? null }),
    pendingBlock: pendingBlockOf(client),
    badBlocks: async () => client().call('chain.badBlocks', {}),
    statesFrom: async () => (await client().call('chain.reach', {})).statesFrom,
    gasPrice: async () => client().call('chain.gasPrice', {}),
  }
}
