import { expect, it } from 'vitest'
import type { SealedPassword } from '../../base/approvals'
import { SignerError } from '../errors'
import type { Decision, DecisionOutcome, SignerRequest } from '../model/request'
import { decideMany } from './decide-many'

const seen = (id: string) => ({ id, nonce: `nonce ${id}`, contentHash: `content ${id}` })
const SIGNED: DecisionOutcome = { state: 'signed', error: '' }

/** Three payments; `answers` by id, signed if none is named; `change` of the second. */
function aSigner(answers: Record<string, DecisionOutcome | Error> = {}, change: Partial<SignerRequest> = {}) {
  const decided: (Omit<Decision, 'password'> & { readonly password: string | null })[] = []
  const passwords: Uint8Array[] = []
  return {
    decided,
    passwords,
    requests: () =>
      ['a', 'b', 'c'].map((id) => {
        const payment = { id, kind: 'signTransaction', findings: [], ...(id === 'b' ? change : {}) }
        return payment as unknown as SignerRequest
      }),
    decide: async (decision: Decision): Promise<DecisionOutcome> => {
      const { password } = decision
      decided.push({ ...decision, password: password === null ? null : Buffer.from(password).toString() })
      if (password !== null) passwords.push(password)
      const answer = answers[decision.id] ?? SIGNED
      if (answer instanceof Error) throw answer
      return answer
    },
  }
}

const approving = (password: Uint8Array | null = null, sealed: SealedPassword | null = null) =>
  ({ decision: 'approve', password, sealed }) as const

const TOKEN = { kind: 'token', once: '00', signature: '11' } as const
const SEALED = { kind: 'sealed', sender: '04', statement: '{}', password: '00' } as const

it('decides each with its own nonce, content and password, in order', async () => {
  const signer = aSigner()
  const password = Uint8Array.from(Buffer.from('secret'))

  const outcomes = await decideMany(signer, [seen('a'), seen('c')], approving(password))

  expect(outcomes).toEqual([
    { id: 'a', ...SIGNED },
    { id: 'c', ...SIGNED },
  ])
  expect(signer.decided).toMatchObject([
    { ...seen('a'), decision: 'approve', password: 'secret', approval: null, accounts: null },
    { ...seen('c'), decision: 'approve', password: 'secret', approval: null, accounts: null },
  ])
  expect(new Set([password, ...signer.passwords]).size).toBe(3)
  expect([...password]).toEqual(Array(6).fill(0))
})

it("passes on a page's approval: one for all, or a token each", async () => {
  const signer = aSigner()

  await decideMany(signer, [seen('a'), seen('c')], approving(null, SEALED))
  await decideMany(signer, [{ ...seen('a'), token: TOKEN }, seen('c')], approving())

  expect(signer.decided.map(({ approval }) => approval)).toEqual([SEALED, SEALED, TOKEN, null])
})

it('touches no other if the password was wrong', async () => {
  const wrong: DecisionOutcome = { state: 'waiting', error: 'could not decrypt key with given password' }
  const signer = aSigner({ a: wrong })

  expect(await decideMany(signer, [seen('a'), seen('b'), seen('c')], approving())).toEqual([{ id: 'a', ...wrong }])
  expect(signer.decided).toHaveLength(1)
})

it('continues if one is gone or fails', async () => {
  const gone = new SignerError('SIGNER_DECISION_REFUSED', { id: 'a', reason: 'the request is no longer waiting' })
  const signer = aSigner({ a: gone, b: { state: 'failed', error: 'unknown account' } })

  expect(await decideMany(signer, [seen('a'), seen('b'), seen('c')], approving())).toEqual([
    { id: 'a', state: 'failed', error: gone.message },
    { id: 'b', state: 'failed', error: 'unknown account' },
    { id: 'c', ...SIGNED },
  ])
})

it.each<[string, Partial<SignerRequest>]>([
  ['a critical request', { findings: [{ severity: 'CRITICAL', message: 'all tokens' }] }],
  ['one that is not understood', { notUnderstood: ['a method'] }],
  ['typed data', { kind: 'signTypedData' }],
  ['a text', { kind: 'signData' }],
  ['a listing', { kind: 'listing' }],
])('never approves %s among others, and rejects it like the others', async (_what, change) => {
  const signer = aSigner({}, change)

  const approved = await decideMany(signer, [seen('a'), seen('b')], approving())
  const rejected = await decideMany(signer, [seen('b')], { decision: 'reject', password: null, sealed: null })

  expect(approved.map(({ state }) => state)).toEqual(['signed', 'failed'])
  expect(approved[1]?.error).toMatch(/decided (alone|together)/)
  expect(rejected).toEqual([{ id: 'b', ...SIGNED }])
  expect(signer.decided.map(({ id, decision }) => `${decision} ${id}`)).toEqual(['approve a', 'reject b'])
})
