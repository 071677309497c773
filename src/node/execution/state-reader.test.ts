import { expect, it } from 'vitest'
import { bytesName } from '../../base/bytes'
import { keccak256 } from '../codec/keccak'
import { encodeRlp } from '../codec/rlp'
import { stateKeys } from '../store/keys'
import { MemoryStore } from '../store/store'
import { NodeCache } from '../trie/node'
import { EMPTY_TRIE_ROOT, noNodes, Trie } from '../trie/trie'
import { EMPTY_CODE_HASH, encodeAccount } from './account'
import { stateAtRoot } from './state-reader'

const address = (value: number): Uint8Array => new Uint8Array(20).fill(value)
const word = (value: number): Uint8Array => Uint8Array.from({ length: 32 }, (_, at) => (at === 31 ? value : 0))

class CountingStore extends MemoryStore {
  readonly asked: string[] = []

  override get(key: Uint8Array): Uint8Array | undefined {
    this.asked.push(bytesName(key))
    return super.get(key)
  }
}

/** 20 accounts, of which the first has 200 slots: slot n is n + 1. */
async function written() {
  const store = new CountingStore()
  const kept = async (trie: Trie): Promise<Uint8Array> => {
    const { root, nodes } = trie.commit()
    await store.write(nodes.map(([hash, node]) => [stateKeys.node(hash), node]))
    return root
  }
  const storage = new Trie(EMPTY_TRIE_ROOT, { read: noNodes, keccak256 })
  for (let slot = 0; slot < 200; slot++) storage.put(keccak256(word(slot)), encodeRlp(Uint8Array.of(slot + 1)))
  const storageRoot = await kept(storage)
  const accounts = new Trie(EMPTY_TRIE_ROOT, { read: noNodes, keccak256 })
  for (let value = 1; value <= 20; value++) {
    const root = value === 1 ? storageRoot : EMPTY_TRIE_ROOT
    const account = { nonce: 0n, balance: BigInt(value), storageRoot: root, codeHash: EMPTY_CODE_HASH }
    accounts.put(keccak256(address(value)), encodeAccount(account))
  }
  return { store, root: await kept(accounts) }
}

it('reads the same with and without a cache, and looks for an account once', async () => {
  const { store, root } = await written()

  for (const cache of [undefined, new NodeCache({ maxBytes: 1 << 20 })]) {
    store.asked.length = 0
    const state = stateAtRoot(store, root, keccak256, cache)
    const slots = Array.from({ length: 100 }, (_, slot) => state.slot(address(1), word(slot))[0])

    expect(slots).toEqual(Array.from({ length: 100 }, (_, slot) => slot + 1))
    expect(state.slot(address(1), word(250))).toEqual(new Uint8Array(0))
    expect(state.slot(address(2), word(1))).toEqual(new Uint8Array(0))
    expect(state.account(address(1))?.balance).toBe(1n)
    expect(state.account(address(99))).toBeNull()
    expect(store.asked.filter((key) => key === bytesName(stateKeys.node(root))).length).toBeLessThanOrEqual(3)
  }
})
