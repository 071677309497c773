import { describe, expect, it } from 'vitest'
import { stateKeys } from '../store/keys'
import { hashesOf, packNodes } from '../store/node-list'
import { MemoryStore, StoreLayer } from '../store/store'
import { decodePlaces, encodePlaces, giveShare, TransientNodes, takePlaces, takeShare } from './node-places'

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

const changed = (added: readonly number[], dead: readonly number[]) =>
  packNodes(
    added.map((byte) => [hash(byte), node(byte)] as const),
    dead.map(hash),
  )

/** A layer above a store that holds the nodes 1 (twice) and 2. */
async function opened() {
  const store = new MemoryStore()
  await store.write([
    [stateKeys.node(hash(1)), node(1)],
    [stateKeys.shares(hash(1)), Uint8Array.of(2)],
    [stateKeys.node(hash(2)), node(2)],
  ])
  const layer = new StoreLayer(store)
  return { layer, passing: new TransientNodes(layer) }
}

const texts = (layer: StoreLayer) =>
  layer.changes().map(([key, value]) => [String.fromCharCode(key[0] ?? 0), key[1], value === null ? null : [...value]])

describe('the nodes of a run of blocks', () => {
  it('are readable at once and written at the end of the run, except those it removed again', async () => {
    const { layer, passing } = await opened()

    passing.count(changed([7, 8], []))
    expect([passing.get(stateKeys.node(hash(7))), passing.get(stateKeys.node(hash(2)))]).toEqual([node(7), node(2)])
    passing.count(changed([9], [7]))
    expect(passing.get(stateKeys.node(hash(7)))).toBeUndefined()
    expect(layer.changes()).toEqual([])
    passing.settle()

    expect(texts(layer)).toEqual([
      ['n', 8, [0xc1, 8]],
      ['n', 9, [0xc1, 9]],
    ])
  })

  it('return what the run removes, and leave alone what comes back within it', async () => {
    const { layer, passing } = await opened()

    passing.count(changed([], [1, 2]))
    expect(passing.get(stateKeys.node(hash(2)))).toEqual(node(2))
    passing.count(changed([2], [1]))
    passing.settle()

    expect(texts(layer)).toEqual([
      ['k', 1, null],
      ['n', 1, null],
    ])
  })

  it('have a share for each place', async () => {
    const { layer, passing } = await opened()

    passing.count(changed([2, 5, 5], []))
    passing.settle()

    expect(texts(layer)).toEqual([
      ['k', 2, [2]],
      ['n', 5, [0xc1, 5]],
      ['k', 5, [2]],
    ])
  })
})
