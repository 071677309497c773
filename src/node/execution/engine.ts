// The port for block execution. An engine knows state, transactions, receipts and the payout rule; header rules, proof
// of work, fork choice and storage stay outside. It reads through a callback and returns changes: nothing is written
// before all checks of the block have passed.
import type { Result } from '../codec/result'
import type { BlockHeader } from '../model/header'
import type { Receipt } from '../model/receipt'
import type { KnownSenders, SignedTransaction } from '../model/sender'
import type { AnyTransaction } from '../model/transaction'
import type { StoreReader } from '../store/store'
import type { StateChanges } from './state-changes'

/** Of a template's transactions: peers drop messages above 10 MiB, and a body travels with others. */
export const MAX_TEMPLATE_BYTES = 8 * 1024 * 1024
/** RLP head of a typed transaction in a block. */
const HEAD_BYTES = 4

/** Counts the bytes of a template's transactions. */
export class TemplateBytes {
  #left = MAX_TEMPLATE_BYTES

  /** Whether there is room for it. */
  fits(tx: AnyTransaction): boolean {
    return tx.raw.length + HEAD_BYTES <= this.#left
  }

  take(tx: AnyTransaction): void {
    this.#left -= tx.raw.length + HEAD_BYTES
  }
}

/** Hash of an ancestor on a block's own branch, 32 bytes; null when unknown. */
type AncestorHash = (number: bigint) => Uint8Array | null

/** Reads each hash of a block's 256 ancestors once: BLOCKHASH costs 20 gas, and a read as much time as thousands. */
export function readOnce(ancestorHash: AncestorHash): AncestorHash {
  const known = new Map<bigint, Uint8Array | null>()
  return (number) => {
    const found = known.get(number)
    if (found !== undefined) return found
    const hash = ancestorHash(number)
    known.set(number, hash)
    return hash
  }
}

/** The header fields visible to a block's instructions. */
export type ExecutionHeader = Pick<BlockHeader, 'number' | 'timestamp' | 'coinbase' | 'difficulty' | 'gasLimit'>

export interface ExecutionContext {
  /** The parent's state: flat entries, trie nodes and code. */
  readonly state: StoreReader
  /** 32 bytes, state root of the parent */
  readonly parentRoot: Uint8Array
  readonly header: ExecutionHeader
  /** Hash of an ancestor of the block on its own branch, for BLOCKHASH; null when unknown. */
  readonly ancestorHash: (number: bigint) => Uint8Array | null
  /** Polled every few ms, inside transactions too. True aborts with CHAIN_NOT_OPEN; when building, the candidates end. */
  readonly stopped?: () => boolean
  /** Senders of the block's transactions that were already recovered. */
  readonly senders?: KnownSenders
  /** The outcome claimed by the block's header; absent while building. */
  readonly expected?: Pick<BlockHeader, 'gasUsed' | 'logsBloom' | 'receiptRoot' | 'stateRoot'>
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

/** Pool transactions in building order, removable by account. */
export interface CandidateQueue {
  /** The best remaining one, or null. */
  peek(): SignedTransaction | null
  /** Removes the best one: its account's next takes its place. */
  shift(): void
  /** Removes the best one together with its account for this block. */
  pop(): void
  /** Polled inside long transactions too: true aborts the running one. */
  readonly stopped?: () => boolean
  /** After an abort: true = that transaction alone was too long, its account is left out; else the block ends before it. */
  outran?(): boolean
}

/** A template's content, including which of the candidates were included. */
export interface BuiltBlock extends ExecutedBlock {
  readonly transactions: readonly AnyTransaction[]
}

/** Throws only for faults of the machine (a missing node, an interrupt): an invalid block is a value. */
export interface ExecutionEngine {
  /** For the log: `wasm`. */
  readonly kind: string
  /** An invalid block is a value: the text is prlx's ("could not apply tx 2 [0x…]: nonce too low: …"). */
  executeBlock(context: ExecutionContext, transactions: readonly AnyTransaction[]): Promise<Result<ExecutedBlock>>
  /** Includes candidates until the gas is used up. */
  buildBlock(context: ExecutionContext, candidates: CandidateQueue): Promise<BuiltBlock>
}
