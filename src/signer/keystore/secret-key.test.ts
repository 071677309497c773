import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressOfSecret, isSecretKey, recoverAddress, signDigest } from './secret-key'

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 })
const ORDER = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'
const ofHex = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex.padStart(64, '0'), 'hex'))

describe('a private key', () => {
  it('signs byte for byte like another implementation of RFC 6979 with low s', () => {
    fc.assert(
      fc.property(bytes32, bytes32.filter(isSecretKey), (digest, secret) => {
        const theirs = secp256k1.sign(digest, secret, { prehash: false, format: 'recovered', lowS: true })

        const ours = signDigest(digest, secret)

        expect([...ours]).toEqual([...theirs.subarray(1), theirs[0]])
        expect(recoverAddress(digest, ours)).toBe(addressOfSecret(secret))
      }),
      { numRuns: 100 },
    )
  })

  it('is a number of 1 to the order minus 1 in 32 bytes', () => {
    const last = ofHex(ORDER)
    last[31] = (last[31] ?? 0) - 1

    expect([ofHex('1'), last].map(isSecretKey)).toEqual([true, true])
    expect([ofHex('0'), ofHex(ORDER), new Uint8Array(31).fill(1), new Uint8Array(33).fill(1)].map(isSecretKey)).toEqual(
      [false, false, false, false],
    )
    expect(() => addressOfSecret(ofHex(ORDER))).toThrow('private key is not')
  })
})

describe('a signature', () => {
  it('that no key can have made leads to no address', () => {
    const zero = new Uint8Array(65)
    const odd = new Uint8Array(65).fill(1)
    odd[64] = 9

    expect([zero, odd, new Uint8Array(65).fill(0xff)].map((one) => recoverAddress(ofHex('1'), one))).toEqual([
      null,
      null,
      null,
    ])
  })
})
