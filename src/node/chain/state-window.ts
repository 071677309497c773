// How far back states and undo records reach. `full` keeps the states of the last 128 heads; `archive` prunes nothing.
// Both write the same records, so a chain may be opened either way at each start.
import { bytesFromBigint } from '../../base/bytes'
import { TransientNodes } from '../execution/node-places'
import { type StateBlock, spellOutRecord } from '../execution/state-changes'
import { FULL_WINDOW, type WindowSize } from '../model/window-size'
import { chainKeys, heightFrom, metaKeys, stateKeys } from '../store/keys'
import type { StoreReader, StoreWriter } from '../store/store'
import { forgetHistory, HistoryRun, historyFrom, writeHistoryFrom } from './state-history'

/** Whether old states are pruned (`full`) or kept (`archive`). */
export type GcMode = 'full' | 'archive'

/** Nodes that are settled with one new block: a tenth of a second. */
const SETTLED_NODES = 16_384

/** Height of the oldest canonical block whose state is complete. */
export function statesFrom(store: StoreReader): bigint {
  return heightFrom(store.get(metaKeys.statesFrom))
}

export function writeStatesFrom(store: StoreWriter, number: bigint): void {
  store.put(metaKeys.statesFrom, bytesFromBigint(number, 8))
}

/** Lowest height that a reorganisation may go back to. @param head its height */
export function undoFrom(store: StoreReader, head: bigint): bigint {
  let low = 0n
  let high = head
  while (low < high) {
    const middle = (low + high) / 2n
    const above = store.get(chainKeys.canonical(middle + 1n))
    const isKept = above !== undefined && store.get(stateKeys.undo(middle + 1n, above)) !== undefined
    if (isKept) high = middle
    else low = middle + 1n
  }
  return low
}

/** Once `number` is the head; many states at a time, so that short-lived nodes are never written. @param size null = none */
export function slideWindow(store: StoreReader & StoreWriter, number: bigint, size: WindowSize | null): void {
  if (size === null) return
  const oldest = number + 1n - size.states
  let from = statesFrom(store)
  if (oldest - from >= runOf(size)) {
    const settling = new TransientNodes(store)
    const history = new HistoryRun(store)
    while (from < oldest && settling.size < SETTLED_NODES) {
      const block = canonicalAt(store, ++from)
      settling.takeRecord(block)
      history.add(block)
    }
    settling.settle()
    history.settle()
    writeStatesFrom(store, from)
  }
  forgetUndo(store, number, size)
}

/** States that leave the window together. */
function runOf({ states }: WindowSize): bigint {
  return states / 2n
}

/** Bytes of its nodes that block `number` may have in its record; 0 while more states are kept than a window has. */
export function recordBytes(store: StoreReader, number: bigint, size: WindowSize | null): number {
  return size !== null && isCaughtUp(store, number, size) ? size.recordBytes : 0
}

/** Whether blocks on top of `head` may keep only their last state. @param following blocks known to come after them */
export function canPass(store: StoreReader, head: bigint, following: number, size: WindowSize | null): boolean {
  return size !== null && BigInt(following) + 1n >= size.states && isCaughtUp(store, head, size)
}

/** False while a chain from mode `archive` still has many older states. */
function isCaughtUp(store: StoreReader, head: bigint, { states }: WindowSize): boolean {
  return head - statesFrom(store) <= 2n * states
}

/** The nodes of a run that keeps only its last state, which begins with those of the kept states up to block `head`. */
export function passingNodes(layer: StoreReader & StoreWriter, head: bigint): TransientNodes {
  const passing = new TransientNodes(layer)
  for (let number = statesFrom(layer) + 1n; number <= head; number++) passing.takeRecord(canonicalAt(layer, number))
  return passing
}

/** Call it after such a run became canonical: no state below its last one is kept. */
export function passWindow(store: StoreReader & StoreWriter, blocks: readonly StateBlock[], size: WindowSize): void {
  const last = blocks[blocks.length - 1]
  if (last === undefined) return
  const history = new HistoryRun(store)
  for (let number = statesFrom(store) + 1n; number <= last.number; number++) history.add(canonicalAt(store, number))
  history.settle()
  writeStatesFrom(store, last.number)
  for (const { number } of blocks) forgetUndo(store, number, size)
}

/** Writes the nodes of all records one by one: from now on, all states are kept. @param head height of the head */
export function spellOutRecords(store: StoreReader & StoreWriter, head: bigint): void {
  const lowest = head - 4n * FULL_WINDOW.states
  const from = statesFrom(store)
  for (let number = from > lowest ? from + 1n : lowest; number <= head; number++)
    if (number > 0n) spellOutRecord(store, canonicalAt(store, number))
}

function canonicalAt(store: StoreReader, number: bigint): StateBlock {
  const hash = store.get(chainKeys.canonical(number))
  if (hash === undefined) throw new RangeError(`canonical block ${number} is missing`)
  return { number, hash }
}

/** Of the block that is now too deep to be taken back. */
function forgetUndo(store: StoreReader & StoreWriter, number: bigint, { history, reorg }: WindowSize): void {
  if (history === 0n) return
  forgetHistory(store, number - (history > reorg ? history : reorg))
}

/** After a rollback to `number`: states pruned above it were rebuilt only down to it. */
export function widenWindow(store: StoreReader & StoreWriter, number: bigint): void {
  if (statesFrom(store) > number) writeStatesFrom(store, number)
  if (historyFrom(store) > number) writeHistoryFrom(store, number)
}
