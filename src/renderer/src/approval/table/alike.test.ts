// Which requests can be answered together, and what a table says about them.
import { describe, expect, it } from 'vitest'
import type { RequestView, TransactionRequestView } from '../../../../contract/signer'
import { aBalance, aRequest, aTransaction, OTHER_ADDRESS, OWN_ADDRESS } from '../../testing/scripted-values'
import { alikeGroups } from './alike'
import { balanceFor, paymentTable, sharesNonce, totalsOf } from './table-rows'

const TOKEN = `0x${'7'.repeat(40)}`

const payment = (id: string, transaction: Partial<TransactionRequestView> = {}, rest: Partial<RequestView> = {}) =>
  aRequest({
    id,
    transaction: aTransaction({ value: '5', maximumFee: '2', maximumTotal: '7', ...transaction }),
    ...rest,
  })

const tokens = (id: string, units: string, change: Partial<NonNullable<TransactionRequestView['call']>> = {}) =>
  payment(id, {
    to: TOKEN,
    value: '0',
    data: '0xa9059cbb',
    call: {
      signature: 'transfer(address,uint256)',
      name: 'transfer',
      arguments: [
        { type: 'address', value: OTHER_ADDRESS },
        { type: 'uint256', value: units },
      ],
      namedBy: 'database',
      ...change,
    },
  })

const idsOf = (requests: readonly RequestView[]): readonly (readonly string[])[] =>
  alikeGroups(requests).map(({ payments }) => payments.map(({ request }) => request.id))

const three = (make: (id: string) => RequestView): readonly RequestView[] => ['1', '2', '3'].map(make)

describe('alike payments', () => {
  it('are three or more of one caller, one account and one token', () => {
    const lax = three((id) => payment(`lax ${id}`))
    const token = three((id) => tokens(`token ${id}`, '10'))
    const another = three((id) =>
      payment(`another ${id}`, {}, { caller: { ...aRequest().caller, origin: 'https://b' } }),
    )
    const account = three((id) => payment(`account ${id}`, { from: OTHER_ADDRESS }))
    const mixed = [0, 1, 2].flatMap((at) => [lax, token, another, account].map((all) => all[at] ?? payment('none')))

    expect(idsOf(mixed)).toEqual([lax, token, another, account].map((all) => all.map(({ id }) => id)))
    expect(idsOf(mixed.slice(0, 8))).toEqual([])
  })

  it.each<readonly [string, (id: string) => RequestView]>([
    ['a contract is made', (id) => payment(id, { to: null })],
    ['something is critical', (id) => payment(id, {}, { findings: [{ severity: 'CRITICAL', message: 'no' }] })],
    ['data is not decoded', (id) => payment(id, { data: '0xa9059cbb' })],
    ['another method is called', (id) => tokens(id, '1', { signature: 'approve(address,uint256)' })],
    ['the caller itself named the method', (id) => tokens(id, '1', { namedBy: 'caller' })],
    [
      'tokens come with LAX',
      (id) => ({ ...tokens(id, '1'), transaction: aTransaction({ ...tokens(id, '1').transaction, value: '1' }) }),
    ],
    ['data is signed', (id) => aRequest({ id, kind: 'signData', transaction: null })],
  ])('are none if %s', (_what, make) => {
    expect(idsOf(three(make))).toEqual([])
  })

  it('are at most as many as the signer accepts at once', () => {
    const many = Array.from({ length: 70 }, (_, index) => payment(String(index)))

    expect(idsOf(many).map((ids) => ids.length)).toEqual([64])
  })

  it('add up, tokens in their units and LAX with its fees', () => {
    const [lax] = alikeGroups(three((id) => payment(id)))
    const [token] = alikeGroups([tokens('1', '10'), tokens('2', '20'), tokens('3', '30')])

    expect(totalsOf(lax?.payments ?? [])).toEqual({ count: 3, receivers: 1, amount: 15n, fee: 6n, cost: 21n })
    expect(totalsOf(token?.payments ?? [])).toMatchObject({ count: 3, receivers: 1, amount: 60n, fee: 6n })
  })
})

describe('the table', () => {
  const payments = alikeGroups(three((id) => payment(id)))[0]?.payments ?? []

  it('says once what applies to all, and puts exceptions first', () => {
    const all = { severity: 'WARNING', message: 'behind', isOwn: true }
    const bad = { severity: 'CRITICAL', message: 'reverts', isOwn: true }
    const odd = { severity: 'WARNING', message: 'first payment', isOwn: true }
    const told = { severity: 'Info', message: 'invokes transfer(…)' }

    const { shared, rows } = paymentTable(payments, [
      [all, told],
      [all, odd],
      [bad, all],
    ])

    expect(shared).toEqual([all])
    expect(rows.map((row) => [row.payment.request.id, row.worst, row.findings])).toEqual([
      ['3', 'CRITICAL', [bad]],
      ['2', 'WARNING', [odd]],
      ['1', 'WARNING', []],
    ])
  })

  it("counts the others' nonces before each, up to the first gap", () => {
    const group = {
      payments: alikeGroups(['4', '6', '3'].map((nonce) => payment(nonce, { nonce })))[0]?.payments ?? [],
    }
    const balance = aBalance({ address: OWN_ADDRESS, nonce: 3 })

    expect(group.payments.map((each) => balanceFor(each, group, balance).nonce)).toEqual([4, 5, 3])
  })

  it('recognizes payments of which only one can be included', () => {
    const group = {
      payments: alikeGroups(['3', '3', '4'].map((nonce, id) => payment(String(id), { nonce })))[0]?.payments ?? [],
    }

    expect(group.payments.map((each) => sharesNonce(each, group))).toEqual([true, true, false])
  })
})
