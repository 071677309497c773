// The practice account's key belongs to the practice network only.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../../base/logger'
import { PracticeKeyPlace, practiceAddress, practiceKeyFolder } from './practice-key'

const PRACTICE = '00a329c0648769a73afac7f9381e08fb43dbea72'
const OWN = '52908400098527886e0f7030069857d2e4169ee7'
const KEY = `UTC--2026-01-01T00-00-00.000000000Z--${PRACTICE}`
const OWN_KEY = `UTC--2026-01-01T00-00-00.000000000Z--${OWN}`

describe('the practice account’s key', () => {
  let root = ''
  const keystore = () => join(root, 'keystore')
  const start = (isPractice: boolean) =>
    new PracticeKeyPlace({ root, keystore: keystore(), isPractice, log: silentLogger }).start()
  const files = (folder: string): readonly string[] => readdirSync(folder).sort()

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'headframe-practice-key-'))
    mkdirSync(keystore())
    writeFileSync(join(root, 'practice.json'), JSON.stringify({ address: `0x${PRACTICE.toUpperCase()}` }))
    writeFileSync(join(keystore(), KEY), '{}')
    writeFileSync(join(keystore(), OWN_KEY), '{}')
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  it("is away while another network runs, and back on the practice network; the user's accounts stay", async () => {
    await start(false)
    expect(files(keystore())).toEqual([OWN_KEY])
    expect(files(practiceKeyFolder(root))).toEqual([KEY])

    await start(false)
    expect(files(practiceKeyFolder(root))).toEqual([KEY])
    await start(true)

    expect(files(keystore())).toEqual([KEY, OWN_KEY].sort())
    expect(files(practiceKeyFolder(root))).toEqual([])
  })

  it('stays an account on another network if it was imported there', async () => {
    await start(false)
    const imported = `UTC--2026-02-02T00-00-00.000000000Z--${PRACTICE}`
    writeFileSync(join(keystore(), imported), '{}')

    for (const isPractice of [false, true, false]) await start(isPractice)

    expect(files(keystore())).toEqual([OWN_KEY, imported].sort())
  })

  it.each(['', 'no JSON', '{"address":"0x1"}'])('has no owner when the record says %j', async (record) => {
    writeFileSync(join(root, 'practice.json'), record)

    await start(false)

    expect(practiceAddress(root)).toBeNull()
    expect(files(keystore())).toEqual([KEY, OWN_KEY].sort())
  })
})
