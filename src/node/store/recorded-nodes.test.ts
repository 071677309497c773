import { beforeEach, describe, expect, it } from 'vitest'
import { bytesFromBigint } from '../../base/bytes'
import { chainKeys, metaKeys, stateKeys } from './keys'
import { packNodes } from './node-list'
import { decodeNodeRecord, encodeNodeRecord, RecordedNodes } from './recorded-nodes'
import { MemoryStore, StoreLayer } from './store'

const hash = (value: number): Uint8Array => new Uint8Array(32).fill(value)
const node = (value: number): Uint8Array => Uint8Array.of(0xc1, value)
const nodeKey = (value: number): Uint8Array => stateKeys.node(hash(value))
const changed = (added: readonly number[], dead: readonly number[] = []) =>
  packNodes(
    added.map((value) => [hash(value), node(value)] as const),
    dead.map(hash),
  )

describe('a record of nodes', () => {
  it('holds what a block added and the places it removed', () => {
    const changes = changed([1, 2], [3])
    expect(decodeNodeRecord(encodeNodeRecord(changes))).toEqual(changes)
    expect(decodeNodeRecord(encodeNodeRecord(changed([])))).toEqual(changed([]))
  })

  it('is told from one that lists places alone', () => {
    expect(decodeNodeRecord(Uint8Array.of(0, 0, 0, 1, ...hash(1)))).toBeNull()
    expect(decodeNodeRecord(new Uint8Array(4))).toBeNull()
  })

  it('is damaged when it is shorter than it says', () => {
    const record = encodeNodeRecord(changed([], [1, 2]))
    expect(() => decodeNodeRecord(record.subarray(0, -1))).toThrow('record of nodes is damaged')
  })
})

describe('nodes in the records of a database', () => {
  let store: MemoryStore
  const blockHash = (number: number, branch = 0): Uint8Array => hash(100 + 10 * branch + number)
  const recordKey = (number: number, branch = 0): Uint8Array =>
    stateKeys.places(BigInt(number), blockHash(number, branch))
  /** Block `number` adds the nodes `added`. */
  const extend = (number: number, added: readonly number[], branch = 0): Promise<void> =>
    store.write([
      [chainKeys.canonical(BigInt(number)), blockHash(number, branch)],
      [recordKey(number, branch), encodeNodeRecord(changed(added))],
    ])
  const takeBack = (number: number, branch = 0): Promise<void> =>
    store.write([
      [chainKeys.canonical(BigInt(number)), null],
      [recordKey(number, branch), null],
    ])

  /** Blocks 1 to 5, of which each adds the node of its number and node 9. */
  beforeEach(async () => {
    store = new MemoryStore()
    await store.write([[chainKeys.canonical(0n), blockHash(0)]])
    for (let number = 1; number <= 5; number++) await extend(number, [number, 9])
  })

  it('are found from the head down to the oldest kept state', async () => {
    await store.write([[metaKeys.statesFrom, bytesFromBigint(2n, 8)]])
    expect([1, 2, 3, 4, 5, 6, 9].map((value) => store.get(nodeKey(value))?.[1])).toEqual([
      undefined,
      undefined,
      3,
      4,
      5,
      undefined,
      9,
    ])
    expect(store.getStored(nodeKey(5))).toBeUndefined()
    expect(store.get(stateKeys.code(hash(5)))).toBeUndefined()
  })

  it('are found in blocks that come later, and in those of another branch', async () => {
    expect(store.get(nodeKey(5))).toEqual(node(5))
    await extend(6, [6])
    expect(store.get(nodeKey(6))).toEqual(node(6))
    await takeBack(6)
    await takeBack(5)
    expect(store.get(nodeKey(5))).toBeUndefined()
    await extend(5, [50], 1)
    await extend(6, [60], 1)
    expect([50, 60, 4].map((value) => store.get(nodeKey(value)))).toEqual([50, 60, 4].map(node))
    for (let number = 7; number < 40; number++) await extend(number, [number + 60], 1)
    expect([99, 70, 50, 1].map((value) => store.get(nodeKey(value)))).toEqual([99, 70, 50, 1].map(node))
  })

  it('are found under their own keys once their state has left the window', async () => {
    for (let value = 1; value <= 5; value++) expect(store.get(nodeKey(value))).toEqual(node(value))
    await store.write([
      [metaKeys.statesFrom, bytesFromBigint(3n, 8)],
      ...[1, 2, 3].map((number) => [recordKey(number), null] as const),
      [nodeKey(2), node(2)],
    ])
    expect([1, 2, 3, 4, 9].map((value) => store.get(nodeKey(value))?.[1])).toEqual([undefined, 2, undefined, 4, 9])
  })

  it('are found when a write moves them while they are looked for', async () => {
    let isMoved = false
    const recorded = new RecordedNodes((key) => {
      const value = store.getStored(key)
      if (!isMoved && key[0] === nodeKey(3)[0]) return undefined
      return value
    })
    await store.write([
      [recordKey(3), null],
      [nodeKey(3), node(3)],
    ])
    isMoved = true
    expect(recorded.find(nodeKey(3))).toEqual(node(3))
  })

  it('are found in a layer before they are written, also where their own key is deleted', async () => {
    const layer = new StoreLayer(store)
    layer.delete(nodeKey(7))
    expect(layer.get(nodeKey(7))).toBeUndefined()
    layer.addRecorded(changed([7]).nodes)
    layer.addRecorded(changed([8]).nodes)
    expect([7, 8, 1].map((value) => layer.get(nodeKey(value)))).toEqual([7, 8, 1].map(node))
    expect([7, 1].map((value) => layer.getStored(nodeKey(value)))).toEqual([undefined, undefined])
    expect(layer.changes()).toEqual([[nodeKey(7), null]])
    layer.forget()
    expect(layer.get(nodeKey(8))).toBeUndefined()
  })
})
