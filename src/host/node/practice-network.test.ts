import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { toHex } from '../../base/hex'
import { silentLogger } from '../../base/logger'
import { dataDirPaths } from '../system/data-dir'
import { PracticeNetwork } from './practice-network'

const ADDRESS = '0x00a329c0648769A73afAc7F9381E08FB43dBEA72'

class FakeMaker {
  readonly passwords: string[] = []
  readonly strengths: string[] = []

  async createAccount(password: Uint8Array, strength = 'standard'): Promise<string> {
    this.strengths.push(strength)
    this.passwords.push(new TextDecoder().decode(password))
    return ADDRESS
  }
}

describe("a data directory's practice network", () => {
  let dir = ''
  const setup = (maker: FakeMaker) =>
    new PracticeNetwork(dataDirPaths(dir), {
      maker,
      simd: 'scalar',
      log: silentLogger,
      randomBytes: (length) => new Uint8Array(length).fill(7),
    })

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'headframe-practice-'))
  })
  afterEach(() => rmSync(dir, { recursive: true, force: true }))

  it('creates its account at the first start and writes the password to a file', async () => {
    const maker = new FakeMaker()
    const practice = setup(maker)

    await practice.start()

    expect(practice.account === null ? '' : toHex(practice.account)).toBe(ADDRESS.toLowerCase())
    expect(practice.genesis).toContain(ADDRESS.slice(2).toLowerCase())
    expect(readFileSync(join(dir, 'practice-account.txt'), 'utf8')).toContain(`password: ${maker.passwords[0]}`)
  })

  it('creates a key that opens immediately: its password is random, and stored beside it', async () => {
    const maker = new FakeMaker()

    await setup(maker).start()

    expect(maker.strengths).toEqual(['light'])
  })

  it('keeps that account at later starts', async () => {
    await setup(new FakeMaker()).start()
    const maker = new FakeMaker()
    const again = setup(maker)

    await again.start()

    expect(maker.passwords).toEqual([])
    expect(again.genesis).toContain(ADDRESS.slice(2).toLowerCase())
  })

  it('has neither account nor genesis before it was started', () => {
    const practice = setup(new FakeMaker())

    expect([practice.account, practice.genesis]).toEqual([null, null])
  })

  it.each(['', '{}', '{"address":"0x12"}'])('rejects a record that holds %j and names the file', async (text) => {
    writeFileSync(join(dir, 'practice.json'), text)

    await expect(setup(new FakeMaker()).start()).rejects.toMatchObject({
      code: 'HOST_PRACTICE_RECORD_BROKEN',
      data: { file: join(dir, 'practice.json') },
    })
  })
})
