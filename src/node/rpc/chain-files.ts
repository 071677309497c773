// Block files of admin_importChain and admin_exportChain: RLP of blocks one after another, gzipped where the name ends in .gz.
// Source: rpc.md 12, cli.md; prlx prl/api.go (ImportChain, ExportChain)
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { type Readable, Transform, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { joinBytes } from '../../base/bytes'
import { messageOf } from '../../base/errors'
import { wholeItems } from '../codec/rlp-stream'
import type { ImportReport } from '../worker/import-shapes'
import { RpcFault } from './errors'
import type { ChainFiles } from './rpc-services'

/** Of the chain, as far as block files need it. */
export interface BlockSource {
  importBlocks(blocks: Uint8Array): Promise<ImportReport>
  /** RLP of the canonical block; null when there is none. */
  blockBytes(number: number): Promise<Uint8Array | null>
  headNumber(): Promise<number>
}

/** Blocks go to the chain in portions of about this size, bytes. */
const PORTION_BYTES = 2 * 1024 * 1024
/** No block of any network is so long; what does not end by then is no block file. */
const LONGEST_BLOCK_BYTES = 64 * 1024 * 1024

const failed = (reason: string) => new RpcFault('RPC_FAILED', { reason })

export function chainFiles(chain: BlockSource): ChainFiles {
  return {
    importChain: async (path, signal) => {
      try {
        await importFile(path, chain, signal)
      } catch (error: unknown) {
        throw fileFault(error)
      }
    },
    exportChain: async (path, range) => {
      if (range.first === null && range.last !== null) throw failed('last cannot be specified without first')
      try {
        await exportFile(path, chain, range)
      } catch (error: unknown) {
        throw fileFault(error)
      }
    },
  }
}

async function importFile(path: string, chain: BlockSource, signal: AbortSignal): Promise<void> {
  let parts: Uint8Array[] = []
  let length = 0
  let batch = 0
  const take = async (blocks: Uint8Array): Promise<void> => {
    signal.throwIfAborted()
    const { refused } = await chain.importBlocks(blocks)
    if (refused !== null) throw failed(`batch ${batch}: failed to insert: ${refused.reason}`)
    batch += 1
  }
  /** Gives away what is whole and keeps the rest. */
  const portion = async (): Promise<void> => {
    const waiting = joinBytes(parts)
    const end = wholeItems(waiting)
    if (end === 0 && waiting.length > LONGEST_BLOCK_BYTES) throw failed('not a block file')
    parts = [waiting.slice(end)]
    length = waiting.length - end
    if (end > 0) await take(waiting.slice(0, end))
  }
  const sink = new Writable({
    highWaterMark: PORTION_BYTES,
    write(part: Buffer, _encoding, done) {
      parts.push(part)
      length += part.length
      if (length < PORTION_BYTES) return done()
      portion().then(() => done(), done)
    },
    final(done) {
      if (length === 0) return done()
      take(joinBytes(parts)).then(() => done(), done)
    },
  })
  const source: Readable = createReadStream(path, { highWaterMark: 256 * 1024 })
  if (path.endsWith('.gz')) await pipeline(source, createGunzip(), sink, { signal })
  else await pipeline(source, sink, { signal })
}

async function exportFile(
  path: string,
  chain: BlockSource,
  range: { readonly first: number | null; readonly last: number | null },
): Promise<void> {
  if (await exists(path)) throw failed('location would overwrite an existing file')
  const head = await chain.headNumber()
  const first = range.first ?? 0
  const last = Math.min(range.last ?? head, head)
  if (first > last) throw failed(`export failed: first (${first}) is greater than last (${last})`)
  const file = await open(path, 'wx', 0o644)
  try {
    const blocks = blocksOf(chain, first, last)
    const gzip = path.endsWith('.gz')
      ? createGzip()
      : new Transform({ transform: (part, _encoding, done) => done(null, part) })
    await pipeline(blocks, gzip, async (parts: AsyncIterable<Uint8Array>) => {
      for await (const part of parts) await file.write(part)
    })
    await file.sync()
  } finally {
    await file.close()
  }
}

async function* blocksOf(chain: BlockSource, first: number, last: number): AsyncGenerator<Uint8Array> {
  for (let number = first; number <= last; number++) {
    const bytes = await chain.blockBytes(number)
    if (bytes === null) throw failed(`export failed on #${number}: not found`)
    yield bytes
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch {
    return false // whatever is wrong with the path, opening it will tell
  }
}

/** What went wrong with a file is the caller's own to know: the namespace is served only where it was asked for. */
function fileFault(error: unknown): Error {
  return error instanceof RpcFault ? error : failed(messageOf(error))
}
