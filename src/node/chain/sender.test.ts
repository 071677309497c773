import { describe, expect, it } from 'vitest'
import { toHex } from '../../base/hex'
import { checksumAddress } from './checksum'
import { recoverSender } from './sender'
import { TestWallet } from './test-wallet'
import { decodeTransaction } from './transaction'

describe('sender', () => {
  const wallet = new TestWallet(3)
  const senderOf = (tx: Parameters<typeof recoverSender>[0]) => {
    const signed = recoverSender(tx, 1337n)
    return signed.ok ? toHex(signed.value.sender) : signed.error
  }

  it.each([
    ['replay-protected', {}],
    ['unprotected', { chainId: null }],
    [
      'with an access list',
      { type: 1, accessList: [{ address: new Uint8Array(20), storageKeys: [new Uint8Array(32)] }] } as const,
    ],
    ['that creates a contract', { to: null, data: Uint8Array.of(1, 2, 3) }],
  ])('is found for a transaction %s', (_name, payment) => {
    expect(senderOf(wallet.sign(payment))).toBe(toHex(wallet.address))
  })

  it.each([
    [{ chainId: 1n }, {}, 'invalid chain id for signer'],
    [{}, { v: 99n, chainId: 1337n }, 'invalid transaction v, r, s values'],
    [{}, { s: 0n }, 'invalid transaction v, r, s values'],
    [
      {},
      { s: 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a1n },
      'invalid transaction v, r, s values',
    ],
    [{}, { r: 2n ** 256n - 1n }, 'invalid transaction v, r, s values'],
  ])('is refused for a bad signature', (payment, change, error) => {
    expect(senderOf({ ...wallet.sign(payment), ...change })).toBe(error)
  })

  it('is not asked for a type the chain does not have', () => {
    const decoded = decodeTransaction(Uint8Array.of(2, 0xc0))
    if (!decoded.ok) throw new Error(decoded.error)
    expect(senderOf(decoded.value)).toBe('transaction type not supported')
  })
})

describe('address text', () => {
  it('has the case of EIP-55', () => {
    const samples = ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359']
    expect(samples.map((text) => checksumAddress(Uint8Array.from(Buffer.from(text.slice(2), 'hex'))))).toEqual(samples)
  })
})
