import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FakeClock } from '../../base/testing/fake-clock'
import type { AuditEntry } from '../audit/audit-entry'
import type { PolicyChain, Question, TokenStandard } from '../ports'
import { dryRun, parsePolicies } from './policy-match'
import type { PolicyList } from './rules'
import { ACCOUNT, aPolicy, aPolicyListIn, aTransfer, SHOP } from './testing/policy-samples'

let dir = ''
let clock = new FakeClock()
let recorded: AuditEntry[] = []

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'policies-'))
  clock = new FakeClock()
  recorded = []
})

afterEach(async () => {
  await rm(dir, { recursive: true, force: true })
})

const aPolicyList = (): PolicyList => aPolicyListIn(dir, clock, { record: async (entry) => void recorded.push(entry) })

async function bookWith(...policies: readonly unknown[]): Promise<PolicyList> {
  const book = aPolicyList()
  await book.save(policies)
  return book
}

const judgement = async (book: PolicyList, question: Question, request = 'r'): Promise<string> =>
  (await book.judge(question, request)).judgement

describe('a policy with a token', () => {
  const TOKEN = '0x52908400098527886E0F7030069857D2E4169EE7'
  const word = (text: string): string => text.replace(/^0x/, '').toLowerCase().padStart(64, '0')
  const transfer = (to: string, units: bigint): string => `0xa9059cbb${word(to)}${word(units.toString(16))}`
  const withToken = (change: Record<string, unknown> = {}) =>
    aPolicy({
      valueWei: '100',
      tokens: [{ contract: TOKEN, amount: '50', periods: [{ hours: 24, amount: '80' }] }],
      ...change,
    })
  const calling = (data: string, change: Record<string, unknown> = {}): Question =>
    aTransfer({ to: TOKEN, value: '0x0', data, ...change })

  it('covers what it names, up to its amount and that of its period', async () => {
    const book = await bookWith(withToken())

    expect(await judgement(book, calling(transfer(SHOP, 50n)))).toBe('approve')
    expect(await judgement(book, calling(transfer(SHOP, 31n)))).toBe('ask')
    expect(await judgement(book, calling(transfer(SHOP, 30n)))).toBe('approve')
  })

  it.each<[string, string, Record<string, unknown>]>([
    ['an amount above its own', transfer(SHOP, 51n), {}],
    ['all units there could be', transfer(SHOP, 10n ** 30n), {}],
    ['another receiver', transfer(ACCOUNT, 1n), {}],
    ['another token', transfer(SHOP, 1n), { to: SHOP }],
    ['LAX besides, which the token would get', transfer(SHOP, 1n), { value: '0x1' }],
    ['bytes behind the arguments', `${transfer(SHOP, 1n)}00`, {}],
    ['a word behind the arguments', `${transfer(SHOP, 1n)}${word('0')}`, {}],
    [
      'dirty bits above the receiver',
      transfer(SHOP, 1n).replace(`0xa9059cbb${'0'.repeat(24)}`, `0xa9059cbb${'f'.repeat(24)}`),
      {},
    ],
    ['too few bytes', transfer(SHOP, 1n).slice(0, -2), {}],
    ['an approval', `0x095ea7b3${word(SHOP)}${word('1')}`, {}],
    ['a move out of an allowance', `0x23b872dd${word(SHOP)}${word(SHOP)}${word('1')}`, {}],
    ['an unknown method', '0xd0e30db0', {}],
    [
      'a batch with an approval inside',
      `0xac9650d8${word('20')}${word('1')}${word('20')}${word('44')}095ea7b3${word(ACCOUNT)}${'f'.repeat(64)}${'0'.repeat(56)}`,
      {},
    ],
    [
      'a batch with a transfer inside',
      `0xac9650d8${word('20')}${word('1')}${word('20')}${word('44')}${transfer(SHOP, 1n).slice(2)}${'0'.repeat(56)}`,
      {},
    ],
  ])('leaves %s to the person', async (_what, data, change) => {
    expect(await judgement(await bookWith(withToken()), calling(data, change))).toBe('ask')
  })

  const approve = (to: string, units: bigint): string => `0x095ea7b3${word(to)}${word(units.toString(16))}`
  const named = (...methods: readonly string[]) =>
    withToken({
      tokens: [{ contract: TOKEN, standard: 'erc20', methods, amount: '50', periods: [{ hours: 24, amount: '80' }] }],
    })
  const warning = (text: string) => ({ call_info: [{ type: 'WARNING', message: text }] })
  const warned = (data: string, rest: Record<string, unknown>): Question =>
    aTransfer({ to: TOKEN, value: '0x0', data }, rest)

  it('that names `approve` covers it up to its amounts, counted as if moved, and the warning about it', async () => {
    const book = await bookWith(named('approve'))
    const told = warning(`It lets ${SHOP} take up to 50 units of this token from the account`)

    expect(await judgement(book, warned(approve(SHOP, 50n), told))).toBe('approve')
    expect(await judgement(book, calling(approve(SHOP, 31n)))).toBe('ask')
    expect(await judgement(book, calling(approve(SHOP, 30n)))).toBe('approve')
    expect(await judgement(book, calling(approve(SHOP, 0n)))).toBe('approve') // reverts it
    expect(await judgement(book, calling(transfer(SHOP, 1n)))).toBe('ask')
  })

  it.each([
    ['another one approved', approve(ACCOUNT, 1n), {}],
    ['more than its amount approved', approve(SHOP, 51n), {}],
    ['an unlimited approval', `0x095ea7b3${word(SHOP)}${'f'.repeat(64)}`, {}],
    ['another warning', approve(SHOP, 1n), warning('It lets somebody else take up to 1 units')],
    [
      'the same words as CRITICAL',
      approve(SHOP, 1n),
      {
        call_info: [{ type: 'CRITICAL', message: `It lets ${SHOP} take up to 1 units of this token from the account` }],
      },
    ],
    ['an approval with bytes behind it', `${approve(SHOP, 1n)}00`, {}],
    ['units of others', `0x23b872dd${word(SHOP)}${word(SHOP)}${word('1')}`, {}],
    [
      'a permit',
      `0xd505accf${word(ACCOUNT)}${word(SHOP)}${word('1')}${word('ff')}${word('1b')}${word('1')}${word('1')}`,
      {},
    ],
  ])('that names `approve` and `transferFrom` leaves %s to the person', async (_what, data, rest) => {
    expect(await judgement(await bookWith(named('approve', 'transferFrom')), warned(data, rest))).toBe('ask')
  })

  it('that names `transferFrom` covers only units of its own account', async () => {
    const book = await bookWith(named('transferFrom'))

    expect(await judgement(book, calling(`0x23b872dd${word(ACCOUNT)}${word(SHOP)}${word('1')}`))).toBe('approve')
    expect(await judgement(book, calling(`0x23b872dd${word(SHOP)}${word(SHOP)}${word('1')}`))).toBe('ask')
  })

  const EVIL = `0x${'e'.repeat(40)}`
  const call = (selector: string, ...words: readonly string[]): string => `0x${selector}${words.map(word).join('')}`
  const all = ['transfer', 'transferFrom', 'approve', 'increaseAllowance', 'decreaseAllowance']

  it.each([
    ['a revocation', call('095ea7b3', EVIL, '0')],
    ['the smallest decrease', call('a457c2d7', EVIL, '1')],
    ['an increase by nothing', call('39509351', EVIL, '0')],
    ['a transfer of nothing', call('a9059cbb', EVIL, '0')],
    ['a move of nothing', call('23b872dd', ACCOUNT, EVIL, '0')],
    ['a decrease that would underflow', call('a457c2d7', SHOP, (10n ** 30n).toString(16))],
  ])('that names all methods leaves %s for a stranger to the person', async (_what, data) => {
    expect(await judgement(await bookWith(named(...all)), calling(data))).toBe('ask')
  })

  it.each([
    ['a call without value and data', { to: EVIL, value: '0x0', data: null }],
    ['a call with empty data', { to: EVIL, value: '0x0', data: '0x' }],
    ['a call of a token without data', { to: TOKEN, value: '0x0', data: null }],
    ['LAX for a token', { to: TOKEN, value: '0x1', data: null }],
    ['data that differs from its input', { data: '0x', input: '0x00' }],
  ])('leaves %s to the person', async (_what, change) => {
    expect(await judgement(await bookWith(named(...all)), aTransfer(change))).toBe('ask')
  })

  const onChain = (standard: TokenStandard | null, nonce: bigint | 'absent' | null = 'absent'): PolicyChain => ({
    nonceOf: async () => nonce,
    standardOf: async () => standard,
  })
  const withChain = async (chain: PolicyChain, policy: unknown): Promise<PolicyList> => {
    const book = aPolicyListIn(dir, clock, { chain })
    await book.save([policy])
    return book
  }
  const unsaid = (...methods: readonly string[]) =>
    withToken({ tokens: [{ contract: TOKEN, methods, amount: '2', periods: [{ hours: 24, amount: '3' }] }] })

  it.each([
    ['approve', approve(SHOP, 1n)],
    ['transferFrom', call('23b872dd', ACCOUNT, SHOP, '1')],
  ])('asks about `%s` where nobody says whether the token counts units', async (name, data) => {
    expect(await judgement(await withChain(onChain(null), unsaid(name)), calling(data))).toBe('ask')
    expect(await judgement(await withChain(onChain('erc20'), unsaid(name)), calling(data))).toBe('approve')
  })

  it('counts each numbered token as one, whatever its number', async () => {
    const book = await withChain(onChain('erc721'), unsaid('approve', 'transferFrom', 'transfer'))
    const move = (id: string): Question => calling(call('23b872dd', ACCOUNT, SHOP, id))

    expect(await judgement(book, move('ffffff'))).toBe('approve')
    expect(await judgement(book, move('0'))).toBe('approve')
    expect(await judgement(book, calling(approve(SHOP, 0n)))).toBe('approve') // allows to take number 0
    expect(await judgement(book, move('1'))).toBe('ask')
    expect(await judgement(book, calling(transfer(SHOP, 1n)))).toBe('ask') // no method of such a token
  })

  it('asks if the contract answers to another standard than the policy names', async () => {
    const book = await withChain(onChain('erc721'), named('approve'))

    expect(await judgement(book, calling(approve(SHOP, 1n)))).toBe('ask')
  })

  it('asks about nonces far from those that the node names, and if it names none', async () => {
    const book = await withChain(onChain(null, 100n), aPolicy({ periods: [{ hours: 1, wei: null, count: 99 }] }))
    const asked = (nonce: bigint | undefined, of = book) =>
      judgement(of, aTransfer({ nonce: nonce === undefined ? undefined : `0x${nonce.toString(16)}` }))

    expect(await asked(100n)).toBe('approve')
    expect(await asked(163n)).toBe('approve')
    for (const far of [99n, 164n, 1000n, 2n ** 64n - 2n, undefined]) expect(await asked(far)).toBe('ask')
    expect(await asked(100n, await withChain(onChain(null, null), aPolicy()))).toBe('ask')
    const silent = { ...onChain(null), nonceOf: () => Promise.reject(new Error('no')) }
    expect(await asked(0n, await withChain(silent, aPolicy()))).toBe('ask')
  })

  it('without a node counts nonces from those it has seen signed', async () => {
    const book = await bookWith(aPolicy({ periods: [{ hours: 1, wei: null, count: 99 }] }))
    const far = aTransfer({ nonce: '0x1388' })

    expect(await judgement(book, far, 'typed')).toBe('ask')
    await book.signed('typed', { raw: '0x', tx: { nonce: '0x1388' } })

    expect(await judgement(book, aTransfer({ nonce: '0x1389' }))).toBe('approve')
    expect(await judgement(aPolicyList(), aTransfer({ nonce: '0x13c8' }))).toBe('approve')
    expect(await judgement(book, aTransfer({ nonce: '0x13c9' }))).toBe('ask')
  })

  it('reports in its dry run what else was requested', async () => {
    const file = join(dir, 'audit.jsonl')
    const spent = { from: ACCOUNT, to: TOKEN, value: '0', gas: '21000', gasPrice: '1', maxFeePerGas: null }
    const line = (id: string, data: string): string =>
      JSON.stringify({
        type: 'request',
        id,
        time: 1,
        caller: { transport: 'http', origin: '' },
        content: { kind: 'signTransaction', transaction: { ...spent, data } },
      })
    await writeFile(file, `${line('a', approve(SHOP, 1n))}\n${line('b', transfer(SHOP, 1n))}\n`)
    const policies = parsePolicies([named('transfer')])

    expect(await dryRun(policies, file)).toMatchObject([
      { id: 'a', policy: null, reason: 'the shop: it does something else (approve(address,uint256))' },
      { id: 'b', policy: 'the shop' },
    ])
  })

  it.each([
    [
      'a method whose effects nobody can tell',
      named('swapExactTokensForTokens'),
      /swapExactTokensForTokens.*always asked; want one of transfer/,
    ],
    ['no method', named(), /tokens\.0\.methods/],
    ['approvals for anybody', { ...named('approve'), recipients: null }, /want who may be approved/],
  ])("doesn't save %s", (_what, policy, reason) => {
    expect(() => parsePolicies([policy])).toThrow(reason)
  })

  it('of an earlier version covers `transfer`', () => {
    expect(parsePolicies([withToken()])).toMatchObject([{ tokens: [{ methods: ['transfer'] }] }])
  })

  it('leaves all calls to the person if it names no token', async () => {
    expect(await judgement(await bookWith(aPolicy({ recipients: null })), calling(transfer(SHOP, 1n)))).toBe('ask')
  })

  it('still sends LAX', async () => {
    expect(await judgement(await bookWith(withToken()), aTransfer({ value: '0x64' }))).toBe('approve')
  })
})

describe('a change of one policy', () => {
  it('applies only while the policy is the one that was seen', async () => {
    const book = await bookWith(aPolicy())
    const [seen] = await book.versioned()
    const version = seen?.version ?? ''
    await book.remove('shop', version)

    await expect(book.put(aPolicy({ enabled: false }), version)).rejects.toMatchObject({
      code: 'SIGNER_POLICY_CHANGED',
    })
    await expect(book.remove('shop', version)).rejects.toMatchObject({ code: 'SIGNER_POLICY_CHANGED' })
    expect(await book.policies()).toEqual([])
  })

  it("doesn't touch the others, and two at once don't undo each other", async () => {
    const book = await bookWith(aPolicy())
    const [seen] = await book.versioned()

    await Promise.all([
      book.put(aPolicy({ id: 'other' }), null),
      book.put(aPolicy({ enabled: false }), seen?.version ?? ''),
    ])

    expect((await book.policies()).map(({ id, enabled }) => [id, enabled])).toEqual([
      ['shop', false],
      ['other', true],
    ])
  })

  it("can't replace an existing policy with a new one", async () => {
    const book = await bookWith(aPolicy())

    await expect(book.put(aPolicy({ valueWei: '9' }), null)).rejects.toMatchObject({ code: 'SIGNER_POLICY_CHANGED' })
  })
})
