import { describe, expect, it } from 'vitest'
import { bytesFromBigint } from '../../src/base/bytes'
import { keccak256 } from '../../src/node/codec/keccak'
import { EMPTY_ACCOUNT, encodeAccount } from '../../src/node/execution/account'
import { applyStateChanges, undoStateChanges } from '../../src/node/execution/state-changes'
import { StateOverlay } from '../../src/node/execution/state-overlay'
import { stateKeys } from '../../src/node/store/keys'
import { MemoryStore, type StoreChange, StoreLayer } from '../../src/node/store/store'
import { EMPTY_TRIE_ROOT, noNodes, Trie } from '../../src/node/trie/trie'

describe('the changes of a block', () => {
  it('may include a whole contract of any size that disappears, and returns by undoing', async () => {
    const address = new Uint8Array(20).fill(9)
    const slots = 250_000
    const store = new MemoryStore()
    // A trie of one slot stands for the real one, which would only make the test slow.
    const trie = new Trie(EMPTY_TRIE_ROOT, { read: noNodes, keccak256 })
    trie.put(keccak256(new Uint8Array(32)), Uint8Array.of(1))
    const { root, nodes } = trie.commit()
    const account = encodeAccount({ ...EMPTY_ACCOUNT, nonce: 1n, storageRoot: root })
    const stored: StoreChange[] = [[stateKeys.account(address), account]]
    for (const [hash, node] of nodes) stored.push([stateKeys.node(hash), node])
    for (let i = 0; i < slots; i++)
      stored.push([stateKeys.slot(address, bytesFromBigint(BigInt(i), 32)), Uint8Array.of(1)])
    await store.write(stored)
    const block = { number: 1n, hash: new Uint8Array(32) }
    const overlay = new StateOverlay(store, { keccak256 })

    overlay.setAccount(address, null)
    const changes = await overlay.finish(EMPTY_TRIE_ROOT)
    const layer = new StoreLayer(store)
    applyStateChanges(layer, block, changes)

    expect(changes.flat).toHaveLength(slots + 1)
    expect(await layer.keysWithPrefix(stateKeys.slotsOf(address))).toEqual([])
    undoStateChanges(layer, block, { now: changes.stateRoot, before: EMPTY_TRIE_ROOT, keccak256 })
    expect(await layer.keysWithPrefix(stateKeys.slotsOf(address))).toHaveLength(slots)
    expect(layer.get(stateKeys.account(address))).toEqual(account)
  })
})
