// The node as a whole for the UI: start and stop, block export and import.

import { isAbsolute } from 'node:path'
import { messageOf } from '../../../base/errors'
import { Emitter } from '../../../base/events'
import { Disposables } from '../../../base/lifecycle'
import { onAbort } from '../../../base/on-abort'
import type { Clock } from '../../../base/time'
import type { BlockJobView, DatabaseJobView, NodeControlView } from '../../../contract/node-control'
import type { NodeService } from '../../../node/node-service'
import { blockFileSize } from '../../block-files/block-source'
import { exportFile, exportOfNewFile } from '../../block-files/export-file'
import { importFile } from '../../block-files/import-file'
import { HostError } from '../../errors'
import type { ChainDatabase, StageProgress } from '../../node/chain-database'
import type { SupervisedService } from '../../system/supervised-service'
import { isHere, topic, type UiAccess, type UiTopic, uiCalls } from '../ui-handlers'

interface DatabaseJobDeps {
  readonly database: Pick<ChainDatabase, 'care'>
  readonly node: Pick<SupervisedService, 'whileStopped'>
  readonly clock: Clock
}

/** Between two reports of progress. */
const REPORT_MS = 250
const MAX_NAMED = 5

export class DatabaseJob {
  readonly events = new Emitter<{ changed: null }>()
  #job: DatabaseJobView | null = null
  #cancel: AbortController | null = null
  #reportedAt = Number.NEGATIVE_INFINITY

  constructor(private readonly deps: DatabaseJobDeps) {}

  job(): DatabaseJobView | null {
    return this.#job
  }

  /** Resolves when the node has stopped. @throws HostError HOST_DB_CHECK_RUNS */
  async start(): Promise<void> {
    if (this.#job?.state === 'running') throw new HostError('HOST_DB_CHECK_RUNS', undefined)
    const cancel = new AbortController()
    this.#cancel = cancel
    const startedAt = this.deps.clock.now()
    this.#set({ state: 'running', stage: 'files', share: 0, startedAt, blocks: 0, faults: 0, damage: [], error: '' })
    try {
      await this.deps.node.whileStopped((stopped) => {
        const held = onAbort(stopped, () => cancel.abort())
        return this.#run(cancel.signal).finally(() => held.dispose())
      })
    } catch (error) {
      this.#change({ state: 'failed', error: messageOf(error) })
      throw error
    }
  }

  /** No effect if none runs. */
  cancel(): void {
    this.#cancel?.abort()
  }

  /** Never rejects. */
  async #run(signal: AbortSignal): Promise<void> {
    try {
      const onProgress = (progress: StageProgress): void => this.#report(progress)
      const { kind, report } = await this.deps.database.care({ onProgress, signal })
      const { blocks, faults } = report
      const damage = report.damage.slice(0, MAX_NAMED).map(({ where, reason }) => `${where}: ${reason}`)
      this.#change({ state: kind === 'stopped' ? 'cancelled' : kind, share: 1, blocks, faults, damage })
    } catch (error) {
      this.#change({ state: 'failed', error: messageOf(error) })
    }
  }

  #report({ stage, fraction, blocks }: StageProgress): void {
    if (stage !== 'files' && stage !== 'blocks' && stage !== 'state' && stage !== 'indexes') return
    const now = this.deps.clock.monotonic()
    if (stage === this.#job?.stage && now - this.#reportedAt < REPORT_MS) return
    this.#reportedAt = now
    // In the state, accounts are counted, not blocks.
    this.#change({ stage, share: fraction, ...(stage === 'blocks' ? { blocks } : {}) })
  }

  #change(change: Partial<DatabaseJobView>): void {
    if (this.#job !== null) this.#set({ ...this.#job, ...change })
  }

  #set(job: DatabaseJobView): void {
    this.#job = job
    this.events.emit('changed', null)
  }
}

export type FiledNode = Pick<NodeService, 'blockRange' | 'importBlocks' | 'head'>

type Report = (blocks: number, share: number) => void

export class BlockFileJobs {
  readonly events = new Emitter<{ changed: null }>()
  #job: BlockJobView | null = null
  #abort: AbortController | null = null

  constructor(private readonly clock: Clock) {}

  job(): BlockJobView | null {
    return this.#job
  }

  /** Resolves when begun. @param last null = head @throws HOST_BLOCK_FILE_NAME, _RANGE, _FILE_UNWRITABLE, _JOB_RUNS */
  async exportBlocks(node: FiledNode, file: string, range: { readonly first: number; readonly last: number | null }) {
    checkName(file)
    const options = await exportOfNewFile(node, file, range)
    const wanted = options.last - options.first + 1
    this.#begin('export', file, (report, signal) =>
      exportFile(options, { node, onProgress: ({ blocks }) => report(blocks, blocks / wanted) }, signal),
    )
  }

  /** Resolves when begun. @throws HOST_BLOCK_FILE_NAME, HOST_BLOCK_FILE_UNREADABLE, HOST_BLOCK_JOB_RUNS */
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

/** Other files aren't touched: a typing error or a stolen session mustn't damage them. */
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

interface NodeControlDeps {
  /** Null when this run has no node. */
  readonly node: NodeService | null
  readonly supervised: SupervisedService | null
  /** The node's; missing in a run without one. */
  readonly database?: Pick<ChainDatabase, 'care'> | null
  readonly clock: Clock
}

/** One for all connections. */
export function nodeControl({ node, supervised, database = null, clock }: NodeControlDeps) {
  const blocks = new BlockFileJobs(clock)
  const check = database === null || supervised === null ? null : new DatabaseJob({ database, node: supervised, clock })
  return {
    calls: (access: UiAccess) =>
      uiCalls({
        'node.start': async () => {
          check?.cancel()
          await whole(supervised).switchOn()
        },
        'node.stop': async () => {
          blocks.cancel()
          await whole(supervised).stop()
        },
        'node.exportBlocks': async ({ file, first, last }) =>
          blocks.exportBlocks(running(node, access, 'files are named'), file, { first, last }),
        'node.importBlocks': async ({ file }) => blocks.importBlocks(running(node, access, 'files are named'), file),
        'node.goBack': async ({ number }) => {
          const refusal = await running(node, access, 'the chain is taken back').goBackTo(number)
          if (refusal !== null) throw new HostError('HOST_NOT_TAKEN_BACK', { number, reason: refusal })
        },
        'node.cancelBlocks': () => blocks.cancel(),
        'node.checkDatabase': async () => {
          const allowed = checkable(check, access)
          blocks.cancel()
          await allowed.start()
        },
        'node.cancelCheck': () => check?.cancel(),
      }),
    topics: [controlTopic({ node, supervised, clock, blocks, check })],
  }
}

interface ControlState extends Pick<NodeControlDeps, 'node' | 'supervised' | 'clock'> {
  readonly blocks: BlockFileJobs
  /** Null where there is no database to check. */
  readonly check: DatabaseJob | null
}

function controlTopic({ node, supervised, clock, blocks, check }: ControlState): UiTopic {
  return topic('node.control', {
    read: (access): NodeControlView => {
      const canNameFiles = mayNameFiles(access) && node !== null
      const job = blocks.job()
      const database = check?.job() ?? null
      return {
        canNameFiles,
        isSwitchedOff: supervised?.view().state === 'off',
        // Connections that may not name files don't see any.
        job: job === null || canNameFiles ? job : { ...job, file: '', error: '' },
        database: database === null || canNameFiles ? database : { ...database, damage: [], error: '' },
        takenAt: clock.now(),
      }
    },
    watch: (changed) =>
      new Disposables(
        blocks.events.on('changed', changed),
        check?.events.on('changed', changed),
        supervised?.events.on('stateChanged', changed),
      ),
  })
}

function mayNameFiles(access: UiAccess): boolean {
  return access.control && isHere(access)
}

function whole(supervised: SupervisedService | null): SupervisedService {
  if (supervised === null) throw new HostError('HOST_SERVICE_OFF', { service: 'node' })
  return supervised
}

function checkable(check: DatabaseJob | null, access: UiAccess): DatabaseJob {
  if (!mayNameFiles(access)) throw new HostError('HOST_NOT_HERE', { what: 'the database is checked' })
  if (check === null) throw new HostError('HOST_SERVICE_OFF', { service: 'node' })
  return check
}

/** @param what only permitted from this computer */
function running(node: NodeService | null, access: UiAccess, what: string): NodeService {
  if (!mayNameFiles(access)) throw new HostError('HOST_NOT_HERE', { what })
  if (node === null || node.head() === null) throw new HostError('HOST_SERVICE_OFF', { service: 'running node' })
  return node
}
