import { secp256k1 } from '@noble/curves/secp256k1.js'
import { describe, expect, it } from 'vitest'
import { silentLogger } from '../../../base/logger'
import { FakeClock } from '../../../base/testing/fake-clock'
import { netRestrict } from '../../identity/ip-address'
import type { NodeAddress } from '../node-address'
import { type Datagram, type DatagramPort, Discv4 } from './discv4'
import { LocalRecord } from './local-record'
import { decodePacket, encodePacket, type Packet, type SignedPacket } from './packets'

/** Both ends of the wire under the test's control. */
class FakePort implements DatagramPort {
  readonly sent: { readonly bytes: Uint8Array; readonly host: string; readonly port: number }[] = []
  receive: (datagram: Datagram) => void = () => undefined

  async open(receive: (datagram: Datagram) => void): Promise<number> {
    this.receive = receive
    return 30_303
  }

  send(bytes: Uint8Array, host: string, port: number): void {
    this.sent.push({ bytes, host, port })
  }

  async close(): Promise<void> {
    this.receive = () => undefined
  }

  /** What was sent since the last call. */
  take(): SignedPacket[] {
    return this.sent.splice(0).map(({ bytes }) => {
      const read = decodePacket(bytes)
      if (!read.ok) throw new Error(read.error)
      return read.value
    })
  }

  kinds(): string[] {
    return this.take().map(({ packet }) => packet.kind)
  }
}

const key = (number: number): Uint8Array => new Uint8Array(32).fill(number)
const idOf = (secret: Uint8Array): Uint8Array => secp256k1.getPublicKey(secret, false).slice(1)
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const HOST = '10.0.0.2'
const PORT = 40_000
const THEM: NodeAddress = { id: idOf(key(2)), host: HOST, udpPort: PORT, tcpPort: 0 }

async function setUp() {
  const clock = new FakeClock()
  const port = new FakePort()
  const record = new LocalRecord(key(1), 1n)
  const known: NodeAddress[] = Array.from({ length: 16 }, (_, i) => ({
    id: idOf(key(100 + i)),
    host: `10.0.1.${i}`,
    udpPort: 30_000,
    tcpPort: 30_000,
  }))
  const deps = { key: key(1), record, port, restrict: netRestrict([]), clock, log: silentLogger, closest: () => known }
  const protocol = new Discv4(deps, { perAddress: 20, total: 100 })
  await protocol.open()
  const expiration = Math.floor(clock.now() / 1_000) + 20
  const hear = (bytes: Uint8Array, host = HOST, from = PORT): void => port.receive({ bytes, host, port: from })
  const from = (packet: Packet, secret = key(2)): Uint8Array => encodePacket(packet, secret).bytes
  const place = { host: HOST, udpPort: PORT, tcpPort: 0 }
  const ping: Packet = { kind: 'ping', version: 4, from: place, to: place, expiration, recordSequence: null }
  const pong = (to: SignedPacket): Packet => ({
    kind: 'pong',
    to: place,
    pingHash: to.hash,
    expiration,
    recordSequence: null,
  })
  const findNode: Packet = { kind: 'findNode', target: idOf(key(9)), expiration }
  /** Both endpoints proven. */
  const bond = async (): Promise<void> => {
    hear(from(ping))
    const asked = port.take().find(({ packet }) => packet.kind === 'ping')
    if (asked !== undefined) hear(from(pong(asked)))
    await settled()
  }
  return { clock, port, protocol, hear, from, ping, pong, findNode, bond, expiration, known }
}

describe('discovery v4', () => {
  it('answers a Ping and pings back, then serves nodes that have a verified endpoint', async () => {
    const { port, hear, from, ping, pong, findNode, expiration } = await setUp()
    hear(from(ping))
    const first = port.take()
    for (const asked of first.filter(({ packet }) => packet.kind === 'ping')) hear(from(pong(asked)))
    await settled()

    hear(from(findNode))
    const answers = port.take()
    hear(from({ kind: 'enrRequest', expiration }))

    expect(first.map(({ packet }) => packet.kind)).toEqual(['pong', 'ping'])
    expect(answers.map(({ packet }) => packet.kind === 'neighbors' && packet.nodes.length)).toEqual([12, 4])
    expect(port.kinds()).toEqual(['enrResponse'])
  })

  it('answers neither FindNode nor ENRRequest without endpoint proof', async () => {
    const { port, hear, from, findNode, expiration, ping } = await setUp()
    hear(from(findNode))
    hear(from({ kind: 'enrRequest', expiration }))
    const stranger = port.kinds()
    hear(from(ping))
    port.take()
    hear(from(findNode))

    expect(stranger).toEqual([])
    expect(port.kinds()).toEqual([])
  })

  it("doesn't answer a replay from another address or port", async () => {
    const { port, hear, from, findNode, bond } = await setUp()
    await bond()
    port.take()
    const recorded = from(findNode)
    hear(recorded, '10.0.0.66')
    hear(recorded, HOST, PORT + 1)
    const stolen = port.kinds()
    hear(recorded)

    expect(stolen).toEqual([])
    expect(port.kinds()).toEqual(['neighbors', 'neighbors'])
  })

  it('drops what is expired, damaged, oversized or its own', async () => {
    const { clock, port, hear, from, ping } = await setUp()
    const good = from(ping)
    const damaged = good.slice()
    damaged[40] = (damaged[40] ?? 0) ^ 1
    hear(damaged)
    hear(new Uint8Array(1_281))
    hear(new Uint8Array(0))
    hear(from(ping, key(1)))
    clock.advance(21_000)
    hear(good)

    expect(port.kinds()).toEqual([])
  })

  it('drops a proof after a day', async () => {
    const { clock, port, hear, from, bond, findNode } = await setUp()
    await bond()
    port.take()
    clock.advance(24 * 3_600_000 + 1)
    hear(from({ ...findNode, expiration: Math.floor(clock.now() / 1_000) + 20 } as Packet))

    expect(port.kinds()).toEqual([])
  })

  it('accepts a Pong only from where the Ping went, and only for that Ping', async () => {
    const { clock, port, protocol, hear, from, pong } = await setUp()
    const verified: string[] = []
    protocol.events.on('nodeVerified', ({ node }) => verified.push(node.host))
    const answer = protocol.ping(THEM)
    const [asked] = port.take()
    if (asked === undefined) throw new Error('nothing was sent')
    hear(from(pong(asked)), '10.0.0.66')
    hear(from(pong(asked), key(3)))
    hear(from(pong({ ...asked, hash: new Uint8Array(32) })))
    clock.advance(500)

    expect(await answer).toBe(false)
    expect(verified).toEqual([])
  })

  it('ignores unsolicited Neighbors', async () => {
    const { port, protocol, hear, from, expiration, bond } = await setUp()
    await bond()
    port.take()
    const before = protocol.memory
    const nodes = [{ id: idOf(key(7)), host: '10.0.0.7', udpPort: 30_000, tcpPort: 30_000 }]
    hear(from({ kind: 'neighbors', nodes, expiration }))
    await settled()

    expect(port.kinds()).toEqual([])
    expect(protocol.memory).toBe(before)
  })

  it('accepts from Neighbors only what their sender may report', async () => {
    const { port, protocol, hear, from, expiration, bond } = await setUp()
    await bond()
    port.take()
    const asked = protocol.findNode(THEM, idOf(key(9)))
    await settled()
    const node = (number: number, host: string, udpPort = 30_000) => ({
      id: idOf(key(number)),
      host,
      udpPort,
      tcpPort: 1,
    })
    const good = node(8, '10.0.0.8')
    const low = node(7, '10.0.0.7', 53)
    const nodes = [good, low, node(6, '127.0.0.1'), node(5, '224.0.0.1'), node(1, '10.0.0.9'), node(4, '')]
    hear(from({ kind: 'neighbors', nodes, expiration }))

    expect(await asked).toEqual([good])
  })

  it('reads at most sixteen nodes of one answer', async () => {
    const { clock, protocol, hear, from, expiration, bond, known } = await setUp()
    await bond()
    const asked = protocol.findNode(THEM, idOf(key(9)))
    await settled()
    for (let i = 0; i < 4; i++) hear(from({ kind: 'neighbors', nodes: known.slice(0, 12), expiration }))
    clock.advance(500)

    expect((await asked)?.length).toBe(16)
  })

  it('accepts a record only from its own node', async () => {
    const { port, protocol, hear, from, bond } = await setUp()
    await bond()
    port.take()
    const answerWith = async (secret: Uint8Array): Promise<unknown> => {
      const asked = protocol.requestRecord(THEM)
      await settled()
      const [request] = port.take()
      const record = new LocalRecord(secret, 7n).items()
      hear(from({ kind: 'enrResponse', requestHash: request?.hash ?? new Uint8Array(32), record }))
      return asked
    }

    expect(await answerWith(key(3))).toBeNull()
    expect(await answerWith(key(2))).toMatchObject({ sequence: 7n })
  })

  it('answers a flood from one address with a limited number of packets', async () => {
    const { clock, port, hear, from, ping } = await setUp()
    const bytes = from(ping)
    for (let i = 0; i < 1_000; i++) hear(bytes)
    // The Ping back makes its Pong an expected one, so the common limit applies.
    const atOnce = port.take().length
    clock.advance(1_000)
    for (let i = 0; i < 1_000; i++) hear(bytes)

    expect(atOnce).toBeLessThanOrEqual(201 + 1)
    expect(port.take().length).toBeLessThanOrEqual(101 + 1)
  })

  it('limits memory and Pings back during a flood of many keys and addresses', async () => {
    const { clock, port, protocol, hear, from, ping } = await setUp()
    for (let round = 0; round < 6; round++) {
      for (let i = 0; i < 150; i++) hear(from(ping, key(10 + (i % 200))), `9.${round}.${i}.1`)
      clock.advance(1_000)
    }
    const pings = port.kinds().filter((kind) => kind === 'ping').length
    await settled()

    expect(pings).toBeLessThanOrEqual(6 * 64)
    expect(protocol.memory).toBeLessThanOrEqual(4_096 + 2_048 + 64)
    await protocol.close()
    expect(clock.pending).toBe(0)
  })

  it('sends no more queries once closed', async () => {
    const { protocol, port } = await setUp()
    const asked = protocol.ping(THEM)
    await protocol.close()
    port.take()

    expect(await asked).toBe(false)
    expect(await protocol.ping(THEM)).toBe(false)
    expect(await protocol.findNode(THEM, THEM.id)).toBeNull()
    expect(port.kinds()).toEqual([])
  })
})
