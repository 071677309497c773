import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { NodeAddress } from '../../node-address'
import { BUCKET_SIZE, logDistance, NodeTable, nearestFirst, tableNode } from './node-table'

const SELF = new Uint8Array(64)

/** Ids aren't checked against the curve here: the packet's signature does that. */
function node(number: number, host = '127.0.0.1'): NodeAddress {
  const id = new Uint8Array(64)
  new DataView(id.buffer).setUint32(0, number + 1)
  return { id, host, tcpPort: 30_000, udpPort: 30_000 }
}

const many = (count: number, host?: (i: number) => string): NodeAddress[] =>
  Array.from({ length: count }, (_, i) => node(i, host?.(i)))

describe('the node table', () => {
  it('keeps sixteen nodes per distance, and replaces a dead one with one that waits', () => {
    const table = new NodeTable(SELF)
    const outcomes = many(200).map((address) => table.add(address))
    const full = table.size
    const [victim] = table.all().slice(-1)
    table.remove(victim?.name ?? '')

    expect(new Set(outcomes)).toEqual(new Set(['added', 'full']))
    expect(full).toBeLessThanOrEqual(17 * BUCKET_SIZE)
    expect(table.all().some(({ name }) => name === victim?.name)).toBe(false)
  })

  it('promotes a waiting node when its bucket loses one', () => {
    const table = new NodeTable(SELF)
    const far = many(400).filter(
      (address) => logDistance(tableNode(node(-1))?.hash ?? SELF, tableNode(address)?.hash ?? SELF) === 256,
    )
    const added = far.slice(0, 60).map((address) => table.add(address))
    const before = table.size
    table.remove(table.stalest(0)?.name ?? '')

    expect(added).toContain('full')
    expect(table.size).toBe(before)
  })

  it('never contains itself, a DNS name, or a node twice', () => {
    const table = new NodeTable(SELF)

    expect(table.add({ ...node(1), id: SELF })).toBe('refused')
    expect(table.add(node(1, 'example.org'))).toBe('refused')
    expect([table.add(node(1)), table.add({ ...node(1), udpPort: 7 })]).toEqual(['added', 'known'])
    expect(table.all().map(({ address }) => address.udpPort)).toEqual([7])
  })

  it('accepts ten nodes of one neighborhood, private networks excepted', () => {
    const table = new NodeTable(SELF)
    for (const address of many(300, (i) => `8.8.8.${i % 250}`)) table.add(address)
    const lan = new NodeTable(SELF)
    for (const address of many(300, (i) => `10.0.0.${i % 250}`)) lan.add(address)

    expect(table.size).toBeLessThanOrEqual(10)
    expect(lan.size).toBeGreaterThan(20)
  })

  it('limits one neighborhood to two waiting nodes per bucket, which leaves places for others', () => {
    const table = new NodeTable(SELF)
    for (const address of many(400, (i) => `${9 + (i % 80)}.${i % 250}.1.1`)) table.add(address)
    const outcomes = Array.from({ length: 300 }, (_, i) => table.add(node(1_000 + i, '200.1.1.1')))

    // 17 buckets, of which the far ones are full
    expect(outcomes.filter((outcome) => outcome === 'full').length).toBeLessThanOrEqual(2 * 17)
    expect(outcomes.filter((outcome) => outcome === 'limited').length).toBeGreaterThan(200)
  })

  it('keeps the limit when a known node moves', () => {
    const table = new NodeTable(SELF)
    for (const address of many(60, () => '8.8.8.8')) table.add(address)
    for (let i = 100; i < 300; i++) table.add(node(i, `9.${i % 250}.1.1`))
    for (let i = 100; i < 300; i++) table.add(node(i, '8.8.8.8'))

    expect(table.all().filter(({ subnet }) => subnet === '8.8.8').length).toBeLessThanOrEqual(10)
  })

  it('pings the node not heard from for longest', () => {
    const table = new NodeTable(SELF)
    for (const address of many(40)) table.add(address)
    const stalest = table.stalest(0.5)
    table.add(stalest?.address ?? node(0))

    expect(table.stalest(0.5)?.name).not.toBe(stalest?.name)
    expect(new NodeTable(SELF).stalest(0.9)).toBeNull()
  })

  it("measures distances in the network's metric", () => {
    expect(logDistance(Uint8Array.of(0, 0), Uint8Array.of(0, 0))).toBe(0)
    expect(logDistance(Uint8Array.of(0, 0), Uint8Array.of(0, 1))).toBe(1)
    expect(logDistance(Uint8Array.of(0, 0), Uint8Array.of(0x80, 0))).toBe(16)
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (target) => {
        const nodes = many(20).flatMap((address) => tableNode(address) ?? [])
        const distances = nearestFirst(nodes, target).map(({ hash }) => logDistance(hash, target))
        expect(distances).toEqual([...distances].sort((a, b) => a - b))
      }),
      { numRuns: 20 },
    )
  })
})
