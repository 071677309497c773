// A block's changes to the state, and how they are undone: undo records hold the previous value of each flat key.
import { equalBytes } from '../../base/bytes'
import { toHex } from '../../base/hex'
import type { Keccak256 } from '../codec/keccak'
import { decodeRlp, encodeRlp, rlpFields, rlpSlice, rlpSlices } from '../codec/rlp'
import { stateKeys } from '../store/keys'
import { type ChangedNodes, hashesOf, packNodes } from '../store/node-list'
import { decodeNodeRecord, encodeNodeRecord } from '../store/recorded-nodes'
import type { StoreLayer, StoreReader, StoreWriter } from '../store/store'
import { EMPTY_TRIE_ROOT, Trie, type TrieDeps } from '../trie/trie'
import { decodeAccount } from './account'
import { decodePlaces, encodePlaces, giveShare, replacePlaces, type TransientNodes, takePlaces } from './node-places'

/** A flat key's value before and after; null = absent. */
export interface FlatChange {
  readonly key: Uint8Array
  readonly before: Uint8Array | null
  readonly after: Uint8Array | null
}

/** Everything a block writes to the state, ready for one batch. */
export interface StateChanges extends ChangedNodes {
  /** 32 bytes */
  readonly stateRoot: Uint8Array
  readonly flat: readonly FlatChange[]
  /** hash -> code */
  readonly codes: readonly (readonly [Uint8Array, Uint8Array])[]
}

/** A block as the state records identify it. */
export interface StateBlock {
  readonly number: bigint
  readonly hash: Uint8Array
}

/** What becomes of the trie nodes that a block added and removed. */
interface NodeKeeping {
  /** Counts them; the block's own state is not kept. */
  readonly passing?: TransientNodes | null
  /** Up to this many bytes of them lie in the block's record until its state leaves the window. Default 0. */
  readonly recordBytes?: number
}

/** Writes the changes of `block` and its undo records. */
export function applyStateChanges(
  layer: StoreLayer,
  block: StateBlock,
  changes: StateChanges,
  { passing = null, recordBytes = 0 }: NodeKeeping = {},
): void {
  for (const { key, after } of changes.flat) {
    if (after === null) layer.delete(key)
    else layer.put(key, after)
  }
  for (const [hash, code] of changes.codes) layer.put(stateKeys.code(hash), code)
  layer.put(stateKeys.undo(block.number, block.hash), encodeUndo(changes.flat))
  if (passing !== null) {
    passing.count(changes)
    return
  }
  const isRecorded = changes.nodes.length + changes.dead.length <= recordBytes
  if (isRecorded) layer.addRecorded(changes.nodes)
  const record = isRecorded ? encodeNodeRecord(changes) : encodePlaces(takePlaces(layer, changes))
  layer.put(stateKeys.places(block.number, block.hash), record)
}

export function canUndo(store: StoreReader, block: StateBlock): boolean {
  return store.get(stateKeys.undo(block.number, block.hash)) !== undefined
}

/** Before `block`, the last one. @param roots of it and its parent, 32 bytes @throws RangeError without undo record */
export function undoStateChanges(
  store: StoreReader & StoreWriter,
  block: StateBlock,
  roots: { readonly now: Uint8Array; readonly before: Uint8Array; readonly keccak256: Keccak256 },
): void {
  const flat = readUndo(store, block)
  const record = store.get(stateKeys.places(block.number, block.hash))
  if (record === undefined) remakeNodes(store, flat, roots)
  else {
    if (decodeNodeRecord(record) === null)
      for (const hash of hashesOf(decodePlaces(record).added)) giveShare(store, hash)
    store.delete(stateKeys.places(block.number, block.hash))
  }
  restoreFlat(store, flat)
  store.delete(stateKeys.undo(block.number, block.hash))
}

/** Restores the flat state only; the trie nodes must be rebuilt afterwards. @throws RangeError */
export function undoFlatState(store: StoreReader & StoreWriter, block: StateBlock): void {
  restoreFlat(store, readUndo(store, block))
  store.delete(stateKeys.undo(block.number, block.hash))
}

function restoreFlat(store: StoreWriter, flat: readonly Before[]): void {
  for (const [key, before] of flat) {
    if (before === null) store.delete(key)
    else store.put(key, before)
  }
}

/** 20 bytes each, also those whose storage changed. @throws RangeError without undo record */
export function changedAccounts(store: StoreReader, block: StateBlock): readonly Uint8Array[] {
  const [prefix] = stateKeys.account(new Uint8Array(20))
  return readUndo(store, block).flatMap(([key]) => (key[0] === prefix ? [key.slice(1)] : []))
}

/** Writes the nodes of a block's record one by one, for a chain that keeps all states. */
export function spellOutRecord(store: StoreReader & StoreWriter, { number, hash }: StateBlock): void {
  const key = stateKeys.places(number, hash)
  const record = store.get(key)
  const changed = record === undefined ? null : decodeNodeRecord(record)
  if (changed !== null) store.put(key, encodePlaces(takePlaces(store, changed)))
}

type Before = readonly [key: Uint8Array, value: Uint8Array | null]

/** What an undo record holds: each flat key with its value before the block, or null. @throws RangeError */
export function undoneValues(record: Uint8Array): readonly Before[] {
  return Array.from(undoneEntries(record), ({ key, value }) => [key, valueBefore(value)] as const)
}

function readUndo(store: StoreReader, block: StateBlock): readonly Before[] {
  const record = store.get(stateKeys.undo(block.number, block.hash))
  if (record === undefined) throw new RangeError(`no undo record of block ${block.number}`)
  return undoneValues(record)
}

/** The flat keys that an undo record holds. @throws RangeError when it is damaged */
export function* undoneKeys(record: Uint8Array): Generator<Uint8Array> {
  for (const { key } of undoneEntries(record)) yield key
}

/** A key's value before the block; null: it had none; undefined: the block didn't change it. @throws RangeError */
export function undoneValue(record: Uint8Array, key: Uint8Array): Uint8Array | null | undefined {
  for (const entry of undoneEntries(record)) if (equalBytes(entry.key, key)) return valueBefore(entry.value)
  return undefined
}

function valueBefore(encoded: Uint8Array): Uint8Array | null {
  const value = decodeRlp(encoded)
  if (!value.ok || value.value instanceof Uint8Array) throw new RangeError('undo record is damaged')
  const [before] = value.value
  return before instanceof Uint8Array ? before.slice() : null
}

/** Key and encoded value of each entry, not decoded further: a record may be long. */
function* undoneEntries(record: Uint8Array): Generator<{ readonly key: Uint8Array; readonly value: Uint8Array }> {
  const list = rlpSlice(record)
  if (!list.ok || !list.value.isList) throw new RangeError('undo record is damaged')
  for (const entry of rlpSlices(list.value.payload)) {
    const fields = entry.ok ? rlpFields(entry.value.encoded, 2, 'undo record is damaged') : entry
    const [key, value] = fields.ok ? fields.value : []
    if (key === undefined || value === undefined) throw new RangeError('undo record is damaged')
    yield { key: key.payload, value: value.encoded }
  }
}

function encodeUndo(flat: readonly FlatChange[]): Uint8Array {
  // Absence is an empty list, a value a one-item list, so that an empty value can't be mistaken for absence.
  return encodeRlp(flat.map(({ key, before }) => [key, before === null ? [] : [before]]))
}

/** The previous state's tries, from the current tries and the previous values. */
function remakeNodes(
  store: StoreReader & StoreWriter,
  flat: readonly Before[],
  { now, before, keccak256 }: { readonly now: Uint8Array; readonly before: Uint8Array; readonly keccak256: Keccak256 },
): void {
  const deps: TrieDeps = { read: (hash) => store.get(stateKeys.node(hash)), keccak256 }
  const nodes: (readonly [Uint8Array, Uint8Array])[] = []
  const dead: Uint8Array[] = []
  const keep = (trie: Trie): Uint8Array => {
    const commit = trie.commit()
    for (const node of commit.nodes) nodes.push(node)
    for (const hash of commit.dead) dead.push(hash)
    return commit.root
  }
  for (const [address, slots] of slotsByAddress(flat)) {
    const bytes = store.get(stateKeys.account(address))
    const trie = new Trie(bytes === undefined ? EMPTY_TRIE_ROOT : decodeAccount(bytes).storageRoot, deps)
    for (const [slot, value] of slots) {
      if (value === null) trie.delete(keccak256(slot))
      else trie.put(keccak256(slot), encodeRlp(value))
    }
    keep(trie)
  }
  const accounts = new Trie(now, deps)
  for (const [key, value] of flat) {
    if (!stateKeys.isAccount(key)) continue
    if (value === null) accounts.delete(keccak256(key.subarray(1)))
    else accounts.put(keccak256(key.subarray(1)), value)
  }
  const root = keep(accounts)
  if (!equalBytes(root, before))
    throw new RangeError(`undoing gives state root ${toHex(root)}, the block has ${toHex(before)}`)
  replacePlaces(store, packNodes(nodes, dead))
}

function slotsByAddress(flat: readonly Before[]): Iterable<readonly [address: Uint8Array, slots: Before[]]> {
  const groups = new Map<string, readonly [Uint8Array, Before[]]>()
  for (const [key, value] of flat) {
    const place = stateKeys.slotOfKey(key)
    if (place === null) continue
    const name = toHex(place.address)
    const group = groups.get(name) ?? [place.address, []]
    group[1].push([place.slot, value])
    groups.set(name, group)
  }
  return groups.values()
}
