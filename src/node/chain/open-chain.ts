// Opens the chain of a store: writes genesis into an empty one, checks a used one before anything relies on it.
import { equalBytes } from '../../base/bytes'
import { toHex } from '../../base/hex'
import type { Logger } from '../../base/logger'
import type { ConsensusParams } from '../consensus/params'
import { ChainError, StoreError } from '../errors'
import { applyStateChanges, undoFlatState } from '../execution/state-changes'
import { type BlockHeader, blockHash, decodeHeader } from '../model/header'
import { FULL_WINDOW, type WindowSize } from '../model/window-size'
import { chainKeys, metaKeys, SCHEMA_VERSION, stateKeys } from '../store/keys'
import { type Store, StoreLayer } from '../store/store'
import { EMPTY_TRIE_ROOT } from '../trie/trie'
import { Chain, type ChainDeps } from './chain'
import { ChainReads, writeBlock, writeCanonical, writeSide } from './chain-store'
import { createGenesis, parseGenesis } from './genesis'
import { isMarked, REBUILD_MARK, rebuildState } from './rebuild-state'
import { type GcMode, spellOutRecords, statesFrom, writeHistoryFrom } from './state-window'

/** Blocks below the head whose headers must be consecutive, and those of which everything must exist. */
const LINKED_BLOCKS = 1024n
const WHOLE_BLOCKS = 128n

/** Null when the head and what is below it exist, else what is wrong. Never throws for damaged entries. */
export function tornReason(store: Store): string | null {
  const hash = store.get(metaKeys.head)
  if (hash === undefined) return 'no head'
  try {
    return headFault(store, hash) ?? linkFault(store, hash)
  } catch (error: unknown) {
    if (error instanceof RangeError) return error.message
    throw error
  }
}

/** Goes back to the newest intact block. @param reason for the log @throws RangeError when there is none */
async function repairTornHead(store: Store, reason: string, log: Logger): Promise<void> {
  log.warn('chain database is torn', { reason })
  const top = await topOfIndex(store)
  const head = newestWhole(store, top)
  if (head === null) throw new RangeError(`${reason}; no whole block under it`)
  const layer = new StoreLayer(store)
  for (let number = top; number > head.header.number; number--) await takeBack(layer, number)
  layer.put(metaKeys.head, head.hash)
  layer.put(...REBUILD_MARK)
  await store.write(layer.changes())
  await rebuildState(store, head.header, log)
  log.warn('chain database repaired', { head: Number(head.header.number), lost: Number(top - head.header.number) })
}

function headFault(store: Store, hash: Uint8Array): string | null {
  const reads = new ChainReads(store)
  const name = toHex(hash)
  const header = reads.header(hash)
  if (header === null) return `head ${name} is missing`
  if (!reads.isCanonical(header.number, hash)) return `head ${name} is not in the index`
  const root = header.stateRoot
  if (!equalBytes(root, EMPTY_TRIE_ROOT) && store.get(stateKeys.node(root)) === undefined)
    return `the state of head ${name} is missing`
  return reads.canonicalHash(header.number + 1n) === null ? null : `the index goes beyond head ${name}`
}

/** A gap in the recent chain means a lost write. */
function linkFault(store: Store, head: Uint8Array): string | null {
  const reads = new ChainReads(store)
  const top = reads.header(head)?.number ?? 0n
  const oldest = storedFormat(store) === '1' ? top : statesFrom(store)
  let hash = head
  for (let number = top; ; number--) {
    const parentHash = reads.parentHash(hash)
    if (parentHash === null) return `block ${number} is missing`
    if (!reads.isCanonical(number, hash)) return `block ${number} is not in the index`
    if (number + WHOLE_BLOCKS > top && !isWhole(store, reads, number)) return `block ${number} is half there`
    if (number > oldest && store.get(stateKeys.places(number, hash)) === undefined)
      return `the nodes of block ${number} are missing`
    if (number === 0n || number + LINKED_BLOCKS <= top) return null
    hash = parentHash
  }
}

/** Format 1 recorded no nodes. */
function storedFormat(store: Store): string {
  return new TextDecoder().decode(store.get(metaKeys.schema))
}

function isWhole(store: Store, reads: ChainReads, number: bigint): boolean {
  const hash = reads.canonicalHash(number)
  if (hash === null) return false
  try {
    // In place: a block has up to millions of logs, as objects they took a start minutes; 128 blocks' transactions, 0.1 s.
    const receipts = reads.storedReceipts(hash)?.outcomes
    if (receipts === undefined || receipts.length !== reads.transactionCount(hash)) return false
    return reads.header(hash)?.number === number && store.get(chainKeys.totalDifficulty(hash)) !== undefined
  } catch (error: unknown) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** The highest canonical block that is complete, as are the blocks below it. */
function newestWhole(store: Store, top: bigint): { readonly header: BlockHeader; readonly hash: Uint8Array } | null {
  const reads = new ChainReads(store)
  const lowest = top > LINKED_BLOCKS ? top - LINKED_BLOCKS : 0n
  let newest: { readonly header: BlockHeader; readonly hash: Uint8Array } | null = null
  for (let number = lowest; number <= top && isWhole(store, reads, number); number++) {
    const hash = reads.canonicalHash(number)
    const header = hash === null ? null : reads.header(hash)
    if (hash === null || header === null) break
    if (newest !== null && !equalBytes(header.parentHash, newest.hash)) break
    newest = { header, hash }
  }
  return newest
}

async function topOfIndex(store: Store): Promise<bigint> {
  const prefix = chainKeys.canonical(0n).subarray(0, 1)
  let top = 0n
  for (const key of await store.keysWithPrefix(prefix)) {
    const number = new DataView(key.buffer, key.byteOffset + 1, 8).getBigUint64(0)
    if (number > top) top = number
  }
  return top
}

/** Removes what exists of the canonical block `number` from state and index; what is intact stays as a side block. */
async function takeBack(layer: StoreLayer, number: bigint): Promise<void> {
  const prefix = stateKeys.undo(number, new Uint8Array(0))
  for (const key of await layer.keysWithPrefix(prefix)) undoFlatState(layer, { number, hash: key.slice(prefix.length) })
  const reads = new ChainReads(layer)
  const hash = reads.canonicalHash(number)
  if (hash === null) return
  layer.delete(chainKeys.canonical(number))
  try {
    const block = reads.block(hash)
    for (const tx of block?.transactions ?? []) layer.delete(chainKeys.transaction(tx.hash))
    if (block !== null && reads.totalDifficulty(hash) !== null && block.header.number === number) {
      writeSide(layer, block)
      return
    }
  } catch (error: unknown) {
    if (!(error instanceof RangeError)) throw error
  }
  for (const key of [chainKeys.header(hash), chainKeys.body(hash), chainKeys.totalDifficulty(hash)]) layer.delete(key)
  layer.delete(chainKeys.receipts(hash))
}

interface OpenChainOptions {
  readonly params: ConsensusParams
  /** Genesis file (JSON text) for an empty store; a used one keeps its own. */
  readonly genesis: string | null
  /** Named in errors. */
  readonly folder: string
  /** Default `full`. */
  readonly gcMode?: GcMode
  /** For mode `full`; tests use smaller ones. */
  readonly window?: WindowSize
  /** Default true. False accepts any seal: for benchmarks and tests. */
  readonly checkSeals?: boolean
}

/** The genesis file that the store was created with; null when it is empty. */
export function storedGenesis(store: Pick<Store, 'get'>): string | null {
  const bytes = store.get(metaKeys.genesis)
  return bytes === undefined ? null : new TextDecoder().decode(bytes)
}

/** @throws StoreError STORE_CORRUPT, STORE_SCHEMA; ChainError CHAIN_GENESIS_INVALID, CHAIN_GENESIS_MISMATCH */
export async function openChain(options: OpenChainOptions, deps: ChainDeps): Promise<Chain> {
  try {
    return await openChecked(options, deps)
  } catch (error: unknown) {
    // Readers throw it for bytes that can't be what was written.
    if (!(error instanceof RangeError)) throw error
    throw new StoreError('STORE_CORRUPT', { folder: options.folder, reason: error.message }, { cause: error })
  }
}

async function openChecked(options: OpenChainOptions, deps: ChainDeps): Promise<Chain> {
  const { store, log } = deps
  const { folder, params, gcMode = 'full', window = FULL_WINDOW, checkSeals = true } = options
  const schema = storedSchema(store, folder)
  if (storedGenesis(store) === null) await writeGenesis(store, options)
  else if (options.genesis !== null) await checkGenesis(store, options.genesis, folder)
  if (schema === 1) await noteSideBlocks(store)
  if (isMarked(store)) await finishRebuild(store, log)
  else await checkWhole(store, log)
  if (schema === 1) await migrateFromOne(store, log)
  else if (schema !== null && schema !== SCHEMA_VERSION) await takeOver(store)
  const head = store.get(metaKeys.head)
  if (head === undefined) throw new StoreError('STORE_CORRUPT', { folder, reason: 'no head' })
  const chain = new Chain({ params, gcMode, window, checkSeals, head }, deps)
  if (gcMode === 'archive') await keepAll(store, chain.head.header.number)
  const from = chain.statesFrom
  if (gcMode === 'archive' && from > 0n) log.info('states were not kept before', { block: Number(from) })
  return chain
}

/** Formats 2 and 3 only lack what this one adds; the history begins with the oldest kept state. */
async function takeOver(store: Store): Promise<void> {
  const layer = new StoreLayer(store)
  writeHistoryFrom(layer, statesFrom(store))
  layer.put(...SCHEMA_MARK)
  await store.write(layer.changes())
}

async function keepAll(store: Store, head: bigint): Promise<void> {
  const layer = new StoreLayer(store)
  spellOutRecords(layer, head)
  const changes = layer.changes()
  if (changes.length > 0) await store.write(changes)
}

const KNOWN_SCHEMAS = Array.from({ length: SCHEMA_VERSION }, (_, index) => String(index + 1))
/** An older program must not open what this one writes. */
const SCHEMA_MARK = [metaKeys.schema, new TextEncoder().encode(String(SCHEMA_VERSION))] as const

/** Null in an empty database. @throws StoreError STORE_SCHEMA */
function storedSchema(store: Store, folder: string): number | null {
  const bytes = store.get(metaKeys.schema)
  if (bytes === undefined) return null
  const found = new TextDecoder().decode(bytes)
  if (!KNOWN_SCHEMAS.includes(found))
    throw new StoreError('STORE_SCHEMA', { folder, found: found.slice(0, 20), known: SCHEMA_VERSION })
  return Number(found)
}

/** @throws RangeError when it is torn and can't be repaired */
async function checkWhole(store: Store, log: Logger): Promise<void> {
  const torn = tornReason(store)
  if (torn !== null) await repairTornHead(store, torn, log)
}

/** @throws RangeError when the head is missing or its state can't be rebuilt */
async function finishRebuild(store: Store, log: Logger): Promise<void> {
  const head = store.get(metaKeys.head)
  const header = head === undefined ? null : new ChainReads(store).header(head)
  if (header === null) throw new RangeError('no head')
  await rebuildState(store, header, log)
}

/** Format 1 didn't record which trie nodes are still needed; a repair may have written the new format already. */
async function migrateFromOne(store: Store, log: Logger): Promise<void> {
  if (storedSchema(store, '') !== 1) return
  log.info('upgrading the chain database to a newer format', { from: 1, to: SCHEMA_VERSION })
  await finishRebuild(store, log)
}

/** Format 1 didn't mark side blocks. */
async function noteSideBlocks(store: Store): Promise<void> {
  const reads = new ChainReads(store)
  const layer = new StoreLayer(store)
  const prefix = chainKeys.header(new Uint8Array(0))
  for (const key of await store.keysWithPrefix(prefix)) {
    const hash = key.slice(prefix.length)
    const header = decodeHeader(store.get(key) ?? new Uint8Array(0))
    if (header.ok && !reads.isCanonical(header.value.number, hash)) writeSide(layer, { header: header.value, hash })
  }
  await store.write(layer.changes())
}

async function genesisOf(text: string) {
  const file = parseGenesis(text)
  if (!file.ok) throw new ChainError('CHAIN_GENESIS_INVALID', { reason: file.error })
  return createGenesis(file.value)
}

async function writeGenesis(store: Store, options: OpenChainOptions): Promise<void> {
  if (options.genesis === null)
    throw new ChainError('CHAIN_GENESIS_INVALID', { reason: 'none given for an empty store' })
  const { block, changes, file } = await genesisOf(options.genesis)
  if (file.config.chainId !== options.params.chainId) {
    const reason = `chain id ${file.config.chainId}, wanted ${options.params.chainId}`
    throw new ChainError('CHAIN_GENESIS_INVALID', { reason })
  }
  const layer = new StoreLayer(store)
  applyStateChanges(layer, { number: 0n, hash: block.hash }, changes)
  writeBlock(layer, block, block.header.difficulty)
  writeCanonical(layer, block, [])
  layer.put(metaKeys.genesis, new TextEncoder().encode(options.genesis))
  layer.put(...SCHEMA_MARK)
  await store.write(layer.changes())
}

async function checkGenesis(store: Store, text: string, folder: string): Promise<void> {
  const stored = store.get(chainKeys.canonical(0n)) ?? new Uint8Array(0)
  if (isOf(store, text, stored)) return
  const { block } = await genesisOf(text)
  if (!equalBytes(stored, block.hash))
    throw new ChainError('CHAIN_GENESIS_MISMATCH', { folder, stored: toHex(stored), wanted: toHex(block.hash) })
}

/** Whether the store was created from the very same text, of which a large one takes seconds to compute the state. */
function isOf(store: Store, text: string, first: Uint8Array): boolean {
  const kept = store.get(metaKeys.genesis) ?? new Uint8Array(0)
  const header = first.length === 0 ? null : new ChainReads(store).header(first)
  return header !== null && equalBytes(blockHash(header), first) && equalBytes(kept, new TextEncoder().encode(text))
}
