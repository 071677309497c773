import { describe, expect, it } from 'vitest'
import { TestWallet } from '../../testing/test-wallet'
import { transactionBytes } from './described-transaction'

const wallet = new TestWallet(3)

describe('the bytes of a transaction', () => {
  it.each([
    ['a transfer', {}],
    ['a creation', { to: null, data: new Uint8Array(300).fill(1), value: 0n }],
    ['one for any chain', { chainId: null, nonce: 200n }],
    [
      'one with an access list',
      { type: 1 as const, accessList: [{ address: new Uint8Array(20).fill(9), storageKeys: [new Uint8Array(32)] }] },
    ],
    ['one with an empty access list', { type: 1 as const, gasPrice: 0n }],
  ])('are identical for %s', (_name, payment) => {
    const { data, accessList, ...tx } = wallet.sign(payment)

    const again = transactionBytes({
      ...tx,
      input: data,
      accessList: accessList.map((entry) => ({ ...entry, storageKeys: [...entry.storageKeys] })),
    })

    expect(again).toEqual(tx.raw)
  })
})
