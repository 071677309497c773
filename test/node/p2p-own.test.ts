// Our own nodes as each other's peers: sync, reorgs, transactions, and what happens to peers that misbehave.
import { randomBytes } from 'node:crypto'
import { cpSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { joinBytes } from '../../src/base/bytes'
import { toHex } from '../../src/base/hex'
import { systemClock } from '../../src/base/time'
import { decodeBlock, encodeBlock } from '../../src/node/model/block'
import { parseEnode } from '../../src/node/p2p/node-address'
import { exchangeStatus } from '../../src/node/p2p/peer/peer-server'
import { Connection } from '../../src/node/p2p/rlpx/connection'
import { publicKeyOf } from '../../src/node/p2p/rlpx/handshake'
import { forkSchedule } from '../../src/node/protocol/fork-id'
import { CODES, encodeHashRequest, encodeNewBlock, encodeNewBlockHashes } from '../../src/node/protocol/messages'
import { madeBlocks, madeGenesis, paymentOf } from './made-blocks'
import { type MeetingNode, meetingNode, until } from './p2p-nodes'
import { newFolder } from './practice-node'
import { splitBlocks } from './split-blocks'

const NETWORK = 4713
const SHARED = 250

describe('our nodes as peers', () => {
  const folder = newFolder()
  const ends: (() => unknown)[] = []
  let shared = new Uint8Array(0)
  let shorter = new Uint8Array(0)
  let longer = new Uint8Array(0)

  beforeAll(async () => {
    shared = new Uint8Array(await madeBlocks({ count: SHARED, tag: 1, paidEvery: 10 }))
    shorter = new Uint8Array(await madeBlocks({ on: shared, count: 50, tag: 2, paidEvery: 0 }))
    longer = new Uint8Array(await madeBlocks({ on: shared, count: 60, tag: 3, paidEvery: 0 }))
    const { node } = await start(1, 'shared')
    await node.importBlocks(shared)
    for (const end of ends.splice(0)) await end()
  })
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const start = async (
    key: number,
    name = `n${key}-${ends.length}-${randomBytes(4).toString('hex')}`,
    genesis = madeGenesis(),
  ) => {
    const met = await meetingNode({ folder: join(folder, name), key, genesis, networkId: NETWORK, xhashMode: 'test' })
    ends.push(() => met.node.stop())
    return met
  }
  /** With the shared blocks. */
  const startShared = (key: number) => {
    const name = `n${key}-${randomBytes(4).toString('hex')}`
    cpSync(join(folder, 'shared'), join(folder, name), { recursive: true })
    return start(key, name)
  }
  const join2 = (from: MeetingNode, to: MeetingNode): void => from.p2p.addPeer(addressOf(to.enode))
  const heads = (...nodes: MeetingNode[]): string[] =>
    nodes.map(({ node }) => toHex(node.head()?.hash ?? new Uint8Array(0)))
  const agree = (...nodes: MeetingNode[]) => until('one head', () => new Set(heads(...nodes)).size === 1)

  it('sync 300 blocks from two peers at once, and continue after a restart', async () => {
    const [first, second, third] = [await startShared(1), await startShared(2), await start(3, 'restarted')]
    await first.node.importBlocks(shorter)
    await second.node.importBlocks(shorter)
    join2(third, first)
    join2(third, second)
    await agree(first, second, third)

    expect(third.node.head()?.number).toBe(SHARED + 50)
    await third.node.stop()
    const again = await start(3, 'restarted')
    expect(again.node.head()?.number).toBe(SHARED + 50)
  })

  it('switch to a heavier branch, and pass it on to a third that only knows them', async () => {
    const [first, second, third] = [await startShared(4), await startShared(5), await start(6)]
    await first.node.importBlocks(shorter)
    await second.node.importBlocks(longer)
    join2(third, first)
    await agree(first, third)
    join2(first, second)
    await agree(first, second, third)

    expect(first.node.head()?.number).toBe(SHARED + 60)
  })

  it('bring a node that was rolled back to where it was', async () => {
    const [first, second] = [await startShared(12), await start(13)]
    await first.node.importBlocks(shorter)
    join2(second, first)
    await agree(first, second)
    const heights: number[] = []
    second.node.events.on('headChanged', ({ head }) => void heights.push(head.number))

    expect(await second.node.goBackTo(SHARED - 20)).toBeNull()
    await agree(first, second)

    expect(Math.min(...heights)).toBe(SHARED - 20)
    expect(second.node.head()?.number).toBe(SHARED + 50)
  })

  it('exchange new blocks and transactions, even through a node between them', async () => {
    const [first, second, third] = [await startShared(7), await startShared(8), await startShared(9)]
    const tail = splitBlocks(shorter)
    join2(first, second)
    join2(second, third)
    await until('met', () => second.p2p.peers().length === 2)

    for (const block of tail.slice(0, 5)) {
      await first.node.importBlocks(block)
      await agree(first, second, third)
    }
    await first.node.addTransaction(paymentOf(25n).raw)
    await until('the transaction came', () => third.node.counts()?.pending === 1)
    expect(third.node.head()?.number).toBe(SHARED + 5)
  })

  it("don't become peers with another genesis", async () => {
    const [first, second] = [await start(10), await start(11, 'foreign', madeGenesis('0x02'))]
    join2(first, second)
    await new Promise((done) => setTimeout(done, 500))

    expect([first.p2p.peers().length, second.p2p.peers().length]).toEqual([0, 0])
  })

  describe('meet hostile ones', () => {
    const clock = systemClock()

    /** Behaves like a peer up to the Status. */
    const hostile = async (victim: MeetingNode) => {
      const { id, tcpPort } = addressOf(victim.enode)
      const staticKey = new Uint8Array(randomBytes(32))
      const socket = connect({ host: '127.0.0.1', port: tcpPort })
      ends.push(() => socket.destroy())
      const hello = {
        p2pVersion: 5,
        clientId: 'hostile',
        listenPort: 0,
        nodeId: publicKeyOf(staticKey),
        capabilities: [{ name: 'parallax', version: 66 }],
      }
      const connection = new Connection(
        socket,
        { staticKey, remoteId: id, hello, maxMessageBytes: 1e7 },
        { clock, randomBytes },
      )
      await connection.open()
      const genesis = await victim.node.reader.summary(0)
      const head = victim.node.head()
      if (genesis === null || head === null) throw new Error('no chain')
      const schedule = forkSchedule(genesis.hash, [])
      const { totalDifficulty } = head
      const own = { networkId: NETWORK, totalDifficulty, head: head.hash, headNumber: BigInt(head.number), schedule }
      await exchangeStatus(connection, own, clock)
      let answers = 0
      connection.receive(() => answers++)
      return { connection, socket, answers: () => answers }
    }
    const isGone = (connection: Connection) => until('dropped', () => connection.isClosed)
    const isDropped = async (victim: MeetingNode, send: (connection: Connection) => unknown): Promise<void> => {
      const { connection } = await hostile(victim)
      await until('met', () => victim.p2p.peers().length === 1)
      send(connection)
      await isGone(connection)
      await until('parted', () => victim.p2p.peers().length === 0)
    }

    it('and drop them for garbage, wrong messages and invalid blocks, but not for what an honest peer may send', async () => {
      const victim = await startShared(12)
      const [next = new Uint8Array(0)] = splitBlocks(shorter)
      const block = decodeBlock(next)
      if (!block.ok) throw new Error(block.error)
      const { header, transactions } = block.value
      const badSeal = encodeBlock({ header: { ...header, mixHash: new Uint8Array(32) }, transactions })
      const badTotal = encodeBlock({ header: { ...header, difficulty: 77n }, transactions })

      await isDropped(victim, (peer) => peer.send(0x10 + CODES.status, Uint8Array.of(0xc0)))
      await isDropped(victim, (peer) => peer.send(0x10 + 0x0b, Uint8Array.of(0xc0)))
      await isDropped(victim, (peer) => peer.send(0x40, Uint8Array.of(0xc0)))
      await isDropped(victim, (peer) => peer.send(0x10 + CODES.getBlockHeaders, Uint8Array.of(0xc1, 0x01)))
      await isDropped(victim, (peer) => peer.send(0x10 + CODES.transactions, Uint8Array.of(0xc1, 0x01)))
      await isDropped(victim, (peer) =>
        peer.send(0x10 + CODES.newBlock, encodeNewBlock({ block: badSeal, totalDifficulty: 600n })),
      )
      await isDropped(victim, (peer) =>
        peer.send(0x10 + CODES.newBlock, encodeNewBlock({ block: badTotal, totalDifficulty: 600n })),
      )
      await isDropped(victim, (peer) => {
        for (let id = 0n; id < 2_000n; id++) peer.send(0x10 + CODES.blockHeaders, encodeHashRequest(id, []))
      })
      await isDropped(victim, (peer) => {
        for (let id = 0n; id < 2_000n; id++) peer.send(0x10 + CODES.getBlockBodies, encodeHashRequest(id, []))
      })

      const { connection } = await hostile(victim)
      const announced = Array.from({ length: 2_000 }, () => ({ hash: new Uint8Array(randomBytes(32)), number: 9_999n }))
      connection.send(0x10 + CODES.newBlockHashes, encodeNewBlockHashes(announced))
      connection.send(0x10 + CODES.newBlock, encodeNewBlock({ block: next, totalDifficulty: 600n }))
      await until('the good block', () => victim.node.head()?.number === SHARED + 1)
      expect(connection.isClosed).toBe(false)
    })

    it("and drop a peer that announces a block and withholds it, or claims a head it doesn't have", async () => {
      const [victim, other] = [await startShared(13), await startShared(16)]

      await Promise.all([
        isDropped(victim, (peer) =>
          peer.send(0x10 + CODES.newBlockHashes, encodeNewBlockHashes([{ hash: new Uint8Array(32), number: 251n }])),
        ),
        isDropped(other, (peer) => {
          const [next = new Uint8Array(0)] = splitBlocks(longer).slice(30)
          peer.send(0x10 + CODES.newBlock, encodeNewBlock({ block: next, totalDifficulty: 10n ** 20n }))
        }),
      ])
    })

    it('and close sockets that say nothing, talk nonsense or promise too much', async () => {
      const victim = await start(14)
      const { tcpPort } = addressOf(victim.enode)
      const raw = (bytes: Uint8Array): Promise<void> =>
        new Promise((done) => {
          const socket: Socket = connect({ host: '127.0.0.1', port: tcpPort }, () => socket.write(bytes))
          ends.push(() => socket.destroy())
          socket.on('error', () => undefined)
          socket.on('close', () => done())
        })

      await Promise.all([
        raw(new Uint8Array(0)),
        raw(Uint8Array.of(0xff, 0xff, 0x04)),
        raw(new Uint8Array(randomBytes(5_000))),
        raw(joinBytes([Uint8Array.of(1, 0x90), new Uint8Array(randomBytes(0x190))])),
      ])
      expect(victim.p2p.peers().length).toBe(0)
    })

    it('and cut off frames with a wrong MAC', async () => {
      const victim = await start(15)
      const { connection, socket } = await hostile(victim)
      await until('met', () => victim.p2p.peers().length === 1)

      socket.write(randomBytes(64))
      await isGone(connection)
      expect(victim.node.head()?.number).toBe(0)
    })
  })
})

function addressOf(enode: string) {
  const read = parseEnode(enode)
  if (!read.ok) throw new Error(read.error)
  return read.value
}
