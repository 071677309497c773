// Blocks in the database: what is stored of each, the canonical index, and walks along a branch.
import { bigintFromBytes, equalBytes, minimalBytes } from '../../base/bytes'
import { toHex } from '../../base/hex'
import { FieldReader } from '../codec/fields'
import { decodeRlp, encodeRlp, rlpInteger } from '../codec/rlp'
import { chainKeys, metaKeys } from '../store/keys'
import type { StoreReader, StoreWriter } from '../store/store'
import { type Block, decodeTransactions, encodeBlock, encodeTransactions } from './block'
import { type BlockHeader, decodeHeader, encodeHeader } from './header'
import { decodeStoredReceipts, encodeStoredReceipts, type Receipt } from './receipt'

const CACHED_HEADERS = 2048

export interface TransactionPlace {
  readonly blockHash: Uint8Array
  readonly index: number
}

/** Reads blocks; remembers the headers it read last. */
export class ChainReads {
  readonly #store: StoreReader
  readonly #headers = new Map<string, BlockHeader>()

  constructor(store: StoreReader) {
    this.#store = store
  }

  header(hash: Uint8Array): BlockHeader | null {
    const name = toHex(hash)
    const known = this.#headers.get(name)
    if (known !== undefined) return known
    const bytes = this.#store.get(chainKeys.header(hash))
    if (bytes === undefined) return null
    const header = decodeHeader(bytes)
    if (!header.ok) throw new RangeError(`stored block ${name} is damaged: ${header.error}`)
    if (this.#headers.size >= CACHED_HEADERS) this.#headers.clear()
    this.#headers.set(name, header.value)
    return header.value
  }

  /** After a block was removed from the store. */
  forget(hash: Uint8Array): void {
    this.#headers.delete(toHex(hash))
  }

  block(hash: Uint8Array): Block | null {
    const header = this.header(hash)
    const body = this.#store.get(chainKeys.body(hash))
    if (header === null || body === undefined) return null
    const transactions = decodeTransactions(body)
    if (!transactions.ok) throw new RangeError(`stored block ${toHex(hash)} is damaged: ${transactions.error}`)
    const block = { header, transactions: transactions.value }
    return { ...block, hash, sizeBytes: encodeBlock(block).length }
  }

  /** Null for blocks that were never executed. */
  receipts(hash: Uint8Array): readonly Receipt[] | null {
    const bytes = this.#store.get(chainKeys.receipts(hash))
    if (bytes === undefined) return null
    const receipts = decodeStoredReceipts(bytes)
    if (!receipts.ok) throw new RangeError(`stored receipts of ${toHex(hash)} are damaged: ${receipts.error}`)
    return receipts.value
  }

  /** Sum of difficulties from genesis to this block, inclusive; null when the block is unknown. */
  totalDifficulty(hash: Uint8Array): bigint | null {
    const bytes = this.#store.get(chainKeys.totalDifficulty(hash))
    return bytes === undefined ? null : bigintFromBytes(bytes)
  }

  canonicalHash(number: bigint): Uint8Array | null {
    return this.#store.get(chainKeys.canonical(number)) ?? null
  }

  isCanonical(number: bigint, hash: Uint8Array): boolean {
    const canonical = this.canonicalHash(number)
    return canonical !== null && equalBytes(canonical, hash)
  }

  transactionPlace(hash: Uint8Array): TransactionPlace | null {
    const bytes = this.#store.get(chainKeys.transaction(hash))
    const decoded = bytes === undefined ? null : decodeRlp(bytes)
    if (decoded === null || !decoded.ok || decoded.value instanceof Uint8Array) return null
    const fields = new FieldReader('transaction place', decoded.value)
    return { blockHash: fields.bytes('block', { length: 32 }), index: Number(fields.integer('index')) }
  }

  /** The block at `number` on the branch that ends in `header`; null when it is not known. */
  ancestor(header: BlockHeader, number: bigint): BlockHeader | null {
    if (number > header.number || number < 0n) return null
    let at: BlockHeader | null = header
    while (at !== null && at.number > number) {
      const below: bigint = at.number - 1n
      if (this.isCanonical(below, at.parentHash)) {
        const hash = this.canonicalHash(number)
        return hash === null ? null : this.header(hash)
      }
      at = this.header(at.parentHash)
    }
    return at
  }
}

/** What every accepted block leaves, executed or not. */
export function writeBlock(writer: StoreWriter, block: Block, totalDifficulty: bigint): void {
  writer.put(chainKeys.header(block.hash), encodeHeader(block.header))
  writer.put(chainKeys.body(block.hash), encodeTransactions(block.transactions))
  writer.put(chainKeys.totalDifficulty(block.hash), minimalBytes(totalDifficulty))
}

/** Makes `block` the canonical one of its height and the head. */
export function writeCanonical(writer: StoreWriter, block: Block, receipts: readonly Receipt[]): void {
  writer.put(chainKeys.receipts(block.hash), encodeStoredReceipts(receipts))
  writer.put(chainKeys.canonical(block.header.number), block.hash)
  block.transactions.forEach((tx, index) => {
    writer.put(chainKeys.transaction(tx.hash), encodeRlp([block.hash, rlpInteger(index)]))
  })
  writer.put(metaKeys.head, block.hash)
}

/** Takes `block`, the head, out of the canonical chain; it stays stored as a side block. */
export function removeCanonical(writer: StoreWriter, block: Block): void {
  writer.delete(chainKeys.receipts(block.hash))
  writer.delete(chainKeys.canonical(block.header.number))
  for (const tx of block.transactions) writer.delete(chainKeys.transaction(tx.hash))
  writer.put(metaKeys.head, block.header.parentHash)
}

/** Forgets a block that turned out to be bad. */
export function removeBlock(writer: StoreWriter, hash: Uint8Array): void {
  writer.delete(chainKeys.header(hash))
  writer.delete(chainKeys.body(hash))
  writer.delete(chainKeys.totalDifficulty(hash))
}
