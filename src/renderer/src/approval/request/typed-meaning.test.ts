import { describe, expect, it } from 'vitest'
import type { MessageNode } from '../../../../contract/signer'
import { meaningOf } from './typed-meaning'

const A = `0x${'a'.repeat(40)}`
const B = `0x${'b'.repeat(40)}`
const TOKEN = `0x${'c'.repeat(40)}`
const text = (name: string, value: string): MessageNode => ({ name, value, type: 'x' })
const domain: MessageNode = { name: 'EIP712Domain', type: 'domain', value: [text('verifyingContract', TOKEN)] }
const meaning = (name: string, ...value: readonly MessageNode[]) =>
  meaningOf([domain, { name, type: 'primary type', value }], {
    lax: (wei) => `${wei} wei`,
    everyDigit: (units) => `~${units}`,
  })

describe('the meaning of a document', () => {
  it('for a permit names who may take how much of what', () => {
    const members = [text('owner', A), text('spender', B), text('value', '5 (0x5)')]

    expect(meaning('Permit', ...members)).toEqual({
      key: 'ui.meaning.permitAmount',
      values: { spender: B, token: TOKEN, amount: '~5' },
    })
  })

  it.each([
    ['an endless amount', [text('spender', B), text('value', (2n ** 256n - 1n).toString())]],
    ['a yes for everything', [text('spender', B), text('allowed', 'true')]],
  ])('for a permit for %s says so', (_what, members) => {
    expect(meaning('Permit', ...members)?.key).toBe('ui.meaning.permitAll')
  })

  it('for a permit with details takes token and amount from them', () => {
    const details: MessageNode = { name: 'details', type: 'x', value: [text('token', A), text('amount', '7')] }

    expect(meaning('PermitSingle', details, text('spender', B))).toEqual({
      key: 'ui.meaning.permitAmount',
      values: { spender: B, token: A, amount: '~7' },
    })
  })

  it('for a delegation names who gets the rights', () => {
    expect(meaning('Delegation', text('delegatee', B))).toEqual({
      key: 'ui.meaning.delegation',
      values: { delegate: B },
    })
  })

  it('for an order says what is given for what, or at least in whose name', () => {
    const swap = [
      ...[text('makerAsset', A), text('takerAsset', B)],
      ...[text('makingAmount', '1'), text('takingAmount', '2')],
    ]

    expect(meaning('Order', ...swap)).toEqual({
      key: 'ui.meaning.swap',
      values: { gives: A, gets: B, giveAmount: '~1', getAmount: '~2' },
    })
    expect(meaning('OrderComponents', text('offerer', A))).toEqual({ key: 'ui.meaning.order', values: { maker: A } })
  })

  it.each([
    ['a payment', ['7 (0x7)', '0x', '0'], 'ui.meaning.safePayment'],
    ['a call', ['0', '0xa9059cbb', '0'], 'ui.meaning.safeCall'],
    ['a call that pays', ['7', '0xa9059cbb', '0'], 'ui.meaning.safePaidCall'],
    ['foreign code', ['7', '0x', '1'], 'ui.meaning.safeCode'],
    ['an unknown operation', ['0', '0x', '2 (0x2)'], 'ui.meaning.safeCode'],
  ] as const)('for a Safe transaction says what the wallet does: %s', (_what, [value, data, operation], key) => {
    const members = [text('to', B), text('value', value), text('data', data), text('operation', operation)]

    const found = meaning('SafeTx', ...members)

    const paid = key === 'ui.meaning.safePayment' ? { amount: '7 wei' } : {}
    expect(found).toMatchObject({ key, values: { wallet: TOKEN, to: B, ...paid } })
  })

  it.each(['to', 'value', 'data', 'operation'])('of a Safe transaction without %s is empty', (missing) => {
    const members = [text('to', B), text('value', '7'), text('data', '0x'), text('operation', '0')]

    expect(meaning('SafeTx', ...members.filter(({ name }) => name !== missing))).toBeNull()
  })

  it.each([
    ['no pattern', 'Mail', [text('spender', B)]],
    ['a sentence in the place of an address', 'Permit', [text('spender', 'nobody at all, be calm')]],
    ['no members', 'Permit', []],
  ])('is empty for %s', (_what, name, members) => {
    expect(meaning(name, ...members)).toBeNull()
  })
})
