import { describe, expect, it } from 'vitest'
import { KeystoreError } from '../errors'
import { textToSign } from '../keystore/testing/contents'
import { signWithAccount } from './account-key'
import type { Approval } from './approval'

const ADDRESS = new Uint8Array(20).fill(0xaa)
const SIGNED = new Uint8Array(65)

/** A key store in which the account stays unlocked, and what was asked of it. */
function scene() {
  const asked: string[] = []
  const deps = {
    folder: { path: '/keys', refresh: async () => undefined, filesOf: () => ['UTC--1'], read: async () => '{}' },
    keys: {
      sign: async ({ password }: { password: Uint8Array }) => {
        asked.push(`password of ${password.length}`)
        if (password.length === 0) throw new KeystoreError('KEYSTORE_WRONG_PASSWORD', undefined)
        return SIGNED
      },
      signUnlocked: async () => {
        asked.push('kept key')
        return SIGNED
      },
    },
    passwords: null,
    kept: {
      has: () => true,
      lost: () => void asked.push('lost'),
      keepIfPossible: async (_key: unknown, minutes: number) => void asked.push(`keep for ${minutes}`),
    },
  }
  const sign = (approval: Partial<Approval>, needsPassword = false, signal = new AbortController().signal) => {
    const question = { title: '', prompt: () => '' }
    const toSign = () => textToSign()
    const device = () => ({ kind: 'text', text: ADDRESS, digest: toSign().digest }) as const
    const work = { address: ADDRESS, question, needsPassword, toSign, device, result: () => 'signed' }
    const whole = {
      id: 'request',
      by: 'window',
      password: null,
      accounts: null,
      edits: null,
      answered: null,
      input: null,
      ...approval,
    }
    return signWithAccount(work, whole as Approval, deps as never, signal)
  }
  return { asked, sign, deps }
}

describe('an account that stays unlocked', () => {
  it('signs what a person approves without a password', async () => {
    const { asked, sign } = scene()

    expect(await sign({})).toEqual({ kind: 'done', result: 'signed' })
    expect(asked).toEqual(['kept key'])
  })

  it.each([
    ['what is critical', {}, true],
    ['what a rule decided', { by: 'rule' }, false],
    ['what the program on the standard streams decided', { by: 'lines' }, false],
  ] as const)("doesn't sign %s", async (_what, approval, isCritical) => {
    const { asked, sign } = scene()

    expect(await sign(approval, isCritical)).toMatchObject({ kind: 'retry' })
    expect(asked).toEqual(['password of 0'])
  })

  it('is unlocked by the password that signed, but not with a critical request', async () => {
    const { asked, sign } = scene()
    const password = Uint8Array.of(1, 2, 3)
    await sign({ password, keepMinutes: 15 })
    await sign({ password, keepMinutes: 15 }, true)
    await sign({ password })

    expect(asked).toEqual(['password of 3', 'keep for 15', 'password of 3', 'password of 3'])
  })

  it('counts as locked once the key worker has lost its key', async () => {
    const { asked, sign, deps } = scene()
    deps.keys.signUnlocked = () => Promise.reject(new KeystoreError('KEYSTORE_NOT_UNLOCKED', { address: '0xaa' }))

    await expect(sign({})).rejects.toMatchObject({ code: 'KEYSTORE_NOT_UNLOCKED' })
    expect(asked).toEqual(['lost'])
  })
})
