// Peers that claim much and did no work: they delay neither a block at the head nor a sync, however many there are.
// Nothing here times out: what the liars leave unanswered stays open for the whole test.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { joinBytes } from '../../src/base/bytes'
import { toHex } from '../../src/base/hex'
import { encodedList } from '../../src/node/codec/rlp'
import { isFetching } from '../../src/node/p2p/sync/sync-parts'
import { madeBlocks } from './made-blocks'
import { until } from './p2p-nodes'
import { type Line, lineOf } from './p2p-sync-chain'
import { headOf, type SyncNode, syncNode } from './p2p-sync-node'
import { type Script, ScriptedPeer } from './p2p-sync-peer'
import { newFolder } from './practice-node'

const LENGTH = 120
const OWN = 60
const FOREVER = { headersMs: 3_600_000, bodiesMs: 3_600_000, ancestorMs: 3_600_000, idleMs: 3_600_000 }
/** Far below the liars' limits, and above what a busy machine takes. */
const WITHIN_MS = 240_000
const ZERO = new Uint8Array(32)

/** With FIGURES in the environment, prints how long it took. */
async function timed(what: string, work: Promise<void>): Promise<void> {
  const from = performance.now()
  await work
  const ms = Math.round(performance.now() - from)
  if (process.env.FIGURES !== undefined) process.stdout.write(`${JSON.stringify({ what, ms })}\n`)
}

describe('a node among liars', () => {
  const folder = newFolder()
  const ends: (() => unknown)[] = []
  let line: Line
  let made = 0

  const open = async (blocks: number): Promise<SyncNode> => {
    const limits = { ...FOREVER, tickMs: 50, raceMs: 100 }
    const node = await syncNode({ folder: join(folder, `node-${made++}`), maxPeers: 60, limits })
    ends.push(() => node.stop())
    if (blocks > 0) await give(node, 1, blocks)
    return node
  }
  const give = async (node: SyncNode, first: number, last: number): Promise<void> => {
    const part = line.blocks.slice(first, last + 1)
    const { refused } = await node.chain.importBlocks(
      joinBytes(part.map(({ headerRlp, body }) => encodedList([headerRlp, body]))),
    )
    expect(refused).toBeNull()
    await until('given', () => node.head().number === last)
  }
  const isAt = (node: SyncNode, number: number) => (): boolean => headOf(node) === toHex(line.at(number).hash)

  /**
   * One that never answers, one that denies every block that we have and then delivers them, one with an invented head.
   */
  const lies = (): readonly Script[] => {
    const total = line.head.total * 1_000n
    const madeUp = line.withHeader(LENGTH, () => ({ mixHash: ZERO }))
    const denied = line.withHeader(1, () => ({ gasUsed: 1n }))
    const denies: Script['headers'] = ({ origin, amount, skip }, honest) => {
      if (origin instanceof Uint8Array) return [madeUp.head.headerRlp]
      if (amount > 1n && skip === 0n) return honest
      return Array.from({ length: Number(amount) }, (_, at) => denied.at(Number(origin) + at * (Number(skip) + 1))).map(
        ({ headerRlp }) => headerRlp,
      )
    }
    return [
      { totalDifficulty: total, headers: () => null },
      { totalDifficulty: total, head: madeUp.head.hash, headers: denies },
      {
        totalDifficulty: total,
        head: madeUp.head.hash,
        headers: ({ origin }) => (origin instanceof Uint8Array ? [madeUp.head.headerRlp] : null),
      },
    ]
  }
  const surround = async (node: SyncNode, count: number): Promise<readonly ScriptedPeer[]> => {
    const liars: ScriptedPeer[] = []
    for (let at = 0; at < count; at++) liars.push(await ScriptedPeer.meet(node, line, lies()[at % 3]))
    return liars
  }

  beforeAll(async () => {
    const node = await open(0)
    const [genesis = ZERO] = await node.chain.headers({ origin: 0n, amount: 1n, skip: 0n, reverse: false })
    line = lineOf(genesis, await madeBlocks({ count: LENGTH, tag: 1, paidEvery: 5 }))
  })
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.each([3, 10, 34])('accepts the next block at once while %i of them stall every sync', async (count) => {
    const node = await open(OWN)
    const liars = await surround(node, count)
    await until('all are asked', () => liars.every(({ asked }) => asked.headers > 0))
    const honest = await ScriptedPeer.meet(node, line, { head: line.at(OWN).hash, totalDifficulty: line.at(OWN).total })
    honest.announce(line, OWN + 1, line.at(OWN + 1).total)
    await timed(`block under ${count} liars`, until('the block', isAt(node, OWN + 1), WITHIN_MS))

    expect(honest.isClosed).toBe(false)
    expect(node.told.filter(isFetching)).toEqual([])
  })

  it.each([3, 10, 34])('catches up with an honest peer that came after %i of them', async (count) => {
    const node = await open(OWN)
    await surround(node, count)
    const honest = await ScriptedPeer.meet(node, line)
    await timed(`level after ${count} liars`, until('the head', isAt(node, LENGTH), WITHIN_MS))

    expect(honest.isClosed).toBe(false)
    const current = node.told.filter(isFetching).map(({ currentBlock }) => currentBlock)
    expect(current.every((height) => height >= OWN)).toBe(true)
  })

  it("believes no total difficulty before verifying its block's seal", async () => {
    const node = await open(OWN)
    const liar = await ScriptedPeer.meet(node, line, { head: line.at(OWN).hash, totalDifficulty: line.at(OWN).total })
    const badSeal = line.withHeader(OWN + 1, () => ({ mixHash: ZERO }))
    liar.announce(badSeal, OWN + 1, line.head.total * 1_000n)
    await until('the liar is dropped', () => liar.isClosed)

    expect(liar.asked.headers).toBe(0)
    expect(node.p2p.bans()[0]?.reason).toMatch(/bad header: invalid mix digest/)
  })

  it('catches up with a single peer, though blocks were found during the sync', async () => {
    const node = await open(0)
    const told = LENGTH - 3
    let isFound = false
    const peer = await ScriptedPeer.meet(node, line, {
      head: line.at(told).hash,
      totalDifficulty: line.at(told).total,
      headers: (query, honest) => honest.slice(0, query.origin instanceof Uint8Array ? 1 : undefined),
      bodies: (_hashes, honest) => until('blocks are found', () => isFound).then(() => honest),
    })
    await until('bodies are asked for', () => peer.asked.bodies > 0)
    for (const number of [told + 1, told + 2, told + 3]) peer.announce(line, number, line.at(number).total)
    isFound = true
    await timed('level with one peer', until('the head', isAt(node, LENGTH), WITHIN_MS))

    expect(peer.isClosed).toBe(false)
  })

  it('keeps blocks that arrive before their parents, and fetches those between', async () => {
    const node = await open(OWN)
    const peer = await ScriptedPeer.meet(node, line, { head: line.at(OWN).hash, totalDifficulty: line.at(OWN).total })
    for (const number of [OWN + 5, OWN + 4]) peer.announce(line, number, line.at(number).total)
    await until('the head', isAt(node, OWN + 5), WITHIN_MS)

    expect(node.p2p.load().blocks).toEqual({ announced: 0, atWork: 0, parentless: 0 })
  })

  it('is behind by verified headers, not by claims', async () => {
    const node = await open(OWN)
    const total = line.head.total * 1_000n
    const liar = await ScriptedPeer.meet(node, line, { totalDifficulty: total, headers: () => null })
    await until('the liar is asked', () => liar.asked.headers > 0)
    expect(node.p2p.health()).toMatchObject({ aheadNumber: null, behindMs: 0, isBehind: false })

    await ScriptedPeer.meet(node, line, { bodies: () => null })
    await until('the headers are checked', () => node.p2p.health().aheadNumber === LENGTH)
    expect(node.head().number).toBeLessThan(LENGTH)
  })
})
