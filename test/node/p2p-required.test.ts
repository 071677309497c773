// Blocks that peers must have: a peer with other blocks is dropped, whatever it answers.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { toHex } from '../../src/base/hex'
import { encodedList } from '../../src/node/codec/rlp'
import { peersPort } from '../../src/node/p2p/p2p-service'
import { readinessOf } from '../../src/node/rpc/transport/http-listener'
import { madeBlocks } from './made-blocks'
import { until } from './p2p-nodes'
import { type Line, lineOf } from './p2p-sync-chain'
import { headOf, type SyncNode, syncNode } from './p2p-sync-node'
import { ScriptedPeer } from './p2p-sync-peer'
import { newFolder } from './practice-node'

const LENGTH = 40
const HEIGHT = 20

describe('required blocks', () => {
  const folder = newFolder()
  const ends: (() => unknown)[] = []
  let line: Line
  let other: Line
  let made = 0

  const open = async (name = `node-${made++}`): Promise<SyncNode> => {
    const required = line === undefined ? new Map() : new Map([[BigInt(HEIGHT), line.at(HEIGHT).hash]])
    const node = await syncNode({ folder: join(folder, name), limits: { tickMs: 100 }, required })
    ends.push(() => node.stop())
    return node
  }
  const close = async (): Promise<void> => {
    for (const end of ends.splice(0).reverse()) await end()
  }

  beforeAll(async () => {
    const node = await open()
    const [genesis = new Uint8Array(0)] = await node.chain.headers({ origin: 0n, amount: 1n, skip: 0n, reverse: false })
    const [ours, others] = [
      await madeBlocks({ count: LENGTH, tag: 1, paidEvery: 0 }),
      await madeBlocks({ count: LENGTH + 5, tag: 2, paidEvery: 0 }),
    ]
    line = lineOf(genesis, ours)
    other = lineOf(genesis, others)
    await close()
  })
  afterEach(close)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('end the connection to a peer with another block, and leave one that has it', async () => {
    const node = await open()
    const wrong = await ScriptedPeer.meet(node, other)
    const right = await ScriptedPeer.meet(node, line)
    await until('the wrong one is dropped', () => wrong.isClosed)
    await until('the head', () => headOf(node) === toHex(line.head.hash))

    expect(node.p2p.bans().map(({ name }) => name)).toEqual([wrong.name])
    expect(node.p2p.bans()[0]?.reason).toContain(`required is ${toHex(line.at(HEIGHT).hash)}`)
    expect(right.isClosed).toBe(false)
  })

  it('are checked in headers too: a peer that answers correctly but sends another chain gets no further', async () => {
    const node = await open()
    const liar = await ScriptedPeer.meet(node, other, {
      headers: ({ origin, amount }, honest) =>
        origin === BigInt(HEIGHT) && amount === 1n ? [line.at(HEIGHT).headerRlp] : honest,
    })
    await until('the liar is dropped', () => liar.isClosed)

    expect(node.p2p.bans()[0]?.reason).toContain(`block ${HEIGHT} is not the required`)
    expect(node.head().number).toBeLessThan(HEIGHT)
  })

  it('stop an announced block', async () => {
    const node = await open()
    const short = await ScriptedPeer.meet(node, other.upTo(HEIGHT - 1))
    await until('the head', () => node.head().number === HEIGHT - 1)
    short.announce(other, HEIGHT, other.at(HEIGHT).total)
    await until('it is dropped', () => short.isClosed)

    expect(node.head().number).toBe(HEIGHT - 1)
  })

  it("allow a peer that hasn't got that far", async () => {
    const node = await open()
    const short = await ScriptedPeer.meet(node, line.upTo(HEIGHT - 1))
    await until('the head', () => node.head().number === HEIGHT - 1)

    expect(short.isClosed).toBe(false)
    expect(node.p2p.bans()).toEqual([])
  })

  it('drop a peer that answers with another height, or with two', async () => {
    const node = await open()
    for (const answer of [[line.at(3).headerRlp], [line.at(HEIGHT).headerRlp, line.at(HEIGHT + 1).headerRlp]]) {
      const strange = await ScriptedPeer.meet(node, line, {
        headers: ({ origin, amount }, honest) => (origin === BigInt(HEIGHT) && amount === 1n ? answer : honest),
      })
      await until('it is dropped', () => strange.isClosed)
    }
  })

  it('report that our own chain has another one', async () => {
    const first = await syncNode({ folder: join(folder, 'own'), limits: { tickMs: 100 } })
    ends.push(() => first.stop())
    await ScriptedPeer.meet(first, other)
    await until('the head', () => headOf(first) === toHex(other.head.hash))
    await close()
    const again = await open('own')

    const told = again.log.find(({ level }) => level === 'error')
    const hashes = { here: toHex(other.at(HEIGHT).hash), required: toHex(line.at(HEIGHT).hash) }
    expect(told?.fields).toEqual({ height: HEIGHT, ...hashes })
    expect(again.p2p.health().wrongBlock).toEqual({ height: HEIGHT, ...hashes })
    const peers = peersPort(again.p2p)
    const { ready } = readinessOf({ head: again.head, peers, now: () => again.head().timestamp * 1_000 })
    expect(ready()).toContain(`block ${HEIGHT} is ${hashes.here}, required is ${hashes.required}`)
  })

  it('report another one that is imported later, until it is gone', async () => {
    const node = await open()
    expect(node.p2p.health().wrongBlock).toBeNull()
    const blocks = Buffer.concat(
      Array.from({ length: HEIGHT }, (_, at) => encodedList([other.at(at + 1).headerRlp, other.at(at + 1).body])),
    )
    await node.chain.importBlocks(blocks)
    expect(node.p2p.health().wrongBlock).toMatchObject({ height: HEIGHT, here: toHex(other.at(HEIGHT).hash) })

    await ScriptedPeer.meet(node, line)
    await until('the head', () => headOf(node) === toHex(line.head.hash))
    expect(node.p2p.health().wrongBlock).toBeNull()
  })
})
