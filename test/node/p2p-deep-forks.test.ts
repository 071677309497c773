// Branches that diverge far below the head converge again, as deep as blocks can be rolled back; for deeper ones,
// nobody is banned.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { toHex } from '../../src/base/hex'
import { byDepth } from '../depth'
import { madeBlocks } from './made-blocks'
import { until } from './p2p-nodes'
import { lineOf } from './p2p-sync-chain'
import { headOf, type SyncNode, syncNode } from './p2p-sync-node'
import { ScriptedPeer } from './p2p-sync-peer'
import { newFolder } from './practice-node'

const SHARED = 10
/**
 * For 4,000 blocks of depth, 8,000 are sealed first, a minute of CPU time: a quarter of an hour when 40 programs
 * compete for two cores.
 */
const LONG_MS = 1_800_000

describe('a fork', () => {
  const folder = newFolder()
  const ends: (() => unknown)[] = []
  let made = 0

  const open = async (): Promise<SyncNode> => {
    const node = await syncNode({ folder: join(folder, `node-${made++}`), limits: { tickMs: 100 } })
    ends.push(() => node.stop())
    return node
  }
  const parted = async (node: SyncNode, depth: number) => {
    const [genesis = new Uint8Array(0)] = await node.chain.headers({ origin: 0n, amount: 1n, skip: 0n, reverse: false })
    const shared = await madeBlocks({ count: SHARED, tag: 1, paidEvery: 0 })
    const ours = await madeBlocks({ on: shared, count: depth, tag: 2, paidEvery: 0 })
    const theirs = await madeBlocks({ on: shared, count: depth + 10, tag: 3, paidEvery: 0 })
    return { shared, ours, branch: lineOf(genesis, Buffer.concat([shared, theirs])) }
  }

  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.each(byDepth([200], [200, 4_000]))(
    '%i blocks deep is healed by an honest heavier peer, which stays',
    { timeout: LONG_MS },
    async (depth) => {
      const node = await open()
      const { shared, ours, branch } = await parted(node, depth)
      for (const blocks of [shared, ours]) expect((await node.chain.importBlocks(blocks)).refused).toBeNull()
      const peer = await ScriptedPeer.meet(node, branch)
      const metAt = performance.now()
      await until('the heavier branch', () => headOf(node) === toHex(branch.head.hash), LONG_MS)
      const ms = Math.round(performance.now() - metAt)
      if (process.env.FIGURES !== undefined) process.stdout.write(`${JSON.stringify({ depth, ms })}\n`)

      expect(peer.isClosed).toBe(false)
      expect(node.p2p.bans()).toEqual([])
    },
  )
})
