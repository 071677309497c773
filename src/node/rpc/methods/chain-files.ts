// Block files of admin_importChain and admin_exportChain: concatenated block RLP, gzipped when the name ends in .gz.
// Source: prlx prl/api.go (ImportChain, ExportChain)
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { messageOf } from '../../../base/errors'
import { BlockBatcher } from '../../block-file/block-batcher'
import { BlockSplitter, type BrokenStream } from '../../block-file/block-splitter'
import { RpcFault, rpcFailed } from '../../rpc-fault'
import type { ImportReport } from '../../worker/wire/import-shapes'
import type { ChainFiles } from '../dispatch/method'

/** The chain, as far as block files need it. */
export interface BlockSource {
  importBlocks(blocks: Uint8Array): Promise<ImportReport>
  /** RLP of the canonical block; null when there is none. */
  blockBytes(number: number): Promise<Uint8Array | null>
  headNumber(): Promise<number>
}

const CHUNK_BYTES = 256 * 1024

/** Reads and writes block files. */
export function chainFiles(chain: BlockSource): ChainFiles {
  return {
    importChain: (path, signal) => importFile(path, chain, signal).catch(fileFault),
    exportChain: async (path, range) => {
      if (range.first === null && range.last !== null) throw rpcFailed('last cannot be specified without first')
      await exportFile(path, chain, range).catch(fileFault)
    },
  }
}

async function importFile(path: string, chain: BlockSource, signal: AbortSignal): Promise<void> {
  const portions = new Portions(chain, signal)
  const source = createReadStream(path, { highWaterMark: CHUNK_BYTES })
  const take = async (chunks: AsyncIterable<Uint8Array>): Promise<void> => {
    for await (const chunk of chunks) await portions.push(chunk)
    await portions.end()
  }
  if (path.endsWith('.gz')) await pipeline(source, createGunzip(), take, { signal })
  else await pipeline(source, take, { signal })
}

/** Imports the blocks of a stream. Blocks before a corrupt part are imported before the error is reported. */
class Portions {
  readonly #splitter = new BlockSplitter()
  readonly #batch = new BlockBatcher()
  #given = 0

  constructor(
    private readonly chain: BlockSource,
    private readonly signal: AbortSignal,
  ) {}

  /** @throws RpcFault RPC_FAILED for corrupt data, and for a rejected block */
  async push(chunk: Uint8Array): Promise<void> {
    const { pieces, broken } = this.#splitter.push(chunk)
    for (const piece of pieces) {
      if (!this.#batch.hasRoomFor(piece)) await this.#give()
      this.#batch.add(piece)
    }
    if (broken !== null) await this.#fail(broken)
  }

  /** @throws as push */
  async end(): Promise<void> {
    const broken = this.#splitter.end()
    if (broken !== null) await this.#fail(broken)
    await this.#give()
  }

  async #fail({ offset, reason }: BrokenStream): Promise<never> {
    await this.#give()
    throw rpcFailed(`block file is broken at byte ${offset}: ${reason}`)
  }

  async #give(): Promise<void> {
    if (this.#batch.isEmpty) return
    this.signal.throwIfAborted()
    const { refused } = await this.chain.importBlocks(this.#batch.take().bytes)
    if (refused !== null) throw rpcFailed(`batch ${this.#given}: failed to insert: ${refused.reason}`)
    this.#given += 1
  }
}

async function exportFile(path: string, chain: BlockSource, range: Parameters<ChainFiles['exportChain']>[1]) {
  const found = await stat(path).catch(() => null) // opening the path will report any problem
  if (found !== null) throw rpcFailed('location would overwrite an existing file')
  const head = await chain.headNumber()
  const first = range.first ?? 0
  const last = Math.min(range.last ?? head, head)
  if (first > last) throw rpcFailed(`export failed: first (${first}) is greater than last (${last})`)
  const file = await open(path, 'wx', 0o644)
  try {
    const blocks = blocksOf(chain, first, last)
    const write = async (parts: AsyncIterable<Uint8Array>): Promise<void> => {
      for await (const part of parts) await file.write(part)
    }
    if (path.endsWith('.gz')) await pipeline(blocks, createGzip(), write)
    else await write(blocks)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function* blocksOf(chain: BlockSource, first: number, last: number): AsyncGenerator<Uint8Array> {
  for (let number = first; number <= last; number++) {
    const bytes = await chain.blockBytes(number)
    if (bytes === null) throw rpcFailed(`export failed on #${number}: not found`)
    yield bytes
  }
}

/** File errors are shown to the caller: the namespace is served only when enabled. */
function fileFault(error: unknown): never {
  throw error instanceof RpcFault ? error : rpcFailed(messageOf(error))
}
