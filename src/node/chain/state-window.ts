// How far back states and undo records reach. `full` keeps the states of the last 128 heads; `archive` prunes nothing.
// Both write the same records, so a chain may be opened either way at each start.
import { bigintFromBytes, bytesFromBigint } from '../../base/bytes'
import { forgetStatesBelow, type StateBlock } from '../execution/state-changes'
import type { WindowSize } from '../model/window-size'
import { chainKeys, metaKeys, stateKeys } from '../store/keys'
import type { StoreReader, StoreWriter } from '../store/store'

/** Whether old states are pruned (`full`) or kept (`archive`). */
export type GcMode = 'full' | 'archive'

/** A chain from mode `archive` prunes its old states by this many blocks per new one. */
const STEPS_PER_BLOCK = 16

/** Height of the oldest canonical block whose state is complete. */
export function statesFrom(store: StoreReader): bigint {
  const bytes = store.get(metaKeys.statesFrom)
  return bytes === undefined ? 0n : bigintFromBytes(bytes)
}

/** Stores the height of the oldest complete state. */
export function writeStatesFrom(store: StoreWriter, number: bigint): void {
  store.put(metaKeys.statesFrom, bytesFromBigint(number, 8))
}

/**
 * Height of the lowest canonical block that a reorganisation may go back to: undo records are pruned oldest first.
 * @param head height of the head
 */
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

/** Prunes what is too old after block `number` became the head. @param size null = prunes nothing */
export function slideWindow(store: StoreReader & StoreWriter, number: bigint, size: WindowSize | null): void {
  if (size === null) return
  const oldest = number + 1n - size.states
  const before = statesFrom(store)
  let from = before
  for (let step = 0; step < STEPS_PER_BLOCK && from < oldest; step++) {
    from++
    const hash = store.get(chainKeys.canonical(from))
    if (hash === undefined) throw new RangeError(`canonical block ${from} is missing`)
    forgetStatesBelow(store, { number: from, hash })
  }
  if (from !== before) writeStatesFrom(store, from)
  forgetUndo(store, number, size)
}

/**
 * Whether a run of blocks on top of block `head` may keep only its last state: states are pruned, the run's own would be
 * too old once the following blocks are imported, and few older states are left to prune with it.
 * @param following number of blocks known to come after the run
 */
export function canPass(store: StoreReader, head: bigint, following: number, size: WindowSize | null): boolean {
  return size !== null && BigInt(following) + 1n >= size.states && head - statesFrom(store) <= 2n * size.states
}

/** Call it after such a run became canonical without records of places: prunes all states below its last one. */
export function passWindow(store: StoreReader & StoreWriter, blocks: readonly StateBlock[], size: WindowSize): void {
  const [first] = blocks
  const last = blocks[blocks.length - 1]
  if (first === undefined || last === undefined) return
  for (let from = statesFrom(store) + 1n; from < first.number; from++) {
    const hash = store.get(chainKeys.canonical(from))
    if (hash === undefined) throw new RangeError(`canonical block ${from} is missing`)
    forgetStatesBelow(store, { number: from, hash })
  }
  writeStatesFrom(store, last.number)
  for (const { number } of blocks) forgetUndo(store, number, size)
}

/** Of the block that is now too deep to be taken back. */
function forgetUndo(store: StoreReader & StoreWriter, number: bigint, size: WindowSize): void {
  const undone = number - size.reorg
  const hash = undone > 0n ? store.get(chainKeys.canonical(undone)) : undefined
  if (hash !== undefined) store.delete(stateKeys.undo(undone, hash))
}

/** After a rollback to `number`: states pruned above it were rebuilt only down to it. */
export function widenWindow(store: StoreReader & StoreWriter, number: bigint): void {
  if (statesFrom(store) > number) writeStatesFrom(store, number)
}
