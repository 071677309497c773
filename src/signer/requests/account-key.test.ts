import { describe, expect, it } from 'vitest'
import { KeystoreError } from '../errors'
import { textToSign } from '../keystore/testing/contents'
import { type Approval, signWithAccount } from './account-key'

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
      signSealed: async () => {
        asked.push('sealed password')
        return SIGNED
      },
      signUnlocked: async () => {
        asked.push('kept key')
        return SIGNED
      },
      lock: async () => void asked.push('lock'),
    },
    passwords: null,
    kept: {
      lost: () => void asked.push('lost'),
      keeping: async ({ minutes }: { readonly minutes: number }, run: () => Promise<unknown>) => {
        asked.push(`keep for ${minutes}`)
        return run()
      },
    },
  }
  const sign = (
    approval: Partial<Approval>,
    needsPassword = false,
    signal = new AbortController().signal,
    given: object = deps,
  ) => {
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
      given: null,
      ...approval,
    }
    return signWithAccount(work, whole as Approval, given as never, signal)
  }
  return { asked, sign, deps }
}

const TOKEN = { kind: 'token', once: '', signature: '' } as const
const sealedFor = (keepMinutes: number) => {
  const page = `04${'1'.repeat(128)}`
  const statement = JSON.stringify({ contents: ['0'.repeat(64)], keepMinutes, page: keepMinutes === 0 ? null : page })
  return { kind: 'sealed', sender: page, statement, password: '00' } as const
}

describe('an account that stays unlocked', () => {
  it('signs what its page approves, without a password', async () => {
    const { asked, sign } = scene()

    expect(await sign({ given: TOKEN })).toEqual({ kind: 'done', result: 'signed' })
    expect(asked).toEqual(['kept key'])
  })

  it.each([
    ['what nobody approved with a token', {}],
    ['what a rule decided', { by: 'rule' }],
    ['what the program on the standard streams decided', { by: 'lines' }],
  ] as const)("doesn't sign %s", async (_what, approval) => {
    const { asked, sign } = scene()

    expect(await sign(approval)).toMatchObject({ kind: 'retry' })
    expect(asked).toEqual(['password of 0'])
  })

  it.each(['window', 'command'] as const)('takes no stored password for what a person approved in a %s', async (by) => {
    const { asked, sign, deps } = scene()
    const passwords = { storedFor: async () => ({ iv: '', c: '' }) }

    await sign({ by }, false, undefined, { ...deps, passwords })
    expect(asked).toEqual(['password of 0'])
  })

  it("doesn't sign what is critical: that takes the password", async () => {
    const { asked, sign } = scene()

    expect(await sign({ given: TOKEN }, true)).toMatchObject({ kind: 'retry', isFree: true })
    expect(asked).toEqual([])
  })

  it('is unlocked by the sealed password that signed, but not with a critical request', async () => {
    const { asked, sign } = scene()
    await sign({ given: sealedFor(15) })
    await sign({ given: sealedFor(15) }, true)
    await sign({ given: sealedFor(0) })

    expect(asked).toEqual(['keep for 15', 'sealed password', 'sealed password', 'lock', 'sealed password'])
  })

  it('counts as locked once the key worker has lost its key', async () => {
    const { asked, sign, deps } = scene()
    deps.keys.signUnlocked = () => Promise.reject(new KeystoreError('KEYSTORE_NOT_UNLOCKED', { address: '0xaa' }))

    expect(await sign({ given: TOKEN })).toMatchObject({ kind: 'retry', isFree: true })
    expect(asked).toEqual(['lost'])
  })

  it.each(['KEYSTORE_APPROVAL_OTHER', 'KEYSTORE_APPROVAL_USED', 'KEYSTORE_APPROVAL_UNREADABLE'] as const)(
    'is asked for again after %s, which costs no attempt',
    async (code) => {
      const { sign, deps } = scene()
      deps.keys.signSealed = () => Promise.reject(new KeystoreError(code, undefined))

      expect(await sign({ given: sealedFor(0) })).toMatchObject({ kind: 'retry', isFree: true, final: { code } })
    },
  )
})
