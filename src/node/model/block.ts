// A block: header and transactions, `[header, [tx, ...]]` on the wire; there are no uncles on this chain.
// Source: prlx core/types/block.go
import { keccak256 } from '../codec/keccak'
import { fail, ok, type Result } from '../codec/result'
import { encodedList, type RlpSlice, rlpFields, rlpSlice, rlpSlices } from '../codec/rlp'
import { orderedRoot } from '../trie/trie'
import { type BlockHeader, blockHash, decodeHeader, encodeHeader } from './header'
import { type AnyTransaction, rawToBodyBytes, transactionFromSlice } from './transaction'

const NOT_TWO = 'block: want 2 items'

/** A decoded block; `hash` can be trusted, the consensus rules haven't been checked. */
export interface Block {
  readonly header: BlockHeader
  readonly transactions: readonly AnyTransaction[]
  /** 32 bytes, of the header */
  readonly hash: Uint8Array
  /** of the block's RLP */
  readonly sizeBytes: number
  /** Root over the transactions, 32 bytes, where it was computed beforehand. */
  readonly bodyRoot?: Uint8Array
}

/** Computes hash and size; validates nothing. */
export function createBlock(header: BlockHeader, transactions: readonly AnyTransaction[]): Block {
  return { header, transactions, hash: blockHash(header), sizeBytes: encodeBlock({ header, transactions }).length }
}

/** RLP [header, [transaction, ...]], as on the wire and in files. */
export function encodeBlock(block: Pick<Block, 'header' | 'transactions'>): Uint8Array {
  return encodedList([encodeHeader(block.header), encodeTransactions(block.transactions)])
}

/** RLP of the transaction list. */
export function encodeTransactions(transactions: readonly AnyTransaction[]): Uint8Array {
  return encodedList(transactions.map((tx) => rawToBodyBytes(tx.raw)))
}

/** A decoded header and its hash, 32 bytes. */
export type KnownHead = Pick<Block, 'header' | 'hash'>

interface KnownParts {
  /** Of exactly the block's header bytes. */
  readonly head?: KnownHead
  /** Hashes of its transactions by index, 32 bytes each. */
  readonly hashOf?: (index: number) => Uint8Array
}

/** Decodes one transaction at a time, for bounded memory. Each keeps the whole body's bytes alive: copy what stays. */
export function decodeBlock(bytes: Uint8Array, known: KnownParts = {}): Result<Block> {
  const parts = rlpFields(bytes, 2, NOT_TWO)
  if (!parts.ok) return parts
  const [headerPart, bodyPart] = parts.value
  if (headerPart === undefined || bodyPart === undefined) return fail(NOT_TWO)
  const head = known.head === undefined ? headFrom(headerPart.encoded) : ok(known.head)
  if (!head.ok) return head
  const transactions = transactionsFrom(bodyPart, known.hashOf)
  if (!transactions.ok) return transactions
  const { header, hash } = head.value
  return ok({ header, transactions: transactions.value, hash, sizeBytes: bytes.length })
}

function headFrom(encoded: Uint8Array): Result<KnownHead> {
  // A copy, of which the fields are views: whoever keeps or sends one doesn't keep or send the whole block.
  const header = decodeHeader(new Uint8Array(encoded))
  return header.ok ? ok({ header: header.value, hash: blockHash(header.value) }) : header
}

/** A block's transactions alone: its header isn't decoded. @param bytes RLP of the block */
export function decodeBlockBody(bytes: Uint8Array): Result<readonly AnyTransaction[]> {
  const parts = rlpFields(bytes, 2, NOT_TWO)
  const body = parts.ok ? parts.value[1] : undefined
  if (!parts.ok) return parts
  return body === undefined ? fail(NOT_TWO) : transactionsFrom(body)
}

/** The inverse of `encodeTransactions`. */
export function decodeTransactions(bytes: Uint8Array): Result<readonly AnyTransaction[]> {
  const list = rlpSlice(bytes)
  return list.ok ? transactionsFrom(list.value) : list
}

function transactionsFrom(list: RlpSlice, hashOf?: KnownParts['hashOf']): Result<readonly AnyTransaction[]> {
  if (!list.isList) return fail('block: the transactions are not a list')
  const transactions: AnyTransaction[] = []
  // One copy of the body, of which the transactions are views: a message or file of many blocks isn't kept alive.
  for (const entry of rlpSlices(list.payload.slice())) {
    const tx = entry.ok ? transactionFromSlice(entry.value, hashOf?.(transactions.length)) : entry
    if (!tx.ok) return tx
    transactions.push(tx.value)
  }
  return ok(transactions)
}

/** Root over the transactions of a body, 32 bytes. */
export function transactionRoot(transactions: readonly AnyTransaction[]): Uint8Array {
  return orderedRoot(
    transactions.map((tx) => tx.raw),
    keccak256,
  )
}
