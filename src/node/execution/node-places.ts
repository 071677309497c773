// Reference counts of stored trie nodes. A node is stored once however often it occurs; each use holds one reference: a
// place in the head's tries, and a place in a recent state, whose reference is kept in the record of the block that
// removed the node. Releasing the last one deletes the node. A count of one is the default and isn't stored.
import { bigintFromBytes, bytesName, minimalBytes } from '../../base/bytes'
import { stateKeys } from '../store/keys'
import type { StoreReader, StoreWriter } from '../store/store'

const HASH_BYTES = 32

/** How a block changed the places of the head's tries. */
export interface NodePlaces {
  /** One hash per added place, 32 bytes each, concatenated. */
  readonly added: Uint8Array
  /** One hash per removed place. */
  readonly dead: Uint8Array
}

/** Writes `node`, or adds a reference when it exists. @param hash 32 bytes */
export function takeShare(store: StoreReader & StoreWriter, hash: Uint8Array, node: Uint8Array): void {
  const key = stateKeys.node(hash)
  if (store.get(key) === undefined) store.put(key, node)
  else store.put(stateKeys.shares(hash), minimalBytes(sharesOf(store, hash) + 1n))
}

/** Releases one reference. @param hash 32 bytes */
export function giveShare(store: StoreReader & StoreWriter, hash: Uint8Array): void {
  const shares = sharesOf(store, hash)
  if (shares > 2n) store.put(stateKeys.shares(hash), minimalBytes(shares - 1n))
  else if (shares === 2n) store.delete(stateKeys.shares(hash))
  else store.delete(stateKeys.node(hash))
}

/** Adds references for the added nodes; places added and removed within the block cancel out. */
export function takePlaces(
  store: StoreReader & StoreWriter,
  nodes: readonly (readonly [Uint8Array, Uint8Array])[],
  dead: readonly Uint8Array[],
): NodePlaces {
  const names = dead.map(bytesName)
  const gone = new Map<string, number>()
  for (const name of names) gone.set(name, (gone.get(name) ?? 0) + 1)
  const added: Uint8Array[] = []
  for (const [hash, node] of nodes) {
    const name = bytesName(hash)
    const again = gone.get(name) ?? 0
    if (again > 0) gone.set(name, again - 1)
    else {
      takeShare(store, hash, node)
      added.push(hash)
    }
  }
  const left = dead.filter((_, index) => {
    const name = names[index] ?? ''
    const count = gone.get(name) ?? 0
    gone.set(name, count - 1)
    return count > 0
  })
  return { added: joined(added), dead: joined(left) }
}

/** Record of a block's places: 4-byte count of the added ones, then the hashes. */
export function encodePlaces({ added, dead }: NodePlaces): Uint8Array {
  const out = new Uint8Array(4 + added.length + dead.length)
  new DataView(out.buffer).setUint32(0, added.length / HASH_BYTES)
  out.set(added, 4)
  out.set(dead, 4 + added.length)
  return out
}

/** @throws RangeError when the record is corrupt */
export function decodePlaces(record: Uint8Array): NodePlaces {
  if (record.length < 4 || (record.length - 4) % HASH_BYTES !== 0) throw new RangeError('record of nodes is damaged')
  const split = 4 + HASH_BYTES * new DataView(record.buffer, record.byteOffset).getUint32(0)
  if (split > record.length) throw new RangeError('record of nodes is damaged')
  return { added: record.subarray(4, split), dead: record.subarray(split) }
}

/** The hashes of a concatenated list. */
export function* hashesOf(list: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < list.length; at += HASH_BYTES) yield list.slice(at, at + HASH_BYTES)
}

function sharesOf(store: StoreReader, hash: Uint8Array): bigint {
  const bytes = store.get(stateKeys.shares(hash))
  return bytes === undefined ? 1n : bigintFromBytes(bytes)
}

function joined(hashes: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(hashes.length * HASH_BYTES)
  for (const [index, hash] of hashes.entries()) out.set(hash, index * HASH_BYTES)
  return out
}
