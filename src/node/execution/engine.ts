// The port behind which blocks are executed. An engine knows state, transactions, receipts and the payout rule; header rules,
// proof of work, fork choice and storing stay outside. It reads through a callback and answers with changes: nothing is
// written before every check of the block has passed.

import type { BlockHeader } from '../chain/header'
import type { Receipt } from '../chain/receipt'
import type { KnownSenders, SignedTransaction } from '../chain/sender'
import type { AnyTransaction } from '../chain/transaction'
import type { Result } from '../codec/result'
import type { StoreReader } from '../store/store'
import type { StateChanges } from './state-changes'

/** What the instructions of a block can see of its header. */
export type ExecutionHeader = Pick<BlockHeader, 'number' | 'timestamp' | 'coinbase' | 'difficulty' | 'gasLimit'>

export interface ExecutionContext {
  /** The state of the parent under the flat keys, its nodes and codes. */
  readonly state: StoreReader
  /** 32 bytes, root of that state */
  readonly parentRoot: Uint8Array
  readonly header: ExecutionHeader
  /** Hash of an ancestor of the block on its own branch, for BLOCKHASH; null when unknown. */
  readonly ancestorHash: (number: bigint) => Uint8Array | null
  /** Senders of the block's transactions that are known already. */
  readonly senders?: KnownSenders
}

export interface ExecutedBlock {
  readonly receipts: readonly Receipt[]
  readonly gasUsed: bigint
  /** 256 bytes */
  readonly logsBloom: Uint8Array
  /** 32 bytes */
  readonly receiptRoot: Uint8Array
  readonly changes: StateChanges
}

/** Pool transactions in the order of building, dropped by account. */
export interface CandidateQueue {
  /** The best one left, or null. */
  peek(): SignedTransaction | null
  /** The best one is done with: its account's next takes its place. */
  shift(): void
  /** The best one's account is done with for this block. */
  pop(): void
  /** Asked inside long transactions too: true gives the running one up and ends the block before it. */
  readonly stopped?: () => boolean
}

export interface BuiltBlock extends ExecutedBlock {
  readonly transactions: readonly AnyTransaction[]
}

export interface ExecutionEngine {
  /** `typescript`, later `wasm` */
  readonly kind: string
  /** A refused block is a value: the text is the reference's ("could not apply tx 2 [0x…]: nonce too low: …"). */
  executeBlock(context: ExecutionContext, transactions: readonly AnyTransaction[]): Promise<Result<ExecutedBlock>>
  /** Takes candidates until the gas is used up. */
  buildBlock(context: ExecutionContext, candidates: CandidateQueue): Promise<BuiltBlock>
}
