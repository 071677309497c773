// Accounts and slots after any canonical block. The undo records are the history: the value after a block is what the
// first later block that changed it found. An index says which blocks changed a flat key, for those whose states have left
// the window; the window's own records are read through.
import { bytesFromBigint, bytesName } from '../../base/bytes'
import { type StateBlock, undoneKeys, undoneValue, undoneValues } from '../execution/state-changes'
import { BlockSetRun, decodeBlockSet, offsetsOf, removeBlock, SECTION_BLOCKS } from '../log-index/block-set'
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
