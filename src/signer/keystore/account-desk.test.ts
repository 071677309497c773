import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FakeClock } from '../../base/fake-clock'
import { silentLogger } from '../../base/logger'
import { memoryTransportPair } from '../../base/wire/memory'
import type { AuditEntry } from '../audit/audit-entry'
import { AccountDesk } from './account-desk'
import { KeyFolder } from './folder'
import { KeyClient } from './key-client'
import { serveKeys } from './serve-keys'

const BARE_KEY = '46'.repeat(32)
const ADDRESS = '0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F'
const FIRST = 'first password'
const SECOND = 'second password'
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('the desk for accounts', () => {
  let dir = ''
  let records: AuditEntry[] = []
  let stop: () => Promise<void> = async () => undefined
  let desk: AccountDesk

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
    desk = new AccountDesk({ maker: { folder, keys, strength: 'light' }, record })
  })
  afterEach(async () => {
    await stop()
    await rm(dir, { recursive: true, force: true })
  })

  const importBare = () => desk.importAccount(BARE_KEY, { old: null, next: utf8(FIRST) })

  it('takes a bare key in, records it without any secret, and proves its password', async () => {
    expect(await importBare()).toBe(ADDRESS)

    await desk.prove(ADDRESS, utf8(FIRST))
    await expect(desk.prove(ADDRESS, utf8(SECOND))).rejects.toMatchObject({ code: 'KEYSTORE_WRONG_PASSWORD' })
    expect(records).toMatchObject([{ type: 'imported', address: ADDRESS.toLowerCase() }])
    expect(JSON.stringify(records)).not.toMatch(/first password|4646/)
  })

  it('takes a key file in with its own password, and refuses it with another', async () => {
    await importBare()
    const file = join(dir, (await readdir(dir))[0] ?? '')
    const text = await readFile(file, 'utf8')
    await rm(file)

    const wrong = desk.importAccount(text, { old: utf8(SECOND), next: utf8(SECOND) })
    await expect(wrong).rejects.toMatchObject({ code: 'KEYSTORE_WRONG_PASSWORD' })
    expect(await desk.importAccount(text, { old: utf8(FIRST), next: utf8(SECOND) })).toBe(ADDRESS)

    await desk.prove(ADDRESS, utf8(SECOND))
  })

  it('changes a password only with the one before', async () => {
    await importBare()

    const wrong = desk.changePassword(ADDRESS, { old: utf8(SECOND), next: utf8(SECOND) })
    await expect(wrong).rejects.toMatchObject({ code: 'KEYSTORE_WRONG_PASSWORD' })
    await desk.changePassword(ADDRESS, { old: utf8(FIRST), next: utf8(SECOND) })

    await desk.prove(ADDRESS, utf8(SECOND))
    expect(records.map(({ type }) => type)).toEqual(['imported', 'passwordChanged'])
  })
})
