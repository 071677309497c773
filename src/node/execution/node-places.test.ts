import { describe, expect, it } from 'vitest'
import { stateKeys } from '../store/keys'
import { hashesOf, packNodes } from '../store/node-list'
import { MemoryStore, StoreLayer } from '../store/store'
import { decodePlaces, encodePlaces, giveShare, takePlaces, takeShare } from './node-places'

const hash = (value: number) => new Uint8Array(32).fill(value)
const node = (value: number) => Uint8Array.of(0xc1, value)

describe('shares of a node', () => {
  it('keep it until the last one is returned', () => {
    const store = new StoreLayer(new MemoryStore())
    const has = () => store.get(stateKeys.node(hash(1))) !== undefined
    for (let i = 0; i < 300; i++) takeShare(store, hash(1), node(1))
    for (let i = 0; i < 299; i++) {
      giveShare(store, hash(1))
      expect(has()).toBe(true)
    }
    expect(store.get(stateKeys.shares(hash(1)))).toBeUndefined()
    giveShare(store, hash(1))
    expect(has()).toBe(false)
  })

  it('cancel out if a place went and came back in one block', () => {
    const store = new StoreLayer(new MemoryStore())
    takeShare(store, hash(1), node(1))
    const nodes = [1, 2, 2].map((value) => [hash(value), node(value)] as const)
    const places = takePlaces(store, packNodes(nodes, [hash(1), hash(3)]))
    expect([...hashesOf(places.added)]).toEqual([hash(2), hash(2)])
    expect([...hashesOf(places.dead)]).toEqual([hash(3)])
    expect(decodePlaces(encodePlaces(places))).toEqual(places)
  })

  it('keep a record of those that a block removed twice and added once', () => {
    const store = new StoreLayer(new MemoryStore())
    const dead = [hash(1), hash(4), hash(1)]
    const { added, dead: left } = takePlaces(store, packNodes([[hash(1), node(1)]], dead))
    expect([...hashesOf(added), ...hashesOf(left)]).toEqual([hash(1), hash(4)])
    expect(store.changes()).toEqual([])
  })

  it.each([
    ['too short', new Uint8Array(3)],
    ['no whole hashes', new Uint8Array(4 + 31)],
    ['more added ones than there are', Uint8Array.of(0, 0, 0, 2, ...hash(1))],
  ])("aren't read from a record that has %s", (_name, record) => {
    expect(() => decodePlaces(record)).toThrow('record of nodes is damaged')
  })
})
