// The port behind which blocks are executed. An engine knows state, transactions, receipts and the payout rule; header rules,
// proof of work, fork choice and storing stay outside. It reads through a callback and answers with changes: nothing is
// written before every check of the block has passed.

import type { Result } from '../codec/result'
import type { BlockHeader } from '../model/header'
import type { Receipt } from '../model/receipt'
import type { KnownSenders, SignedTransaction } from '../model/sender'
import type { AnyTransaction } from '../model/transaction'
import type { StoreReader } from '../store/store'
import type { StateChanges } from './state-changes'

/** What the instructions of a block can see of its header. */
export type ExecutionHeader = Pick<BlockHeader, 'number' | 'timestamp' | 'coinbase' | 'difficulty' | 'gasLimit'>

/** Everything that executing a block reads. */
export interface ExecutionContext {
  /** The state of the parent under the flat keys, its nodes and codes. */
  readonly state: StoreReader
  /** 32 bytes, root of that state */
  readonly parentRoot: Uint8Array
  readonly header: ExecutionHeader
  /** Hash of an ancestor of the block on its own branch, for BLOCKHASH; null when unknown. */
  readonly ancestorHash: (number: bigint) => Uint8Array | null
  /**
   * Asked inside transactions too, every few milliseconds where a block may take long. True ends the execution of a block with
   * ChainError CHAIN_NOT_OPEN: nothing is said about the block then. Building is ended by its candidates.
   */
  readonly stopped?: () => boolean
  /** Senders of the block's transactions that are known already. */
  readonly senders?: KnownSenders
  /** What the block's own header says of the outcome; absent while a block is built. */
  readonly expected?: Pick<BlockHeader, 'gasUsed' | 'logsBloom' | 'receiptRoot' | 'stateRoot'>
}

/** What executing gave; the caller compares it with the header. */
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
  /** Asked inside long transactions too: true gives the running one up. */
  readonly stopped?: () => boolean
  /**
   * Asked when the running one was given up: true when it alone has used up its time, and its account is left out then; else, and
   * where this is absent, the block ends before it.
   */
  outran?(): boolean
}

/** A template's content: also which of the offered transactions went in. */
export interface BuiltBlock extends ExecutedBlock {
  readonly transactions: readonly AnyTransaction[]
}

/** Throws for faults of the machine only (a missing node, an interrupt): an invalid block is a value. */
export interface ExecutionEngine {
  /** `typescript`, later `wasm` */
  readonly kind: string
  /** A refused block is a value: the text is the reference's ("could not apply tx 2 [0x…]: nonce too low: …"). */
  executeBlock(context: ExecutionContext, transactions: readonly AnyTransaction[]): Promise<Result<ExecutedBlock>>
  /** Takes candidates until the gas is used up. */
  buildBlock(context: ExecutionContext, candidates: CandidateQueue): Promise<BuiltBlock>
}
