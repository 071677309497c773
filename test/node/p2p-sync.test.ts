// How our node fetches a chain from its peers: from several at once, across disconnections and restarts, and the
// progress it reports.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { joinBytes } from '../../src/base/bytes'
import { toHex } from '../../src/base/hex'
import { encodedList } from '../../src/node/codec/rlp'
import { peersPort } from '../../src/node/p2p/p2p-service'
import { isFetching } from '../../src/node/p2p/sync/sync-parts'
import { madeBlocks } from './made-blocks'
import { until } from './p2p-nodes'
import { type Line, lineOf } from './p2p-sync-chain'
import { headOf, type SyncNode, type SyncNodeOptions, syncNode, tally } from './p2p-sync-node'
import { type Script, ScriptedPeer } from './p2p-sync-peer'
import { newFolder } from './practice-node'
import { splitBlocks } from './split-blocks'

const LENGTH = 620
const SHARED = 560

describe('a sync', () => {
  const folder = newFolder()
  const ends: (() => unknown)[] = []
  let line: Line
  let branch: Line
  let made = 0

  const open = async (options: Partial<SyncNodeOptions> = {}): Promise<SyncNode> => {
    const node = await syncNode({ folder: join(folder, `node-${made++}`), ...options })
    ends.push(() => node.stop())
    return node
  }
  const isAt = (node: SyncNode, target: Line) => (): boolean => headOf(node) === toHex(target.head.hash)

  beforeAll(async () => {
    const isPaid = (number: number): boolean => number <= SHARED && number % 2 === 0
    const whole = await madeBlocks({ count: LENGTH, tag: 1, paidEvery: isPaid })
    const shared = joinBytes(splitBlocks(whole).slice(0, SHARED))
    const other = await madeBlocks({ on: shared, count: 50, tag: 2, paidEvery: 0 })
    const node = await open()
    const [genesis = new Uint8Array(0)] = await node.chain.headers({ origin: 0n, amount: 1n, skip: 0n, reverse: false })
    line = lineOf(genesis, whole)
    branch = lineOf(genesis, joinBytes([shared, other]))
  })
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('requests headers and bodies from all peers, and imports each block once', async () => {
    const node = await open({
      limits: { headersMs: 600_000, bodiesMs: 600_000, lateMs: 600_000, raceMs: 600_000, idleMs: 600_000 },
    })
    const peers: ScriptedPeer[] = []
    // Nobody answers before all are connected; then nobody delivers a body before all got a request for some.
    const slow: Script = {
      headers: (_query, honest) => until('all are there', () => peers.length === 3).then(() => honest),
      bodies: (_hashes, honest) =>
        until('all are asked', () => peers.every(({ asked }) => asked.bodies > 0)).then(() => honest),
    }
    for (let count = 0; count < 3; count++) peers.push(await ScriptedPeer.meet(node, line, slow))
    await until('the head', isAt(node, line))

    expect(tally(node)).toEqual({ added: LENGTH, known: 0 })
    for (const peer of peers) {
      expect(peer.asked.headers).toBeGreaterThan(0)
      expect(peer.asked.bodies).toBeGreaterThan(0)
      expect(peer.isClosed).toBe(false)
    }
  })

  it('reports its progress: phases in order, heights that only grow, and nothing unknown', async () => {
    const node = await open()
    const port = peersPort(node.p2p)
    const syncing: unknown[] = []
    port.watchSync((heights) => syncing.push(heights))
    expect(port.syncing()).toBeNull()
    const heights: unknown[] = []
    node.p2p.events.on('syncChanged', (now) => {
      if (isFetching(now)) heights.push([port.syncing(), now.startingBlock, now.currentBlock, now.highestBlock])
    })
    await ScriptedPeer.meet(node, line)
    await until('the end', () => node.told.some(({ phase }) => phase === 'idle'))

    const { told } = node
    expect(told.map(({ phase }) => phase).slice(0, 2)).toEqual(['finding-ancestor', 'headers'])
    expect(told.map(({ phase }) => phase)).toContain('importing')
    const running = told.filter(isFetching)
    const current = running.map(({ currentBlock }) => currentBlock)
    expect(current).toEqual([...current].sort((a, b) => a - b))
    expect(running.every(({ highestBlock, startingBlock }) => highestBlock === LENGTH && startingBlock === 0)).toBe(
      true,
    )
    expect(running.every(({ bodiesDone, headersDone }) => bodiesDone <= headersDone && headersDone <= LENGTH)).toBe(
      true,
    )
    expect(
      running.every(({ etaSeconds, blocksPerSecond }) => (etaSeconds === null) === (blocksPerSecond === null)),
    ).toBe(true)
    expect(node.p2p.progress()).toEqual({
      phase: 'idle',
      startingBlock: 0,
      currentBlock: LENGTH,
      highestBlock: LENGTH,
      headersDone: LENGTH,
      bodiesDone: LENGTH,
      blocksPerSecond: null,
      etaSeconds: null,
      peersUsed: 0,
      peer: null,
    })
    const asTold = running.map(({ currentBlock }) => [
      { from: 0, current: currentBlock, target: LENGTH },
      0,
      currentBlock,
      LENGTH,
    ])
    expect(heights).toEqual(asTold)
    expect(syncing[0]).toEqual({ from: 0, current: 0, target: LENGTH })
    expect(syncing[syncing.length - 1]).toBeNull()
  })

  it('continues with another peer if the first one is disconnected midway', async () => {
    const node = await open()
    const first = await ScriptedPeer.meet(node, line, {
      totalDifficulty: line.head.total,
      bodies: (_hashes, honest) => {
        if (first.asked.bodies === 4) first.cut()
        return honest
      },
    })
    await until('it is cut', () => first.isClosed)
    const second = await ScriptedPeer.meet(node, line)
    await until('the head', isAt(node, line))

    expect(second.isClosed).toBe(false)
    expect(tally(node)).toEqual({ added: LENGTH, known: 0 })
    expect(node.p2p.bans()).toEqual([]) // being cut off isn't an offense
  })

  it('fetches what it knows about from others if its sync peer is disconnected', async () => {
    const node = await open()
    const second = await ScriptedPeer.meet(node, line.upTo(SHARED), { totalDifficulty: 1n })
    const first = await ScriptedPeer.meet(node, line.upTo(SHARED), {
      headers: (_query, honest) => honest,
      bodies: () => {
        first.cut()
        return null
      },
    })
    await until('the first headers at least', () => node.head().number > 0)
    expect(second.asked.bodies).toBeGreaterThan(0)
    expect(tally(node).known).toBe(0)
  })

  it('continues where it was after the node was stopped midway', async () => {
    const options = { folder: join(folder, 'stopped') }
    const before = await syncNode(options)
    // Sends some bodies and then none, so that the sync stays in the middle.
    const halting: ScriptedPeer = await ScriptedPeer.meet(before, line, {
      bodies: (_hashes, honest) => (halting.asked.bodies <= 2 ? honest : null),
    })
    await until('something came', () => before.head().number > 0)
    await before.stop()
    const reached = before.head().number

    const after = await open(options)
    expect(after.head().number).toBeGreaterThanOrEqual(reached)
    const stored = after.head().number
    await ScriptedPeer.meet(after, line)
    await until('the head', isAt(after, line))
    expect(tally(after)).toEqual({ added: LENGTH - stored, known: 0 })
    expect(stored).toBeGreaterThan(0)
    expect(after.told.find(({ phase }) => phase === 'headers')?.startingBlock).toBe(stored)
  })

  it('switches to a heavier branch, and requests no body of a lighter one', async () => {
    const node = await open()
    await node.chain.importBlocks(
      joinBytes(branch.blocks.slice(1).map(({ headerRlp, body }) => encodedList([headerRlp, body]))),
    )
    await until('the branch', isAt(node, branch))
    const light = await ScriptedPeer.meet(node, line.upTo(SHARED + 30), { totalDifficulty: branch.head.total + 1n })
    await until('it is dropped', () => light.isClosed)
    expect(light.asked.bodies).toBe(0)
    expect(node.p2p.bans()[0]?.reason).toMatch(/total difficulty \d+, promised \d+/)

    await ScriptedPeer.meet(node, line)
    await until('the head', isAt(node, line))
    expect(tally(node)).toEqual({ added: SHARED + 50 + (LENGTH - SHARED), known: 0 })
  })

  it('needs little space: what is missing is fetched even if nothing else fits', async () => {
    const node = await open({ limits: { bodyBytes: 1, lateMs: 100, bodiesMs: 600_000 } })
    const shared = line.upTo(SHARED)
    // Accepts the request for the first bodies, and never delivers them.
    const silent = await ScriptedPeer.meet(node, shared, { bodies: () => null })
    const honest = await ScriptedPeer.meet(node, shared)
    await until('the head', isAt(node, shared))

    expect(tally(node).known).toBe(0)
    // Every second block has a body, and never more than the next 16 blocks need were requested at once.
    expect(honest.asked.bodies).toBeGreaterThanOrEqual(SHARED / 2 / 16 - 4)
    expect(silent.asked.bodies).toBeGreaterThan(0)
  })

  it('asks another peer for what is late, without waiting for the timeout', async () => {
    const node = await open({ limits: { lateMs: 50, bodiesMs: 600_000, headersMs: 600_000 } })
    const late: ScriptedPeer[] = []
    await ScriptedPeer.meet(node, line, {
      headers: (_query, honest) => until('the other is there', () => late.length > 0).then(() => honest),
    })
    const script: Script = { totalDifficulty: line.at(1).total, headers: () => null, bodies: () => null }
    const silent = await ScriptedPeer.meet(node, line, script)
    late.push(silent)
    await until('the head', isAt(node, line))
    expect(silent.asked.headers).toBeGreaterThan(0)
    expect(silent.asked.bodies).toBeGreaterThan(0)
    expect(tally(node).known).toBe(0)
  })
})
