// How far back states and undo records reach. `full` keeps the states of the last 128 heads; `archive` prunes nothing.
// Both write the same records, so a chain may be opened either way at each start.
import { bytesFromBigint, bytesName } from '../../base/bytes'
import { TransientNodes } from '../execution/node-places'
import { type StateBlock, spellOutRecord, undoneKeys, undoneValue, undoneValues } from '../execution/state-changes'
import { BlockSetRun, decodeBlockSet, offsetsOf, removeBlock, SECTION_BLOCKS } from '../log-index/log-index'
import { FULL_WINDOW, type WindowSize } from '../model/window-size'
import { chainKeys, heightFrom, historyKeys, metaKeys, stateKeys } from '../store/keys'
import type { StoreReader, StoreWriter } from '../store/store'

/** Height of the oldest block whose state the undo records give: those of all later blocks are kept. */
export function historyFrom(store: StoreReader): bigint {
  return heightFrom(store.get(metaKeys.historyFrom))
}

/** States below `number` are no longer known. */
export function writeHistoryFrom(store: StoreWriter, number: bigint): void {
  store.put(metaKeys.historyFrom, bytesFromBigint(number, 8))
}

/** Puts blocks that leave the window into the index, lowest first. */
export class HistoryRun {
  readonly #sets = new BlockSetRun()

  constructor(private readonly store: StoreReader & StoreWriter) {}

  /** A block without an undo record ends the history below it. */
  add({ number, hash }: StateBlock): void {
    const record = this.store.get(stateKeys.undo(number, hash))
    if (record === undefined) writeHistoryFrom(this.store, number)
    else
      for (const key of undoneKeys(record))
        this.#sets.add(number, bytesName(key), (section) => historyKeys.section(key, section))
  }

  /** Call it once, after the last block. */
  settle(): void {
    this.#sets.settle(this.store)
  }
}

/** Blocks whose records are deleted with one new block, for a history that was longer before. */
const FORGOTTEN_BLOCKS = 4

/** Deletes the undo records of the oldest blocks up to `last`, and what the index has of them. */
export function forgetHistory(store: StoreReader & StoreWriter, last: bigint): void {
  let from = historyFrom(store)
  for (let left = FORGOTTEN_BLOCKS; left > 0 && from < last; left--) {
    const hash = store.get(chainKeys.canonical(++from))
    if (hash !== undefined) forgetBlock(store, { number: from, hash })
    writeHistoryFrom(store, from)
  }
}

function forgetBlock(store: StoreReader & StoreWriter, { number, hash }: StateBlock): void {
  const key = stateKeys.undo(number, hash)
  const record = store.get(key)
  if (record === undefined) return
  const section = Math.floor(Number(number) / SECTION_BLOCKS)
  for (const flat of undoneKeys(record))
    removeBlock(store, historyKeys.section(flat, section), Number(number) % SECTION_BLOCKS)
  store.delete(key)
}

/** By flat key: its value after the last indexed block. Null when undo records exceed `maxBytes`, or one is gone. */
export function windowHistory(
  store: StoreReader,
  { from, head, maxBytes }: { readonly from: bigint; readonly head: bigint; readonly maxBytes: number },
): ReadonlyMap<string, Uint8Array | null> | null {
  const found = new Map<string, Uint8Array | null>()
  let bytes = 0
  for (let number = from + 1n; number <= head; number++) {
    const record = undoRecord(store, number)
    bytes += record?.length ?? 0
    if (record === undefined || bytes > maxBytes) return null
    for (const [key, before] of undoneValues(record)) {
      const name = bytesName(key)
      if (!found.has(name)) found.set(name, before)
    }
  }
  return found
}

/** Reads flat keys as they were after block `number`, and anything else as it is. */
export class PastState implements StoreReader {
  /** @param store of the head @param indexed last indexed height, above `number` @param later from `windowHistory` */
  constructor(
    private readonly store: StoreReader,
    private readonly number: bigint,
    private readonly indexed: bigint,
    private readonly later: ReadonlyMap<string, Uint8Array | null>,
  ) {}

  /** @throws RangeError when the record of a block that the index names is gone */
  get(key: Uint8Array): Uint8Array | undefined {
    if (!stateKeys.isFlat(key)) return this.store.get(key)
    const indexed = this.#indexed(key)
    if (indexed !== undefined) return indexed ?? undefined
    const later = this.later.get(bytesName(key))
    return later === undefined ? this.store.get(key) : (later ?? undefined)
  }

  getStored(key: Uint8Array): Uint8Array | undefined {
    return this.get(key)
  }

  keysWithPrefix(prefix: Uint8Array): Promise<readonly Uint8Array[]> {
    return this.store.keysWithPrefix(prefix)
  }

  /** The value that the first indexed block above `number` found; undefined: none changed it. */
  #indexed(key: Uint8Array): Uint8Array | null | undefined {
    const [first, last] = [Number(this.number) + 1, Number(this.indexed)]
    for (let section = Math.floor(first / SECTION_BLOCKS); section * SECTION_BLOCKS <= last; section++) {
      const stored = this.store.get(historyKeys.section(key, section))
      if (stored === undefined) continue
      for (const offset of offsetsOf(decodeBlockSet(stored))) {
        const height = section * SECTION_BLOCKS + offset
        if (height < first || height > last) continue
        const record = undoRecord(this.store, BigInt(height))
        if (record === undefined) throw new RangeError(`no undo record of block ${height}`)
        const value = undoneValue(record, key)
        if (value !== undefined) return value // else the index still names a block of a branch that is gone
      }
    }
    return undefined
  }
}

function undoRecord(store: StoreReader, number: bigint): Uint8Array | undefined {
  const hash = store.get(chainKeys.canonical(number))
  return hash === undefined ? undefined : store.get(stateKeys.undo(number, hash))
}

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
