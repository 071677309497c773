import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLogger, silentLogger } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import { memoryTransportPair } from '../../base/wire/memory'
import type { AuditEntry } from '../audit/audit-entry'
import { KeystoreError } from '../errors'
import { AccountManager } from './account-manager'
import { KeyFolder } from './folder'
import { KeyClient } from './key-client'
import { serveKeys } from './serve-keys'
import { textToSign } from './testing/contents'
import { keyClaim } from './testing/key-claim'

const BARE_KEY = '46'.repeat(32)
const ADDRESS = '0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F'
const KEY_FILE = keyClaim(ADDRESS.slice(2).toLowerCase())
const FIRST = 'first password'
const SECOND = 'second password'
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('key files that this program may not open', () => {
  it('stay locked for every call; startup continues and reports why', async () => {
    const told: string[] = []
    const log = createLogger('', {
      minLevel: 'info',
      now: () => 0,
      sink: { write: ({ fields }) => void told.push(String(fields.reason)) },
    })
    const keys = new KeyClient(() => {
      throw new KeystoreError('KEYSTORE_LOCKED', undefined)
    })
    const key = { keyFile: KEY_FILE, address: ADDRESS.toLowerCase() as never, password: utf8(FIRST) }

    keys.open(log)

    expect(told).toEqual([expect.stringContaining('locked')])
    for (const call of [
      () => keys.sign(key, textToSign()),
      () => keys.unlock(key),
      () => keys.verify(key),
      () => keys.create(utf8(FIRST), 'light'),
      () => keys.import(new Uint8Array(32), utf8(FIRST), 'light'),
      () => keys.reencrypt('password', key, { old: utf8(FIRST), next: utf8(SECOND) }, 'light'),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'KEYSTORE_LOCKED' })
  })
})

describe('the account manager', () => {
  let dir = ''
  let records: AuditEntry[] = []
  let stop: () => Promise<void> = async () => undefined
  let desk: AccountManager

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'account-desk-'))
    records = []
    const clock = new FakeClock()
    const keys = new KeyClient(() => {
      const [ours, theirs] = memoryTransportPair()
      serveKeys(theirs, { log: silentLogger, clock, randomBytes })
      return ours
    })
    const folder = new KeyFolder({ path: dir, pollMs: 1_000 }, { clock, log: silentLogger, randomBytes })
    await folder.start()
    stop = async () => {
      await folder.stop()
      keys.close()
    }
    const record = async (entry: AuditEntry) => void records.push(entry)
    desk = new AccountManager({ maker: { folder, keys, strength: 'light' }, record })
  })
  afterEach(async () => {
    await stop()
    await rm(dir, { recursive: true, force: true })
  })

  const importBare = () => desk.importAccount(BARE_KEY, { old: null, next: utf8(FIRST) })

  it('imports a bare key, records it without any secret, and verifies its password', async () => {
    expect(await importBare()).toBe(ADDRESS)

    await desk.prove(ADDRESS, utf8(FIRST))
    await expect(desk.prove(ADDRESS, utf8(SECOND))).rejects.toMatchObject({ code: 'KEYSTORE_WRONG_PASSWORD' })
    expect(records).toMatchObject([{ type: 'imported', address: ADDRESS.toLowerCase() }])
    expect(JSON.stringify(records)).not.toMatch(/first password|4646/)
  })

  it('imports a key file with its own password, and rejects it with another', async () => {
    await importBare()
    const file = join(dir, (await readdir(dir))[0] ?? '')
    const text = await readFile(file, 'utf8')
    await rm(file)

    const wrong = desk.importAccount(text, { old: utf8(SECOND), next: utf8(SECOND) })
    await expect(wrong).rejects.toMatchObject({ code: 'KEYSTORE_WRONG_PASSWORD' })
    expect(await desk.importAccount(text, { old: utf8(FIRST), next: utf8(SECOND) })).toBe(ADDRESS)

    await desk.prove(ADDRESS, utf8(SECOND))
  })

  it('changes a password only with the previous one', async () => {
    await importBare()

    const wrong = desk.changePassword(ADDRESS, { old: utf8(SECOND), next: utf8(SECOND) })
    await expect(wrong).rejects.toMatchObject({ code: 'KEYSTORE_WRONG_PASSWORD' })
    await desk.changePassword(ADDRESS, { old: utf8(FIRST), next: utf8(SECOND) })

    await desk.prove(ADDRESS, utf8(SECOND))
    expect(records.map(({ type }) => type)).toEqual(['imported', 'passwordChanged'])
  })

  it('exports the file only with its password, and verifies a copy that is elsewhere', async () => {
    await importBare()

    const wrong = desk.exportFile(ADDRESS, utf8(SECOND))
    await expect(wrong).rejects.toMatchObject({ code: 'KEYSTORE_WRONG_PASSWORD' })
    const { file, keyFile } = await desk.exportFile(ADDRESS, utf8(FIRST))
    await desk.changePassword(ADDRESS, { old: utf8(FIRST), next: utf8(SECOND) })
    await desk.proveCopy(ADDRESS, keyFile, utf8(FIRST))

    expect(await readdir(dir)).toEqual([file])
    expect(records.map(({ type }) => type)).toEqual(['imported', 'exported', 'passwordChanged', 'backedUp'])
    expect(JSON.stringify(records)).not.toMatch(/first password|second password|ciphertext/)
  })

  it('rejects a copy with another password, of another account, or damaged', async () => {
    await importBare()
    const { keyFile } = await desk.exportFile(ADDRESS, utf8(FIRST))
    const ofAnother = keyFile.replace(ADDRESS.slice(2).toLowerCase(), '11'.repeat(20))
    const cases = [
      [keyFile, SECOND, 'KEYSTORE_WRONG_PASSWORD'],
      [ofAnother, FIRST, 'KEYSTORE_KEY_MISMATCH'],
      ['{}', FIRST, 'KEYSTORE_FILE_INVALID'],
      [keyFile.slice(0, -20), FIRST, 'KEYSTORE_FILE_INVALID'],
    ] as const

    for (const [text, password, code] of cases)
      await expect(desk.proveCopy(ADDRESS, text, utf8(password))).rejects.toMatchObject({ code })
    expect(records.map(({ type }) => type)).toEqual(['imported', 'exported'])
  })

  it('has it on record that an account was forgotten, even if the key worker is lost', async () => {
    await importBare()
    const lock = KeyClient.prototype.lock
    KeyClient.prototype.lock = async () => {
      throw new Error('the key worker is gone')
    }
    try {
      await expect(desk.forget(ADDRESS)).rejects.toThrow('the key worker is gone')
    } finally {
      KeyClient.prototype.lock = lock
    }

    expect(records.at(-1)).toMatchObject({ type: 'forgotten', address: ADDRESS.toLowerCase() })
  })

  it('removes an account by moving its file aside, and never over an existing one', async () => {
    await importBare()
    const [name = ''] = await readdir(dir)
    const before = await readFile(join(dir, name), 'utf8')
    const first = await desk.forget(ADDRESS)
    await writeFile(join(dir, name), before)
    const second = await desk.forget(ADDRESS)

    expect([first, second]).toEqual([join('forgotten', name), join('forgotten', `${name}.2`)])
    expect(await readFile(join(dir, first), 'utf8')).toBe(before)
    await expect(desk.prove(ADDRESS, utf8(FIRST))).rejects.toMatchObject({ code: 'SIGNER_UNKNOWN_ACCOUNT' })
    expect(records.at(-1)).toMatchObject({ type: 'forgotten', keptIn: second })
  })
})
