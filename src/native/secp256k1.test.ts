import { secp256k1 as noble } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { javascriptCurve } from './javascript-curve'
import { chooseSecp256k1, Secp256k1 } from './secp256k1'

const ORDER = noble.Point.CURVE().n
const FIELD = noble.Point.CURVE().p
const native = chooseSecp256k1(import.meta.dirname)
const javascript = new Secp256k1('javascript', javascriptCurve)
const RUNS = { numRuns: 60, seed: 20 }

const word = (value: bigint): Uint8Array => Uint8Array.from(Buffer.from(value.toString(16).padStart(64, '0'), 'hex'))
const joined = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(Buffer.concat(parts))
const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
const modulo = (value: bigint): bigint => ((value % ORDER) + ORDER) % ORDER
const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 })
const secret = bytes32.filter((bytes) => noble.utils.isValidSecretKey(bytes))
const EDGES = [
  0n,
  1n,
  2n,
  ORDER / 2n,
  ORDER / 2n + 1n,
  ORDER - 1n,
  ORDER,
  ORDER + 1n,
  FIELD - 1n,
  FIELD,
  2n ** 256n - 1n,
]

/** Both return the same, by value. */
function same<T>(ask: (curve: Secp256k1) => T): T {
  const answer = ask(native)
  expect(answer).toEqual(ask(javascript))
  return answer
}

/** A signature whose R has x = r + order, which no honest signer produces: its id is 2 or 3. */
function beyondTheOrder(): Uint8Array {
  for (let r = 1n; ; r++) {
    if (javascript.expandKey(joined(Uint8Array.of(2), word(r + ORDER))) !== null) return word(r)
  }
}

describe('secp256k1', () => {
  it('is the library inside the addon', () => {
    expect(native.kind).toBe('native')
  })

  it('makes the same keys, signatures and shared points as noble, and finds the signer', () => {
    fc.assert(
      fc.property(secret, secret, bytes32, (mine, other, digest) => {
        const key = same((curve) => curve.publicKey(mine))
        const signature = same((curve) => curve.sign(digest, mine))
        const short = signature.subarray(0, 64)
        expect(same((curve) => curve.recoverKey(digest, short, signature[64] ?? 4))).toEqual(key)
        expect(same((curve) => curve.recoverAddress(digest, short, signature[64] ?? 4))?.length).toBe(20)
        expect(same((curve) => curve.verify(digest, short, key))).toBe(true)
        expect(same((curve) => curve.sharedX(mine, native.publicKey(other)))).toEqual(native.sharedX(other, key))
      }),
      RUNS,
    )
  })

  it('rejects or accepts damaged signatures and keys as noble does', () => {
    fc.assert(
      fc.property(secret, bytes32, fc.nat(63), fc.integer({ min: 1, max: 255 }), (mine, digest, at, flip) => {
        const key = native.publicKey(mine)
        const signature = native.sign(digest, mine)
        const bad = signature.slice(0, 64)
        bad[at] = (bad[at] ?? 0) ^ flip
        for (const id of [0, 1, 2, 3]) same((curve) => curve.recoverKey(digest, bad, id))
        expect(same((curve) => curve.verify(digest, bad, key))).toBe(false)
        const other = key.slice()
        other[at] = (other[at] ?? 0) ^ flip
        expect(same((curve) => curve.sharedX(mine, other))).toBeNull() // y belongs to x: one change leaves the curve
        same((curve) => curve.expandKey(joined(Uint8Array.of(2 + (flip & 1)), other.subarray(0, 32))))
      }),
      RUNS,
    )
  })

  it('finds the signers of many as it does one by one, whatever is between them', () => {
    const digest = word(77n)
    const items: Uint8Array[] = []
    const addresses: (Uint8Array | null)[] = []
    const add = (hash: Uint8Array, signature: Uint8Array, id: number): void => {
      items.push(joined(hash, signature, Uint8Array.of(id)))
      addresses.push(native.recoverAddress(hash, signature, id))
    }
    for (const [index, r] of EDGES.entries()) {
      for (const s of EDGES) add(digest, joined(word(r), word(s)), index % 4)
      const signed = native.sign(word(BigInt(index)), word(99n + BigInt(index)))
      add(word(BigInt(index)), signed.subarray(0, 64), signed[64] ?? 0)
    }
    for (const id of [0, 1, 2, 3, 4, 255]) add(digest, joined(beyondTheOrder(), word(1n)), id)
    // s * R - digest * G is zero if R is digest / s times G.
    const nothing = native.publicKey(word(77n)).subarray(0, 32)
    for (const id of [0, 1]) add(digest, joined(word(numberOf(nothing) % ORDER), word(1n)), id)

    expect(addresses.filter((address) => address === null).length).toBeGreaterThan(16)
    expect(addresses.filter((address) => address !== null).length).toBeGreaterThan(16)
    expect(addresses.slice(-2)).toContain(null)
    for (const most of [0, 1, 15, 16, 17, items.length])
      expect(same((curve) => curve.recoverAddresses(joined(...items.slice(0, most))))).toEqual(addresses.slice(0, most))
    for (const curve of [native, javascript])
      expect(() => curve.recoverAddresses(new Uint8Array(96))).toThrow('97 bytes')
  })

  it('agrees with noble at every edge of r, s, id, digest and key', () => {
    const digest = word(77n)
    for (const r of EDGES) {
      expect(same((curve) => curve.isSecretKey(word(r)))).toBe(r > 0n && r < ORDER)
      same((curve) => curve.expandKey(joined(Uint8Array.of(3), word(r))))
      for (const s of EDGES) {
        const signature = joined(word(r), word(s))
        for (const id of [0, 1, 2, 3]) same((curve) => curve.recoverKey(digest, signature, id))
        same((curve) => curve.verify(digest, signature, native.publicKey(word(5n))))
        same((curve) => curve.sharedX(word(7n), signature))
      }
    }
    const signer = native.publicKey(word(9n))
    for (const value of EDGES) {
      const signature = native.sign(word(value), word(9n))
      expect(same((curve) => curve.recoverKey(word(value), signature.subarray(0, 64), signature[64] ?? 4))).toEqual(
        signer,
      )
    }
  })

  it('accepts a high s for recovery, but not for verification', () => {
    const [digest, mine] = [word(3n), word(4n)]
    const signature = native.sign(digest, mine)
    const high = joined(signature.subarray(0, 32), word(ORDER - numberOf(signature.subarray(32, 64))))

    expect(same((curve) => curve.recoverKey(digest, high, 1 - (signature[64] ?? 0)))).toEqual(native.publicKey(mine))
    expect(same((curve) => curve.verify(digest, high, native.publicKey(mine)))).toBe(false)
  })

  it('finds the signer for an x beyond the order', () => {
    const digest = word(11n)
    const signature = joined(beyondTheOrder(), word(12n))

    for (const id of [2, 3]) {
      const key = same((curve) => curve.recoverKey(digest, signature, id))
      expect(key === null ? false : same((curve) => curve.verify(digest, signature, key))).toBe(true)
    }
  })

  it('finds no signer for the point at infinity', () => {
    // R = kG and s R = z G: the key would be r^-1 (s R - z G) = 0.
    const k = 5n
    const nonce = native.publicKey(word(k))
    const [s, id] = [9n, (nonce[63] ?? 0) & 1]
    const signature = joined(nonce.subarray(0, 32), word(s))

    expect(same((curve) => curve.recoverKey(word(modulo(s * k)), signature, id))).toBeNull()
    expect(same((curve) => curve.recoverAddress(word(modulo(s * k)), signature, id))).toBeNull()
    expect(same((curve) => curve.recoverKey(word(modulo(s * k + 1n)), signature, id))).not.toBeNull()
  })

  it('takes bytes of any other length, and ids over 3, for no key and no signature', () => {
    const [digest, mine] = [word(3n), word(4n)]
    const signature = native.sign(digest, mine).subarray(0, 64)
    const key = native.publicKey(mine)
    const [longer, shorter] = [(bytes: Uint8Array) => joined(bytes, bytes), (bytes: Uint8Array) => bytes.subarray(1)]
    for (const wrong of [longer, shorter, () => new Uint8Array(0)]) {
      expect(same((curve) => curve.isSecretKey(wrong(mine)))).toBe(false)
      expect(same((curve) => curve.expandKey(wrong(key)))).toBeNull()
      expect(same((curve) => curve.recoverKey(wrong(digest), signature, 0))).toBeNull()
      expect(same((curve) => curve.recoverKey(digest, wrong(signature), 0))).toBeNull()
      expect(same((curve) => curve.verify(digest, signature, wrong(key)))).toBe(false)
      expect(same((curve) => curve.verify(digest, wrong(signature), key))).toBe(false)
      expect(same((curve) => curve.sharedX(wrong(mine), key))).toBeNull()
      expect(same((curve) => curve.sharedX(mine, wrong(key)))).toBeNull()
      for (const curve of [native, javascript]) {
        expect(() => curve.sign(wrong(digest), mine)).toThrow('not a digest of 32 bytes or not a secret key')
        expect(() => curve.publicKey(wrong(mine))).toThrow('not a secret key')
      }
    }
    for (const id of [4, 27, 255, -1, 0.5, Number.NaN]) {
      expect(same((curve) => curve.recoverKey(digest, signature, id))).toBeNull()
    }
    for (const curve of [native, javascript]) expect(() => curve.sign(digest, word(0n))).toThrow('not a secret key')
  })

  it('is noble if there is no addon', () => {
    const before = process.env.HEADFRAME_NO_ADDON
    process.env.HEADFRAME_NO_ADDON = '1'
    try {
      expect(chooseSecp256k1(import.meta.dirname).kind).toBe('javascript')
    } finally {
      if (before === undefined) delete process.env.HEADFRAME_NO_ADDON
      else process.env.HEADFRAME_NO_ADDON = before
    }
  })
})
