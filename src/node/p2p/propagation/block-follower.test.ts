import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { silentLogger } from '../../../base/logger'
import { FakeClock } from '../../../base/testing/fake-clock'
import { encodedList, encodeRlp } from '../../codec/rlp'
import { blockHash, encodeHeader } from '../../model/header'
import { encodeNewBlock } from '../../protocol/messages'
import { plainHeader } from '../../testing/test-header'
import { peerPair } from '../../testing/test-pair'
import { Arrivals } from '../../worker/import-bytes'
import type { P2pChain } from '../network-parts'
import { AddressRatings, Bans } from '../peer/bans'
import { PeerSet } from '../peer/peer-set'
import { BlockFollower, BlockSpread } from './block-follower'
import { Intake } from './intake'

const random = (length: number): Uint8Array => new Uint8Array(randomBytes(length))
const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

async function follower({ headNumber = 0, kind = 'fault' as 'fault' | 'good' | 'unknown parent' } = {}) {
  const clock = new FakeClock()
  const { peer, end } = await peerPair()
  ends.push(end)
  const judgeHeader = vi.fn<P2pChain['judgeHeader']>(async () => {
    await new Promise((resolve) => setImmediate(resolve))
    return { kind, reason: 'invalid mix digest', parentTotal: 0n }
  })
  const arrivals = new Arrivals()
  const readBlock = async (block: Uint8Array) => arrivals.readBlock(block)
  const chain: Pick<P2pChain, 'judgeHeader' | 'readBlock'> = { judgeHeader, readBlock }
  const bans = new Bans(clock)
  const blocks = new BlockFollower({
    chain: chain as P2pChain,
    spread: new BlockSpread(new PeerSet(5), random),
    intake: new Intake(clock),
    bans,
    clock,
    log: silentLogger,
    randomBytes: random,
    headNumber: () => headNumber,
    ownTotal: () => 1n,
    ratings: new AddressRatings(clock),
    onFarAhead: () => undefined,
  })
  return { blocks, peer, bans, judgeHeader }
}

const childOf = (parentHash: Uint8Array, number: bigint) => {
  const header = plainHeader({ number, parentHash })
  const block = encodedList([encodeHeader(header), encodeRlp([])])
  return { hash: blockHash(header), message: encodeNewBlock({ block, totalDifficulty: 9n }) }
}

const blockOf = (nonce: bigint, body: Uint8Array): Uint8Array =>
  encodeNewBlock({ block: encodedList([encodeHeader(plainHeader({ nonce })), body]), totalDifficulty: 9n })

describe('the block follower', () => {
  it('checks one seal of a peer that sends false ones, however many come at once', async () => {
    const { blocks, peer, bans, judgeHeader } = await follower()
    for (let nonce = 0n; nonce < 50n; nonce++) blocks.takeBlock(peer, blockOf(nonce, encodeRlp([])))
    await vi.waitFor(() => expect(blocks.load.atWork).toBe(0), 240_000)

    expect(judgeHeader).toHaveBeenCalledOnce()
    expect([peer.isClosed, bans.list().length]).toEqual([true, 1])
  })

  it("looks into a block's body only if the block is near and its header is good", async () => {
    const undecodable = encodeRlp([Uint8Array.of(0x80)])
    const far = await follower({ headNumber: 1_000 })
    far.blocks.takeBlock(far.peer, blockOf(1n, undecodable))
    const bad = await follower()
    bad.blocks.takeBlock(bad.peer, blockOf(1n, undecodable))
    const good = await follower({ kind: 'good' })
    good.blocks.takeBlock(good.peer, blockOf(1n, undecodable))
    for (const { blocks } of [bad, good]) await vi.waitFor(() => expect(blocks.load.atWork).toBe(0), 240_000)

    expect(far.judgeHeader).not.toHaveBeenCalled()
    expect([far, bad, good].map(({ peer }) => peer.isClosed)).toEqual([false, true, true])
    expect([far, bad, good].map(({ bans }) => bans.list().length)).toEqual([0, 1, 0])
  })

  it("ignores a block with another body, whose header may be an honest one's", async () => {
    const { blocks, peer } = await follower({ kind: 'good' })
    blocks.takeBlock(peer, blockOf(1n, encodeRlp([Uint8Array.of(5, 2, 3)])))
    await vi.waitFor(() => expect(blocks.load.atWork).toBe(0), 240_000)

    expect(peer.isClosed).toBe(false)
  })

  it("doesn't take what a stranger builds on a peer's block for that peer's head", async () => {
    const { blocks, peer } = await follower({ headNumber: 20, kind: 'unknown parent' })
    const stranger = await peerPair()
    ends.push(stranger.end)
    const lowest = childOf(new Uint8Array(32).fill(1), 13n) // the block below it is too far from our head to be fetched
    const own = childOf(lowest.hash, 14n)
    const foreign = childOf(own.hash, 15n)

    blocks.takeBlock(stranger.peer, foreign.message)
    blocks.takeBlock(peer, own.message)
    await vi.waitFor(() => expect(blocks.load.parentless).toBe(2), 240_000)
    blocks.takeBlock(peer, lowest.message)
    await vi.waitFor(() => expect(blocks.load.atWork).toBe(0), 240_000)

    expect(peer.head).toEqual(own.hash)
    expect(stranger.peer.head).toEqual(foreign.hash)
  })
})
