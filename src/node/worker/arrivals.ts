// What was decoded before its block is imported: verified headers, and whole blocks whose body fits their header. It
// only saves time: what isn't kept any more is decoded from the block's bytes, with the same result.
import { equalBytes } from '../../base/bytes'
import { toBareHex } from '../../base/hex'
import { headerBytesOf } from '../block-file/block-header'
import { keccak256 } from '../codec/keccak'
import { type Block, decodeBlock, type KnownHead, transactionRoot } from '../model/block'
import type { BlockHeader } from '../model/header'

/** More than a sync is ever ahead of its import. Each takes about 2 kB. */
const MAX_HEADERS = 8_192
/** Whole blocks wait only while they are sent on. */
const MAX_BLOCKS = 64
const MAX_BYTES = 32 * 1024 * 1024

/** What a block's bytes are: `other body` has transactions of another root than the header's. */
export type BlockReading = 'good' | 'malformed' | 'other body'

/** What a block's import needn't decode. */
interface Taken {
  readonly block: Block | null
  readonly head: KnownHead | null
}

const UNKNOWN: Taken = { block: null, head: null }

/** Of one opened chain. Everything is found by hash and bytes, never by what a peer says about it. */
export class Arrivals {
  readonly #headers = new Map<string, BlockHeader>()
  readonly #blocks = new Map<string, { readonly bytes: Uint8Array; readonly block: Block }>()
  #bytes = 0

  /** @param hash of the header, 32 bytes */
  addHeader(header: BlockHeader, hash: Uint8Array): void {
    const [oldest] = this.#headers.size >= MAX_HEADERS ? this.#headers.keys() : []
    if (oldest !== undefined) this.#headers.delete(oldest)
    this.#headers.set(toBareHex(hash), header)
  }

  /** Decodes a block whose header was verified, and keeps it for its import. @param bytes RLP */
  readBlock(bytes: Uint8Array): BlockReading {
    const head = this.#headOf(bytes)
    const read = decodeBlock(bytes, head === null ? {} : { head })
    if (!read.ok) return 'malformed'
    const bodyRoot = transactionRoot(read.value.transactions)
    if (!equalBytes(bodyRoot, read.value.header.txRoot)) return 'other body'
    this.#keep(bytes, { ...read.value, bodyRoot })
    return 'good'
  }

  /** What is known of a block, once: all of it if exactly these bytes were read, else its verified header. @param bytes RLP */
  take(bytes: Uint8Array): Taken {
    const head = this.#headOf(bytes)
    if (head === null) return UNKNOWN
    const name = toBareHex(head.hash)
    const kept = this.#blocks.get(name)
    this.#headers.delete(name)
    this.#forget(name)
    return { head, block: kept !== undefined && equalBytes(kept.bytes, bytes) ? kept.block : null }
  }

  #keep(bytes: Uint8Array, block: Block): void {
    const name = toBareHex(block.hash)
    this.#forget(name)
    this.#blocks.set(name, { bytes, block })
    this.#bytes += bytes.length
    for (const oldest of this.#blocks.keys()) {
      if (this.#blocks.size <= MAX_BLOCKS && this.#bytes <= MAX_BYTES) break
      this.#forget(oldest)
    }
  }

  #forget(name: string): void {
    this.#bytes -= this.#blocks.get(name)?.bytes.length ?? 0
    this.#blocks.delete(name)
  }

  /** The hash is of the bytes: a header found by it is theirs. */
  #headOf(block: Uint8Array): KnownHead | null {
    const encoded = this.#headers.size === 0 ? null : headerBytesOf(block)
    if (encoded === null) return null
    const hash = keccak256(encoded)
    const header = this.#headers.get(toBareHex(hash))
    return header === undefined ? null : { header, hash }
  }
}
