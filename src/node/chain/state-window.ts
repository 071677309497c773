// How far back states and undo records reach. `full` keeps the states of the last 128 heads; `archive` gives up nothing.
// Both write the same records, so that a chain may be opened either way at each start.
import { bigintFromBytes, bytesFromBigint } from '../../base/bytes'
import { forgetStatesBelow } from '../execution/state-changes'
import { chainKeys, metaKeys, stateKeys } from '../store/keys'
import type { StoreReader, StoreWriter } from '../store/store'

export type GcMode = 'full' | 'archive'

/** How far back mode `full` reaches, in blocks. */
export interface WindowSize {
  /** heads whose state can be read, the newest included */
  readonly states: bigint
  /** blocks that a reorganisation may take back */
  readonly reorg: bigint
}

/**
 * As many states as the reference keeps. Reorganisations of 57 days of the network's blocks: undo records are small, and the trie
 * nodes of older states can be made again from them.
 */
export const FULL_WINDOW: WindowSize = { states: 128n, reorg: 8192n }
/** A chain that was kept in mode `archive` gives up its old states by so many blocks with each new one. */
const STEPS_PER_BLOCK = 16

/** Height of the oldest canonical block whose state is whole. */
export function statesFrom(store: StoreReader): bigint {
  const bytes = store.get(metaKeys.statesFrom)
  return bytes === undefined ? 0n : bigintFromBytes(bytes)
}

export function writeStatesFrom(store: StoreWriter, number: bigint): void {
  store.put(metaKeys.statesFrom, bytesFromBigint(number, 8))
}

/** After block `number` became the head: gives up what is too old. @param size null = nothing is too old */
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
  const undone = number - size.reorg
  const hash = undone > 0n ? store.get(chainKeys.canonical(undone)) : undefined
  if (hash !== undefined) store.delete(stateKeys.undo(undone, hash))
}

/** After blocks above `number` were taken back: states that were given up above it were made again down to it only. */
export function widenWindow(store: StoreReader & StoreWriter, number: bigint): void {
  if (statesFrom(store) > number) writeStatesFrom(store, number)
}
