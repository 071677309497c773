import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { silentLogger } from '../../../base/logger'
import { FakeClock } from '../../../base/testing/fake-clock'
import { rawToBodyBytes } from '../../model/transaction'
import { peerPair } from '../../testing/test-pair'
import { TestWallet } from '../../testing/test-wallet'
import type { P2pChain } from '../p2p-chain'
import { AddressRatings } from '../peer/address-ratings'
import { Bans } from '../peer/bans'
import { PeerSet } from '../peer/peer-set'
import { CODES, decodeHashes, decodeRawTransactions } from '../wire/messages'
import { Intake } from './intake'
import { TransactionExchange } from './transaction-exchange'

const random = (length: number): Uint8Array => new Uint8Array(randomBytes(length))
const wallet = new TestWallet(1)
const transactions = Array.from({ length: 2_000 }, (_, nonce) => wallet.sign({ nonce: BigInt(nonce) }))
const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

describe('the exchange of transactions', () => {
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
    const exchange = new TransactionExchange({
      chain: { pooled } as P2pChain,
      peers,
      intake: new Intake(clock),
      bans: new Bans(clock),
      clock,
      ratings: new AddressRatings(clock),
      log: silentLogger,
      randomBytes: random,
      isSyncing: () => false,
    })

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
