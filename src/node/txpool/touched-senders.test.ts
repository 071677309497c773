import { describe, expect, it } from 'vitest'
import { equalBytes } from '../../base/bytes'
import { toHex } from '../../base/hex'
import type { Transaction } from '../model/transaction'
import { TestWallet } from '../testing/test-wallet'
import { sendersOf } from './tx-pool'

const [first, second] = [new TestWallet(1), new TestWallet(2)]
const [known, unknown] = [first.sign(), second.sign()]

function ask(transactions: readonly Transaction[], most: number) {
  const senderOf = (hash: Uint8Array) => (equalBytes(hash, known.hash) ? first.address : null)
  return sendersOf(transactions, { chainId: 1337n, most, known: senderOf })
}

describe('the senders of new blocks', () => {
  it('come from the pool without a recovery', () => {
    expect(ask([known, known], 1)).toEqual([toHex(first.address)])
    expect(ask([], 1)).toEqual([])
  })

  it('are recovered while that is cheaper than looking at all accounts', () => {
    expect(ask([known, unknown], 9)).toEqual([toHex(first.address), toHex(second.address)])
    expect(ask([known, unknown], 8)).toBeNull()
  })

  it('are omitted without a signer', () => {
    const damaged = { ...unknown, s: 2n ** 256n - 1n, hash: new Uint8Array(32) }
    expect(ask([damaged], 100)).toEqual([])
  })
})
