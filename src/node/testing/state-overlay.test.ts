import { describe, expect, it } from 'vitest'
import { keccak256 } from '../codec/keccak'
import { EMPTY_ACCOUNT } from '../execution/account'
import { applyStateChanges, type StateChanges } from '../execution/state-changes'
import { MemoryStore, StoreLayer } from '../store/store'
import { EMPTY_TRIE_ROOT } from '../trie/trie'
import { StateOverlay } from './state-overlay'

const address = (value: number) => new Uint8Array(20).fill(value)
const slot = (value: number) => new Uint8Array(32).fill(value)

/** Accounts with storage and code, one after the other as `order` says. */
async function changed(order: readonly number[]): Promise<StateChanges> {
  const overlay = new StateOverlay(new MemoryStore(), { keccak256 })
  for (const i of order) {
    overlay.setAccount(address(i), { ...EMPTY_ACCOUNT, nonce: BigInt(i) })
    overlay.setCode(address(i), Uint8Array.of(i))
    for (const j of order) overlay.setSlot(address(i), slot(j), Uint8Array.of(j))
  }
  return overlay.finish(EMPTY_TRIE_ROOT)
}

describe('the changes of a block', () => {
  it('have one order, however they came about', async () => {
    const changes = await changed([1, 2, 3, 4, 5, 6])
    expect(await changed([4, 1, 6, 3, 2, 5])).toEqual(changes)
    expect(changes.flat.length).toBe(6 * 7)
    expect(changes.codes.length).toBe(6)
  })

  it("hold no code of a contract that isn't there at the end", async () => {
    const overlay = new StateOverlay(new MemoryStore(), { keccak256 })
    overlay.setCode(address(1), Uint8Array.of(1, 2, 3))
    overlay.setAccount(address(1), null)
    overlay.setCode(address(2), Uint8Array.of(4))
    const changes = await overlay.finish(EMPTY_TRIE_ROOT)
    expect(changes.codes.map(([, code]) => code)).toEqual([Uint8Array.of(4)])
    const layer = new StoreLayer(new MemoryStore())
    applyStateChanges(layer, { number: 1n, hash: slot(9) }, changes)
    expect(layer.changes().length).toBe(5)
  })
})
