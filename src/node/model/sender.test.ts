import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checksumAddress } from '../../base/checksum-address'
import { toHex } from '../../base/hex'
import { TestWallet } from '../testing/test-wallet'
import { type KnownSenders, recoverSender, SenderReader } from './sender'
import { decodeTransaction, signedHash, signingHash } from './transaction'

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
    // No point of the curve has this x.
    [{}, { r: 5n }, 'recovery failed'],
  ])('is rejected for a bad signature', (payment, change, error) => {
    expect(senderOf({ ...wallet.sign(payment), ...change })).toBe(error)
  })

  it("isn't recovered for a type the chain doesn't have", () => {
    const decoded = decodeTransaction(Uint8Array.of(2, 0xc0))
    if (!decoded.ok) throw new Error(decoded.error)
    expect(senderOf(decoded.value)).toBe('transaction type not supported')
  })
})

describe('the senders of a block', () => {
  const wallets = [1, 2, 3].map((seed) => new TestWallet(seed))
  const signed = Array.from({ length: 60 }, (_, index) => {
    const tx = (wallets[index % 3] ?? new TestWallet(9)).sign({ nonce: BigInt(index) })
    return index % 7 === 6 ? { ...tx, [index % 2 === 0 ? 's' : 'r']: index % 2 === 0 ? 0n : 5n } : tx
  })
  const alone = signed.map((tx) => recoverSender(tx, 1337n))
  const read = (known: KnownSenders | undefined) => {
    const senders = new SenderReader(signed, 1337n, known)
    return signed.map((tx, index) => senders.of(tx, index))
  }

  it('are those recovered one by one, each with its own fault', () => {
    expect(alone.filter(({ ok }) => !ok)).toHaveLength(8)
    expect(read(undefined)).toEqual(alone)
  })

  it('are taken from what is known', () => {
    const other = new Uint8Array(20).fill(7)
    const found = read({ addressOf: (index) => (index === 21 ? other : null) })
    expect(found[21]).toMatchObject({ ok: true, value: { sender: other } })
    const others = (list: readonly unknown[]) => list.filter((_, index) => index !== 21)
    expect(others(found)).toEqual(others(alone))
  })
})

describe('what the sender signed', () => {
  const uint = (bits: bigint) => fc.bigInt({ min: 0n, max: 2n ** bits - 1n })
  const address = fc.uint8Array({ minLength: 20, maxLength: 20 })
  const word = fc.uint8Array({ minLength: 32, maxLength: 32 })
  const entry = fc.record({ address, storageKeys: fc.array(word, { maxLength: 4 }) })
  const payments = fc.record({
    nonce: uint(63n),
    gasPrice: uint(255n),
    gasLimit: uint(63n),
    value: uint(255n),
    to: fc.option(address),
    data: fc.uint8Array({ maxLength: 300 }),
  })
  const wallet = new TestWallet(4)

  it('is the same hash from the bytes as from the fields', () => {
    const legacy = fc.tuple(payments, fc.option(uint(60n), { freq: 4 })).map(([tx, chainId]) => ({ ...tx, chainId }))
    const listed = fc
      .tuple(payments, uint(60n), fc.array(entry, { maxLength: 4 }))
      .map(([tx, chainId, accessList]) => ({ ...tx, chainId, accessList, type: 1 as const }))
    const run = fc.property(fc.oneof(legacy, listed), (payment) => {
      const tx = wallet.sign(payment)
      expect(toHex(signedHash(tx))).toBe(toHex(signingHash(tx)))
    })
    fc.assert(run, { numRuns: 300 })
  })
})

describe('address text', () => {
  it('uses EIP-55 case', () => {
    const samples = ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359']
    expect(samples.map((text) => checksumAddress(Uint8Array.from(Buffer.from(text.slice(2), 'hex'))))).toEqual(samples)
  })
})
