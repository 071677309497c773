import { describe, expect, it } from 'vitest'
import { hasCode } from '../../base/errors'
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
  ])('refuses a file that asks for %s', async (_what, n, r, p) => {
    const error = await deriveKey(scrypt(n, r, p), PASSWORD).catch((reason: unknown) => reason)

    expect(hasCode(error, 'KEYSTORE_FILE_UNSUPPORTED')).toBe(true)
  })

  it('counts the table and the blocks beside it', () => {
    expect(kdfMemoryBytes(scrypt(1_024, 8, 1))).toBe(128 * 8 * 1_025)
    expect(kdfMemoryBytes({ kdf: 'pbkdf2', c: 10, dklen: 32, salt: SALT })).toBe(0)
  })

  it('counts what takes long as heavy, however little memory it takes', () => {
    const heavy = 32 * 1024 * 1024
    const { light, standard } = KDF_STRENGTHS
    expect(kdfWeightBytes(scrypt(light.n, light.r, light.p))).toBeLessThan(heavy)
    expect(kdfWeightBytes(scrypt(standard.n, standard.r, standard.p))).toBeGreaterThan(heavy)
    expect(kdfWeightBytes(scrypt(16_384, 8, 1_024))).toBe(heavy)
    expect(kdfWeightBytes({ kdf: 'pbkdf2', c: 262_144, dklen: 32, salt: SALT })).toBe(0)
    expect(kdfWeightBytes({ kdf: 'pbkdf2', c: 50_000_000, dklen: 32, salt: SALT })).toBe(heavy)
  })
})
