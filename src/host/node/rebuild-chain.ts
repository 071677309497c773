// The last resort of database repair: the trustworthy part is executed again into a new database, which then replaces
// the damaged one. That one is kept beside it. Nothing is changed until the new one is complete.
import { existsSync } from 'node:fs'
import { cp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode, messageOf } from '../../base/errors'
import type { Logger } from '../../base/logger'
import { systemClock } from '../../base/time'
import type { ResolvedConfig } from '../../config/resolved-config'
import { createXhashEngine } from '../../native/xhash-engine'
import { readableChain } from '../../node/chain/care/readable-chain'
import type { Chain } from '../../node/chain/chain'
import { ChainReads } from '../../node/chain/chain-store'
import { openChain, storedGenesis } from '../../node/chain/open-chain'
import { openEngine } from '../../node/execution/wasm/wasm-engine'
import type { Block } from '../../node/model/block'
import { FULL_WINDOW } from '../../node/model/window-size'
import type { FileDamage } from '../../node/store/files/check-files'
import { shutBlocks } from '../../node/store/files/table-file'
import { metaKeys } from '../../node/store/keys'
import { salvageLevel } from '../../node/store/level-care'
import { openLevelStore, rebuiltOf } from '../../node/store/level-store'
import { MemoryStore, type Store } from '../../node/store/store'
import { HostError } from '../errors'
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
export function stage(name: StageProgress['stage'], onProgress: StageOptions['onProgress']) {
  return (progress: Omit<StageProgress, 'stage'>): void => onProgress({ stage: name, ...progress })
}

/** Executed per run: the signal is checked between two of these. */
const BLOCKS_A_RUN = 128

export interface RebuildOutcome {
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
export async function rebuildChain(
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
