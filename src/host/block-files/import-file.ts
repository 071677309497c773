// Imports the blocks of a file: reads ahead of execution, stops at the first rejected block.

import { FULL_WINDOW } from '../../node/model/window-size'
import type { NodeService } from '../../node/node-service'
import type { ImportReport } from '../../node/worker/wire/import-shapes'
import { HostError } from '../errors'
import { type BlockBatch, readBlockFile } from './block-source'

interface FollowedBatch {
  readonly batch: BlockBatch
  /** Blocks read ahead after this batch: as many as matter, unless the file ends or they are large. */
  readonly following: number
}

/** More blocks than this make no difference: the batch's states are too old once these are imported. */
const MAX_BLOCKS = Number(FULL_WINDOW.states)
/** Limit on the memory for reading ahead, for files with large blocks. */
const MAX_BYTES = 8 * 1024 * 1024

/** The batches in order. When the source fails, the batches before the failure are yielded first. */
export async function* withFollowing(source: AsyncIterable<BlockBatch>): AsyncGenerator<FollowedBatch> {
  const read: BlockBatch[] = []
  let blocks = 0
  let bytes = 0
  const next = (): FollowedBatch | null => {
    const batch = read.shift()
    if (batch === undefined) return null
    blocks -= batch.offsets.length
    bytes -= batch.bytes.length
    return { batch, following: blocks }
  }
  let failure: { readonly error: unknown } | null = null
  try {
    for await (const batch of source) {
      read.push(batch)
      blocks += batch.offsets.length
      bytes += batch.bytes.length
      const [first] = read
      const isEnough = first !== undefined && blocks - first.offsets.length >= MAX_BLOCKS
      const ready = isEnough || bytes > MAX_BYTES ? next() : null
      if (ready !== null) yield ready
    }
  } catch (error: unknown) {
    failure = { error }
  }
  for (let batch = next(); batch !== null; batch = next()) yield batch
  if (failure !== null) throw failure.error
}

export interface ImportProgress {
  /** of the file on disk */
  readonly bytesRead: number
  /** Blocks that became canonical, that were stored as side blocks, that were already known. */
  readonly added: number
  readonly side: number
  readonly known: number
  readonly transactions: number
  readonly gas: bigint
  readonly head: ImportReport['head']
}

interface ImportDeps {
  readonly node: Pick<NodeService, 'importBlocks'>
  /** Called after each batch. */
  readonly onProgress: (progress: ImportProgress) => void
  /** See `readBlockFile`. */
  readonly plainBytes?: number
}

/** Batches in flight: the next one is verified while one executes. */
const AHEAD = 2

/**
 * False when `signal` aborted it: the current batch is finished, the rest is left. Earlier blocks stay imported.
 * @throws HostError HOST_BLOCK_FILE_UNREADABLE, HOST_BLOCK_FILE_BROKEN, HOST_BLOCK_REFUSED; STORE_*
 */
export async function importFile(file: string, deps: ImportDeps, signal: AbortSignal): Promise<boolean> {
  const run = new ImportRun(file, deps)
  try {
    for await (const { batch, following } of withFollowing(readBlockFile(file, deps.plainBytes))) {
      if (signal.aborted) break
      await run.begin(batch, following)
    }
  } finally {
    // A block before the corrupt part may have been rejected: the first fault counts.
    await run.finish()
  }
  return !signal.aborted
}

class ImportRun {
  readonly #underWay: Promise<void>[] = []
  #progress: ImportProgress | null = null
  #fault: { readonly error: unknown } | null = null

  constructor(
    private readonly file: string,
    private readonly deps: ImportDeps,
  ) {}

  async begin(batch: BlockBatch, following: number): Promise<void> {
    this.#underWay.push(this.#import(batch, following))
    while (this.#underWay.length > AHEAD) await this.#underWay.shift()
    this.#check()
  }

  async finish(): Promise<void> {
    await Promise.all(this.#underWay)
    this.#check()
  }

  /** Never rejects. Calls are answered in order, and everything after a rejected block is rejected too. */
  async #import(batch: BlockBatch, following: number): Promise<void> {
    try {
      this.#take(batch, await this.deps.node.importBlocks(batch.bytes, following))
    } catch (error) {
      this.#fault ??= { error }
    }
  }

  #check(): void {
    if (this.#fault !== null) throw this.#fault.error
  }

  #take(batch: BlockBatch, report: ImportReport): void {
    const before = this.#progress
    this.#progress = {
      bytesRead: batch.bytesRead,
      added: (before?.added ?? 0) + report.added,
      side: (before?.side ?? 0) + report.side,
      known: (before?.known ?? 0) + report.known,
      transactions: (before?.transactions ?? 0) + report.transactions,
      gas: (before?.gas ?? 0n) + report.gas,
      head: report.head,
    }
    this.deps.onProgress(this.#progress)
    if (report.refused !== null) throw refusal(this.file, batch, report.refused)
  }
}

function refusal(file: string, batch: BlockBatch, refused: NonNullable<ImportReport['refused']>): Error {
  const { number, index, reason } = refused
  const offset = batch.offsets[index] ?? 0
  if (number === null) return new HostError('HOST_BLOCK_FILE_BROKEN', { file, offset, reason })
  const why = number === 0n ? 'it is the genesis of another chain' : reason
  return new HostError('HOST_BLOCK_REFUSED', { file, offset, block: String(number), reason: why })
}
