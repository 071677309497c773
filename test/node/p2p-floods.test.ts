// Peers that send too much, too large, or unsolicited data: each hits its limit, and the memory they make us use stays
// limited while honest peers are served.
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { encodedList, encodeRlp } from '../../src/node/codec/rlp'
import { decodeBlock } from '../../src/node/model/block'
import { encodeHeader } from '../../src/node/model/header'
import { parseEnode } from '../../src/node/p2p/node-address'
import { DISCONNECT } from '../../src/node/protocol/base-messages'
import {
  CODES,
  decodePaired,
  encodeAnswer,
  encodeHashes,
  encodeHashRequest,
  encodeHeadersQuery,
  encodeNewBlock,
  encodeNewBlockHashes,
  hashesOf,
  type Status,
} from '../../src/node/protocol/messages'
import { plainHeader } from '../../src/node/testing/test-header'
import { MADE_CHAIN_ID, madeBlocks, madeGenesis, paymentOf, rich } from './made-blocks'
import { type MeetingNode, meetingNode, until } from './p2p-nodes'
import { newFolder } from './practice-node'
import { splitBlocks } from './split-blocks'
import { type Answerer, honestStatus, StrangePeer, type StrangePeerOptions } from './strange-peer'

const NETWORK = 4713
const MIB = 1024 * 1024
/** For what takes seconds on an idle machine. */
const LONG_MS = 240_000

describe('a node among flooding peers', () => {
  const folder = newFolder()
  const ends: (() => unknown)[] = []
  let blocks: readonly Uint8Array[] = []
  let started = 0

  beforeAll(async () => {
    blocks = splitBlocks(new Uint8Array(await madeBlocks({ count: 12, tag: 1, paidEvery: 0 })))
  })
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const start = async (): Promise<MeetingNode> => {
    const key = ++started
    const own = { folder: join(folder, `n${key}`), key, genesis: madeGenesis(), networkId: NETWORK } as const
    const victim = await meetingNode({ ...own, xhashMode: 'test' })
    ends.push(() => victim.node.stop())
    for (const block of blocks.slice(0, 10)) await victim.node.importBlocks(block)
    return victim
  }
  const meet = async (victim: MeetingNode, options: StrangePeerOptions = {}): Promise<StrangePeer> => {
    const before = victim.p2p.peers().length
    const status = await honestStatus(victim, NETWORK)
    const peer = await StrangePeer.meet({ enode: victim.enode, status }, options)
    ends.push(() => peer.socket.destroy())
    await until('met', () => victim.p2p.peers().length > before)
    return peer
  }
  const hashes = (count: number): Uint8Array[] => {
    const all = new Uint8Array(randomBytes(32 * count))
    return Array.from({ length: count }, (_, index) => all.subarray(32 * index, 32 * (index + 1)))
  }
  /** Says that it has nothing of what is requested, and records the requests. */
  const empty = (answer: number, asked: string[]): Answerer => {
    return (peer, payload) => {
      const paired = decodePaired('request', payload)
      if (!paired.ok) throw new Error(paired.error)
      const hashesOnly = answer === CODES.blockHeaders ? paired.value.items.slice(0, 1) : paired.value.items
      const wanted = hashesOf('request', hashesOnly)
      if (wanted.ok) asked.push(...wanted.value.map((hash) => Buffer.from(hash).toString('hex')))
      peer.send(answer, encodeAnswer(paired.value.id, []))
    }
  }

  it('keeps 256 announced blocks of a peer, requests each once, and accepts an honest block at the same time', async () => {
    const victim = await start()
    const asked: string[] = []
    const flooder = await meet(victim, { on: new Map([[CODES.getBlockHeaders, empty(CODES.blockHeaders, asked)]]) })
    const honest = await meet(victim)
    let most = 0
    for (let message = 0; message < 20; message++) {
      flooder.send(
        CODES.newBlockHashes,
        encodeNewBlockHashes(hashes(2_000).map((hash, index) => ({ hash, number: BigInt(5 + (index % 10)) }))),
      )
    }
    await until('it announced', () => victim.p2p.load().blocks.announced > 0)
    honest.send(CODES.newBlock, encodeNewBlock({ block: blocks[10] ?? new Uint8Array(0), totalDifficulty: 30n }))
    await until(
      'the honest block, and all were asked for',
      () => {
        most = Math.max(most, victim.p2p.load().blocks.announced)
        return victim.node.head()?.number === 11 && victim.p2p.load().blocks.announced === 0
      },
      LONG_MS,
    )

    expect(most).toBeLessThanOrEqual(256)
    expect(new Set(asked).size).toBe(asked.length)
    expect(asked.length).toBeGreaterThan(0)
    expect([flooder.ended, honest.ended]).toEqual([null, null])
  })

  it('keeps 4096 announced transactions of a peer, requests none twice, and accepts an honest one at the same time', async () => {
    const victim = await start()
    const asked: string[] = []
    const on = new Map([[CODES.getPooledTransactions, empty(CODES.pooledTransactions, asked)]])
    const flooder = await meet(victim, { on })
    const honest = await meet(victim)
    let most = 0
    const look = (): number => {
      const { announced } = victim.p2p.load().transactions
      most = Math.max(most, announced)
      return announced
    }
    for (let message = 0; message < 60; message++) {
      flooder.send(CODES.newPooledTransactionHashes, encodeHashes(hashes(4_096)))
      await until('there is room to send', () => look() >= 0 && flooder.connection.unsentBytes < 4 * MIB)
    }
    honest.send(CODES.transactions, encodedList([paymentOf(0n).raw]))
    await until('the honest payment', () => look() >= 0 && victim.node.counts()?.pending === 1)
    await until('nothing is waited for', () => look() === 0, LONG_MS)

    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThanOrEqual(4_096)
    expect(new Set(asked).size).toBe(asked.length)
    expect([flooder.ended, honest.ended]).toEqual([null, null])
  })

  it("asks the next announcer for a transaction that the first doesn't give or answer", async () => {
    const victim = await start()
    const [lacking, unanswered] = [paymentOf(0n), paymentOf(1n)]
    const both = encodeHashes([lacking.hash, unanswered.hash])
    const asked: string[] = []
    await meet(victim) // doesn't answer requests
    const mute = await meet(victim)
    const poor = await meet(victim, {
      on: new Map([[CODES.getPooledTransactions, empty(CODES.pooledTransactions, asked)]]),
    })
    const give: Answerer = (peer, payload) => {
      const paired = decodePaired('request', payload)
      const wanted = paired.ok ? hashesOf('request', paired.value.items) : paired
      if (!paired.ok || !wanted.ok) throw new Error('a malformed request')
      const have = [lacking, unanswered].filter(({ hash }) =>
        wanted.value.some((one) => Buffer.compare(one, hash) === 0),
      )
      // Cut off after the first, like answers that get too large.
      peer.send(
        CODES.pooledTransactions,
        encodeAnswer(
          paired.value.id,
          have.slice(0, 1).map(({ raw }) => raw),
        ),
      )
    }
    poor.send(CODES.newPooledTransactionHashes, encodeHashes([lacking.hash]))
    mute.send(CODES.newPooledTransactionHashes, encodeHashes([unanswered.hash]))
    await until('they announced', () => victim.p2p.load().transactions.announced === 2)
    const giver = await meet(victim, { on: new Map([[CODES.getPooledTransactions, give]]) })
    giver.send(CODES.newPooledTransactionHashes, both)
    await until('both payments', () => victim.node.counts()?.pending === 2, LONG_MS)

    expect(mute.got.get(CODES.getPooledTransactions)).toBe(1)
    expect(asked).toEqual([Buffer.from(lacking.hash).toString('hex')])
    expect(giver.got.get(CODES.getPooledTransactions)).toBe(2)
  })

  it('fetches an announced block from a peer that has it, however many announce it falsely', async () => {
    const victim = await start()
    const block = decodeBlock(blocks[10] ?? new Uint8Array(0))
    if (!block.ok) throw new Error(block.error)
    const { hash, header } = block.value
    const announcement = encodeNewBlockHashes([{ hash, number: header.number }])
    const asked: string[] = []
    const poor = new Map([[CODES.getBlockHeaders, empty(CODES.blockHeaders, asked)]])
    const give: Answerer = (peer, payload) => {
      const paired = decodePaired('request', payload)
      if (!paired.ok) throw new Error(paired.error)
      peer.send(CODES.blockHeaders, encodeAnswer(paired.value.id, [encodeHeader(header)]))
    }
    for (let count = 0; count < 4; count++) {
      const peer = await meet(victim, { on: poor })
      peer.send(CODES.newBlockHashes, announcement)
    }
    const giver = await meet(victim, { on: new Map([[CODES.getBlockHeaders, give]]) })
    giver.send(CODES.newBlockHashes, announcement)
    await until('the block', () => victim.node.head()?.number === 11, LONG_MS)

    expect(asked.length).toBeLessThanOrEqual(4)
    expect(giver.got.get(CODES.getBlockHeaders)).toBe(1)
    expect(victim.p2p.peers().length).toBe(5)
  })

  it('keeps a peer that lacks a block which it sent on: it may not have imported it yet', async () => {
    const victim = await start()
    const asked: string[] = []
    const peer = await meet(victim, { on: new Map([[CODES.getBlockHeaders, empty(CODES.blockHeaders, asked)]]) })
    const header = encodeHeader(plainHeader({ number: 500n }))
    peer.send(
      CODES.newBlock,
      encodeNewBlock({ block: encodedList([header, encodeRlp([])]), totalDifficulty: 2n ** 40n }),
    )
    await until('its head was asked for', () => asked.length === 1, LONG_MS)
    peer.send(CODES.getBlockHeaders, encodeHeadersQuery(1n, { origin: 5n, amount: 1n, skip: 0n, reverse: false }))
    await until('an answer after that', () => peer.got.get(CODES.blockHeaders) === 1, LONG_MS)

    expect(victim.p2p.bans()).toEqual([])
    expect(victim.p2p.peers()).toHaveLength(1)
  })

  it('ends the connection with the documented reason for each message that no honest peer sends', async () => {
    const victim = await start()
    const big = (bytes: number) => new Uint8Array(bytes)
    const subprotocol: readonly (readonly [number, Uint8Array])[] = [
      [CODES.getBlockHeaders, big(2_000)],
      [CODES.getBlockBodies, encodeHashRequest(1n, hashes(5_000))],
      [CODES.newBlockHashes, encodeNewBlockHashes(hashes(4_000).map((hash) => ({ hash, number: 9n })))],
      [CODES.newPooledTransactionHashes, encodeHashes(hashes(17_000))],
      [CODES.newBlock, big(11 * MIB)],
      [CODES.transactions, encodedList([new Uint8Array(MIB).fill(1)])],
      [CODES.transactions, encodedList(Array.from({ length: 4_097 }, () => Uint8Array.of(0xc0)))],
      [CODES.newPooledTransactionHashes, encodeRlp([[new Uint8Array(32)]])],
      [CODES.blockHeaders, Uint8Array.of(0xc1, 0x01)],
      [CODES.status, Uint8Array.of(0xc0)],
    ]
    for (const [code, payload] of subprotocol) {
      const peer = await meet(victim)
      peer.send(code, payload)
      expect([code, await peer.refused()]).toEqual([code, DISCONNECT.subprotocol])
    }
    const asking = await meet(victim)
    for (let id = 0n; id < 200n; id++) asking.send(CODES.getBlockBodies, encodeHashRequest(id, hashes(200)))
    expect(await asking.refused()).toBe(DISCONNECT.uselessPeer)
    const answering = await meet(victim)
    for (let id = 0n; id < 1_100n; id++) answering.send(CODES.receipts, encodeHashRequest(id, []))
    expect(await answering.refused()).toBe(DISCONNECT.uselessPeer)
    const pinging = await meet(victim)
    for (let count = 0; count < 200; count++) pinging.connection.send(2, Uint8Array.of(0xc0))
    expect(await pinging.refused()).toBe(DISCONNECT.badProtocol)
    await until('all are gone', () => victim.p2p.peers().length === 0)
  })

  it("doesn't become the peer of another chain, and says so", async () => {
    const victim = await start()
    const others: readonly Partial<Status>[] = [
      { genesis: new Uint8Array(32) },
      { networkId: NETWORK + 1 },
      { forkId: { hash: Uint8Array.of(1, 2, 3, 4), next: 0n } },
      { totalDifficulty: 2n ** 100n },
    ]
    const honest = await honestStatus(victim, NETWORK)
    for (const lie of others) {
      const peer = await StrangePeer.meet({ enode: victim.enode, status: { ...honest, ...lie } })
      expect(await peer.refused()).toBe(DISCONNECT.subprotocol)
    }
    expect(victim.p2p.peers().length).toBe(0)
  })

  it('buffers little for a peer that requests much and reads nothing, and serves it when it reads again', async () => {
    const victim = await start()
    const payments = Array.from({ length: 12 }, (_, index) =>
      rich.sign({
        nonce: BigInt(index),
        chainId: MADE_CHAIN_ID,
        gasLimit: 2_500_000n,
        data: new Uint8Array(randomBytes(110_000)),
      }),
    )
    for (const { raw } of payments) await victim.node.addTransaction(raw)
    await until('pending', () => victim.node.counts()?.pending === payments.length)
    const reader = await meet(victim)
    const wanted = payments.map(({ hash }) => hash)
    reader.socket.pause()
    const requests = 16
    let most = 0
    const unsent = (): number => victim.p2p.peers()[0]?.connection.unsentBytes ?? 0
    for (let id = 1n; id <= BigInt(requests); id++)
      reader.send(CODES.getPooledTransactions, encodeHashRequest(id, wanted))
    await until('the line is full', () => unsent() > MIB)
    for (let block = 10; block < 12; block++) {
      await victim.node.importBlocks(blocks[block] ?? new Uint8Array(0))
      most = Math.max(most, unsent())
    }
    reader.socket.resume()
    const isAnswered = (): boolean => {
      most = Math.max(most, unsent())
      return reader.got.get(CODES.pooledTransactions) === requests
    }
    await until('it was answered', isAnswered, LONG_MS)

    expect(most).toBeLessThan(4 * MIB)
    expect(reader.ended).toBe(null)
  })

  it('lets at most 50 connections wait for their handshake', async () => {
    const victim = await start()
    const read = parseEnode(victim.enode)
    if (!read.ok) throw new Error(read.error)
    const { tcpPort } = read.value
    let closed = 0
    const sockets = Array.from({ length: 80 }, () => connect({ host: '127.0.0.1', port: tcpPort }))
    ends.push(() => sockets.map((socket) => socket.destroy()))
    for (const socket of sockets) {
      socket.on('error', () => undefined)
      socket.on('close', () => closed++)
      socket.resume()
    }
    await until('30 are turned away', () => closed >= 30)
    await until('the others wait in vain', () => closed === 80)
    const late = await meet(victim)

    expect(late.ended).toBe(null)
  })

  it("doesn't disconnect for a header query beyond the range of numbers", async () => {
    const victim = await start()
    const peer = await meet(victim)
    peer.send(
      CODES.getBlockHeaders,
      encodeHeadersQuery(1n, { origin: 5n, amount: 2n ** 63n, skip: 2n ** 63n, reverse: false }),
    )
    await until('answered', () => peer.got.get(CODES.blockHeaders) === 1)
    expect(peer.ended).toBe(null)
  })
})
