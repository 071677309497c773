import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { silentLogger } from '../../../base/logger'
import { FakeClock } from '../../../base/testing/fake-clock'
import { keccak256 } from '../../codec/keccak'
import { decodeRlp, encodedList, rlpSlice } from '../../codec/rlp'
import { rawToBodyBytes } from '../../model/transaction'
import { CODES, decodeHashes, decodeRawTransactions } from '../../protocol/messages'
import { peerPair } from '../../testing/test-pair'
import { TestWallet } from '../../testing/test-wallet'
import type { P2pChain } from '../network-parts'
import { AddressRatings, Bans } from '../peer/bans'
import { PeerSet } from '../peer/peer-set'
import { Intake } from './intake'
import { TransactionExchange } from './transaction-exchange'

const random = (length: number): Uint8Array => new Uint8Array(randomBytes(length))
const wallet = new TestWallet(1)
const transactions = Array.from({ length: 2_000 }, (_, nonce) => wallet.sign({ nonce: BigInt(nonce) }))
const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** Id and hashes of a GetPooledTransactions message. */
function decodeRequest(payload: Uint8Array): [Uint8Array, readonly Uint8Array[]] {
  const read = decodeRlp(payload)
  if (!read.ok) throw new Error(read.error)
  return read.value as unknown as [Uint8Array, readonly Uint8Array[]]
}

function exchangeOf(chain: P2pChain, peers: PeerSet, clock: FakeClock): TransactionExchange {
  return new TransactionExchange({
    chain,
    peers,
    intake: new Intake(clock),
    bans: new Bans(clock),
    clock,
    ratings: new AddressRatings(clock),
    log: silentLogger,
    randomBytes: random,
    isSyncing: () => false,
  })
}

describe('the exchange of transactions', () => {
  it("fetches later what is beyond a peer's budget, and forgets none of 100 of 130 kB", async () => {
    const clock = new FakeClock()
    const peers = new PeerSet(5)
    const { peer, end } = await peerPair()
    ends.push(end)
    peers.add(peer)
    const large = Array.from({ length: 100 }, (_, i) =>
      wallet.sign({ nonce: BigInt(i), data: new Uint8Array(130_000) }),
    )
    const bodies = new Map(large.map(({ hash, raw }) => [Buffer.from(hash).toString('hex'), raw]))
    const added = new Set<string>()
    const chain = {
      unknownTransactions: async (hashes: readonly Uint8Array[]) => hashes,
      addTransactions: async (raws: readonly Uint8Array[]) => {
        for (const raw of raws) added.add(Buffer.from(keccak256(raw)).toString('hex'))
        return raws.map(() => null)
      },
    } as unknown as P2pChain
    // The peer answers with as much as fits into a message.
    vi.spyOn(peer, 'request').mockImplementation(async (_code, _timeoutMs, encode) => {
      const [, wanted] = decodeRequest(encode(1n))
      return wanted.slice(0, 15).flatMap((hash) => {
        const item = rlpSlice(rawToBodyBytes(bodies.get(Buffer.from(hash).toString('hex')) ?? hash))
        return item.ok ? [item.value] : []
      })
    })
    const exchange = exchangeOf(chain, peers, clock)
    exchange.start()
    ends.push(() => exchange.stop())
    for (let at = 0; at < large.length; at += 8)
      exchange.takeTransactions(peer, encodedList(large.slice(at, at + 8).map(({ raw }) => rawToBodyBytes(raw))))
    expect(exchange.load.announced).toBeGreaterThan(50)

    await vi.waitFor(() => {
      clock.advance(250)
      expect(added.size).toBe(100)
    }, 240_000)
    expect(exchange.load.announced).toBe(0)
  })

  it('announces 2,000 that came one by one in a few messages: in full to one of three peers, one list of hashes to the others', async () => {
    const clock = new FakeClock()
    const peers = new PeerSet(5)
    const sent: { readonly peer: string; readonly code: number; readonly count: number }[] = []
    for (let count = 0; count < 3; count++) {
      const { peer, end } = await peerPair()
      ends.push(end)
      vi.spyOn(peer, 'offer').mockImplementation((code, payload) => {
        const list =
          code === CODES.transactions ? decodeRawTransactions('test', payload) : decodeHashes('test', payload)
        sent.push({ peer: peer.name, code, count: list.ok ? list.value.length : 0 })
        return true
      })
      peers.add(peer)
    }
    const bodies = new Map(
      transactions.map(({ hash, raw }) => [Buffer.from(hash).toString('hex'), rawToBodyBytes(raw)]),
    )
    const pooled: P2pChain['pooled'] = async (hashes) =>
      hashes.flatMap((hash) => bodies.get(Buffer.from(hash).toString('hex')) ?? [])
    const exchange = exchangeOf({ pooled } as P2pChain, peers, clock)

    for (const { hash } of transactions) exchange.spread([hash])
    expect(sent).toEqual([])
    clock.advance(10)
    const total = (code: number): number => sent.reduce((sum, one) => sum + (one.code === code ? one.count : 0), 0)
    await vi.waitFor(() => expect(total(CODES.transactions)).toBe(2_000), 240_000)

    expect(sent.filter(({ code }) => code === CODES.newPooledTransactionHashes).map(({ count }) => count)).toEqual([
      2_000, 2_000,
    ])
    expect(sent.filter(({ code }) => code === CODES.transactions).length).toBeLessThanOrEqual(3)
  })
})
