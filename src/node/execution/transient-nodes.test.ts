import { describe, expect, it } from 'vitest'
import { stateKeys } from '../store/keys'
import { packNodes } from '../store/node-list'
import { MemoryStore, StoreLayer } from '../store/store'
import { TransientNodes } from './transient-nodes'

const hash = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)
const node = (byte: number): Uint8Array => Uint8Array.of(0xc0, byte)
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
      ['n', 8, [0xc0, 8]],
      ['n', 9, [0xc0, 9]],
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
      ['n', 5, [0xc0, 5]],
      ['k', 5, [2]],
    ])
  })
})
