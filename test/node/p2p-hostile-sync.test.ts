// Peers that lie during a sync: each is dropped with a readable reason, and the sync with an honest one finishes.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { toHex } from '../../src/base/hex'
import { createXhashEngine, type XhashEngine } from '../../src/native/xhash-engine'
import { nodeName } from '../../src/node/p2p/node-address'
import { publicKeyOf } from '../../src/node/p2p/rlpx/handshake'
import type { SyncLimits } from '../../src/node/p2p/sync/sync-parts'
import { forkSchedule } from '../../src/node/protocol/fork-id'
import { XHASH_TEST } from '../../src/xhash/params'
import { madeBlocks } from './made-blocks'
import { until } from './p2p-nodes'
import { type Line, lineOf } from './p2p-sync-chain'
import { headOf, type SyncNode, syncNode, tally } from './p2p-sync-node'
import { type Script, ScriptedPeer } from './p2p-sync-peer'
import { newFolder } from './practice-node'

const LENGTH = 120
const LONG = 420
const ZERO = new Uint8Array(32)
const PATIENCE_MS = 240_000
/**
 * Where time isn't the subject: on a busy computer honest peers are late, too, and late data is requested from others
 * and arrives twice.
 */
const PATIENT = {
  headersMs: PATIENCE_MS,
  bodiesMs: PATIENCE_MS,
  lateMs: PATIENCE_MS,
  ancestorMs: PATIENCE_MS,
  raceMs: PATIENCE_MS,
  idleMs: PATIENCE_MS,
}

describe('a peer that lies to a sync', () => {
  const folder = newFolder()
  const ends: (() => unknown)[] = []
  let xhash: XhashEngine
  let line: Line
  let branch: Line
  let long: Line
  let made = 0

  const open = async (limits: Partial<SyncLimits> = {}): Promise<SyncNode> => {
    const node = await syncNode({
      folder: join(folder, `node-${made++}`),
      limits: { ...PATIENT, tickMs: 100, ...limits },
    })
    ends.push(() => node.stop())
    return node
  }
  const isAt = (node: SyncNode, target: Line) => (): boolean => headOf(node) === toHex(target.head.hash)
  const heavier = (): bigint => line.head.total * 1_000n

  beforeAll(async () => {
    xhash = createXhashEngine(XHASH_TEST, { searchFrom: import.meta.dirname })
    const node = await open()
    const [genesis = ZERO] = await node.chain.headers({ origin: 0n, amount: 1n, skip: 0n, reverse: false })
    line = lineOf(genesis, await madeBlocks({ count: LENGTH, tag: 1, paidEvery: 1 }))
    branch = lineOf(genesis, await madeBlocks({ count: LENGTH + 10, tag: 2, paidEvery: 1 }))
    long = lineOf(genesis, await madeBlocks({ count: LONG, tag: 3, paidEvery: 0 }))
  })
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })
  afterAll(async () => {
    await xhash.close()
    rmSync(folder, { recursive: true, force: true })
  })

  interface Lie {
    readonly serves: Line
    readonly script?: Script
    readonly limits?: Partial<SyncLimits>
    readonly reason: RegExp
  }

  /** The liar comes first and has the most to offer; the honest peer comes while the liar is served. */
  const isFoundOut = async ({ serves, script = {}, limits = {}, reason }: Lie, honestLine = line) => {
    const node = await open(limits)
    const liar = await ScriptedPeer.meet(node, serves, script)
    const honest = await ScriptedPeer.meet(node, honestLine)
    await until('the liar is dropped', () => liar.isClosed)
    await until('the head', isAt(node, honestLine))

    const bans = node.p2p.bans()
    expect(bans.map(({ name }) => name)).toEqual([liar.name])
    expect(bans[0]?.reason).toMatch(reason)
    const told = node.log.filter(({ message }) => message.startsWith('peer dropped'))
    expect(String(told[0]?.fields.reason)).toMatch(reason)
    expect(honest.isClosed).toBe(false)
    expect(tally(node).known).toBe(0)
    return { node, liar }
  }

  describe('about who it is', () => {
    const isRefused = async (script: Script, reason: RegExp): Promise<void> => {
      const node = await open()
      await expect(ScriptedPeer.meet(node, line, script)).rejects.toThrow()
      await until('told', () => node.log.some(({ fields }) => reason.test(String(fields.error))))
      expect(node.p2p.peers()).toEqual([])
      await ScriptedPeer.meet(node, line)
      await until('the head', isAt(node, line))
    }

    it('by another genesis', () => isRefused({ schedule: forkSchedule(ZERO, []) }, /another genesis/))
    it('by another fork id', () => isRefused({ schedule: forkSchedule(line.at(0).hash, [5n]) }, /fork id/))
    it('by another network', () => isRefused({ networkId: 1 }, /network id 1, want/))
  })

  describe('with headers that break a rule', () => {
    const isRuleFault = async (serves: Line, reason: RegExp): Promise<void> => {
      const { liar } = await isFoundOut({ serves, script: { totalDifficulty: heavier() }, reason })
      expect(liar.asked.bodies).toBe(0)
    }

    it('by their difficulty', () =>
      isRuleFault(
        line.withHeader(60, () => ({ difficulty: 2n ** 60n })),
        /header 60: invalid difficulty/,
      ))
    it('by their time', () =>
      isRuleFault(
        line.withHeader(60, () => ({ timestamp: line.at(40).header.timestamp })),
        /header 60: timestamp older than parent/,
      ))
    it('by their number', () =>
      isRuleFault(
        line.withHeader(60, ({ number }) => ({ number: number + 1n })),
        /they do not follow block 0/,
      ))
    it('by their period', () =>
      isRuleFault(
        line.withHeader(60, ({ timestamp }) => ({ epochStartTime: timestamp })),
        /header 60: epoch anchor/,
      ))
    it('by their gas limit', () =>
      isRuleFault(
        line.withHeader(60, () => ({ gasLimit: 2n ** 62n })),
        /header 60: invalid gas limit/,
      ))
    it('by their seal, before any body is requested', () =>
      isRuleFault(
        line.withHeader(60, () => ({ mixHash: ZERO })),
        /header 60: invalid mix digest/,
      ))
    it('by their size', () =>
      isRuleFault(
        line.withHeader(60, () => ({ extraData: new Uint8Array(90_000) })),
        /extra-data too long/,
      ))
    it('by a head that no chain reaches', () =>
      isRuleFault(
        line.withHeader(LENGTH, () => ({ number: 2n ** 60n })),
        /a head at 1152921504606846976/,
      ))
  })

  describe('with answers', () => {
    it("that don't come, come too late, or come byte by byte", async () => {
      const limits = { headersMs: 3_000, bodiesMs: 3_000, lateMs: 200 }
      const reason = /did not arrive within 3000 ms/
      const late: Script = {
        headers: (_query, honest) => new Promise((answer) => setTimeout(() => answer(honest), 6_000)),
      }
      await Promise.all([
        isFoundOut({ serves: line, script: { headers: () => null }, limits, reason }),
        isFoundOut({ serves: line, script: late, limits, reason }),
        isFoundOut({ serves: line, script: { dripMs: 100 }, limits, reason }),
        isFoundOut({
          serves: branch,
          script: { bodies: () => null },
          limits,
          reason: /did not arrive within 3000 ms|no peer has block 1/,
        }),
      ])
    })
    it('one header at a time', () =>
      isFoundOut({ serves: line, script: { headers: (_query, honest) => honest.slice(0, 1) }, reason: /1 of 120/ }))
    it('with more than was requested', () =>
      isFoundOut({ serves: line, script: { headers: (_query, honest) => [...honest, ...honest] }, reason: /2 of 1/ }))
    it('without the head that it announced', () =>
      isFoundOut({ serves: line, script: { headers: () => [] }, reason: /does not have its own head/ }))
    it('with another head than it announced', () =>
      isFoundOut({
        serves: line,
        script: { headers: () => [line.at(3).headerRlp] },
        reason: /does not have its own head/,
      }))
    it('with nothing but the head', () =>
      isFoundOut({
        serves: line,
        script: { headers: ({ origin }, honest) => (origin instanceof Uint8Array || origin === 0n ? honest : []) },
        reason: /none after block 0/,
      }))
  })

  describe('with bodies', () => {
    it('of other blocks', () =>
      isFoundOut({
        serves: line,
        script: { bodies: (hashes) => hashes.map(() => branch.at(LENGTH).body) },
        reason: /bodies: one that was not asked for/,
      }))
    it("that aren't bodies", () =>
      isFoundOut({ serves: line, script: { bodies: () => [Uint8Array.of(0xc1, 0x80)] }, reason: /bodies: / }))
    it('that it withholds', () =>
      isFoundOut({ serves: branch, script: { bodies: () => [] }, reason: /no peer has block 1/ }))
    it("that don't lead to their header's state", async () => {
      const wrong = line.upTo(80).withHeader(80, () => ({ stateRoot: ZERO }))
      const serves = await wrong.sealed(80, xhash)
      const { node } = await isFoundOut({
        serves,
        script: { totalDifficulty: heavier() },
        reason: /invalid merkle root/,
      })
      expect(tally(node).added).toBe(LENGTH)
    })
  })

  describe('with its total difficulty', () => {
    it('for a chain that is shorter', () =>
      isFoundOut({
        serves: line.upTo(30),
        script: { totalDifficulty: heavier() },
        reason: /total difficulty 62, promised/,
      }))

    it('for a branch that never gets heavier than ours', async () => {
      const node = await open({ heldHeaders: 50 })
      const ours = branch.upTo(110)
      await ScriptedPeer.meet(node, ours)
      await until('the branch', isAt(node, ours))
      const liar = await ScriptedPeer.meet(node, line.upTo(100), { totalDifficulty: heavier() })
      await until('the liar is dropped', () => liar.isClosed)
      expect(node.p2p.bans()[0]?.reason).toMatch(/100 of a branch that is not heavier than ours/)
      expect(liar.asked.bodies).toBe(0)
    })

    it('repeatedly, with new heads each time that it never gives', async () => {
      const node = await open()
      await ScriptedPeer.meet(node, line)
      await until('the head', isAt(node, line))
      const liar = await ScriptedPeer.meet(node, line, { headers: () => [] })
      const sendNext = (offer: bigint): void => {
        const nowhere = line.withHeader(LENGTH, () => ({ parentHash: ZERO, gasUsed: offer }))
        if (!liar.announce(nowhere, LENGTH, heavier() + offer)) return
        setTimeout(() => sendNext(offer + 1n), 100)
      }
      sendNext(1n)
      await until('the liar is dropped', () => liar.isClosed)
      expect(node.p2p.bans()[0]?.reason).toMatch(/does not have the parents of its blocks/)
      expect(isAt(node, line)()).toBe(true)
    })

    it('and is dropped if its chain is a different one at every sync', async () => {
      const told = branch.upTo(100)
      // The announced head exists by hash; at its height there is another chain.
      const { head } = told
      const headers: Script['headers'] = ({ origin }, honest) =>
        origin instanceof Uint8Array ? [head.headerRlp] : honest
      await isFoundOut({
        serves: line,
        script: { head: head.hash, totalDifficulty: heavier(), headers },
        limits: { waitMs: 1 },
        reason: /3 syncs in a row did not reach its head/,
      })
    })
  })

  it('under new names each time keeps no trusted one waiting', async () => {
    const node = await open({ headersMs: 2_000, raceMs: 2_000 })
    const key = new Uint8Array(32).fill(9)
    node.p2p.trust(nodeName(publicKeyOf(key)), true)
    let isOver = false
    const liars: ScriptedPeer[] = []
    const sendNext = async (): Promise<void> => {
      if (isOver) return
      const liar = await ScriptedPeer.meet(node, line, { totalDifficulty: heavier(), headers: () => null })
      liars.push(liar)
      await until('the liar is dropped', () => liar.isClosed || isOver)
      await sendNext()
    }
    const sending = [sendNext(), sendNext(), sendNext()]
    await until('two are heard', () => liars.length >= 2)
    const honest = await ScriptedPeer.meet(node, line, { key })
    await until('the head', isAt(node, line))
    isOver = true
    await Promise.all(sending)
    expect(honest.isClosed).toBe(false)
    expect(tally(node)).toEqual({ added: LENGTH, known: 0 })
  })

  it('with blocks from the future is asked later, and blocks nobody', async () => {
    const node = await open({ waitMs: 600_000 })
    const serves = line.withHeader(100, () => ({ timestamp: 99_999_999_999n }))
    const early = await ScriptedPeer.meet(node, serves, { totalDifficulty: heavier() })
    const honest = await ScriptedPeer.meet(node, line)
    await until('the head', isAt(node, line))

    expect([early.isClosed, honest.isClosed]).toEqual([false, false])
    expect(node.p2p.bans()).toEqual([])
    expect(tally(node)).toEqual({ added: LENGTH, known: 0 })
  })

  describe('with a skeleton', () => {
    const isSkeleton = (skip: bigint): boolean => skip === 191n

    it('of the wrong heights', () =>
      isFoundOut(
        {
          serves: long,
          script: { headers: ({ skip }, honest) => (isSkeleton(skip) ? [...honest].reverse() : honest) },
          reason: /skeleton: a header at 384/,
        },
        long,
      ))
    it("that its own headers don't lead to", () => {
      const other = long.withHeader(100, () => ({ mixHash: ZERO }))
      const headers: Script['headers'] = ({ skip }, honest) =>
        isSkeleton(skip) ? [other.at(192).headerRlp, other.at(384).headerRlp] : honest
      return isFoundOut({ serves: long, script: { headers }, reason: /they do not lead to the skeleton/ }, long)
    })
    it('of another peer that it helps to fill with other headers', async () => {
      const node = await open()
      const helpers: ScriptedPeer[] = []
      const honest = await ScriptedPeer.meet(node, long, {
        headers: (_query, found) => until('the helper is there', () => helpers.length > 0).then(() => found),
      })
      const other = long.withHeader(100, () => ({ mixHash: ZERO }))
      helpers.push(await ScriptedPeer.meet(node, other, { totalDifficulty: long.at(1).total }))
      await until('the head', isAt(node, long))
      expect(honest.isClosed).toBe(false)
      expect(tally(node)).toEqual({ added: LONG, known: 0 })
      expect(helpers[0]?.asked.headers).toBeGreaterThan(0)
    })
  })
})
