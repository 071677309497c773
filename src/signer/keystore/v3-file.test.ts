import { createCipheriv } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { describe, expect, it } from 'vitest'
import { concatBytes } from '../../base/bytes'
import { HeadframeError } from '../../base/errors'
import { bytesOfHex, toBareHex, toHex } from '../../base/hex'
import { deriveKey } from './kdf'
import { makeKeyFile } from './new-key-file'
import { addressOfSecret } from './secret-key'
import { openKeyFile, parseKeyFile, readKeyFileAddress } from './v3-file'

const SECRET = bytesOfHex('46'.repeat(32))
const ADDRESS = '0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f'
const PASSWORD = new TextEncoder().encode('correct horse A1')
const KDF = { kdf: 'scrypt', n: 1024, r: 8, p: 1, dklen: 32, salt: new Uint8Array(32).fill(7) } as const

async function aFile(): Promise<{ text: string; derived: Uint8Array }> {
  const derived = await deriveKey(KDF, PASSWORD)
  return { text: makeKeyFile({ secret: SECRET, derived, kdf: KDF, iv: new Uint8Array(16).fill(9) }), derived }
}

/** The file with members of its JSON replaced. */
async function changed(change: (file: Record<string, never>) => unknown): Promise<string> {
  const { text } = await aFile()
  return JSON.stringify(change(JSON.parse(text)))
}

function codeOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    return error instanceof HeadframeError ? error.code : String(error)
  }
  return 'nothing thrown'
}

describe('a key file', () => {
  it('has the members of the format and returns its key', async () => {
    const { text, derived } = await aFile()

    const file = JSON.parse(text)
    expect(Object.keys(file)).toEqual(['address', 'crypto', 'id', 'version'])
    expect(file.address).toBe(ADDRESS.slice(2))
    expect(file.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(toHex(openKeyFile(parseKeyFile(text), derived))).toBe(toHex(SECRET))
  })

  it('rejects another derived key as a wrong password', async () => {
    const { text, derived } = await aFile()
    const other = derived.map((byte, index) => (index === 31 ? byte ^ 1 : byte))

    expect(codeOf(() => openKeyFile(parseKeyFile(text), other))).toBe('KEYSTORE_WRONG_PASSWORD')
  })

  it('leaves nothing of the derived key in the memory that buffers share', async () => {
    const { text } = await aFile()
    const derived = new Uint8Array(32).fill(0x5a)

    codeOf(() => openKeyFile(parseKeyFile(text), derived))

    expect(toBareHex(new Uint8Array(Buffer.from('x').buffer))).not.toContain('5a'.repeat(32))
  })

  it("rejects a key that doesn't belong to its address", async () => {
    const { derived } = await aFile()
    const text = await changed((file) => ({ ...file, address: `${'0'.repeat(39)}1` }))

    expect(codeOf(() => openKeyFile(parseKeyFile(text), derived))).toBe('KEYSTORE_KEY_MISMATCH')
  })

  it('reads a version 1 file', async () => {
    const { derived } = await aFile()
    const key = keccak_256(derived.subarray(0, 16)).subarray(0, 16)
    const iv = new Uint8Array(16).fill(3)
    const cipher = createCipheriv('aes-128-cbc', key, iv)
    const ciphertext = concatBytes(cipher.update(SECRET), cipher.final())
    const text = await changed(({ address }) => ({
      address,
      version: '1',
      Crypto: {
        cipher: 'aes-128-cbc',
        ciphertext: toBareHex(ciphertext),
        cipherparams: { iv: toBareHex(iv) },
        mac: toBareHex(keccak_256(concatBytes(derived.subarray(16, 32), ciphertext))),
        kdf: 'scrypt',
        kdfparams: { n: KDF.n, r: KDF.r, p: KDF.p, dklen: KDF.dklen, salt: toBareHex(KDF.salt) },
      },
    }))

    expect(addressOfSecret(openKeyFile(parseKeyFile(text), derived))).toBe(ADDRESS)
  })

  it.each([
    ['', 'KEYSTORE_FILE_INVALID'],
    ['null', 'KEYSTORE_FILE_INVALID'],
    ['[]', 'KEYSTORE_FILE_INVALID'],
    ['{"address":"zz"}', 'KEYSTORE_FILE_INVALID'],
    [`{"address":"${'0'.repeat(40)}"}`, 'KEYSTORE_FILE_INVALID'],
    [`{"address":"${ADDRESS}"`, 'KEYSTORE_FILE_INVALID'],
    [' '.repeat(70_000), 'KEYSTORE_FILE_INVALID'],
  ])('has no address in %.30s', (text, code) => {
    expect(codeOf(() => readKeyFileAddress(text))).toBe(code)
  })

  it.each([
    ['no crypto', { crypto: undefined }, 'KEYSTORE_FILE_INVALID'],
    ['version 2', { version: 2 }, 'KEYSTORE_FILE_INVALID'],
    ['another cipher', { crypto: { cipher: 'aes-256-gcm' } }, 'KEYSTORE_FILE_UNSUPPORTED'],
    ['another derivation', { crypto: { kdf: 'argon2' } }, 'KEYSTORE_FILE_UNSUPPORTED'],
    ['a short iv', { crypto: { cipherparams: { iv: '00' } } }, 'KEYSTORE_FILE_INVALID'],
    ['a short mac', { crypto: { mac: '00' } }, 'KEYSTORE_FILE_INVALID'],
    ['text for n', { crypto: { kdfparams: { n: '4096' } } }, 'KEYSTORE_FILE_INVALID'],
    ['odd hex', { crypto: { ciphertext: 'abc' } }, 'KEYSTORE_FILE_INVALID'],
  ])('with %s is rejected by name', async (_what, part, code) => {
    const text = await changed((file) => merge(file, part))

    expect(codeOf(() => parseKeyFile(text))).toBe(code)
  })
})

describe('deriveKey', () => {
  it.each([
    [{ ...KDF, n: 1000 }, 'KEYSTORE_FILE_INVALID'],
    [{ ...KDF, n: 2 ** 24 }, 'KEYSTORE_FILE_UNSUPPORTED'],
    [{ ...KDF, p: 2 ** 30 }, 'KEYSTORE_FILE_UNSUPPORTED'],
    [{ ...KDF, dklen: 16 }, 'KEYSTORE_FILE_UNSUPPORTED'],
    [{ kdf: 'pbkdf2', c: 2 ** 30, dklen: 32, salt: KDF.salt } as const, 'KEYSTORE_FILE_UNSUPPORTED'],
  ])('rejects parameters that would take down the machine: %#', async (kdf, code) => {
    await expect(deriveKey(kdf, PASSWORD)).rejects.toMatchObject({ code })
  })

  it('matches RFC 7914 on its first vectors', async () => {
    const empty = { kdf: 'scrypt', n: 16, r: 1, p: 1, dklen: 64, salt: new Uint8Array(0) } as const

    expect(toBareHex(await deriveKey(empty, new Uint8Array(0)))).toBe(
      '77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442' +
        'fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906',
    )
  })
})

function merge(file: Record<string, unknown>, part: Record<string, unknown>): unknown {
  const out: Record<string, unknown> = { ...file }
  for (const [name, value] of Object.entries(part)) {
    const old = out[name]
    out[name] = isRecord(old) && isRecord(value) ? merge(old, value) : value
  }
  return out
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
