// The bounds of policies, each at its limit and one beyond: cases that the mutation run found untested.
import { describe, expect, it } from 'vitest'
import { type Circumstances, matchPolicies, parsePolicies, type Use } from './policy-match'
import { ACCOUNT, aPolicy, aTransfer, SHOP } from './testing/policy-samples'
import { UseTotals } from './use-totals'

const HOUR_MS = 3_600_000
const NOW = 1_000 * HOUR_MS
const TOKEN = '0x52908400098527886e0f7030069857d2e4169ee7'
const OTHER_TOKEN = '0xde709f2102306220921060314715629080e2fb77'
const word = (text: string): string => text.replace(/^0x/, '').toLowerCase().padStart(64, '0')

const use = (change: Partial<Use> = {}): Use => ({
  policy: 'p',
  account: ACCOUNT.toLowerCase(),
  at: NOW - HOUR_MS,
  wei: '0',
  token: null,
  ...change,
})

function circumstances(uses: readonly Use[] = [], more: Partial<Circumstances> = {}): Circumstances {
  const totals = new UseTotals()
  for (const each of [...uses].sort((a, b) => a.at - b.at)) totals.add(each)
  const nonces = () => ({ lowest: 0n, highest: 63n })
  return { now: NOW, today: NOW, uses: totals, nonces, standardOf: () => null, ...more }
}

/** A policy's decision about a payment to the shop, or about a transfer of `units` of its token. */
function reasonOf(change: Record<string, unknown>, uses: readonly Use[] = [], units?: bigint): string {
  const policies = parsePolicies([aPolicy({ id: 'p', ...change })])
  const data = `0xa9059cbb${word(SHOP)}${word((units ?? 0n).toString(16))}`
  const question = units === undefined ? aTransfer({}) : aTransfer({ to: TOKEN, value: '0x0', data })
  const match = matchPolicies(policies, question, circumstances(uses))
  return match.covered ? 'covered' : match.reason
}

describe('a policy', () => {
  it.each([
    ['without an end', null, 'covered'],
    ['one millisecond before its end', NOW + 1, 'covered'],
    ['at its end', NOW, 'it has expired'],
  ])('%s: %s', (_when, expiresAt, wanted) => {
    expect(reasonOf({ expiresAt })).toContain(wanted)
  })

  const once = { periods: [{ hours: 24, wei: null, count: 1 }] }

  it.each([
    ['a use within its period', use({ at: NOW - 24 * HOUR_MS + 1 }), '1 in 24 h are reached'],
    ['a use as old as its period', use({ at: NOW - 24 * HOUR_MS }), 'covered'],
    ['a use of another policy of the account', use({ policy: 'q' }), '1 in 24 h are reached'],
    ['a use of another account', use({ account: SHOP.toLowerCase() }), 'covered'],
  ])('and %s', (_what, past, wanted) => {
    expect(reasonOf(once, [past])).toContain(wanted)
  })

  const withToken = {
    tokens: [{ contract: TOKEN, amount: '50', periods: [{ hours: 24, amount: '80' }] }],
    periods: [{ hours: 24, wei: null, count: 100 }],
  }
  const moved = (contract: string, amount: string, change: Partial<Use> = {}): Use =>
    use({ token: { contract, amount }, ...change })

  it.each([
    ['units of its token up to its bound', [moved(TOKEN, '30')], 'covered'],
    ['one unit above', [moved(TOKEN, '31')], '31 of 80 units in 24 h are used'],
    ['units of another token', [moved(OTHER_TOKEN, '80')], 'covered'],
    ['uses that moved no token', [use()], 'covered'],
    [
      'units of another policy of the account',
      [moved(TOKEN, '31', { policy: 'q' })],
      '31 of 80 units in 24 h are used',
    ],
    ['units of another account', [moved(TOKEN, '80', { account: SHOP.toLowerCase() })], 'covered'],
    ['units as old as the period', [moved(TOKEN, '80', { at: NOW - 24 * HOUR_MS })], 'covered'],
  ])('and %s', (_what, uses, wanted) => {
    expect(reasonOf(withToken, uses, 50n)).toContain(wanted)
  })

  it.each([
    ['one of several callers', ['http', 'ipc'], 'covered'],
    ['none of its callers', ['app', 'ipc'], 'it is not about this caller'],
  ])('knows %s', (_what, schemes, wanted) => {
    expect(reasonOf({ callers: schemes.map((scheme) => ({ scheme, origin: null })) })).toContain(wanted)
  })

  it.each([{ to: null }, { to: undefined }, { to: '' }])('covers no contract creation: %o', (change) => {
    const match = matchPolicies(parsePolicies([aPolicy()]), aTransfer(change), circumstances())

    expect(match).toMatchObject({ covered: false, reason: expect.stringContaining('creates a contract') })
  })

  it.each(['0x', '0x1g', 'x0x1', '0x1\n', `0x${'1'.repeat(65)}`])('parses no number from %j', (value) => {
    const match = matchPolicies(parsePolicies([aPolicy()]), aTransfer({ value }), circumstances())

    expect(match).toMatchObject({ covered: false, reason: expect.stringContaining('it cannot be read') })
  })
})
