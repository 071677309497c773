import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newPracticePassword, writePracticeAccount } from './practice-account'

const ADDRESS = '0x00a329c0648769a73afac7f9381e08fb43dbea72'

describe('the practice account', () => {
  it('has a password that the keystore accepts', () => {
    const password = newPracticePassword((length) => Uint8Array.from({ length }, (_unused, index) => index * 13))

    expect(password).toMatch(/^[a-z2-9]{20}$/)
  })

  it('is readable by its owner only', () => {
    const dir = mkdtempSync(join(tmpdir(), 'headframe-practice-'))
    const file = join(dir, 'practice-account.txt')

    writePracticeAccount(file, { address: ADDRESS, password: 'abcdefghij' })

    expect(readFileSync(file, 'utf8')).toContain(`address:  ${ADDRESS}\npassword: abcdefghij\n`)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    rmSync(dir, { recursive: true })
  })

  it('never overwrites the file of an earlier network', () => {
    const dir = mkdtempSync(join(tmpdir(), 'headframe-practice-'))
    const file = join(dir, 'practice-account.txt')
    writePracticeAccount(file, { address: ADDRESS, password: 'the first one' })

    writePracticeAccount(file, { address: ADDRESS, password: 'the second one' })

    expect(readFileSync(file, 'utf8')).toContain('the first one')
    expect(readdirSync(dir).sort()).toEqual(['practice-account-00a329c0.txt', 'practice-account.txt'])
    rmSync(dir, { recursive: true })
  })
})
