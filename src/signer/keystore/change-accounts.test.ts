import { createCipheriv, pbkdf2Sync, randomBytes } from 'node:crypto'
import { copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import { type Clock, systemClock } from '../../base/time'
import { memoryTransportPair } from '../../base/wire/memory'
import type { AuditEntry } from '../audit/audit-entry'
import { SignerError } from '../errors'
import { AccountManager, importKeyFile, importSecret, requireImportable, UnlockedAccounts } from './account-manager'
import type { AccountMaker } from './create-account'
import { KeyFolder } from './folder'
import { deriveKey } from './kdf'
import { KeyClient } from './key-client'
import { addressOfSecret, recoverAddress } from './secret-key'
import { readSecretFile, readSeedPhrase } from './seed-phrase'
import { serveKeys } from './serve-keys'
import { textToSign } from './testing/contents'
import { makeCryptoSection } from './v3-file'

const MAIN = join(__dirname, '../../../test/vectors/signer/keystores/main')
const ADDRESS = '0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f'
const SECRET = new Uint8Array(32).fill(0x46)
const WHAT = textToSign()
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

let dir = ''
let fake = new FakeClock()
let maker: AccountMaker = makerIn('')

function makerIn(path: string, clock: Clock = fake): AccountMaker {
  const keys = new KeyClient(() => {
    const [ours, theirs] = memoryTransportPair()
    serveKeys(theirs, { log: silentLogger, clock, randomBytes })
    return ours
  })
  const folder = new KeyFolder({ path, pollMs: 1_000 }, { clock, log: silentLogger, randomBytes })
  return { folder, keys, strength: 'light' }
}

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'accounts-'))
  fake = new FakeClock()
  maker = makerIn(dir)
  await maker.folder.start()
})

afterEach(async () => {
  await maker.folder.stop()
  maker.keys.close()
  await rm(dir, { recursive: true, force: true })
})

async function vectorText(part: string): Promise<string> {
  const name = (await readdir(MAIN)).find((file) => file.includes(part)) ?? ''
  return readFile(join(MAIN, name), 'utf8')
}

async function opensWith(file: string, password: string): Promise<boolean> {
  const keyFile = await maker.folder.read(file)
  return maker.keys.verify({ keyFile, address: ADDRESS, password: utf8(password) }).then(
    () => true,
    () => false,
  )
}

describe('an imported key', () => {
  it('is stored under the password given here', async () => {
    const { address, file } = await importSecret(maker, SECRET, utf8('a fine password'))

    expect(address).toBe(ADDRESS)
    expect(await opensWith(file, 'a fine password')).toBe(true)
    expect((await stat(join(dir, file))).mode & 0o777).toBe(0o600)
  })

  it('may come as a key file with its own password', async () => {
    const passwords = { old: utf8('correct horse A1'), next: utf8('a fine password') }

    const { file } = await importKeyFile(maker, await vectorText('9d8a62f6'), passwords)

    expect([await opensWith(file, 'a fine password'), await opensWith(file, 'correct horse A1')]).toEqual([true, false])
  })

  it.each([
    ['a wrong password', 'wrong', 'a fine password', 'KEYSTORE_WRONG_PASSWORD'],
    ['a new password that is too short', 'correct horse A1', 'short', 'SIGNER_PASSWORD_POLICY'],
  ])('is rejected with %s, and nothing stays', async (_what, old, next, code) => {
    const text = await vectorText('9d8a62f6')

    await expect(importKeyFile(maker, text, { old: utf8(old), next: utf8(next) })).rejects.toMatchObject({ code })
    expect(await readdir(dir)).toEqual([])
  })

  it('is rejected if its account is already here', async () => {
    await importSecret(maker, SECRET, utf8('a fine password'))

    const text = await vectorText('9d8a62f6')
    const passwords = { old: utf8('correct horse A1'), next: utf8('a fine password') }

    await expect(importSecret(maker, SECRET, passwords.next)).rejects.toMatchObject({ code: 'KEYSTORE_ACCOUNT_EXISTS' })
    await expect(importKeyFile(maker, text, passwords)).rejects.toMatchObject({ code: 'KEYSTORE_ACCOUNT_EXISTS' })
    await expect(importKeyFile(maker, text, { ...passwords, old: utf8('x') })).rejects.toMatchObject({
      code: 'KEYSTORE_WRONG_PASSWORD',
    })
    expect(await readdir(dir)).toHaveLength(1)
  })

  it('makes one file however often it is stored at once, even from several processes', async () => {
    const others = [makerIn(dir, systemClock()), makerIn(dir, systemClock()), makerIn(dir, systemClock())]
    await Promise.all(others.map(({ folder }) => folder.start()))

    const password = utf8('a fine password')
    const stored = await Promise.allSettled(
      others.flatMap((other) => [importSecret(other, SECRET, password), importSecret(other, SECRET, password)]),
    )
    for (const other of others) {
      await other.folder.stop()
      other.keys.close()
    }

    expect(stored.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const end of stored.filter((one) => one.status === 'rejected')) {
      expect(end.reason).toMatchObject({ code: 'KEYSTORE_ACCOUNT_EXISTS' })
    }
    expect(await readdir(dir)).toHaveLength(1)
  })

  it.each(['', '{', '{"address":"0x12"}', '{"presale":true}'])('is rejected as %j', async (text) => {
    const passwords = { old: utf8('x'), next: utf8('a fine password') }

    await expect(importKeyFile(maker, text, passwords)).rejects.toMatchObject({ code: 'KEYSTORE_FILE_INVALID' })
  })

  it.each([
    ['46'.repeat(32), true],
    [`0x${'46'.repeat(32)}\n`, true],
    ['46'.repeat(31), false],
    ['46'.repeat(33), false],
    [`${'46'.repeat(32)} x`, false],
  ])('is read from %j: %s', (text, isKey) => {
    expect(readSecretFile(text) !== null).toBe(isKey)
  })
})

const manager = (): AccountManager => new AccountManager({ maker, record: async () => undefined })

describe('a change of password', () => {
  it('replaces the old file with the new one', async () => {
    const { file } = await importSecret(maker, SECRET, utf8('a fine password'))

    await manager().changePassword(ADDRESS, { old: utf8('a fine password'), next: utf8('another password') })

    expect(await readdir(dir)).toEqual([file])
    expect([await opensWith(file, 'another password'), await opensWith(file, 'a fine password')]).toEqual([true, false])
  })

  it.each([
    ['a wrong password', 'wrong', 'KEYSTORE_WRONG_PASSWORD'],
    ['the right one and a bad new one', 'a fine password', 'SIGNER_PASSWORD_POLICY'],
  ])('leaves everything as it was with %s', async (_what, old, code) => {
    const { file } = await importSecret(maker, SECRET, utf8('a fine password'))
    const before = await readFile(join(dir, file), 'utf8')
    const next = utf8(code === 'SIGNER_PASSWORD_POLICY' ? 'bad' : 'another password')

    await expect(manager().changePassword(ADDRESS, { old: utf8(old), next })).rejects.toMatchObject({ code })

    expect(await readdir(dir)).toEqual([file])
    expect(await readFile(join(dir, file), 'utf8')).toBe(before)
  })

  it("doesn't guess which of two files is meant", async () => {
    const { file } = await importSecret(maker, SECRET, utf8('a fine password'))
    await copyFile(join(dir, file), join(dir, 'copy.json'))
    const passwords = { old: utf8('a fine password'), next: utf8('another password') }

    await expect(manager().changePassword(ADDRESS, passwords)).rejects.toMatchObject({ code: 'SIGNER_MULTIPLE_KEYS' })
    await expect(manager().changePassword(`0x${'1'.repeat(40)}`, passwords)).rejects.toMatchObject({
      code: 'SIGNER_UNKNOWN_ACCOUNT',
    })
  })
})

describe('an account that the configuration unlocks', () => {
  const use = { method: 'eth_sendTransaction', asker: '127.0.0.1', summary: '1 wei' }

  async function unlocked(record: (entry: AuditEntry) => Promise<void>): Promise<UnlockedAccounts> {
    await importSecret(maker, SECRET, utf8('a fine password'))
    const accounts = new UnlockedAccounts({ ...maker, record })
    await accounts.unlock(ADDRESS, utf8('a fine password'))
    return accounts
  }

  it('signs without a password, and each use is on record first', async () => {
    const entries: AuditEntry[] = []
    const accounts = await unlocked(async (entry) => void entries.push(entry))

    const signature = await accounts.sign(ADDRESS, WHAT, use)

    expect(recoverAddress(WHAT.digest, signature)).toBe(ADDRESS)
    expect(entries).toEqual([
      { type: 'unlocked', address: ADDRESS },
      { type: 'approvedByConfiguration', address: ADDRESS, ...use },
    ])
  })

  it("doesn't sign what can't be recorded", async () => {
    const accounts = await unlocked((entry) =>
      entry.type === 'unlocked'
        ? Promise.resolve()
        : Promise.reject(new SignerError('SIGNER_AUDIT_UNWRITABLE', { file: 'f', reason: 'full' })),
    )

    await expect(accounts.sign(ADDRESS, WHAT, use)).rejects.toMatchObject({ code: 'SIGNER_AUDIT_UNWRITABLE' })
  })

  it('signs nothing once it is locked, or its worker is gone', async () => {
    const accounts = await unlocked(async () => undefined)
    await accounts.lock(ADDRESS)
    await expect(accounts.sign(ADDRESS, WHAT, use)).rejects.toMatchObject({ code: 'KEYSTORE_NOT_UNLOCKED' })

    await accounts.unlock(ADDRESS, utf8('a fine password'))
    maker.keys.close()

    await expect(accounts.sign(ADDRESS, WHAT, use)).rejects.toMatchObject({ code: 'KEYSTORE_NOT_UNLOCKED' })
  })

  it('unlocks with its own password only', async () => {
    await importSecret(maker, SECRET, utf8('a fine password'))
    const accounts = new UnlockedAccounts({ ...maker, record: async () => undefined })

    await expect(accounts.unlock(ADDRESS, utf8('wrong'))).rejects.toMatchObject({ code: 'KEYSTORE_WRONG_PASSWORD' })

    expect(accounts.has(ADDRESS)).toBe(false)
  })
})

describe('guessing', () => {
  it('is slowed down however many requests it is spread over', async () => {
    const { file } = await importSecret(maker, SECRET, utf8('a fine password'))
    const keyFile = await maker.folder.read(file)
    const sign = (password: string): Promise<unknown> =>
      maker.keys.sign({ keyFile, address: ADDRESS, password: utf8(password) }, WHAT).catch((error) => error)
    const wrong: unknown[] = []
    for (let i = 0; i < 6; i++) wrong.push(await sign(`guess ${i}`))

    const rightTooSoon = await sign('a fine password')
    fake.advance(1_000)
    const right = await sign('a fine password')

    expect(wrong.map((error) => Object(error).code)).toEqual([
      ...Array.from({ length: 5 }, () => 'KEYSTORE_WRONG_PASSWORD'),
      'KEYSTORE_TOO_MANY_TRIES',
    ])
    expect(rightTooSoon).toMatchObject({ code: 'KEYSTORE_TOO_MANY_TRIES' })
    expect(right).toHaveLength(65)
  })
})

describe('a change from outside', () => {
  it("shows at the next scan, even in a folder that hasn't been touched for long", async () => {
    await maker.folder.stop()
    fake = new FakeClock(systemClock().now() + 60_000)
    maker = makerIn(dir)
    await maker.folder.start()
    const { file } = await importSecret(maker, SECRET, utf8('a fine password'))
    await maker.folder.refresh()

    await writeFile(join(dir, 'other.json'), await vectorText('cd2a3d9f'))
    await maker.folder.refresh()
    const added = maker.folder.content().keys.length
    await rm(join(dir, file))
    await maker.folder.refresh()

    expect([added, maker.folder.content().keys.map((key) => key.file)]).toEqual([2, ['other.json']])
  })
})

describe('a key file of another program', () => {
  const KDF = { kdf: 'scrypt', n: 1024, r: 8, p: 1, dklen: 32, salt: new Uint8Array(32).fill(7) } as const
  const passwords = () => ({ old: utf8('old'), next: utf8('a fine password') })

  /** A file around these key bytes, whose number has this address. */
  async function fileOf(plain: Uint8Array, address: unknown): Promise<string> {
    const derived = await deriveKey(KDF, utf8('old'))
    const crypto = makeCryptoSection({ plain, derived, kdf: KDF, iv: new Uint8Array(16).fill(9) })
    return JSON.stringify({ ...(address === undefined ? {} : { address }), version: 3, id: 'x', crypto })
  }

  const addressOf = (plain: Uint8Array): string => {
    const secret = new Uint8Array(32)
    const digits = plain.subarray(Math.max(0, plain.length - 32))
    secret.set(digits, 32 - digits.length)
    return addressOfSecret(secret)
  }

  it.each([
    ['1', Uint8Array.of(7)],
    ['30', new Uint8Array(30).fill(0x46)],
    ['31', new Uint8Array(31).fill(0x46)],
    ['33', Uint8Array.of(0, ...SECRET)],
    ['40', new Uint8Array(40).fill(0x46, 10)],
  ])('whose key has %s bytes signs, opens and is imported by its number', async (_length, plain) => {
    const address = addressOf(plain)
    const keyFile = await fileOf(plain, address.slice(2))

    const signature = await maker.keys.sign({ keyFile, address, password: utf8('old') }, WHAT)
    expect(recoverAddress(WHAT.digest, signature)).toBe(address)
    expect((await importKeyFile(maker, keyFile, passwords())).address).toBe(address)
  })

  it.each([
    ['no bytes', new Uint8Array(0)],
    ['zeros', new Uint8Array(32)],
    ['33 bytes that count', new Uint8Array(33).fill(1)],
  ])('whose key is %s is no key', async (_what, plain) => {
    const keyFile = await fileOf(plain, ADDRESS)

    await expect(importKeyFile(maker, keyFile, passwords())).rejects.toMatchObject({ code: 'KEYSTORE_SECRET_INVALID' })
  })

  it.each([undefined, '', null, '0x', 5, 'XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS', ` ${ADDRESS} `, ADDRESS.toUpperCase()])(
    'with the address %j is imported by its key',
    async (address) => {
      expect((await importKeyFile(maker, await fileOf(SECRET, address), passwords())).address).toBe(ADDRESS)
    },
  )

  it('that names another address is not imported', async () => {
    const keyFile = await fileOf(SECRET, 'a'.repeat(40))

    await expect(importKeyFile(maker, keyFile, passwords())).rejects.toMatchObject({ code: 'KEYSTORE_KEY_MISMATCH' })
  })

  it('from the presale is imported with its password', async () => {
    const seed = utf8('00ff'.repeat(16))
    const key = pbkdf2Sync('old', 'old', 2_000, 16, 'sha256')
    const cipher = createCipheriv('aes-128-cbc', key, new Uint8Array(16).fill(3))
    const encseed = Buffer.concat([new Uint8Array(16).fill(3), cipher.update(seed), cipher.final()]).toString('hex')
    const ethaddr = addressOfSecret(keccak_256(seed)).slice(2)
    const wallet = JSON.stringify({ encseed, ethaddr, email: 'own@own.example', btcaddr: '1' })

    expect((await importKeyFile(maker, wallet, passwords())).address).toBe(`0x${ethaddr}`)
    const wrong = importKeyFile(maker, wallet, { ...passwords(), old: utf8('other') })
    await expect(wrong).rejects.toMatchObject({ code: 'KEYSTORE_WRONG_PASSWORD' })
  })

  it.each([
    ['MetaMask', JSON.stringify({ data: 'x', iv: 'y', salt: 'z' })],
    ['Polkadot', JSON.stringify({ encoded: 'x', encoding: {} })],
    ['EIP-2335', JSON.stringify({ version: 4, crypto: { kdf: {}, checksum: {}, cipher: {} } })],
    ['Solana', JSON.stringify(Array.from({ length: 64 }, () => 1))],
    ['list', '[]'],
    ['PEM', '-----BEGIN EC PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY-----\n'],
    ['SSH', '-----BEGIN OPENSSH PRIVATE KEY-----'],
    ['BIP-32', `xprv9${'s'.repeat(106)}`],
    ['BIP-38', `6P${'R'.repeat(56)}`],
    ['WIF', `K${'w'.repeat(51)}`],
    ['an address', ADDRESS],
    ['63 hex digits', '4'.repeat(63)],
    ['11 words', 'test '.repeat(11)],
    ['12 words', 'test, '.repeat(12)],
    ['12 words', '"test" '.repeat(12)],
    ['private key', JSON.stringify({ privateKey: 'x' })],
    ['presale', JSON.stringify({ encseed: 'abc' })],
  ])('in a foreign format is named: %s', async (name, text) => {
    await expect(importKeyFile(maker, text, passwords())).rejects.toMatchObject({
      code: 'KEYSTORE_FILE_INVALID',
      message: expect.stringContaining(name),
    })
    expect(() => requireImportable(text)).toThrow(name)
  })

  it('or a key or phrase as it should be is not taken for a foreign format', async () => {
    const phrase = 'test '.repeat(11)
    for (const text of [await vectorText('UTC'), '46'.repeat(32), `${phrase}junk`, '{"address":"0x12"}', '', 'x']) {
      if (text.startsWith('test')) expect(readSeedPhrase(text)).not.toBeNull()
      else expect(() => requireImportable(text)).not.toThrow()
    }
  })
})
