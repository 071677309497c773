// Imports the blocks of a file: reads ahead of execution, stops at the first rejected block.
import type { NodeService } from '../../node/node-service'
import type { ImportReport } from '../../node/worker/wire/import-shapes'
import { HostError } from '../errors'
import { type BlockBatch, readBlockFile } from './block-source'
import { withFollowing } from './look-ahead'

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
 * Resolves when all of `file` was imported, or when `signal` aborts: the current batch is finished, the rest is left.
 * @returns true when the file was read to its end
 * @throws HostError HOST_BLOCK_FILE_UNREADABLE, HOST_BLOCK_FILE_BROKEN, HOST_BLOCK_REFUSED; STORE_*; earlier blocks
 * stay imported
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
