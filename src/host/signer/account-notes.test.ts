import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Emitter } from '../../base/events'
import { silentLogger } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import type { SignerEvents } from '../../signer/signer-service'
import { AccountNotes } from './account-notes'

const FIRST = '0x52908400098527886E0F7030069857D2E4169EE7'
const SECOND = '0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F'
const WATCHED = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

describe('account notes', () => {
  let dir = ''
  let present: string[] = []
  let events: Emitter<SignerEvents>
  const clock = new FakeClock()
  const accountsOf = () => ({
    accounts: () => ({ accounts: present.map((address) => ({ address })) }),
    addresses: () => new Set(present.map((address) => address.toLowerCase())),
  })
  const open = async (): Promise<AccountNotes> => {
    const signer = { events, ...accountsOf() }
    const deps = { signer: signer as never, clock, log: silentLogger }
    const notes = new AccountNotes({ file: join(dir, 'accounts.json') }, deps)
    await notes.start()
    return notes
  }
  const appear = (address: string): void => {
    present = [...present, address]
    events.emit('accountsChanged', {} as never)
  }
  const marks = (notes: AccountNotes) => notes.view().accounts.map(({ backup }) => backup)

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'accounts-'))
    present = []
    events = new Emitter()
  })
  afterEach(() => rm(dir, { recursive: true, force: true }))

  it('asks for no backup of accounts that existed before, but of later ones, also over a restart', async () => {
    present = [FIRST]
    const notes = await open()
    appear(SECOND)
    const before = notes.view().accounts
    await notes.stop()

    expect(before.map(({ address, backup }) => [address, backup])).toEqual([
      [FIRST, 'unknown'],
      [SECOND, 'none'],
    ])
    const again = await open()
    expect(again.view().accounts).toEqual(before)
    await again.stop()
  })

  it("asks for a backup of an empty keystore's first account", async () => {
    const notes = await open()
    appear(FIRST)

    expect(marks(notes)).toEqual(['none'])
    await notes.stop()
  })

  it('asks for no backup of an account whose key is in a device', async () => {
    const device = { kind: 'ledger', path: "m/44'/60'/0'/0/0" }
    const addresses = (): ReadonlySet<string> => new Set([FIRST.toLowerCase()])
    const signer = { events, addresses, accounts: () => ({ accounts: [{ address: FIRST, device }] }) }
    const deps = { signer: signer as never, clock, log: silentLogger }
    await writeFile(join(dir, 'accounts.json'), JSON.stringify({ version: 1, accounts: [], watched: [] }))
    const notes = new AccountNotes({ file: join(dir, 'accounts.json') }, deps)
    await notes.start()

    expect(marks(notes)).toEqual(['unknown'])
    await notes.stop()
  })

  it('goes from no backup over a saved one to a verified one, and back when the password changes', async () => {
    const notes = await open()
    appear(FIRST)
    const seen = [marks(notes)]
    for (const step of ['saved', 'proved', 'saved', 'passwordChanged', 'passwordChanged', 'saved'] as const) {
      await notes[step](FIRST)
      seen.push(marks(notes))
    }

    expect(seen.flat()).toEqual(['none', 'saved', 'done', 'done', 'old', 'old', 'saved'])
    await notes.stop()
  })

  it("starts even if it can't be written, and fails nothing that has already happened", async () => {
    const file = join(dir, 'in-the-way')
    await writeFile(file, '')
    present = [FIRST]
    const signer = { events, ...accountsOf() }
    const deps = { signer: signer as never, clock, log: silentLogger }
    const notes = new AccountNotes({ file: join(file, 'accounts.json') }, deps)

    await notes.start()
    await notes.saved(FIRST)
    await notes.passwordChanged(FIRST)

    expect(marks(notes)).toEqual(['old'])
    await expect(notes.label(FIRST, 'x')).rejects.toThrow()
    await notes.stop()
  })

  it('reads back as many notes as it keeps', async () => {
    const accounts = Array.from({ length: 10_000 }, (_, index) => ({
      address: `0x${index.toString(16).padStart(40, '0')}`,
      label: 'x'.repeat(60),
      backup: 'unknown',
      lastUsedAt: 1_700_000_000_000,
    }))
    present = [accounts.at(-1)?.address ?? '']
    await writeFile(join(dir, 'accounts.json'), JSON.stringify({ version: 1, accounts, watched: [] }))
    const notes = await open()
    appear(FIRST)
    await notes.stop()

    const again = await open()
    expect(again.view().accounts.map(({ label, backup }) => [label, backup])).toEqual([
      ['x'.repeat(60), 'unknown'],
      ['', 'none'],
    ])
    await again.stop()
  })

  it('keeps names only for its own addresses', async () => {
    const notes = await open()
    appear(FIRST)
    await notes.watch(WATCHED, 'cold')
    await notes.label(FIRST, 'Payouts')
    await notes.label(WATCHED, 'Cold store')

    await expect(notes.label(SECOND, 'x')).rejects.toMatchObject({ code: 'HOST_ADDRESS_NOT_LISTED' })
    await notes.stop()
    const again = await open()
    expect(again.view().accounts[0]?.label).toBe('Payouts')
    expect(again.view().watched).toMatchObject([{ address: WATCHED, label: 'Cold store' }])
    await again.stop()
  })

  it('watches an address once, until it becomes an account or is removed', async () => {
    const notes = await open()
    await notes.watch(WATCHED, '')
    await expect(notes.watch(WATCHED.toLowerCase(), '')).rejects.toMatchObject({ code: 'HOST_ADDRESS_LISTED' })
    const before = notes.watched()
    appear(WATCHED)
    const meanwhile = notes.watched()
    present = []
    await notes.unwatch(WATCHED)

    expect([before, meanwhile, notes.watched()]).toEqual([[WATCHED], [], []])
    await notes.stop()
  })

  it('remembers when an account last signed', async () => {
    const notes = await open()
    appear(FIRST)
    appear(SECOND)
    const settled = { transaction: null, data: null }
    events.emit('requestSettled', { ...settled, state: 'signed', transaction: { from: FIRST.toLowerCase() } } as never)
    events.emit('requestSettled', { ...settled, state: 'rejected', data: { address: SECOND } } as never)

    const used = notes.view().accounts.map(({ address, lastUsedAt }) => [address, lastUsedAt])
    expect(used).toContainEqual([FIRST, clock.now()])
    expect(used).toContainEqual([SECOND, null])
    await notes.stop()
    expect(JSON.parse(await readFile(join(dir, 'accounts.json'), 'utf8'))).toMatchObject({ version: 1 })
  })
})
