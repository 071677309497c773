// Recounts from scratch, for tests, what execution/node-places.ts counts block by block; what records hold isn't counted yet.
import { bigintFromBytes, equalBytes } from '../../base/bytes'
import { toHex } from '../../base/hex'
import { keccak256 } from '../codec/keccak'
import { encodeRlp } from '../codec/rlp'
import { decodeAccount } from '../execution/account'
import { decodePlaces } from '../execution/node-places'
import { incarnationOf } from '../execution/state-reader'
import { stateKeys } from '../store/keys'
import { hashesOf, nodesOf } from '../store/node-list'
import { decodeNodeRecord } from '../store/recorded-nodes'
import type { Store } from '../store/store'
import { decodeNode, type TrieNode } from '../trie/node'
import { EMPTY_TRIE_ROOT, noNodes, Trie } from '../trie/trie'

const hexOf = (nibbles: Uint8Array): string => [...nibbles].map((nibble) => nibble.toString(16)).join('')

/** Every leaf of the account trie and of all storage tries under `root`, as text; calls `onNode` for each stored node. */
export function dumpState(store: Store, root: Uint8Array, onNode: (hash: string) => void = () => undefined): string[] {
  const dump: string[] = []
  const walk = (node: TrieNode, path: string, onLeaf: (path: string, value: Uint8Array) => void): void => {
    if (node.kind === 'hash') {
      onNode(toHex(node.hash))
      const bytes = store.get(stateKeys.node(node.hash))
      if (bytes === undefined) throw new Error(`missing node ${toHex(node.hash)}`)
      walk(decodeNode(bytes), path, onLeaf)
    } else if (node.kind === 'leaf') onLeaf(path + hexOf(node.path), node.value)
    else if (node.kind === 'extension') walk(node.child, path + hexOf(node.path), onLeaf)
    else
      for (const [slot, child] of node.children.entries())
        if (child !== null) walk(child, path + slot.toString(16), onLeaf)
  }
  const from = (hash: Uint8Array, onLeaf: (path: string, value: Uint8Array) => void) => {
    if (!equalBytes(hash, EMPTY_TRIE_ROOT)) walk({ kind: 'hash', hash }, '', onLeaf)
  }
  from(root, (path, value) => {
    dump.push(`${path}=${toHex(value)}`)
    from(decodeAccount(value).storageRoot, (slot, word) => dump.push(`${path}/${slot}=${toHex(word)}`))
  })
  return dump.sort()
}

/** Hashes of the nodes of the storages that accounts had before they were deleted, one per place. */
async function deletedNodes(store: Store): Promise<readonly string[]> {
  const hashes: string[] = []
  for (const key of await store.keysWithPrefix(stateKeys.incarnation(new Uint8Array(0)))) {
    const address = key.subarray(1)
    for (let incarnation = 0; incarnation < incarnationOf(store, address); incarnation++) {
      const trie = new Trie(EMPTY_TRIE_ROOT, { read: noNodes, keccak256 })
      const prefix = stateKeys.slotsOf(address, incarnation)
      for (const slot of await store.keysWithPrefix(prefix))
        trie.put(keccak256(slot.subarray(prefix.length)), encodeRlp(store.get(slot) ?? new Uint8Array(0)))
      hashes.push(...trie.commit().nodes.map(([hash]) => toHex(hash)))
    }
  }
  return hashes
}

/** Null when every stored node has the reference count that head, records and deleted storages imply, else a difference. */
export async function placesFault(store: Store, headRoot: Uint8Array): Promise<string | null> {
  const wanted = new Map<string, number>()
  const count = (hash: string, by = 1) => wanted.set(hash, (wanted.get(hash) ?? 0) + by)
  dumpState(store, headRoot, (hash) => count(hash))
  for (const hash of await deletedNodes(store)) count(hash)
  const records = await store.keysWithPrefix(stateKeys.places(0n, new Uint8Array(0)).subarray(0, 1))
  for (const key of records) {
    const record = store.get(key) ?? new Uint8Array(0)
    const recorded = decodeNodeRecord(record)
    for (const hash of hashesOf(recorded?.dead ?? decodePlaces(record).dead)) count(toHex(hash))
    for (const [hash] of nodesOf(recorded?.nodes ?? new Uint8Array(0))) count(toHex(hash), -1)
  }
  for (const key of await store.keysWithPrefix(stateKeys.node(new Uint8Array(0)))) {
    const hash = key.slice(1)
    const shares = Number(bigintFromBytes(store.get(stateKeys.shares(hash)) ?? Uint8Array.of(1)))
    const want = wanted.get(toHex(hash)) ?? 0
    if (shares !== want) return `node ${toHex(hash)} has ${shares} shares, want ${want}`
    wanted.delete(toHex(hash))
  }
  for (const [hash, places] of wanted) if (places !== 0) return `node ${hash} is missing for ${places} places`
  return null
}
