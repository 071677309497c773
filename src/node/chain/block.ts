// A block: header and transactions, `[header, [tx, ...]]` on the wire; there are no uncles on this chain.
// Source: prlx core/types/block.go; chain.md 1
import { concatBytes, joinBytes } from '../../base/bytes'
import { keccak256 } from '../codec/keccak'
import { fail, ok, type Result } from '../codec/result'
import { decodeRlp, encodeRlp, type RlpItem } from '../codec/rlp'
import { orderedRoot } from '../trie/ordered-root'
import { type BlockHeader, blockHash, encodeHeader, headerFromItem } from './header'
import { type AnyTransaction, rawToBodyBytes, transactionFromItem } from './transaction'

export interface Block {
  readonly header: BlockHeader
  readonly transactions: readonly AnyTransaction[]
  /** 32 bytes, of the header */
  readonly hash: Uint8Array
  /** of the block's RLP */
  readonly sizeBytes: number
}

export function createBlock(header: BlockHeader, transactions: readonly AnyTransaction[]): Block {
  return { header, transactions, hash: blockHash(header), sizeBytes: encodeBlock({ header, transactions }).length }
}

export function encodeBlock(block: Pick<Block, 'header' | 'transactions'>): Uint8Array {
  return wrapList(concatBytes(encodeHeader(block.header), encodeTransactions(block.transactions)))
}

/** RLP of the transaction list. */
export function encodeTransactions(transactions: readonly AnyTransaction[]): Uint8Array {
  return wrapList(joinBytes(transactions.map((tx) => rawToBodyBytes(tx.raw))))
}

export function decodeBlock(bytes: Uint8Array): Result<Block> {
  const decoded = decodeRlp(bytes)
  if (!decoded.ok) return decoded
  if (decoded.value instanceof Uint8Array || decoded.value.length !== 2) return fail('block: want 2 items')
  const [headerItem, bodyItem] = decoded.value
  if (headerItem === undefined || bodyItem === undefined) return fail('block: want 2 items')
  const header = headerFromItem(headerItem)
  if (!header.ok) return header
  const transactions = transactionsFromItem(bodyItem)
  if (!transactions.ok) return transactions
  const hash = blockHash(header.value)
  return ok({ header: header.value, transactions: transactions.value, hash, sizeBytes: bytes.length })
}

/** The inverse of `encodeTransactions`. */
export function decodeTransactions(bytes: Uint8Array): Result<readonly AnyTransaction[]> {
  const decoded = decodeRlp(bytes)
  return decoded.ok ? transactionsFromItem(decoded.value) : decoded
}

function transactionsFromItem(item: RlpItem): Result<readonly AnyTransaction[]> {
  if (item instanceof Uint8Array) return fail('block: the transactions are not a list')
  const transactions: AnyTransaction[] = []
  for (const entry of item) {
    const tx = transactionFromItem(entry)
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

function wrapList(payload: Uint8Array): Uint8Array {
  // Encoding the payload as a byte string gives the right length; only the offset of the prefix differs.
  if (payload.length < 56) return concatBytes(Uint8Array.of(0xc0 + payload.length), payload)
  const asString = encodeRlp(payload)
  const out = asString.slice()
  out[0] = (out[0] ?? 0) + 0x40
  return out
}
