// Thirty of our nodes with four or five peers each: blocks reach all, a split network converges again, and no peer
// sends more than one surplus block body.
import { rmSync } from 'node:fs'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { toHex } from '../../src/base/hex'
import { decodeBlock } from '../../src/node/model/block'
import { madeBlocks } from './made-blocks'
import { dice, type Link, ringLinks, SimulatedNetwork, type TravelledBody } from './p2p-network'
import { newFolder } from './practice-node'
import { splitBlocks } from './split-blocks'

const HALF = 15
const LEFT = Array.from({ length: HALF }, (_, index) => index)
const RIGHT = LEFT.map((index) => HALF + index)
const ACROSS: readonly Link[] = [0, 3, 6, 9, 12].map((index): Link => [index, HALF + index])

describe('thirty nodes', () => {
  const folder = newFolder()
  let network: SimulatedNetwork | null = null

  afterEach(() => network?.stop())
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('agree, split, meet again on the heavier branch, and waste at most one block body per peer', async () => {
    const roll = dice(7)
    const shared = await branch(undefined, 6, 1)
    const left = await branch(shared, 4, 2)
    const right = await branch(shared, 6, 3)
    const after = await branch(Buffer.concat([shared, right]), 4, 4)
    const met = await SimulatedNetwork.start({ folder, count: 2 * HALF })
    network = met
    /** Each block by one of the members, once all of them have the previous one. */
    const grow = async (blocks: Uint8Array, members: readonly number[]): Promise<void> => {
      for (const block of splitBlocks(blocks)) {
        await met.make(members[roll(members.length)] ?? 0, block)
        await met.agree(hashOf(block), members)
      }
    }
    await met.connect([...ringLinks(0, HALF), ...ringLinks(HALF, HALF), ...ACROSS])
    await grow(shared, [...LEFT, ...RIGHT])

    await met.cut(ACROSS)
    await Promise.all([grow(left, LEFT), grow(right, RIGHT)])
    const apart = [met.headOf(0), met.headOf(HALF)]
    await met.connect(ACROSS)
    await met.agree(tipOf(right))
    await grow(after, [...LEFT, ...RIGHT])

    expect(apart).toEqual([tipOf(left), tipOf(right)])
    expect(met.headOf(0)).toBe(tipOf(after))
    expect(maxOnOneWay(met.bodies().filter(({ isPushed }) => isPushed))).toBe(1)
    expect(maxOnOneWay(met.bodies())).toBeLessThanOrEqual(2)
    // Each block has to reach 29 nodes: on average no node gets more than one body beyond the needed one.
    const needed = splitBlocks(after).length * (2 * HALF - 1)
    expect(bodiesOf(met.bodies(), after)).toBeGreaterThanOrEqual(needed)
    expect(bodiesOf(met.bodies(), after)).toBeLessThanOrEqual(2 * needed)
  })
})

/** Every block has a payment, so that it has a body. */
async function branch(on: Uint8Array | undefined, count: number, tag: number): Promise<Uint8Array> {
  return new Uint8Array(await madeBlocks({ ...(on === undefined ? {} : { on }), count, tag, paidEvery: 1 }))
}

function hashOf(block: Uint8Array): string {
  const decoded = decodeBlock(block)
  if (!decoded.ok) throw new Error(decoded.error)
  return toHex(decoded.value.hash)
}

function tipOf(blocks: Uint8Array): string {
  return hashOf(splitBlocks(blocks).at(-1) ?? new Uint8Array(0))
}

/** The maximum number of bodies of one block that one node sent to one other. */
function maxOnOneWay(bodies: readonly TravelledBody[]): number {
  const counts = new Map<string, number>()
  for (const { from, to, block } of bodies) {
    const way = `${from}>${to} ${block}`
    counts.set(way, (counts.get(way) ?? 0) + 1)
  }
  return Math.max(...counts.values())
}

function bodiesOf(bodies: readonly TravelledBody[], blocks: Uint8Array): number {
  const wanted = new Set(splitBlocks(blocks).map(hashOf))
  return bodies.filter(({ block }) => wanted.has(block)).length
}
