import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { bytesOfHex, toHex } from '../../base/hex'
import { decodeRlp, encodeRlp, type RlpItem } from '../codec/rlp'
import { parseEnode } from '../p2p/node-address'
import {
  type NodeRecord,
  nodeIdOf,
  readRecord,
  readRecordText,
  recordEndpoint,
  recordForkId,
  recordText,
  signEntries,
  signRecord,
} from './enr'

const VECTORS = z
  .object({
    mainnetBootnodes: z.array(z.object({ enode: z.string(), ip: z.string(), nodeId: z.string() })),
    parallaxEntryRlpMainnet: z.string(),
    records: z.array(
      z.object({
        enode: z.string(),
        label: z.string(),
        nodeId: z.string(),
        privateKey: z.string(),
        rlp: z.string(),
        seq: z.number(),
        text: z.string(),
      }),
    ),
  })
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, '../../../test/vectors/p2p/enr.json'), 'utf8')))

const KEY = bytesOfHex('49a7b37aa6f6645917e7b807e9d1c00d4fa71f18343b0d4122a4d2df64dd6fee')
const MAIN = { hash: bytesOfHex('ff004b1f'), next: 0n }

function readOrThrow(text: string): NodeRecord {
  const record = readRecordText(text)
  if (!record.ok) throw new Error(record.error)
  return record.value
}

/** The items of a record with some of them changed, encoded again. */
function changed(record: NodeRecord, change: (items: RlpItem[]) => RlpItem[]): Uint8Array {
  const decoded = decodeRlp(record.rlp)
  return encodeRlp(change(decoded.ok && !(decoded.value instanceof Uint8Array) ? [...decoded.value] : []))
}

describe('node records', () => {
  it.each(VECTORS.records)('of prlx are read: $label', (row) => {
    const record = readOrThrow(row.text)

    expect(toHex(record.rlp)).toBe(row.rlp)
    expect(toHex(nodeIdOf(record.publicKey))).toBe(row.nodeId)
    expect(record.sequence).toBe(BigInt(row.seq))
    expect(recordEndpoint(record)).toEqual({ host: '203.0.113.7', tcpPort: 32110, udpPort: 32110 })
    expect(parseEnode(row.enode)).toMatchObject({ value: { id: record.publicKey } })
  })

  it("equal prlx's byte for byte", () => {
    const content = { host: Uint8Array.of(203, 0, 113, 7), tcpPort: 32110, udpPort: 32110, forkId: null }
    const plain = signRecord(KEY, 1n, content)
    const withChain = readOrThrow(VECTORS.records[1]?.text ?? '')
    const again = signEntries(KEY, 2n, [...withChain.entries])

    expect(recordText(plain)).toBe(VECTORS.records[0]?.text)
    expect(toHex(again.rlp)).toBe(VECTORS.records[1]?.rlp)
  })

  it("carry the chain's fork id", () => {
    const record = signRecord(KEY, 3n, { host: null, tcpPort: 0, udpPort: 0, forkId: MAIN })

    expect(toHex(encodeRlp(record.entries.get('parallax') ?? []))).toBe(VECTORS.parallaxEntryRlpMainnet)
    expect(recordForkId(readOrThrow(recordText(record)))).toEqual(MAIN)
    expect(recordForkId(readOrThrow(VECTORS.records[0]?.text ?? ''))).toBeNull()
    expect(recordEndpoint(record)).toBeNull()
  })

  it.each(VECTORS.mainnetBootnodes)("have the network's ids: $ip", ({ enode, ip, nodeId }) => {
    const node = parseEnode(enode)

    expect(node).toMatchObject({ value: { host: ip, tcpPort: 32110, udpPort: 32110 } })
    expect(node.ok && toHex(nodeIdOf(node.value.id))).toBe(nodeId)
  })

  it('name an IPv6 endpoint, with ports of that family first', () => {
    const ip6 = bytesOfHex('20010db8000000000000000000000001')
    const plain = signRecord(KEY, 1n, { host: ip6, tcpPort: 1, udpPort: 2, forkId: null })
    const own = signEntries(KEY, 1n, [...plain.entries, ['udp6', Uint8Array.of(9)]])

    expect(recordEndpoint(plain)).toEqual({ host: '2001:db8::1', tcpPort: 1, udpPort: 2 })
    expect(recordEndpoint(own)).toEqual({ host: '2001:db8::1', tcpPort: 1, udpPort: 9 })
  })

  it("that aren't signed, not ordered, too long or of another scheme are rejected", () => {
    const record = readOrThrow(VECTORS.records[0]?.text ?? '')
    const swapped = changed(record, (items) => [
      ...items.slice(0, 2),
      ...items.slice(4, 6),
      ...items.slice(2, 4),
      ...items.slice(6),
    ])
    const reasonOf = (rlp: Uint8Array): string => {
      const read = readRecord(rlp)
      return read.ok ? 'accepted' : read.error
    }

    expect(reasonOf(changed(record, ([s, , ...rest]) => [s ?? [], Uint8Array.of(7), ...rest]))).toMatch(
      'wrong signature',
    )
    expect(reasonOf(swapped)).toMatch('not in order')
    expect(reasonOf(changed(record, (items) => items.slice(0, -1)))).toMatch('without a value')
    expect(
      reasonOf(changed(record, ([s, n, id, , ...rest]) => [s ?? [], n ?? [], id ?? [], Uint8Array.of(1), ...rest])),
    ).toMatch('v4')
    expect(reasonOf(new Uint8Array(301))).toMatch('301 bytes')
    expect(reasonOf(Uint8Array.of(0x80))).toMatch('not a list')
    expect(reasonOf(Uint8Array.of(0xc0))).toMatch('signature')
  })

  it('are rejected after any change of one byte', () => {
    const record = readOrThrow(VECTORS.records[1]?.text ?? '')
    fc.assert(
      fc.property(fc.nat(record.rlp.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const broken = record.rlp.slice()
        broken[at] = (broken[at] ?? 0) ^ flip
        expect(readRecord(broken).ok).toBe(false)
      }),
      { numRuns: 60 },
    )
  })

  it('in any text are read or rejected, without throwing', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(typeof readRecordText(text).ok).toBe('boolean')
      }),
    )
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 310 }), (bytes) => {
        expect(readRecord(bytes).ok).toBe(false)
      }),
    )
  })
})
