import { randomBytes } from 'node:crypto'
import { chmod, cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SCRIPT_CAP } from '../../base/approvals'
import { silentLogger } from '../../base/logger'
import { systemClock } from '../../base/time'
import { localVault } from '../testing/local-vault'
import { plainPassword } from '../vault-wire'
import { openValue } from './sealed-values'
import { openSeedText, vaultKeysOf } from './seed-text'
import { createMasterSeed, hasMasterSeed, openVault, openVaultAtStart, type Vault } from './vault'

const VECTORS = join(__dirname, '../../../test/vectors/signer/configs')
const ACCOUNT = '0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F'
const MASTER = 'master password 1'
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const text = (bytes: Uint8Array | null): string | null => (bytes === null ? null : new TextDecoder().decode(bytes))

let dir = ''
const place = () => ({ configDir: dir, seedFile: join(dir, 'masterseed.json') })
const open = (password = MASTER): Promise<Vault> => openVault(place(), plainPassword(utf8(password)), deps())

const deps = () => ({ port: localVault(systemClock()), randomBytes, clock: systemClock() })
const master = () => plainPassword(utf8(MASTER))
const store = (vault: Vault, address: string, password: string): Promise<void> =>
  vault.storePassword({ address, password: plainPassword(utf8(password)), master: master(), keyFile: null })

/** As only who has the master password can read it. */
async function passwordOf(vault: Vault, address: string): Promise<string | null> {
  const seed = await openSeedText(await readFile(place().seedFile, 'utf8'), utf8(MASTER))
  const stored = await vault.storedFor(address)
  return stored === null ? null : text(openValue(vaultKeysOf(seed).credentials, address, stored))
}

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'vault-'))
})

afterEach(async () => {
  await rm(dir, { recursive: true, force: true })
})

describe('a vault created by clef', () => {
  beforeEach(async () => {
    await cp(join(VECTORS, 'rules'), dir, { recursive: true })
    await chmod(place().seedFile, 0o400)
  })

  it('unlocks and returns the stored password, whatever the spelling of the address', async () => {
    const vault = await open()

    expect(await passwordOf(vault, ACCOUNT)).toBe('correct horse A1')
    expect(await vault.storedFor(ACCOUNT.toLowerCase())).toEqual(await vault.storedFor(ACCOUNT))
    expect(await vault.storedFor(`0x${'1'.repeat(40)}`)).toBeNull()
  })

  it('reports the hash of the attested script', async () => {
    expect(await (await open()).attestedRules()).toEqual({
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      ...SCRIPT_CAP,
    })
  })

  it("keeps what it doesn't change", async () => {
    const before = await readFile(join(dir, '564d4b8eec5a69c8167b', 'credentials.json'), 'utf8')
    const vault = await open()

    await store(vault, `0x${'2'.repeat(40)}`, 'another')
    await vault.forgetPassword(`0x${'2'.repeat(40)}`)

    expect(JSON.parse(await readFile(join(vault.path, 'credentials.json'), 'utf8'))).toEqual(JSON.parse(before))
  })

  it("doesn't unlock with another password", async () => {
    await expect(open('master password 2')).rejects.toMatchObject({ code: 'SIGNER_MASTER_PASSWORD' })
  })

  it('rejects a seed that others may read', async () => {
    await chmod(place().seedFile, 0o440)

    await expect(open()).rejects.toMatchObject({ code: 'SIGNER_SEED_INSECURE', data: { mode: '0440' } })
  })

  it.each([
    ['n', 2 ** 30],
    ['r', 2 ** 20],
    ['p', 2 ** 28],
  ])("doesn't start an absurdly expensive derivation (%s = %d)", async (name, value) => {
    const seed = JSON.parse(await readFile(place().seedFile, 'utf8'))
    seed.params.kdfparams[name] = value
    await chmod(place().seedFile, 0o600)
    await writeFile(place().seedFile, JSON.stringify(seed))
    await chmod(place().seedFile, 0o400)

    await expect(open()).rejects.toMatchObject({ code: 'SIGNER_SEED_INVALID' })
  })

  it('rejects a value that was moved to another name', async () => {
    const file = join(dir, '564d4b8eec5a69c8167b', 'credentials.json')
    const other = `0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826`
    const stored = JSON.parse(await readFile(file, 'utf8'))
    await chmod(file, 0o600)
    await writeFile(file, JSON.stringify({ [other]: stored[ACCOUNT] }))

    expect(await passwordOf(await open(), other)).toBeNull()
  })

  it.each(['', '[]', '{"a":1}', '{"__proto__":{"iv":"","c":""}}x'])('names a file that holds %j', async (content) => {
    const file = join(dir, '564d4b8eec5a69c8167b', 'credentials.json')
    await chmod(file, 0o600)
    await writeFile(file, content)

    await expect((await open()).storedFor(ACCOUNT)).rejects.toMatchObject({
      code: 'SIGNER_VAULT_UNUSABLE',
      data: { file },
    })
  })
})

describe('a new master seed', () => {
  const make = (password = MASTER): Promise<void> =>
    createMasterSeed({ file: place().seedFile, password: plainPassword(utf8(password)), strength: 'light', ...deps() })

  it('is a file that only its owner may read, and is never overwritten', async () => {
    await make()

    expect((await stat(place().seedFile)).mode & 0o777).toBe(0o400)
    await expect(make()).rejects.toMatchObject({ code: 'SIGNER_SEED_EXISTS' })
    expect(await openSeedText(await readFile(place().seedFile, 'utf8'), utf8(MASTER))).toHaveLength(256)
  })

  it('requires a password that follows the rules', async () => {
    await expect(make('short')).rejects.toMatchObject({ code: 'SIGNER_PASSWORD_POLICY' })
    expect(await hasMasterSeed(place().seedFile)).toBe(false)
  })

  it('keeps passwords, attestations and script storage over a second unlocking', async () => {
    await make()
    const first = await open()
    await store(first, ACCOUNT, 'pässwörd')
    await first.attestRules({ sha256: 'AB'.repeat(32), signatures: 5, wei: '7' }, master())
    await first.scriptStorage.change(new Map([['count', utf8('1')]]))

    const second = await open()

    expect(await passwordOf(second, ACCOUNT)).toBe('pässwörd')
    expect(await second.attestedRules()).toEqual({ sha256: 'ab'.repeat(32), signatures: 5, wei: '7' })
    expect([...(await second.scriptStorage.all())].map(([name, value]) => [name, text(value)])).toEqual([
      ['count', '1'],
    ])
    expect((await readdir(second.path)).sort()).toEqual([
      'config.json',
      'credentials.json',
      'jsstorage.json',
      'policies.log',
    ])
    expect((await stat(join(second.path, 'credentials.json'))).mode & 0o777).toBe(0o600)
    expect((await stat(second.path)).mode & 0o777).toBe(0o700)
  })

  it('refuses an older config.json, which allows a script that was allowed before', async () => {
    await make()
    const vault = await open()
    await vault.attestRules({ sha256: 'aa'.repeat(32), ...SCRIPT_CAP }, master())
    const older = await readFile(join(vault.path, 'config.json'))
    await vault.attestRules({ sha256: 'bb'.repeat(32), ...SCRIPT_CAP }, master())
    await writeFile(join(vault.path, 'config.json'), older)

    await expect(vault.attestedRules()).rejects.toThrow('an older file was put back, or another program allowed')
    await expect((await open()).attestedRules()).rejects.toThrow('config.json')
  })

  it('reveals nothing of its contents but the names', async () => {
    await make()
    const vault = await open()
    await store(vault, ACCOUNT, 'a stored password')
    await store(vault, ACCOUNT, 'a stored password')

    expect(await readFile(join(vault.path, 'credentials.json'), 'latin1')).not.toContain('stored password')
  })

  it('keeps a value under any name that a script gives it', async () => {
    await make()
    const { scriptStorage } = await open()
    const names = ['__proto__', 'constructor', '']

    for (const name of names) await scriptStorage.change(new Map([[name, utf8('3')]]))

    expect([...(await scriptStorage.all()).keys()].sort()).toEqual([...names].sort())
  })

  it('keeps concurrent changes', async () => {
    await make()
    const vault = await open()
    const names = Array.from({ length: 20 }, (_, i) => `name ${i}`)

    await Promise.all(names.map((name) => vault.scriptStorage.change(new Map([[name, utf8(name)]]))))

    expect([...(await vault.scriptStorage.all()).keys()].sort()).toEqual([...names].sort())
  })
})

describe('the start', () => {
  const asked: string[] = []
  const answering = (answer: string) => ({
    ask: async (input: { readonly title: string }) => {
      asked.push(input.title)
      return utf8(answer)
    },
  })

  it('asks for no master password if there is no seed', async () => {
    asked.length = 0

    const vault = await openVaultAtStart(place(), {
      input: answering(MASTER),
      log: silentLogger,
      ...deps(),
    })

    expect([vault, asked]).toEqual([null, []])
  })

  it('continues without a vault if the master password is wrong', async () => {
    asked.length = 0
    await createMasterSeed({ file: place().seedFile, password: master(), strength: 'light', ...deps() })

    const vault = await openVaultAtStart(place(), {
      input: answering('wrong'),
      log: silentLogger,
      ...deps(),
    })

    expect([vault, asked]).toEqual([null, ['Master Password']])
  })
})
