// Each of our own checks, with its severity, and its silence if nothing is wrong.
import { describe, expect, it } from 'vitest'
import type { CheckInput } from '../../../../contract/approval/approval-checks'
import type { FactsView } from '../../../../contract/signer'
import { createLanguage } from '../../i18n/text'
import { aBalance, aRequest, aTransaction, OTHER_ADDRESS, OWN_ADDRESS } from '../../testing/scripted-values'
import { ownDataFindings, ownFindings } from './own-checks'

const words = createLanguage('en')

const NODE: NonNullable<FactsView['node']> = {
  codeBytes: 0,
  gasPrice: '1000000000',
  estimate: '21000',
  replaces: null,
}
const FACTS: FactsView = {
  node: NODE,
  history: { count: 3, lastAt: 1_600_000_000_000 },
  payees: [],
  lookalike: null,
  unchecked: [],
  callerPerMinute: 1,
}
const transaction = aTransaction({ value: '1', maximumFee: '21000000000000' })
const chainId = transaction.chainId

const found = (change: Partial<CheckInput> = {}): readonly string[] =>
  ownFindings(
    {
      transaction,
      caller: aRequest().caller,
      chainId,
      balance: aBalance(),
      ownAddresses: [OWN_ADDRESS],
      outcome: 'succeeded',
      facts: FACTS,
      isUnanswered: false,
      isSynced: true,
      ...change,
    },
    words,
  ).map(({ severity, message }) => `${severity}: ${message}`)

const withNode = (change: Partial<typeof NODE>): Partial<CheckInput> => ({
  facts: { ...FACTS, node: { ...NODE, ...change } },
})
const lookalikeOf = (address: string): string => `${address.slice(0, 6)}${'0'.repeat(32)}${address.slice(-4)}`

it('name each contract of a document that our node does not find', () => {
  const facts = { ...FACTS, codeless: [OTHER_ADDRESS] }
  const { caller } = aRequest()

  expect(
    ownDataFindings({ facts, isUnanswered: false, dependsOnBlock: false, caller }, words).map(
      ({ severity, message }) => [severity, message],
    ),
  ).toEqual([['WARNING', words.t('ui.check.noContract', { address: OTHER_ADDRESS })]])
  expect(ownDataFindings({ facts: FACTS, isUnanswered: false, dependsOnBlock: false, caller }, words)).toEqual([])
})

it.each([
  ['history', 'ui.check.unchecked.history'],
  ['node', 'ui.check.unchecked.node'],
  ['addresses', 'ui.check.unchecked.addresses'],
] as const)('warn of what could not be checked: %s', (what, key) => {
  const facts = { ...FACTS, unchecked: [what] }
  const { caller } = aRequest()
  const input = { facts, isUnanswered: false, dependsOnBlock: false, caller }

  expect(found({ facts })).toContain(`WARNING: ${words.t(key)}`)
  expect(ownDataFindings(input, words)).toContainEqual({ severity: 'WARNING', message: words.t(key), isOwn: false })
})

it('warn when nothing could be looked up', () => {
  const { caller } = aRequest()
  const input = { facts: null, isUnanswered: true, dependsOnBlock: false, caller }

  expect(found({ facts: null, isUnanswered: true })).toContain(`WARNING: ${words.t('ui.check.unchecked.all')}`)
  expect(ownDataFindings(input, words)).toHaveLength(1)
})

describe('our own checks', () => {
  it('say nothing about an ordinary payment', () => {
    expect(found()).toEqual([])
  })

  it.each([
    ['a browser', 'https://shop.example', { pid: 7, name: 'GeckoMain', path: '/usr/lib/firefox/firefox' }],
    ['another browser', 'https://shop.example', { pid: 7, name: 'chrome', path: '/opt/google/chrome/chrome' }],
    ['an unknown program', 'https://shop.example', null],
    ['a program that names no page', '', { pid: 7, name: 'node', path: '/usr/bin/node' }],
  ])('say nothing about the origin that %s names', (_who, origin, process) => {
    expect(found({ caller: { ...aRequest().caller, origin, process } })).toEqual([])
  })

  it.each<readonly [string, Partial<CheckInput>, RegExp]>([
    ['another chain', { chainId: 1 }, /^CRITICAL: .*chain/],
    [
      'a web page named by a program that is no browser',
      {
        caller: {
          ...aRequest().caller,
          origin: 'https://bank.example',
          process: { pid: 7, name: 'node', path: '/usr/bin/node' },
        },
      },
      /^WARNING: .*known browser/,
    ],
    ['the zero address', { transaction: { ...transaction, to: `0x${'0'.repeat(40)}` } }, /^CRITICAL: .*zero address/],
    [
      'an address like an own one',
      { transaction: { ...transaction, to: lookalikeOf(OWN_ADDRESS) } },
      /^CRITICAL: .*looks like your account/,
    ],
    [
      'an address like a paid one',
      { facts: { ...FACTS, lookalike: lookalikeOf(OTHER_ADDRESS) } },
      /^CRITICAL: .*which you own, watch or paid before/,
    ],
    [
      'data for no code',
      { transaction: { ...transaction, data: '0xa9059cbb' } },
      /^CRITICAL: .*no contract at the destination/,
    ],
    [
      'a dynamic fee',
      { transaction: { ...transaction, maxFeePerGas: '1000000000', gasPrice: null } },
      /^CRITICAL: .*dynamic-fee/,
    ],
    ['more than there is', { balance: aBalance({ available: '5' }) }, /^CRITICAL: .*is available/],
    ['a simulation that fails', { outcome: 'reverted' }, /^CRITICAL: .*fails/],
    ['a result that depends on the block', { dependsOnBlock: true }, /^WARNING: .*block/],
    ['a first payment', { facts: { ...FACTS, history: { count: 0, lastAt: null } } }, /^WARNING: First payment/],
    [
      'a first call that pays nothing',
      {
        transaction: { ...transaction, value: '0', data: '0x9f3b7c01' },
        facts: { ...FACTS, history: { count: 0, lastAt: null } },
      },
      /^WARNING: First call of this contract/,
    ],
    [
      'most of what is available',
      {
        transaction: { ...transaction, value: '600', maximumFee: '1' },
        balance: aBalance({ available: '1000' }),
      },
      /^WARNING: .*more than half/,
    ],
    ['a high price', withNode({ gasPrice: '199000000' }), /^WARNING: .*five times/],
    ['a low price', withNode({ gasPrice: '3000000000' }), /^WARNING: .*less than half/],
    ['a gap', { transaction: { ...transaction, nonce: '999' } }, /^WARNING: .*gap/],
    ['a used nonce', { balance: aBalance({ nonce: 4 }) }, /^WARNING: .*already used/],
    [
      'a replacement',
      withNode({ replaces: { hash: `0x${'ab'.repeat(32)}`, to: OTHER_ADDRESS, value: '5' } }),
      /^WARNING: It replaces .*abab/,
    ],
    ['too little gas', withNode({ estimate: '50000' }), /^WARNING: .*below the estimate 50000/],
    ['a creation', { transaction: { ...transaction, to: null } }, /^WARNING: .*creates a contract/],
    ['a node that is behind', { isSynced: false }, /^WARNING: .*not fully synced/],
    [
      'a caller without a word',
      { caller: { ...aRequest().caller, userAgent: '', origin: '' } },
      /^WARNING: .*doesn’t identify itself/,
    ],
    ['many requests', { facts: { ...FACTS, callerPerMinute: 6 } }, /^WARNING: .*6 requests/],
    ['an own destination', { transaction: { ...transaction, to: OWN_ADDRESS } }, /^Info: .*one of your accounts/],
  ])('name %s', (_what, change, expected) => {
    expect(found(change).filter((text) => expected.test(text))).toHaveLength(1)
  })

  it("don't count your own destination, or a known one, as a first payment", () => {
    const facts = { ...FACTS, history: { count: 0, lastAt: null } }
    expect(found({ facts, transaction: { ...transaction, to: OWN_ADDRESS } }).join()).not.toContain('First payment')
  })

  it('judge the receiver of tokens, not their contract, and only note a new one if the contract is known', () => {
    const payees = [
      { address: OTHER_ADDRESS, count: 0, lastAt: null },
      { address: OWN_ADDRESS, count: 0, lastAt: null },
      { address: lookalikeOf(OTHER_ADDRESS), count: 2, lastAt: 1_600_000_000_000 },
    ]
    const ofNewContract = { ...FACTS, payees, history: { count: 0, lastAt: null } }

    expect(found({ facts: { ...FACTS, payees } })).toEqual([`Info: First tokens sent to ${OTHER_ADDRESS}.`])
    expect(found({ facts: ofNewContract })).toEqual([`WARNING: First tokens sent to ${OTHER_ADDRESS}.`])
    expect(found({ facts: { ...ofNewContract, payees: payees.slice(2) } })).toEqual([])
  })

  it('leave a fee to the signer, which compares it with the balance and with ten times the usual price', () => {
    expect(found(withNode({ gasPrice: '100000000' }))).toEqual([])
    expect(found({ balance: aBalance({ available: '2000000000000000' }) })).toEqual([])
  })

  it("say nothing that can't be known without a node", () => {
    const facts = { ...FACTS, node: null, history: null }

    expect(found({ facts, balance: undefined, outcome: null })).toEqual([])
  })

  it('allow five requests a minute, and gas equal to the estimate', () => {
    expect(found({ facts: { ...FACTS, callerPerMinute: 5 } })).toEqual([])
    expect(found(withNode({ estimate: transaction.gas }))).toEqual([])
  })

  it('are sorted by severity', () => {
    const severities = found({ isSynced: false, outcome: 'reverted', transaction: { ...transaction, to: OWN_ADDRESS } })

    expect(severities.map((text) => text.split(':')[0])).toEqual(['CRITICAL', 'WARNING', 'Info'])
  })
})
