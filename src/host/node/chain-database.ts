// The chain database while no node runs: inspection, verification, repair. Everything beside it is left alone.
import { existsSync } from 'node:fs'
import { cp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode, messageOf } from '../../base/errors'
import type { Logger } from '../../base/logger'
import { systemClock } from '../../base/time'
import type { ResolvedConfig } from '../../config/resolved-config'
import { createXhashEngine } from '../../native/xhash-engine'
import { type Damage, DamageList } from '../../node/chain/care/damage'
import { readableChain, reindex } from '../../node/chain/care/reindex'
import { verifyBlocks, verifyState } from '../../node/chain/care/verify-blocks'
import type { Chain } from '../../node/chain/chain'
import { ChainReads } from '../../node/chain/chain-store'
import { openChain, storedGenesis } from '../../node/chain/open-chain'
import { rebuildState } from '../../node/chain/rebuild-state'
import { openEngine } from '../../node/execution/wasm/wasm-engine'
import type { Block } from '../../node/model/block'
import type { BlockHeader } from '../../node/model/header'
import { FULL_WINDOW } from '../../node/model/window-size'
import { checkFiles, type FileDamage } from '../../node/store/files/check-files'
import { shutBlocks } from '../../node/store/files/table-file'
import { inspectStore, type KindSize } from '../../node/store/inspect'
import { metaKeys } from '../../node/store/keys'
import {
  compactLevel,
  finishSwap,
  hasChain,
  levelStats,
  openLevelStore,
  rebuiltOf,
  salvageLevel,
} from '../../node/store/level-store'
import { MemoryStore, type Store } from '../../node/store/store'
import { HostError } from '../errors'
import { dataDirPaths } from '../system/data-dir'
import { DataDirLock } from '../system/lock'
import { networkSpec } from './custom-network'

export interface StageProgress {
  readonly stage: 'files' | 'blocks' | 'state' | 'entries' | 'compaction' | 'indexes' | 'copy' | 'execution'
  /** 0..1 of this stage. */
  readonly fraction: number
  /** Current height, and blocks done; null and 0 when not counted in blocks. */
  readonly block: number | null
  readonly blocks: number
}

export interface StageOptions {
  readonly onProgress: (progress: StageProgress) => void
  readonly signal: AbortSignal
}

/** Reports progress under `name`. */
function stage(name: StageProgress['stage'], onProgress: StageOptions['onProgress']) {
  return (progress: Omit<StageProgress, 'stage'>): void => onProgress({ stage: name, ...progress })
}

/** Executed per run: the signal is checked between two of these. */
const BLOCKS_A_RUN = 128

interface RebuildOutcome {
  /** Head of the new chain. */
  readonly head: number
  /** Folder of the damaged database. */
  readonly kept: string
  /** Why the new chain ends at a rejected block; null when it has everything that was readable. */
  readonly refused: string | null
}

interface RebuildRequest {
  readonly folder: string
  /** Known faults of its files. */
  readonly files: readonly FileDamage[]
  readonly config: ResolvedConfig
  readonly projectRoot: string
}

/** Null when aborted: nothing has changed then. @throws StoreError, ChainError, HostError HOST_DB_NO_GENESIS */
async function rebuildChain(
  request: RebuildRequest,
  options: StageOptions & { readonly log: Logger },
): Promise<RebuildOutcome | null> {
  const { folder } = request
  const [salvage, rebuilt] = [salvageOf(folder), rebuiltOf(folder)]
  await removeLeft(folder)
  let built: Omit<RebuildOutcome, 'kept'> | null = null
  try {
    await copyReadable(request, salvage)
    options.onProgress({ stage: 'copy', fraction: 1, block: null, blocks: 0 })
    built = await buildFrom(salvage, request, options)
  } finally {
    await rm(salvage, { recursive: true, force: true })
    if (built === null) await rm(rebuilt, { recursive: true, force: true })
  }
  if (built === null) return null
  const kept = freeName(`${folder}.damaged`)
  await rename(folder, kept)
  await rename(rebuilt, folder)
  return { ...built, kept }
}

/** Deletes it, with what a killed rebuild left: the next command would take that for the chain. */
export async function removeChain(folder: string): Promise<void> {
  await removeLeft(folder)
  await rm(folder, { recursive: true })
}

async function removeLeft(folder: string): Promise<void> {
  for (const left of [salvageOf(folder), rebuiltOf(folder)]) await rm(left, { recursive: true, force: true })
}

const salvageOf = (folder: string): string => `${folder}.salvage`

/** `name`, or `name-2` and so on if that is taken. */
function freeName(name: string): string {
  if (!existsSync(name)) return name
  for (let number = 2; ; number++) if (!existsSync(`${name}-${number}`)) return `${name}-${number}`
}

/** Into `salvage`. Blocks with a wrong checksum are disabled first: LevelDB would accept them. */
async function copyReadable({ folder, files }: RebuildRequest, salvage: string): Promise<void> {
  await cp(folder, salvage, { recursive: true })
  for (const { file, blocks } of files) {
    if (blocks.length > 0) await shutBlocks(join(salvage, file), blocks)
    else if (!file.endsWith('.log')) await rm(join(salvage, file), { force: true })
  }
  await salvageLevel(salvage)
}

async function buildFrom(
  salvage: string,
  request: RebuildRequest,
  options: StageOptions & { readonly log: Logger },
): Promise<Omit<RebuildOutcome, 'kept'> | null> {
  const from = await openLevelStore(salvage).catch(nothingReadable)
  try {
    const to = await openLevelStore(rebuiltOf(request.folder))
    try {
      return await execute(from, to, request, options)
    } finally {
      await to.close()
    }
  } finally {
    await from.close()
  }
}

/** Stands for a database of which nothing is readable. */
function nothingReadable(error: unknown): Store {
  if (hasCode(error, 'STORE_CORRUPT')) return new MemoryStore()
  throw error
}

async function execute(
  from: Store,
  to: Store,
  { folder, config, projectRoot: searchFrom }: RebuildRequest,
  { onProgress, signal, log }: StageOptions & { readonly log: Logger },
): Promise<Omit<RebuildOutcome, 'kept'> | null> {
  const spec = networkSpec(config)
  const genesis = spec.genesis ?? config.custom?.genesis ?? storedGenesis(from)
  if (genesis === null) throw new HostError('HOST_DB_NO_GENESIS', { folder })
  const xhash = createXhashEngine(spec.xhash, { searchFrom, log: () => undefined })
  try {
    const { gcMode, history } = config.chain
    const window = { ...FULL_WINDOW, history: BigInt(history) }
    const engine = openEngine(spec.consensus, searchFrom)
    // Their proofs of work were verified on arrival, and their hashes prove that they are unchanged.
    const how = { params: spec.consensus, genesis, folder, gcMode, window, checkSeals: false }
    const chain = await openChain(how, { store: to, engine, seals: xhash, clock: systemClock(), log })
    await to.write([[metaKeys.logsFrom, new Uint8Array(8)]]) // every block is indexed as it is added
    if (config.custom !== null)
      await to.write([[metaKeys.xhashMode, new TextEncoder().encode(config.custom.xhashMode)]])
    const hashes = await readableChain(from, chain.head.hash, signal)
    const refused = await takeAll(chain, new ChainReads(from), hashes, { onProgress, signal })
    await chain.close()
    return signal.aborted ? null : { head: Number(chain.head.header.number), refused }
  } finally {
    await xhash.close()
  }
}

/** Why a block was rejected; null when all were accepted. */
async function takeAll(
  chain: Chain,
  reads: ChainReads,
  hashes: readonly Uint8Array[],
  { onProgress, signal }: StageOptions,
): Promise<string | null> {
  for (let at = 0; at < hashes.length && !signal.aborted; at += BLOCKS_A_RUN) {
    const blocks: Block[] = []
    for (const hash of hashes.slice(at, at + BLOCKS_A_RUN)) {
      const block = reads.block(hash)
      if (block !== null) blocks.push(block)
    }
    const { refused } = await chain.importBlocks(blocks, hashes.length - at - blocks.length)
    if (refused !== null) return messageOf(`block ${refused.block.header.number}: ${refused.outcome.reason}`)
    const block = Number(chain.head.header.number)
    onProgress({ stage: 'execution', fraction: (at + blocks.length) / hashes.length, block, blocks: block })
  }
  return null
}

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
