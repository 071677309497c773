import { scrypt as scryptOfNoble } from '@noble/hashes/scrypt.js'
import { describe, expect, it } from 'vitest'
import { hasCode } from '../../base/errors'
import { nativeScrypt } from '../../native/loader'
import { deriveKey, KDF_STRENGTHS, kdfMemoryBytes, kdfWeightBytes } from './kdf'

const PASSWORD = new TextEncoder().encode('correct horse A1')
const SALT = new Uint8Array(32).fill(7)

const scrypt = (n: number, r: number, p: number) => ({ kdf: 'scrypt', n, r, p, dklen: 32, salt: SALT }) as const

describe('deriveKey', () => {
  it.each([
    ['a table of more than 1 GiB', 16_777_216, 1, 1],
    ['blocks of several GiB beside a tiny table', 2, 1, 67_108_864],
    ['blocks of more than 16 MiB', 2, 8, 16_385],
    ['minutes of work', 1_048_576, 8, 32],
  ])('rejects a file that asks for %s', async (_what, n, r, p) => {
    const error = await deriveKey(scrypt(n, r, p), PASSWORD).catch((reason: unknown) => reason)

    expect(hasCode(error, 'KEYSTORE_FILE_UNSUPPORTED')).toBe(true)
  })

  it('counts the table and the blocks beside it', () => {
    expect(kdfMemoryBytes(scrypt(1_024, 8, 1))).toBe(128 * 8 * 1_025)
    expect(kdfMemoryBytes({ kdf: 'pbkdf2', c: 10, dklen: 32, salt: SALT })).toBe(0)
  })

  it('counts slow parameters as heavy, however little memory they need', () => {
    const heavy = 32 * 1024 * 1024
    const { light, standard } = KDF_STRENGTHS
    expect(kdfWeightBytes(scrypt(light.n, light.r, light.p))).toBeLessThan(heavy)
    expect(kdfWeightBytes(scrypt(standard.n, standard.r, standard.p))).toBeGreaterThan(heavy)
    expect(kdfWeightBytes(scrypt(16_384, 8, 1_024))).toBe(heavy)
    expect(kdfWeightBytes({ kdf: 'pbkdf2', c: 262_144, dklen: 32, salt: SALT })).toBe(0)
    expect(kdfWeightBytes({ kdf: 'pbkdf2', c: 50_000_000, dklen: 32, salt: SALT })).toBe(heavy)
  })
})

const mixing = nativeScrypt()

describe.skipIf(mixing === null)(`scrypt by the addon${mixing === null ? ' (skipped: it is not there)' : ''}`, () => {
  const text = (value: string): Uint8Array => new TextEncoder().encode(value)

  it.each([
    ['', '', 16, 1, 1, '77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442'],
    ['password', 'NaCl', 1_024, 8, 16, 'fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162'],
    [
      'pleaseletmein',
      'SodiumChloride',
      16_384,
      8,
      1,
      '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2',
    ],
  ])('matches RFC 7914 for %j, %j, N %d, r %d, p %d', async (...row) => {
    const [password, salt, n, r, p, expected] = row
    const params = { kdf: 'scrypt', n, r, p, dklen: 64, salt: text(salt) } as const

    const key = await deriveKey(params, text(password))

    expect(Buffer.from(key).toString('hex').slice(0, 64)).toBe(expected)
  })

  // As many blocks as are mixed in parallel and a remainder, odd r, and more rounds than OpenSSL accepts for r = 1.
  it.each([
    [2, 1, 1],
    [2, 3, 2],
    [64, 2, 3],
    [128, 5, 4],
    [32, 8, 5],
    [16, 1, 7],
    [65_536, 1, 1],
    [16_384, 8, 2],
    [256, 2_048, 1],
    [4, 8, 300],
  ])('matches JavaScript and OpenSSL for N %d, r %d, p %d, here and in a worker', async (n, r, p) => {
    const params = { ...scrypt(n, r, p), dklen: 57 }
    const expected = scryptOfNoble(PASSWORD, SALT, { N: n, r, p, dkLen: 57 })

    const keys = [
      await deriveKey(params, PASSWORD, 'thread'),
      await deriveKey(params, PASSWORD),
      await deriveKey(params, PASSWORD, 'pool', null),
    ]

    expect(keys.map((key) => Buffer.from(key).toString('hex'))).toEqual(
      keys.map(() => Buffer.from(expected).toString('hex')),
    )
  })

  it("rejects what isn't a power of two, and parts of blocks", () => {
    expect(() => mixing?.mix(new Uint8Array(128), 3, 1)).toThrow('power of two')
    expect(() => mixing?.mix(new Uint8Array(127), 2, 1)).toThrow('whole blocks')
    expect(() => mixing?.mix(new Uint8Array(0), 2, 1)).toThrow('whole blocks')
    expect(() => mixing?.mix(new Uint8Array(128), 1, 1)).toThrow('range')
  })
})
