import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { concatBytes } from '../../../base/bytes'
import { bytesOfHex, toHex } from '../../../base/hex'
import { keccak256 } from '../../codec/keccak'
import { decodePacket, encodePacket, MAX_NEIGHBORS, type Packet, type PacketEndpoint } from './packets'

const endpoint = z.tuple([z.string(), z.number(), z.number()])
const VECTORS = z
  .object({
    forwardCompatible: z.array(z.string()),
    forwardKey: z.string(),
    packets: z.array(
      z.object({
        decoded: z.object({
          enrSeq: z.number().optional(),
          expiration: z.number(),
          from: endpoint.optional(),
          to: endpoint.optional(),
          version: z.number().optional(),
          replyToken: z.string().optional(),
          target: z.string().optional(),
          nodes: z.array(z.tuple([z.string(), z.number(), z.number(), z.string()])).optional(),
        }),
        hash: z.string(),
        name: z.string(),
        packet: z.string(),
        type: z.number(),
      }),
    ),
    privateKey: z.string(),
  })
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, '../../../../test/vectors/p2p/discv4.json'), 'utf8')))

type Decoded = (typeof VECTORS)['packets'][number]['decoded']

const KEY = bytesOfHex(VECTORS.privateKey)
const publicKeyOf = (key: Uint8Array): Uint8Array => secp256k1.getPublicKey(key, false).slice(1)

function endpointOf([host, udpPort, tcpPort]: readonly [string, number, number] = ['', 0, 0]): PacketEndpoint {
  return { host, udpPort, tcpPort }
}

/** The vector's fields as our packet. */
function packetOf(type: number, { expiration, ...row }: Decoded): Packet {
  const recordSequence = row.enrSeq === undefined ? null : BigInt(row.enrSeq)
  const nodes = (row.nodes ?? []).map(([host, udpPort, tcpPort, id]) => ({
    host,
    udpPort,
    tcpPort,
    id: bytesOfHex(id),
  }))
  const byType: Readonly<Record<number, Packet>> = {
    1: {
      kind: 'ping',
      version: row.version ?? 0,
      from: endpointOf(row.from),
      to: endpointOf(row.to),
      expiration,
      recordSequence,
    },
    2: { kind: 'pong', to: endpointOf(row.to), pingHash: bytesOfHex(row.replyToken ?? ''), expiration, recordSequence },
    3: { kind: 'findNode', target: bytesOfHex(row.target ?? ''), expiration },
    4: { kind: 'neighbors', nodes, expiration },
    5: { kind: 'enrRequest', expiration },
  }
  return byType[type] ?? { kind: 'enrRequest', expiration: -1 }
}

/** A datagram with a valid hash and signature around any content. */
function sealed(content: Uint8Array): Uint8Array {
  const recovered = secp256k1.sign(keccak256(content), KEY, { prehash: false, format: 'recovered' })
  const signed = concatBytes(recovered.subarray(1), recovered.subarray(0, 1), content)
  return concatBytes(keccak256(signed), signed)
}

describe('discovery packets', () => {
  it.each(VECTORS.packets)("equal prlx's, both ways: $name $hash", ({ type, decoded, packet, hash }) => {
    const wanted = packetOf(type, decoded)

    expect(decodePacket(bytesOfHex(packet))).toEqual({
      ok: true,
      value: { packet: wanted, sender: publicKeyOf(KEY), hash: bytesOfHex(hash) },
    })
    expect(toHex(encodePacket(wanted, KEY).bytes)).toBe(packet)
  })

  it('of later versions are read', () => {
    const read = VECTORS.forwardCompatible.map((packet) => decodePacket(bytesOfHex(packet)))

    const sender = publicKeyOf(bytesOfHex(VECTORS.forwardKey))
    expect(read.map((result) => result.ok && result.value.packet.kind)).toEqual([
      'ping',
      'ping',
      'findNode',
      'neighbors',
    ])
    expect(read.every((result) => result.ok && toHex(result.value.sender) === toHex(sender))).toBe(true)
    expect(read[1]).toMatchObject({
      value: { packet: { version: 4, expiration: 1136239445, from: { udpPort: 3322 } } },
    })
    expect(read[3]).toMatchObject({ value: { packet: { nodes: { length: 4 } } } })
  })

  it('with a record come back as sent', () => {
    const sent: Packet = {
      kind: 'enrResponse',
      requestHash: new Uint8Array(32).fill(3),
      record: [Uint8Array.of(1), []],
    }

    const read = decodePacket(encodePacket(sent, KEY).bytes)

    expect(read).toMatchObject({ ok: true, value: { packet: sent } })
  })

  it('hold twelve nodes with the longest addresses', () => {
    const node = {
      host: '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff',
      udpPort: 65_535,
      tcpPort: 65_535,
      id: new Uint8Array(64).fill(255),
    }
    const nodes = Array.from({ length: MAX_NEIGHBORS }, () => node)

    expect(encodePacket({ kind: 'neighbors', nodes, expiration: 2 ** 33 }, KEY).bytes.length).toBeLessThanOrEqual(1280)
  })

  it('too short, too long, with a wrong hash, signature or type are rejected', () => {
    const good = encodePacket({ kind: 'enrRequest', expiration: 1 }, KEY).bytes
    const wrongHash = good.map((byte, i) => (i === 0 ? byte ^ 1 : byte))
    const recovery = good.subarray(32).map((byte, i) => (i === 64 ? 9 : byte))
    const reasonOf = (bytes: Uint8Array): string => {
      const read = decodePacket(bytes)
      return read.ok ? 'accepted' : read.error
    }

    expect(reasonOf(good)).toBe('accepted')
    expect(reasonOf(good.subarray(0, 97))).toMatch('at least 98')
    expect(reasonOf(new Uint8Array(1281))).toMatch('at most 1280')
    expect(reasonOf(wrongHash)).toMatch('wrong hash')
    expect(reasonOf(concatBytes(keccak256(recovery), recovery))).toMatch('no key')
    expect(reasonOf(sealed(Uint8Array.of(7, 0xc0)))).toMatch('unknown type 7')
    expect(reasonOf(sealed(Uint8Array.of(5, 0x80)))).toMatch('no list')
    expect(reasonOf(sealed(Uint8Array.of(5, 0xfb, 255, 255, 255, 255)))).toMatch('rlp')
    expect(reasonOf(sealed(Uint8Array.of(5, 0xc0)))).toMatch('expiration is missing')
    expect(reasonOf(sealed(Uint8Array.of(3, 0xc2, 1, 1)))).toMatch('target')
    expect(reasonOf(sealed(Uint8Array.of(4, 0xc3, 0xc1, 5, 1)))).toMatch('missing')
  })

  it('of any content are read or rejected, without throwing', () => {
    const contents = fc.tuple(fc.integer({ min: 0, max: 7 }), fc.uint8Array({ maxLength: 120 }))
    fc.assert(
      fc.property(contents, ([type, rest]) => {
        expect(typeof decodePacket(sealed(concatBytes(Uint8Array.of(type), rest))).ok).toBe('boolean')
      }),
      { numRuns: 200 },
    )
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1300 }), (bytes) => {
        expect(decodePacket(bytes).ok).toBe(false)
      }),
    )
  })

  it('survive a round trip with any values', () => {
    const hosts = fc.constantFrom('1.2.3.4', '2600::1', '')
    const port = fc.nat(65_535)
    const place = fc.record({ host: hosts, udpPort: port, tcpPort: port })
    const sequence = fc.option(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }))
    fc.assert(
      fc.property(place, place, fc.nat(), sequence, (from, to, expiration, recordSequence) => {
        const packet: Packet = { kind: 'ping', version: 4, from, to, expiration, recordSequence }
        expect(decodePacket(encodePacket(packet, KEY).bytes)).toMatchObject({ ok: true, value: { packet } })
      }),
      { numRuns: 60 },
    )
  })

  it('reads an expiration as every node does: as a signed 64-bit number, so that the highest are long past', () => {
    const target = new Uint8Array(64)
    const { bytes } = encodePacket({ kind: 'findNode', target, expiration: 2 ** 64 - 2048 }, KEY)
    expect(decodePacket(bytes)).toMatchObject({ ok: true, value: { packet: { expiration: -2048 } } })
  })
})
