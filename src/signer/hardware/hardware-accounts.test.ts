// The list of accounts in devices: several writers, unreadable files, and unwritable places.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../base/time'
import { HardwareAccounts } from './hardware-keys'
import type { HardwareAccount } from './hardware-wallet'

const account = (index: number): HardwareAccount => ({
  kind: 'ledger',
  address: `0x${index.toString(16).padStart(40, '0')}` as HardwareAccount['address'],
  path: `m/44'/60'/0'/0/${index}`,
})
const numbers = Array.from({ length: 12 }, (_, index) => index + 1)

describe('the list of accounts in devices', () => {
  let folder = ''
  let file = ''
  const accounts = (): HardwareAccounts => new HardwareAccounts(file, { clock: systemClock() })
  const read = async (): Promise<readonly HardwareAccount[]> => {
    const fresh = accounts()
    await fresh.refresh()
    return fresh.accounts()
  }
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hardware-accounts-'))
    file = join(folder, 'config', 'hardware.json')
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('loses nothing if several write it at once', async () => {
    const [one, other] = [accounts(), accounts()]

    await Promise.all(numbers.map((index) => (index % 2 === 0 ? one : other).add(account(index))))

    const found = (await read()).map(({ address }) => address)
    expect([...found].sort()).toEqual(numbers.map((index) => account(index).address))
    expect(readdirSync(join(folder, 'config'))).toEqual(['hardware.json'])
    await Promise.all([one.remove(account(1).address), other.add({ ...account(2), path: "m/44'/60'/7'/0/0" })])
    const after = await read()
    expect(after).toHaveLength(numbers.length - 1)
    expect(after.at(-1)).toEqual({ ...account(2), path: "m/44'/60'/7'/0/0" })
  })

  it('is read again only if another process wrote it', async () => {
    const [one, other] = [accounts(), accounts()]
    await one.add(account(1))

    expect([await other.refresh(), await other.refresh()]).toEqual([true, false])
    expect(other.accounts()).toEqual([account(1)])
    expect([await other.remove(account(9).address), await other.remove(account(1).address)]).toEqual([false, true])
    expect(await one.refresh()).toBe(true)
    expect(one.accounts()).toEqual([])
  })

  it.each(['{', '{"version":2,"accounts":[]}', '{"version":1,"accounts":[{"kind":"ledger"}]}'])(
    'is never overwritten while it contains %s',
    async (text) => {
      mkdirSync(join(folder, 'config'))
      writeFileSync(file, text)

      await expect(accounts().add(account(1))).rejects.toMatchObject({ code: 'SIGNER_HARDWARE_FILE' })
      await expect(read()).rejects.toMatchObject({ code: 'SIGNER_HARDWARE_FILE' })
      expect(readFileSync(file, 'utf8')).toBe(text)
      expect(readdirSync(join(folder, 'config'))).toEqual(['hardware.json'])
    },
  )

  it("names its path if it can't be written, and knows nothing that isn't on disk", async () => {
    writeFileSync(join(folder, 'config'), 'a file in the place of the folder')
    const own = accounts()

    await expect(own.add(account(1))).rejects.toMatchObject({ code: 'SIGNER_HARDWARE_FILE' })
    expect(own.accounts()).toEqual([])
  })
})
