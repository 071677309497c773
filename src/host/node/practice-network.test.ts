import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { toHex } from '../../base/hex'
import { silentLogger } from '../../base/logger'
import { dataDirPaths } from '../system/data-dir'
import { newPracticePassword, PracticeNetwork, writePracticeAccount } from './practice-network'

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
  const signal = new AbortController().signal
  const setup = (maker: FakeMaker, simd: 'scalar' | 'avx2' = 'scalar', hasGpu = false) =>
    new PracticeNetwork(dataDirPaths(dir), {
      maker,
      simd,
      hasGpu: async () => hasGpu,
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

    await practice.start(signal)

    expect(practice.account === null ? '' : toHex(practice.account)).toBe(ADDRESS.toLowerCase())
    expect(practice.genesis).toContain(ADDRESS.slice(2).toLowerCase())
    expect(readFileSync(join(dir, 'practice-account.txt'), 'utf8')).toContain(`password: ${maker.passwords[0]}`)
  })

  it('creates a key that opens immediately: its password is random, and stored beside it', async () => {
    const maker = new FakeMaker()

    await setup(maker).start(signal)

    expect(maker.strengths).toEqual(['light'])
  })

  it('keeps that account at later starts', async () => {
    await setup(new FakeMaker()).start(signal)
    const maker = new FakeMaker()
    const again = setup(maker)

    await again.start(signal)

    expect(maker.passwords).toEqual([])
    expect(again.genesis).toContain(ADDRESS.slice(2).toLowerCase())
  })

  it('starts the chain with a difficulty for what searches first, and keeps it whatever searches later', async () => {
    const first = setup(new FakeMaker(), 'avx2', true)
    await first.start(signal)
    const later = setup(new FakeMaker())
    await later.start(signal)

    expect(JSON.parse(first.genesis ?? '').difficulty).toBe('0x800000')
    expect(later.genesis).toBe(first.genesis)
  })

  it('takes what the rate of the CPU keeps without a GPU, and leaves chains begun before that as they are', async () => {
    const practice = setup(new FakeMaker(), 'avx2')
    await practice.start(signal)
    expect(JSON.parse(practice.genesis ?? '').difficulty).toBe('0x20000')

    for (const searcher of ['avx2', undefined]) {
      writeFileSync(join(dir, 'practice.json'), JSON.stringify({ address: ADDRESS, searcher }))
      const older = setup(new FakeMaker(), 'avx2')
      await older.start(signal)
      expect(JSON.parse(older.genesis ?? '').difficulty, searcher).toBe('0x80000')
    }
  })

  it('has neither account nor genesis before it was started', () => {
    const practice = setup(new FakeMaker())

    expect([practice.account, practice.genesis]).toEqual([null, null])
  })

  it.each(['', '{}', '{"address":"0x12"}', `{"address":"${ADDRESS}","searcher":"abacus"}`])(
    'rejects a record that holds %j and names the file',
    async (text) => {
      writeFileSync(join(dir, 'practice.json'), text)

      await expect(setup(new FakeMaker()).start(signal)).rejects.toMatchObject({
        code: 'HOST_PRACTICE_RECORD_BROKEN',
        data: { file: join(dir, 'practice.json') },
      })
    },
  )
})

const ACCOUNT = '0x00a329c0648769a73afac7f9381e08fb43dbea72'

describe('the practice account', () => {
  it('has a password that the keystore accepts', () => {
    const password = newPracticePassword((length) => Uint8Array.from({ length }, (_unused, index) => index * 13))

    expect(password).toMatch(/^[a-z2-9]{20}$/)
  })

  it('is readable by its owner only', () => {
    const dir = mkdtempSync(join(tmpdir(), 'headframe-practice-'))
    const file = join(dir, 'practice-account.txt')

    writePracticeAccount(file, { address: ACCOUNT, password: 'abcdefghij' })

    expect(readFileSync(file, 'utf8')).toContain(`address:  ${ACCOUNT}\npassword: abcdefghij\n`)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    rmSync(dir, { recursive: true })
  })

  it('never overwrites the file of an earlier network', () => {
    const dir = mkdtempSync(join(tmpdir(), 'headframe-practice-'))
    const file = join(dir, 'practice-account.txt')
    writePracticeAccount(file, { address: ACCOUNT, password: 'the first one' })

    writePracticeAccount(file, { address: ACCOUNT, password: 'the second one' })

    expect(readFileSync(file, 'utf8')).toContain('the first one')
    expect(readdirSync(dir).sort()).toEqual(['practice-account-00a329c0.txt', 'practice-account.txt'])
    rmSync(dir, { recursive: true })
  })
})
