import { expect, it } from 'vitest'
import { isLoopback, plainAddress } from '../../base/ip-address'
import { Secret } from '../../base/secret'
import { FakeClock } from '../../base/testing/fake-clock'
import { AccessGuard, bearerToken } from './access-guard'

const secret = new Secret('s3cret')
const guard = (options: Partial<ConstructorParameters<typeof AccessGuard>[0]>, clock = new FakeClock()) =>
  new AccessGuard({ apiToken: null, sessionToken: null, allowControl: true, openControl: false, ...options }, clock)

it.each([
  ['an explicit token', { apiToken: secret }, ['10.0.0.5', 'right'], true],
  ['no explicit token shown', { apiToken: secret }, ['127.0.0.1', 'none'], false],
  ['the session token from here', { sessionToken: secret }, ['::1', 'right'], true],
  ['the session token from elsewhere', { sessionToken: secret }, ['10.0.0.5', 'right'], false],
  ['no session token shown', { sessionToken: secret }, ['127.0.0.1', 'none'], false],
  ['no token set', {}, ['127.0.0.1', 'none'], true],
  ['control asked for without a token, from here', { sessionToken: secret, openControl: true }, ['::1', 'none'], true],
  [
    'control asked for without a token, from elsewhere',
    { sessionToken: secret, openControl: true },
    ['10.0.0.5', 'none'],
    false,
  ],
  ['control not allowed', { apiToken: secret, allowControl: false }, ['127.0.0.1', 'right'], false],
] as const)('decides on control: %s', (_, options, [remote, check], allowed) => {
  expect(guard(options).mayControl(remote, check)).toBe(allowed)
})

it.each([
  ['the session token here', { sessionToken: secret, allowControl: false }, ['127.0.0.1', 'right'], true],
  ['the session token elsewhere', { sessionToken: secret, allowControl: false }, ['10.0.0.5', 'right'], false],
  ['no token', { sessionToken: secret, allowControl: false }, ['127.0.0.1', 'none'], false],
  ['an explicit token that only reads', { apiToken: secret, allowControl: false }, ['127.0.0.1', 'right'], false],
] as const)(
  'decides on control in the UI where the mining API is read only: %s',
  (_, options, [remote, check], allowed) => {
    expect(guard(options).mayControlInUi(remote, check)).toBe(allowed)
  },
)

it("prefers the explicit token to the session's", () => {
  const both = guard({ apiToken: secret, sessionToken: new Secret('other') })

  expect(both.check('a', 's3cret')).toBe('right')
  expect(both.check('a', 'other')).toBe('wrong')
})

it('accepts nothing as a token if none is set', () => {
  const open = guard({})
  for (let i = 0; i < 40; i++) expect(open.check('a', 'x')).toBe('none')
})

it('limits one address and not another, for a minute from the first wrong token', () => {
  const clock = new FakeClock()
  const limited = guard({ apiToken: secret }, clock)
  for (let i = 0; i < 29; i++) limited.check('a', 'x')
  expect(limited.check('a', 's3cret')).toBe('right')
  clock.advance(10_000)
  limited.check('a', 'x')

  expect(limited.check('a', 's3cret')).toBe('limited')
  expect(limited.retryAfterSeconds('a')).toBe(50)
  expect(limited.check('b', 's3cret')).toBe('right')
  clock.advance(50_000)
  expect(limited.check('a', 's3cret')).toBe('right')
})

it('remembers a limited number of addresses', () => {
  const busy = guard({ apiToken: secret })
  for (let i = 0; i < 30; i++) busy.check('first', 'x')
  for (let i = 0; i < 1_100; i++) busy.check(`other ${i}`, 'x')

  expect(busy.check('first', 's3cret')).toBe('right')
})

it.each([
  ['Bearer abc', 'abc'],
  ['bearer   abc  ', 'abc'],
  ['Bearer', null],
  ['Bearer a b', null],
  ['Basic abc', null],
  [undefined, null],
])('reads %s', (header, token) => {
  expect(bearerToken(header)).toBe(token)
})

it('knows loopback in both families', () => {
  expect(['127.0.0.1', '127.9.9.9', '::1', plainAddress('::ffff:127.0.0.1')].every(isLoopback)).toBe(true)
  expect(['128.0.0.1', '10.0.0.1', '::2', 'localhost', '', '127.0.0.1.evil'].some(isLoopback)).toBe(false)
})
