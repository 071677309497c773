// Rebuilds all trie nodes from the flat state, which is authoritative: for databases of an older format and for torn
// ones. Takes many writes; a mark in the database makes the next start redo an interrupted run.
import { equalBytes } from '../../base/bytes'
import { toHex } from '../../base/hex'
import type { Logger } from '../../base/logger'
import { keccak256 } from '../codec/keccak'
import { encodeRlp } from '../codec/rlp'
import { decodeAccount } from '../execution/account'
import { replacePlaces } from '../execution/node-places'
import { incarnationOf } from '../execution/state-reader'
import type { BlockHeader } from '../model/header'
import { metaKeys, SCHEMA_VERSION, stateKeys } from '../store/keys'
import { packNodes } from '../store/node-list'
import { type Store, StoreLayer } from '../store/store'
import { EMPTY_TRIE_ROOT, Trie } from '../trie/trie'
import { writeHistoryFrom, writeStatesFrom } from './state-window'

/** Entries put into a trie, or deleted from the database, per write. */
const PORTION = 5_000

/** Sets the mark: the next open rebuilds the nodes, whatever becomes of this run. */
export const REBUILD_MARK = [metaKeys.rebuilding, Uint8Array.of(1)] as const

/** True when an interrupted rebuild must be redone. */
export function isMarked(store: Pick<Store, 'get'>): boolean {
  return store.get(metaKeys.rebuilding) !== undefined
}

/** Discards older states. @throws RangeError when the flat state isn't that of `head`: the mark stays */
export async function rebuildState(store: Store, head: BlockHeader, log: Logger): Promise<void> {
  await store.write([REBUILD_MARK])
  for (const prefix of stateKeys.nodePrefixes) await deleteAll(store, prefix)
  await rebuildDeleted(store)
  const root = await rebuildAccounts(store)
  if (!equalBytes(root, head.stateRoot))
    throw new RangeError(`state of block ${head.number} has root ${toHex(root)}, want ${toHex(head.stateRoot)}`)
  const layer = new StoreLayer(store)
  writeStatesFrom(layer, head.number)
  writeHistoryFrom(layer, head.number)
  layer.put(metaKeys.schema, new TextEncoder().encode(String(SCHEMA_VERSION)))
  layer.delete(metaKeys.rebuilding)
  await store.write(layer.changes())
  log.info('trie nodes rebuilt from the state', { head: Number(head.number) })
}

async function deleteAll(store: Store, prefix: Uint8Array): Promise<void> {
  let last: Uint8Array | null = null
  do {
    const keys: readonly Uint8Array[] = await store.keysBehind(prefix, last, PORTION)
    await store.write(keys.map((key) => [key, null]))
    last = keys.at(-1) ?? null
  } while (last !== null)
}

async function rebuildAccounts(store: Store): Promise<Uint8Array> {
  const accounts = new PortionedTrie(store)
  for (const key of await store.keysWithPrefix(stateKeys.account(new Uint8Array(0)))) {
    const bytes = store.get(key)
    if (bytes === undefined) continue
    const address = key.subarray(1)
    await accounts.put(keccak256(address), bytes)
    const { storageRoot } = decodeAccount(bytes)
    if (equalBytes(storageRoot, EMPTY_TRIE_ROOT)) continue
    const root = await rebuildStorage(store, address, incarnationOf(store, address))
    if (!equalBytes(root, storageRoot))
      throw new RangeError(`storage of ${toHex(address)} has root ${toHex(root)}, want ${toHex(storageRoot)}`)
  }
  return accounts.finish()
}

/** The storages that accounts had before they were deleted: going back over the deletion needs their nodes. */
async function rebuildDeleted(store: Store): Promise<void> {
  for (const key of await store.keysWithPrefix(stateKeys.incarnation(new Uint8Array(0)))) {
    const address = key.subarray(1)
    const now = incarnationOf(store, address)
    for (let incarnation = 0; incarnation < now; incarnation++) await rebuildStorage(store, address, incarnation)
  }
}

async function rebuildStorage(store: Store, address: Uint8Array, incarnation: number): Promise<Uint8Array> {
  const slots = new PortionedTrie(store)
  const prefix = stateKeys.slotsOf(address, incarnation)
  for (const key of await store.keysWithPrefix(prefix)) {
    const value = store.get(key)
    if (value !== undefined) await slots.put(keccak256(key.subarray(prefix.length)), encodeRlp(value))
  }
  return slots.finish()
}

/** A trie whose nodes are written from time to time, so that any size fits in memory. */
class PortionedTrie {
  readonly #trie: Trie
  #count = 0

  constructor(private readonly store: Store) {
    this.#trie = new Trie(EMPTY_TRIE_ROOT, { read: (hash) => store.get(stateKeys.node(hash)), keccak256 })
  }

  async put(key: Uint8Array, value: Uint8Array): Promise<void> {
    this.#trie.put(key, value)
    this.#count++
    if (this.#count % PORTION === 0) await this.finish()
  }

  async finish(): Promise<Uint8Array> {
    const { root, nodes, dead } = this.#trie.commit()
    const layer = new StoreLayer(this.store)
    replacePlaces(layer, packNodes(nodes, dead))
    await this.store.write(layer.changes())
    return root
  }
}
