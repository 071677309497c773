import { afterEach, describe, expect, it, vi } from 'vitest'
import { silentLogger } from '../../../base/logger'
import { FakeClock } from '../../../base/testing/fake-clock'
import { peerPair } from '../../testing/test-pair'
import { TestWallet } from '../../testing/test-wallet'
import type { P2pChain } from '../network-parts'
import { AddressRatings, Bans } from '../peer/bans'
import { Intake } from './intake'
import { TransactionLane, type TransactionLaneDeps } from './transaction-exchange'

const wallet = new TestWallet(1)
const raws = (count: number): Uint8Array[] =>
  Array.from({ length: count }, (_, nonce) => wallet.sign({ nonce: BigInt(nonce) }).raw)
const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

async function lane(answer: string | null) {
  const clock = new FakeClock()
  const { peer, end } = await peerPair()
  ends.push(end)
  let underWay = 0
  let maxUnderWay = 0
  const addTransactions = vi.fn<P2pChain['addTransactions']>(async (part) => {
    maxUnderWay = Math.max(maxUnderWay, ++underWay)
    await new Promise((resolve) => setImmediate(resolve))
    underWay--
    return part.map(() => answer)
  })
  const bans = new Bans(clock)
  const onFull = vi.fn<TransactionLaneDeps['onFull']>()
  const parts = { intake: new Intake(clock), bans, ratings: new AddressRatings(clock), log: silentLogger }
  const transactions = new TransactionLane({ ...parts, chain: { addTransactions }, onArrived: () => undefined, onFull })
  return { transactions, peer, bans, addTransactions, onFull, maxUnderWay: () => maxUnderWay }
}

describe('the lane for received transactions', () => {
  it('gives the chain a few at a time, from all messages together', async () => {
    const { transactions, peer, addTransactions, maxUnderWay } = await lane(null)
    await Promise.all([transactions.add(peer, raws(200)), transactions.add(peer, raws(200))])

    expect(maxUnderWay()).toBe(1)
    expect(Math.max(...addTransactions.mock.calls.map(([part]) => part.length))).toBe(32)
    expect(addTransactions.mock.calls.reduce((sum, [part]) => sum + part.length, 0)).toBe(400)
    expect(transactions.waitingBytes).toBe(0)
  })

  it('drops a peer after a few bad signatures, and ignores its remaining transactions', async () => {
    const { transactions, peer, bans, addTransactions } = await lane('invalid sender')
    await transactions.add(peer, raws(500))

    expect(addTransactions).toHaveBeenCalledOnce()
    expect(peer.isClosed).toBe(true)
    expect(bans.list()[0]?.reason).toBe('32 transactions without a valid signature')
  })

  it('leaves what does not fit for later', async () => {
    const { transactions, peer, onFull } = await lane(null)
    const large = [wallet.sign({ data: new Uint8Array(9 * 1024 * 1024) }).raw]
    await Promise.all([transactions.add(peer, large), transactions.add(peer, large)])

    expect(onFull.mock.calls).toEqual([[peer, large]])
    expect(transactions.waitingBytes).toBe(0)
  })

  it("drops no peer for transactions that the pool merely doesn't want", async () => {
    const { transactions, peer, addTransactions } = await lane('transaction underpriced')
    await transactions.add(peer, raws(100))

    expect(addTransactions).toHaveBeenCalledTimes(4)
    expect(peer.isClosed).toBe(false)
  })
})
