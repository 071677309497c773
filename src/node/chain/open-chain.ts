// Opens the chain of a store: writes genesis into an empty one, checks a used one before anything relies on it.
import { equalBytes } from '../../base/bytes'
import { toHex } from '../../base/hex'
import type { ConsensusParams } from '../consensus/params'
import { ChainError, StoreError } from '../errors'
import { applyStateChanges } from '../execution/state-changes'
import { chainKeys, metaKeys, SCHEMA_VERSION, stateKeys } from '../store/keys'
import { type Store, StoreLayer } from '../store/store'
import { EMPTY_TRIE_ROOT } from '../trie/trie'
import { Chain, type ChainDeps } from './chain'
import { writeBlock, writeCanonical } from './chain-store'
import { createGenesis, parseGenesis } from './genesis'
import { decodeHeader } from './header'

export interface OpenChainOptions {
  readonly params: ConsensusParams
  /** Genesis file (JSON text) for an empty store; a used one keeps its own. */
  readonly genesis: string | null
  /** Named in errors. */
  readonly folder: string
}

/** Blocks under the head that are looked at when a chain is opened. */
const CHECKED_BLOCKS = 1024n

/** The genesis file that the store was made with, null when it is empty. */
export function storedGenesis(store: Pick<Store, 'get'>): string | null {
  const bytes = store.get(metaKeys.genesis)
  return bytes === undefined ? null : new TextDecoder().decode(bytes)
}

/** @throws StoreError STORE_CORRUPT, STORE_SCHEMA; ChainError CHAIN_GENESIS_INVALID, CHAIN_GENESIS_MISMATCH */
export async function openChain(options: OpenChainOptions, deps: ChainDeps): Promise<Chain> {
  try {
    return await openChecked(options, deps)
  } catch (error: unknown) {
    // What a reader throws for bytes that cannot be what was written.
    if (!(error instanceof RangeError)) throw error
    throw new StoreError('STORE_CORRUPT', { folder: options.folder, reason: error.message }, { cause: error })
  }
}

async function openChecked(options: OpenChainOptions, deps: ChainDeps): Promise<Chain> {
  const { store } = deps
  const { folder } = options
  checkSchema(store, folder)
  if (storedGenesis(store) === null) await writeGenesis(store, options)
  else if (options.genesis !== null) await checkGenesis(store, options.genesis, folder)
  const head = store.get(metaKeys.head)
  if (head === undefined) throw new StoreError('STORE_CORRUPT', { folder, reason: 'no head' })
  const chain = new Chain({ params: options.params, head: checkedHead(store, head, folder) }, deps)
  checkRecent(chain, folder)
  return chain
}

function checkSchema(store: Store, folder: string): void {
  const bytes = store.get(metaKeys.schema)
  if (bytes === undefined) return
  const found = new TextDecoder().decode(bytes)
  if (found !== String(SCHEMA_VERSION))
    throw new StoreError('STORE_SCHEMA', { folder, found: found.slice(0, 20), known: SCHEMA_VERSION })
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
  layer.put(metaKeys.schema, new TextEncoder().encode(String(SCHEMA_VERSION)))
  await store.write(layer.changes())
}

async function checkGenesis(store: Store, text: string, folder: string): Promise<void> {
  const { block } = await genesisOf(text)
  const stored = store.get(chainKeys.canonical(0n)) ?? new Uint8Array(0)
  if (!equalBytes(stored, block.hash))
    throw new ChainError('CHAIN_GENESIS_MISMATCH', { folder, stored: toHex(stored), wanted: toHex(block.hash) })
}

/** The head must lead to a header, a body, a total difficulty and a state root that are really there. */
function checkedHead(store: Store, head: Uint8Array, folder: string): Uint8Array {
  const name = toHex(head)
  const corrupt = (reason: string) => new StoreError('STORE_CORRUPT', { folder, reason })
  const header = decodeHeader(store.get(chainKeys.header(head)) ?? new Uint8Array(0))
  if (!header.ok || store.get(chainKeys.totalDifficulty(head)) === undefined) throw corrupt(`head ${name} is missing`)
  if (store.get(chainKeys.body(head)) === undefined) throw corrupt(`the body of head ${name} is missing`)
  const root = header.value.stateRoot
  if (!equalBytes(root, EMPTY_TRIE_ROOT) && store.get(stateKeys.node(root)) === undefined)
    throw corrupt(`the state of head ${name} is missing`)
  return head
}

/** A hole in the recent canonical chain means that a write was lost: its state cannot be trusted. */
function checkRecent(chain: Chain, folder: string): void {
  let { header, hash } = chain.head
  const lowest = header.number > CHECKED_BLOCKS ? header.number - CHECKED_BLOCKS : 0n
  for (;;) {
    if (!chain.reads.isCanonical(header.number, hash))
      throw new StoreError('STORE_CORRUPT', { folder, reason: `block ${header.number} is not in the index` })
    if (header.number <= lowest) return
    const parent = chain.reads.header(header.parentHash)
    if (parent === null)
      throw new StoreError('STORE_CORRUPT', { folder, reason: `block ${header.number - 1n} is missing` })
    hash = header.parentHash
    header = parent
  }
}
