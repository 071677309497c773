// A torn database: the newest entries are missing or incomplete because a disk or machine lost a write. Goes back to
// the newest intact block, reverts the blocks above it by their undo records, and proves the result by its state root.
import { equalBytes } from '../../base/bytes'
import { toHex } from '../../base/hex'
import type { Logger } from '../../base/logger'
import { undoFlatState } from '../execution/state-changes'
import type { BlockHeader } from '../model/header'
import { chainKeys, metaKeys, stateKeys } from '../store/keys'
import { type Store, StoreLayer } from '../store/store'
import { EMPTY_TRIE_ROOT } from '../trie/trie'
import { ChainReads, writeSide } from './chain-store'
import { REBUILD_MARK, rebuildState } from './rebuild-state'
import { statesFrom } from './state-window'

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
export async function repairTornHead(store: Store, reason: string, log: Logger): Promise<void> {
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
