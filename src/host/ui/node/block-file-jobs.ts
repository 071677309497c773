// Exporting and importing block files from the UI on this computer: one at a time, with progress and cancellation.
import { isAbsolute } from 'node:path'
import { messageOf } from '../../../base/errors'
import { Emitter } from '../../../base/events'
import type { Clock } from '../../../base/time'
import type { BlockJobView } from '../../../contract/node-control'
import type { NodeService } from '../../../node/node-service'
import { blockFileSize } from '../../block-files/block-source'
import { exportFile, exportOfNewFile } from '../../block-files/export-file'
import { importFile } from '../../block-files/import-file'
import { HostError } from '../../errors'

interface BlockFileEvents {
  changed: null
}

export type FiledNode = Pick<NodeService, 'blockRange' | 'importBlocks' | 'head'>

type Report = (blocks: number, share: number) => void

export class BlockFileJobs {
  readonly events = new Emitter<BlockFileEvents>()
  #job: BlockJobView | null = null
  #abort: AbortController | null = null

  constructor(private readonly clock: Clock) {}

  job(): BlockJobView | null {
    return this.#job
  }

  /**
   * Resolves when it has begun.
   * @param last null = head
   * @throws HostError HOST_BLOCK_FILE_NAME, HOST_BLOCK_RANGE, HOST_BLOCK_FILE_UNWRITABLE, HOST_BLOCK_JOB_RUNS
   */
  async exportBlocks(node: FiledNode, file: string, range: { readonly first: number; readonly last: number | null }) {
    checkName(file)
    const options = await exportOfNewFile(node, file, range)
    const wanted = options.last - options.first + 1
    this.#begin('export', file, (report, signal) =>
      exportFile(options, { node, onProgress: ({ blocks }) => report(blocks, blocks / wanted) }, signal),
    )
  }

  /**
   * Resolves when it has begun.
   * @throws HostError HOST_BLOCK_FILE_NAME, HOST_BLOCK_FILE_UNREADABLE, HOST_BLOCK_JOB_RUNS
   */
  async importBlocks(node: FiledNode, file: string): Promise<void> {
    checkName(file)
    const size = await blockFileSize(file)
    this.#begin('import', file, (report, signal) =>
      importFile(
        file,
        {
          node,
          onProgress: ({ added, side, known, bytesRead }) =>
            report(added + side + known, size === 0 ? 0 : Math.min(1, bytesRead / size)),
        },
        signal,
      ),
    )
  }

  /** The current step is finished or rolled back; no effect while none runs. */
  cancel(): void {
    this.#abort?.abort()
  }

  #begin(
    kind: BlockJobView['kind'],
    file: string,
    work: (report: Report, signal: AbortSignal) => Promise<boolean>,
  ): void {
    if (this.#job?.state === 'running') throw new HostError('HOST_BLOCK_JOB_RUNS', { file: this.#job.file })
    const abort = new AbortController()
    this.#abort = abort
    this.#job = { kind, file, state: 'running', blocks: 0, share: 0, startedAt: this.clock.now(), error: '' }
    this.events.emit('changed', null)
    const report: Report = (blocks, share) => this.#change({ blocks, share })
    work(report, abort.signal).then(
      (isComplete) => this.#change(isComplete ? { state: 'done', share: 1 } : { state: 'cancelled' }),
      (error: unknown) => this.#change({ state: 'failed', error: messageOf(error) }),
    )
  }

  #change(change: Partial<BlockJobView>): void {
    if (this.#job === null) return
    this.#job = { ...this.#job, ...change }
    this.events.emit('changed', null)
  }
}

/**
 * Files without a block file's name aren't touched, so that a typing error or a stolen session can't damage other
 * files.
 */
function checkName(file: string): void {
  const reason = !isAbsolute(file)
    ? 'is no absolute path'
    : file.includes('\0')
      ? 'has a character that no path has'
      : /\.rlp(\.gz)?$/.test(file)
        ? null
        : 'is no name of a block file'
  if (reason !== null) throw new HostError('HOST_BLOCK_FILE_NAME', { file, reason })
}
