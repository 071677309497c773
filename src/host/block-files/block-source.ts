// Reads a block file, also compressed, in batches of bounded work for the importer; never whole in memory.
import { closeSync, createReadStream, openSync, readSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { reasonOf } from '../../base/errors'
import { BlockBatcher, type BlockRun, BlockSplitter } from '../../node/block-file/block-splitter'
import { HostError } from '../errors'

export interface BlockBatch extends BlockRun {
  /** bytes of the file on disk, up to the end of this batch or a little further */
  readonly bytesRead: number
}

const CHUNK_BYTES = 256 * 1024
const SPARE_BYTES = 1024

/** Size on disk; 0 for a pipe. @throws HostError HOST_BLOCK_FILE_UNREADABLE */
export async function blockFileSize(file: string): Promise<number> {
  try {
    const found = await stat(file)
    if (found.isDirectory()) throw new Error('it is a folder')
    return found.size
  } catch (error) {
    throw new HostError('HOST_BLOCK_FILE_UNREADABLE', { file, reason: reasonOf(error) }, { cause: error })
  }
}

/**
 * The blocks of `file` in order, `.gz` decompressed; those before a corrupt part come before its error.
 * @param plainBytes of a plain file read on this thread, for a program that serves nobody: waking another thread takes
 * as long as executing a small block; 0: a stream @throws HostError HOST_BLOCK_FILE_UNREADABLE, HOST_BLOCK_FILE_BROKEN
 */
export async function* readBlockFile(file: string, plainBytes = 0): AsyncGenerator<BlockBatch> {
  const stream = () => createReadStream(file, { highWaterMark: CHUNK_BYTES })
  const raw = plainBytes === 0 ? stream() : new BlockingSource(file, plainBytes)
  const splitter = new BlockSplitter()
  const batch = new BlockBatcher()
  try {
    for await (const chunk of plainStream(file, raw)) {
      const { pieces, broken } = splitter.push(chunk)
      for (const piece of pieces) {
        if (!batch.hasRoomFor(piece)) yield { ...batch.take(), bytesRead: raw.bytesRead }
        batch.add(piece)
      }
      if (broken === null) continue
      if (!batch.isEmpty) yield { ...batch.take(), bytesRead: raw.bytesRead }
      throw new HostError('HOST_BLOCK_FILE_BROKEN', { file, ...broken })
    }
  } catch (error) {
    if (error instanceof HostError) throw error
    if (!batch.isEmpty) yield { ...batch.take(), bytesRead: raw.bytesRead }
    throw readFailure(file, splitter.offset, error)
  }
  if (!batch.isEmpty) yield { ...batch.take(), bytesRead: raw.bytesRead }
  const broken = splitter.end()
  if (broken !== null) throw new HostError('HOST_BLOCK_FILE_BROKEN', { file, ...broken })
}

/** The bytes of a file, read on this thread when they are asked for. */
class BlockingSource {
  bytesRead = 0

  constructor(
    private readonly file: string,
    private readonly size: number,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const handle = openSync(this.file, 'r')
    try {
      for (;;) {
        // More than is left, so that the last read is short.
        const left = Math.max(0, this.size - this.bytesRead)
        const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, left + SPARE_BYTES))
        const count = readSync(handle, chunk)
        this.bytesRead += count
        if (count > 0) yield chunk.subarray(0, count)
        if (count < chunk.length) return
      }
    } finally {
      closeSync(handle)
    }
  }
}

function plainStream(file: string, raw: Readable | BlockingSource): AsyncIterable<Uint8Array> {
  if (!file.endsWith('.gz')) return raw
  const unpacked = createGunzip({ chunkSize: CHUNK_BYTES })
  // Errors of either end destroy the other; they surface where the stream is read.
  pipeline(raw instanceof Readable ? raw : Readable.from(raw), unpacked, () => undefined)
  return unpacked
}

function readFailure(file: string, offset: number, error: unknown): Error {
  const reason = reasonOf(error)
  const isDamaged = error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
  return isDamaged
    ? new HostError(
        'HOST_BLOCK_FILE_BROKEN',
        { file, offset, reason: `cannot be decompressed: ${reason}` },
        { cause: error },
      )
    : new HostError('HOST_BLOCK_FILE_UNREADABLE', { file, reason }, { cause: error })
}
