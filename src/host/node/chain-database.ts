// The chain database of a data directory while no node is running: inspection, verification and repair. Keys, the
// journal of own transactions and everything else beside the database are left alone.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { hasCode, messageOf } from '../../base/errors'
import type { Logger } from '../../base/logger'
import type { ResolvedConfig } from '../../config/resolved-config'
import { createXhashEngine } from '../../native/xhash-engine'
import { type Damage, DamageList } from '../../node/chain/care/damage'
import { reindex } from '../../node/chain/care/reindex'
import { verifyBlocks } from '../../node/chain/care/verify-blocks'
import { verifyState } from '../../node/chain/care/verify-state'
import { storedGenesis } from '../../node/chain/open-chain'
import { rebuildState } from '../../node/chain/rebuild-state'
import type { BlockHeader } from '../../node/model/header'
import { checkFiles, type FileDamage } from '../../node/store/files/check-files'
import { inspectStore, type KindSize } from '../../node/store/inspect'
import { compactLevel, levelStats } from '../../node/store/level-care'
import { finishSwap, hasChain, openLevelStore } from '../../node/store/level-store'
import type { Store } from '../../node/store/store'
import { HostError } from '../errors'
import { dataDirPaths } from '../system/data-dir'
import { DataDirLock } from '../system/lock'
import { networkSpec } from './custom-network'
import { type RebuildOutcome, rebuildChain, type StageOptions, stage } from './rebuild-chain'

/** JSON text; practice's is read from its database. @throws CONFIG_GENESIS_INVALID, HOST_NO_CHAIN, StoreError */
export async function genesisText(config: ResolvedConfig): Promise<string> {
  const { dataDir: dir, network } = config.app
  const known = networkSpec(config).genesis ?? config.custom?.genesis ?? null
  if (known !== null) return known
  const folder = join(dir, network, 'chain')
  const store = hasChain(folder) ? await openLevelStore(folder) : null
  const stored = store === null ? null : storedGenesis(store)
  await store?.close()
  if (stored === null) throw new HostError('HOST_NO_CHAIN', { dir, network })
  return stored
}

export interface VerifyReport {
  /** Height of the head; null when there is none. */
  readonly head: number | null
  readonly blocks: number
  readonly transactions: number
  readonly accounts: number
  readonly slots: number
  readonly nodes: number
  /** Whether proofs of work were recomputed. */
  readonly seals: boolean
  /** False when it was stopped early, or damage kept it from the rest. */
  readonly complete: boolean
  /** Number of faults; the first ones are in `damage`. */
  readonly faults: number
  readonly damage: readonly Damage[]
}

/** What `repair` did. */
export type RepairOutcome =
  | { readonly kind: 'whole'; readonly report: VerifyReport }
  /** Indexes or trie nodes were rebuilt. */
  | { readonly kind: 'mended'; readonly report: VerifyReport }
  | { readonly kind: 'rebuilt'; readonly outcome: RebuildOutcome }
  | { readonly kind: 'stopped' }

/** What `care` found: `mended` when the indexes were damaged and are rebuilt, `damaged` when more is. */
export interface CareOutcome {
  readonly kind: 'whole' | 'mended' | 'damaged' | 'stopped'
  readonly report: VerifyReport
}

export class ChainDatabase {
  readonly folder: string
  readonly #lock: DataDirLock

  /** @throws ConfigError CONFIG_GENESIS_INVALID */
  constructor(
    private readonly config: ResolvedConfig,
    private readonly deps: { readonly projectRoot: string; readonly log: Logger },
  ) {
    networkSpec(config)
    const { dataDir, network } = config.app
    const { root, lockFile } = dataDirPaths(dataDir)
    this.folder = join(dataDir, network, 'chain')
    this.#lock = new DataDirLock({ dir: root, file: lockFile, pid: process.pid })
  }

  /** Nobody else uses the data directory meanwhile. @throws HOST_NO_CHAIN, HOST_DATA_DIR_IN_USE, HOST_DATA_DIR_UNUSABLE */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    const { dataDir: dir, network } = this.config.app
    if (!existsSync(dir)) throw new HostError('HOST_NO_CHAIN', { dir, network })
    await this.#lock.start()
    try {
      await finishSwap(this.folder)
      if (!existsSync(this.folder)) throw new HostError('HOST_NO_CHAIN', { dir, network })
      return await work()
    } finally {
      await this.#lock.stop()
    }
  }

  /** LevelDB's own table of levels. @throws StoreError */
  stats(): Promise<string> {
    return levelStats(this.folder)
  }

  /** Entries and bytes by kind. @throws StoreError */
  inspect({ onProgress, signal }: StageOptions): Promise<readonly KindSize[]> {
    const told = (fraction: number): void => onProgress({ stage: 'entries', fraction, block: null, blocks: 0 })
    return this.#withStore((store) => inspectStore(store, told, signal))
  }

  /** @throws StoreError */
  compact({ onProgress, signal }: StageOptions): Promise<void> {
    const told = (fraction: number): void => onProgress({ stage: 'compaction', fraction, block: null, blocks: 0 })
    return compactLevel(this.folder, told, signal)
  }

  /** Damage is part of the result. @throws StoreError STORE_LOCKED, STORE_UNREADABLE, STORE_DISK_LOW */
  async verify(options: StageOptions & { readonly seals: boolean }): Promise<VerifyReport> {
    const files = await this.#checkFiles(options)
    return files.length > 0 ? filesReport(files) : (await this.#look(options)).report
  }

  /** All but proofs of work; rebuilds indexes if only those are damaged. @throws StoreError as `verify` */
  async care(options: StageOptions): Promise<CareOutcome> {
    const files = await this.#checkFiles(options)
    if (files.length > 0) return { kind: 'damaged', report: filesReport(files) }
    const { report, list, header } = await this.#look({ ...options, seals: false })
    if (options.signal.aborted) return { kind: 'stopped', report }
    if (report.faults === 0) return { kind: 'whole', report }
    if (header === null || !list.hasIndexDamage || !list.isDerivedOnly || list.kinds.has('nodes'))
      return { kind: 'damaged', report }
    const again = await this.#mend(header, list, options)
    if (options.signal.aborted) return { kind: 'stopped', report }
    return again?.faults === 0 ? { kind: 'mended', report } : { kind: 'damaged', report: again ?? report }
  }

  /** @throws StoreError, ChainError, HostError HOST_DB_NO_GENESIS; the database is unchanged then */
  async repair(options: StageOptions): Promise<RepairOutcome> {
    const files = await this.#checkFiles(options)
    const look = files.length > 0 ? null : await this.#look({ ...options, seals: false })
    if (options.signal.aborted) return { kind: 'stopped' }
    if (look?.report.faults === 0) return { kind: 'whole', report: look.report }
    if (look !== null && look.header !== null && look.list.isDerivedOnly) {
      const again = await this.#mend(look.header, look.list, options)
      if (!options.signal.aborted && again?.faults === 0) return { kind: 'mended', report: again }
    }
    if (options.signal.aborted) return { kind: 'stopped' }
    const { folder } = this
    const { projectRoot, log } = this.deps
    const outcome = await rebuildChain({ folder, files, config: this.config, projectRoot }, { ...options, log })
    return outcome === null ? { kind: 'stopped' } : { kind: 'rebuilt', outcome }
  }

  #checkFiles({ onProgress, signal }: StageOptions): Promise<readonly FileDamage[]> {
    return checkFiles(this.folder, {
      onProgress: (fraction) => onProgress({ stage: 'files', fraction, block: null, blocks: 0 }),
      signal,
    })
  }

  async #look(
    options: StageOptions & { readonly seals: boolean },
  ): Promise<{ readonly report: VerifyReport; readonly list: DamageList; readonly header: BlockHeader | null }> {
    try {
      return await this.#withStore((store) => this.#lookInto(store, options))
    } catch (error) {
      if (!hasCode(error, 'STORE_CORRUPT')) throw error
      const list = new DamageList()
      list.add('files', this.folder, corruptReason(error))
      return { report: reportOf(list), list, header: null }
    }
  }

  async #lookInto(store: Store, { seals, onProgress, signal }: StageOptions & { readonly seals: boolean }) {
    const list = new DamageList()
    const { log, projectRoot: searchFrom } = this.deps
    const spec = networkSpec(this.config)
    const xhash = seals
      ? createXhashEngine(spec.xhash, { searchFrom, log: (reason) => log.warn('slow proof of work', { reason }) })
      : null
    try {
      const onBlocks = { onProgress: stage('blocks', onProgress), signal, seals: xhash }
      const blocks = await verifyBlocks(store, list, onBlocks)
      const onState = { onProgress: stage('state', onProgress), signal }
      const state = blocks.head === null ? null : await verifyState(store, blocks.head, list, onState)
      const head = blocks.head === null ? null : Number(blocks.head.number)
      const { transactions } = blocks
      const complete = !signal.aborted && state !== null && !list.kinds.has('nodes')
      const counts = { head, blocks: blocks.blocks, transactions, ...state, seals, complete }
      return { report: reportOf(list, counts), list, header: blocks.head }
    } finally {
      await xhash?.close()
    }
  }

  /** Null when the existing data isn't sufficient. */
  async #mend(head: BlockHeader, list: DamageList, options: StageOptions): Promise<VerifyReport | null> {
    const { onProgress, signal } = options
    try {
      await this.#withStore(async (store) => {
        if (list.hasIndexDamage) await reindex(store, { onProgress: stage('indexes', onProgress), signal })
        if (list.kinds.has('nodes')) await rebuildState(store, head, this.deps.log)
      })
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      this.deps.log.info('cannot be repaired in place', { reason: messageOf(error) })
      return null
    }
    return (await this.#look({ ...options, seals: false })).report
  }

  async #withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
    const store = await openLevelStore(this.folder)
    try {
      return await work(store)
    } finally {
      await store.close()
    }
  }
}

function filesReport(files: readonly FileDamage[]): VerifyReport {
  const list = new DamageList()
  for (const { file, reason } of files) list.add('files', file, reason)
  return reportOf(list)
}

function reportOf(list: DamageList, counts: Partial<VerifyReport> = {}): VerifyReport {
  const none = { head: null, blocks: 0, transactions: 0, accounts: 0, slots: 0, nodes: 0, seals: false }
  return { ...none, complete: false, ...counts, faults: list.count, damage: list.named }
}

/** The fault, without advice. */
function corruptReason(error: unknown): string {
  return error instanceof Error && 'data' in error && typeof error.data === 'object' && error.data !== null
    ? String((error.data as { reason?: unknown }).reason ?? messageOf(error))
    : messageOf(error)
}
