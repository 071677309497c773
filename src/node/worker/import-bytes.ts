// Imports the bytes of a block file, or of a part of one.
import { equalBytes } from '../../base/bytes'
import { toBareHex } from '../../base/hex'
import { headerBytesOf } from '../block-file/block-splitter'
import type { Chain } from '../chain/chain'
import { keccak256 } from '../codec/keccak'
import { ok, type Result } from '../codec/result'
import { rlpSlices } from '../codec/rlp'
import { type Block, decodeBlock, type KnownHead, transactionRoot } from '../model/block'
import type { BlockHeader } from '../model/header'
import type { PreparedReader } from '../preparation/block-preparation'
import type { ImportReport } from './wire/import-shapes'

/** More than a sync is ever ahead of its import. Each takes about 2 kB. */
const MAX_HEADERS = 8_192
/** Whole blocks wait only while they are sent on. */
const MAX_BLOCKS = 64
const MAX_BYTES = 32 * 1024 * 1024

/** What a block's bytes are: `other body` has transactions of another root than the header's. */
type BlockReading = 'good' | 'malformed' | 'other body'

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

/** @param session throws CHAIN_NOT_OPEN while there is none @param busy counts the time of imports */
export function importHandlers(session: () => { readonly chain: Chain; readonly arrivals: Arrivals }, busy: BusyTime) {
  return {
    'chain.import': ({ blocks, following }: { readonly blocks: Uint8Array; readonly following?: number | undefined }) =>
      busy.during(() => importBytes(session().chain, blocks, following, session().arrivals)),
    'chain.importSeconds': () => busy.seconds(),
    'chain.goBackTo': async ({ number }: { readonly number: number }) => ({
      refusal: await session().chain.goBackTo(BigInt(number)),
    }),
  }
}

/** Imports the blocks of `bytes` up to what isn't one. `following`: known to come; `arrivals`: decoded before. */
export async function importBytes(
  chain: Chain,
  bytes: Uint8Array,
  following = 0,
  arrivals: Arrivals | null = null,
): Promise<ImportReport> {
  const coming = new ComingBlocks(chain, bytes, arrivals)
  const outcome = await chain.importBlocks(() => coming.read(), following)
  const { skipped, count, fault } = coming
  const { added, side, transactions, gas } = outcome
  const known = skipped + outcome.known
  const head = { number: Number(chain.head.header.number), hash: chain.head.hash }
  const done = { added, side, known, transactions, gas, head }
  if (outcome.refused !== null) {
    const { index, block, outcome: refusal } = outcome.refused
    const { number } = block.header
    const future = refusal.kind === 'future'
    return { ...done, refused: { index: skipped + index, number, hash: block.hash, reason: refusal.reason, future } }
  }
  if (fault === null) return { ...done, refused: null }
  return {
    ...done,
    refused: { index: skipped + count, number: null, hash: null, reason: fault, future: false },
  }
}

/** Blocks that wait as bytes for their turn. */
class ComingBlocks {
  /** Leading blocks that are in the chain, by their headers alone. */
  skipped = 0
  /** Blocks that were read: from the first unknown one on, up to bytes that aren't a block. */
  count = 0
  fault: string | null = null
  readonly #prepared: PreparedReader | null
  readonly #isNew: boolean

  constructor(
    private readonly chain: Chain,
    private readonly bytes: Uint8Array,
    private readonly arrivals: Arrivals | null,
  ) {
    const first = rlpSlices(bytes).next().value
    this.#isNew = first?.ok === true && !this.#isKnown(first.value.encoded)
    this.#prepared = this.#isNew ? (chain.preparation?.ahead(bytes) ?? null) : null
  }

  read(): readonly Block[] {
    const blocks: Block[] = []
    for (const part of rlpSlices(this.bytes)) {
      if (part.ok && !this.#isNew && blocks.length === 0 && this.#isKnown(part.value.encoded)) {
        this.skipped++
        this.arrivals?.take(part.value.encoded)
        continue
      }
      const block = part.ok ? this.#decode(part.value.encoded) : part
      if (!block.ok) {
        this.fault = block.error
        break
      }
      blocks.push(block.value)
    }
    this.count = blocks.length
    return blocks
  }

  #isKnown(block: Uint8Array): boolean {
    const header = headerBytesOf(block)
    return header !== null && this.chain.reads.header(keccak256(header)) !== null
  }

  /** A prepared reader must get every block, also the skipped ones. */
  #decode(block: Uint8Array): Result<Block> {
    const known = this.arrivals?.take(block)
    if (this.skipped === 0 && this.#prepared !== null) return this.#prepared.decode(block, known)
    const { head = null, block: whole = null } = known ?? {}
    return whole === null ? decodeBlock(block, head === null ? {} : { head }) : ok(whole)
  }
}

/** How long at least one of its works was under way. */
export class BusyTime {
  #running = 0
  #since = 0
  #ms = 0

  /** @param now monotonic ms */
  constructor(private readonly now: () => number) {}

  seconds(): number {
    return (this.#ms + (this.#running === 0 ? 0 : this.now() - this.#since)) / 1_000
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running++ === 0) this.#since = this.now()
    try {
      return await work()
    } finally {
      if (--this.#running === 0) this.#ms += this.now() - this.#since
    }
  }
}
