// What a block did to the state, and how it is taken back: undo records hold the previous value of each flat key.
import { FieldReader } from '../codec/fields'
import { decodeRlp, encodeRlp } from '../codec/rlp'
import { stateKeys } from '../store/keys'
import type { StoreReader, StoreWriter } from '../store/store'

/** A flat key's value before and after; null = absent. */
export interface FlatChange {
  readonly key: Uint8Array
  readonly before: Uint8Array | null
  readonly after: Uint8Array | null
}

export interface StateChanges {
  /** 32 bytes */
  readonly stateRoot: Uint8Array
  readonly flat: readonly FlatChange[]
  /** hash -> RLP of new trie nodes */
  readonly nodes: readonly (readonly [Uint8Array, Uint8Array])[]
  /** hash -> code */
  readonly codes: readonly (readonly [Uint8Array, Uint8Array])[]
}

/** Writes the changes of block (`number`, `hash`) and the record that undoes them. */
export function applyStateChanges(
  writer: StoreWriter,
  block: { readonly number: bigint; readonly hash: Uint8Array },
  changes: StateChanges,
): void {
  for (const { key, after } of changes.flat) {
    if (after === null) writer.delete(key)
    else writer.put(key, after)
  }
  for (const [hash, node] of changes.nodes) writer.put(stateKeys.node(hash), node)
  for (const [hash, code] of changes.codes) writer.put(stateKeys.code(hash), code)
  writer.put(stateKeys.undo(block.number, block.hash), encodeUndo(changes.flat))
}

/**
 * Puts the flat state back to what it was before block (`number`, `hash`), which must be the last one applied.
 * @throws RangeError when the undo record is missing or damaged
 */
export function undoStateChanges(
  store: StoreReader & StoreWriter,
  block: { readonly number: bigint; readonly hash: Uint8Array },
): void {
  const key = stateKeys.undo(block.number, block.hash)
  const record = store.get(key)
  if (record === undefined) throw new RangeError(`no undo record of block ${block.number}`)
  const decoded = decodeRlp(record, { mostItems: null })
  if (!decoded.ok || decoded.value instanceof Uint8Array) throw new RangeError('undo record is damaged')
  for (const item of decoded.value) {
    const fields = new FieldReader('undo record', item instanceof Uint8Array ? [] : item)
    const flatKey = fields.bytes('key', {})
    const before = fields.list('value')
    const value = before[0]
    if (fields.error !== null) throw new RangeError(fields.error)
    if (value instanceof Uint8Array) store.put(flatKey, value.slice())
    else store.delete(flatKey)
  }
  store.delete(key)
}

function encodeUndo(flat: readonly FlatChange[]): Uint8Array {
  // Absence is an empty list, a value a list of one, so that an empty value cannot be mistaken for absence.
  return encodeRlp(flat.map(({ key, before }) => [key, before === null ? [] : [before]]))
}
