// Blocks in the database: what is stored per block, the canonical index, and walks along a branch.
import { bigintFromBytes, compareBytes, equalBytes, minimalBytes } from '../../base/bytes'
import { toHex } from '../../base/hex'
import { FieldReader } from '../codec/fields'
import { keccak256 } from '../codec/keccak'
import { fail } from '../codec/result'
import { decodeRlp, encodeRlp, type RlpSlice, rlpInteger, rlpSlice, rlpSlices } from '../codec/rlp'
import { unindexLogs } from '../log-index/log-index'
import { type Block, decodeTransactions, encodeBlock, encodeTransactions } from '../model/block'
import { type BlockHeader, decodeHeader, encodeHeader } from '../model/header'
import { decodeStoredReceipts, encodeStoredReceipts, type Receipt } from '../model/receipt'
import { StoredReceipts } from '../model/stored-receipts'
import { rawOf } from '../model/transaction'
import { chainKeys, metaKeys } from '../store/keys'
import { type Store, StoreLayer, type StoreReader, type StoreWriter } from '../store/store'

const CACHED_HEADERS = 2048

/** Reads blocks; caches recent headers. */
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
    this.remember({ header: header.value, hash })
    return header.value
  }

  /** Of a stored block, without decoding its header; null when it is missing. @throws RangeError when it is damaged */
  parentHash(hash: Uint8Array): Uint8Array | null {
    const bytes = this.#store.get(chainKeys.header(hash))
    if (bytes === undefined) return null
    const header = rlpSlice(bytes)
    const first = header.ok && header.value.isList ? rlpSlices(header.value.payload).next().value : null
    if (first?.ok !== true || first.value.payload.length !== hash.length)
      throw new RangeError(`stored block ${toHex(hash)} is damaged`)
    return first.value.payload
  }

  /** Spares decoding the header of a block that was just stored. */
  remember({ header, hash }: Pick<Block, 'header' | 'hash'>): void {
    if (this.#headers.size >= CACHED_HEADERS) this.#headers.clear()
    this.#headers.set(toHex(hash), header)
  }

  /** Called after a block was removed from the store. */
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

  /** Of a block, without decoding them; null when its body is missing. @throws RangeError when it is damaged */
  transactionCount(hash: Uint8Array): number | null {
    return this.#transactions(hash)?.length ?? null
  }

  /** Hash of each of a block's transactions, computed when it is asked for; null and throws as `transactionCount` */
  transactionHashes(hash: Uint8Array): ((index: number) => Uint8Array) | null {
    const transactions = this.#transactions(hash)
    if (transactions === null) return null
    return (index) => {
      const transaction = transactions[index]
      if (transaction === undefined) throw new RangeError(`stored body of ${toHex(hash)} is damaged`)
      return keccak256(rawOf(transaction))
    }
  }

  #transactions(hash: Uint8Array): readonly RlpSlice[] | null {
    const body = this.#store.get(chainKeys.body(hash))
    if (body === undefined) return null
    const list = rlpSlice(body)
    const entries = list.ok && list.value.isList ? [...rlpSlices(list.value.payload)] : [fail('no list')]
    return entries.map((entry) => {
      if (!entry.ok) throw new RangeError(`stored body of ${toHex(hash)} is damaged`)
      return entry.value
    })
  }

  /** Null for blocks that were never executed. */
  receipts(hash: Uint8Array): readonly Receipt[] | null {
    const bytes = this.#store.get(chainKeys.receipts(hash))
    if (bytes === undefined) return null
    const receipts = decodeStoredReceipts(bytes)
    if (!receipts.ok) throw new RangeError(`stored receipts of ${toHex(hash)} are damaged: ${receipts.error}`)
    return receipts.value
  }

  /** Bytes of a block's receipts in stored form; null when it was never executed. */
  receiptsLength(hash: Uint8Array): number | null {
    return this.#store.get(chainKeys.receipts(hash))?.length ?? null
  }

  /** Its receipts read in place: for blocks with many logs. */
  storedReceipts(hash: Uint8Array): StoredReceipts | null {
    const bytes = this.#store.get(chainKeys.receipts(hash))
    return bytes === undefined ? null : new StoredReceipts(bytes)
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

  transactionPlace(hash: Uint8Array): { readonly blockHash: Uint8Array; readonly index: number } | null {
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

/** What every accepted block stores, executed or not. */
export function writeBlock(writer: StoreWriter, block: Block, totalDifficulty: bigint): void {
  writer.put(chainKeys.header(block.hash), encodeHeader(block.header))
  writer.put(chainKeys.body(block.hash), encodeTransactions(block.transactions))
  writer.put(chainKeys.totalDifficulty(block.hash), minimalBytes(totalDifficulty))
}

/** The same for a block outside the canonical chain. */
export function writeSideBlock(writer: StoreWriter, block: Block, totalDifficulty: bigint): void {
  writeBlock(writer, block, totalDifficulty)
  writeSide(writer, block)
}

/** Marks a stored block as a side block. */
export function writeSide(writer: StoreWriter, block: Pick<Block, 'header' | 'hash'>): void {
  writer.put(chainKeys.side(block.header.number, block.hash), new Uint8Array(0))
}

/** Makes `block` the canonical one at its height and the head. Its logs are indexed separately. */
export function writeCanonical(writer: StoreWriter, block: Block, receipts: readonly Receipt[]): void {
  writer.put(chainKeys.receipts(block.hash), encodeStoredReceipts(receipts))
  writer.put(chainKeys.canonical(block.header.number), block.hash)
  block.transactions.forEach((tx, index) => {
    writer.put(chainKeys.transaction(tx.hash), encodeRlp([block.hash, rlpInteger(index)]))
  })
  writer.delete(chainKeys.side(block.header.number, block.hash))
  writer.put(metaKeys.head, block.hash)
}

/** Takes the head out of the canonical chain; its receipts stay, since its logs are reported as removed. */
export function removeCanonical(writer: StoreReader & StoreWriter, block: Block): void {
  unindexLogs(writer, block.header.number, new ChainReads(writer).receipts(block.hash) ?? [])
  writer.delete(chainKeys.canonical(block.header.number))
  writeSide(writer, block)
  for (const tx of block.transactions) writer.delete(chainKeys.transaction(tx.hash))
  writer.put(metaKeys.head, block.header.parentHash)
}

/** Removes a non-canonical block. */
function removeBlock(writer: StoreWriter, { number, hash }: { number: bigint; hash: Uint8Array }): void {
  writer.delete(chainKeys.side(number, hash))
  writer.delete(chainKeys.receipts(hash))
  writer.delete(chainKeys.header(hash))
  writer.delete(chainKeys.body(hash))
  writer.delete(chainKeys.totalDifficulty(hash))
}

/** The blocks from the canonical chain up to `block`, and their canonical ancestor. */
export function branchOf(
  reads: ChainReads,
  block: Block,
): { readonly branch: readonly Block[]; readonly ancestor: BlockHeader } {
  const branch = [block]
  let parentHash = block.header.parentHash
  for (;;) {
    const parent = reads.block(parentHash)
    if (parent === null) throw new RangeError(`stored block ${toHex(parentHash)} is missing`)
    if (reads.isCanonical(parent.header.number, parent.hash))
      return { branch: branch.reverse(), ancestor: parent.header }
    branch.push(parent)
    parentHash = parent.header.parentHash
  }
}

interface SideBlock {
  readonly number: bigint
  readonly hash: Uint8Array
  readonly parentHash: Uint8Array
}

/** All side blocks, lowest first. */
export async function sideBlocks(store: StoreReader, reads: ChainReads): Promise<readonly SideBlock[]> {
  const prefix = chainKeys.side(0n, new Uint8Array(0)).subarray(0, 1)
  const keys = [...(await store.keysWithPrefix(prefix))].sort(compareBytes) // heights are big-endian
  return keys.flatMap((key) => {
    const hash = key.slice(1 + 8)
    const header = reads.header(hash)
    return header === null ? [] : [{ number: header.number, hash, parentHash: header.parentHash }]
  })
}

/** Removes the side blocks for which `isGone` returns true; it is called lowest first. @returns the removed ones */
export async function forgetSideBlocks(
  store: Store,
  reads: ChainReads,
  isGone: (block: SideBlock) => boolean,
): Promise<readonly SideBlock[]> {
  const gone = (await sideBlocks(store, reads)).filter(isGone)
  const layer = new StoreLayer(store)
  for (const block of gone) removeBlock(layer, block)
  await store.write(layer.changes())
  for (const { hash } of gone) reads.forget(hash)
  return gone
}
