import { describe, expect, it } from 'vitest'
import { isLoopback } from '../../base/ip-address'
import { Secret } from '../../base/secret'
import { bindAddress, listenHost } from './network-address'
import {
  address,
  addresses,
  choice,
  duration,
  flag,
  hostNames,
  integer,
  path,
  port,
  shortData,
  token,
  wei,
} from './value-types'

describe('numbers', () => {
  it.each(['1', '256'])('takes %s in 1..256', (text) => {
    expect(integer(1, 256).parse(text)).toBe(Number(text))
  })

  it.each(['0', '257', '1.5', '1e2', '0x10', '', ' 1', 'one', '-1', '99999999999999999999'])(
    'rejects %j in 1..256',
    (text) => {
      expect(integer(1, 256).parse(text)).toBeNull()
    },
  )

  it.each([1.5, '1', true, null, Number.NaN])('rejects %j from TOML', (value) => {
    expect(integer(1, 256).fromToml(value)).toBeNull()
  })

  it('takes ports 0 to 65535 and nothing above', () => {
    expect(['0', '65535', '65536'].map((text) => port().parse(text))).toEqual([0, 65_535, null])
  })

  it('keeps wei over 2^53 exact, from text and from a TOML string', () => {
    expect(wei().parse('123456789012345678901')).toBe(123_456_789_012_345_678_901n)
    expect(wei().fromToml('123456789012345678901')).toBe(123_456_789_012_345_678_901n)
  })

  it("rejects wei that are negative, hex, or a TOML number that isn't exact", () => {
    expect([wei().parse('-1'), wei().parse('0x1'), wei().fromToml(2 ** 60), wei().fromToml(1.5)]).toEqual([
      null,
      null,
      null,
      null,
    ])
  })
})

describe('switches and choices', () => {
  it.each([
    ['true', true],
    ['1', true],
    ['off', false],
    ['no', false],
    ['maybe', null],
    ['', null],
  ])('reads the switch %j as %j', (text, expected) => {
    expect(flag().parse(text)).toBe(expected)
  })

  it('takes only the words of a choice, case-sensitively', () => {
    const level = choice(['info', 'warn'])

    expect(['info', 'INFO', ''].map((text) => level.parse(text))).toEqual(['info', null, null])
  })
})

describe('texts', () => {
  it('rejects an empty path and one with a NUL', () => {
    expect([path('file', 'FILE').parse(''), path('file', 'FILE').parse('a\0b')]).toEqual([null, null])
  })

  it('wraps a token so that it prints as ***', () => {
    const secret = token().parse('s3cret')

    expect(secret).toBeInstanceOf(Secret)
    expect(`${secret} ${JSON.stringify({ secret })}`).toBe('*** {"secret":"***"}')
  })

  it.each(['', 'a b', 'a\n', 'ü', 'x'.repeat(513)])('rejects the token %j', (text) => {
    expect(token().parse(text)).toBeNull()
  })

  it('takes an address of 40 hex digits only, also as prlx prints it', () => {
    const digits = 'aB'.repeat(20)
    const good = `0x${digits}`

    expect([good, digits, `0X${digits}`, `{${digits}}`].map((text) => address().parse(text))).toEqual(
      Array(4).fill(good),
    )
    const odd = [good.slice(0, -1), `{${digits}`, `${digits}}`, `{${good}}`, ` ${good}`, `${good}0`, '0', '']
    expect(odd.map((text) => address().parse(text))).toEqual(odd.map(() => null))
  })

  it('reads extra data as hex or as text, up to its length', () => {
    const data = shortData(4)

    expect(['0x0102', 'abcd', 'äö', '', 'abcde', '0x0102030405', '0x1'].map((text) => data.parse(text))).toEqual([
      '0x0102',
      '0x61626364',
      '0xc3a4c3b6',
      '0x',
      null,
      null,
      null,
    ])
  })

  it.each([
    ['20s', 20_000],
    ['20', 20_000],
    ['7.5s', 7_500],
    ['5000ms', 5_000],
    ['2m', 120_000],
    ['4s', null],
    ['3m', null],
    ['20 s', null],
    ['s', null],
  ])('reads the time %j as %j ms', (text, expected) => {
    expect(duration(5_000, 120_000).parse(text)).toBe(expected)
  })

  it('reads host names as a comma list, and * only if any name may be allowed', () => {
    expect(hostNames(true).parse('Localhost, rig.local')).toEqual(['localhost', 'rig.local'])
    expect([hostNames(true).parse('*'), hostNames(false).parse('*')]).toEqual([['*'], null])
    expect([hostNames(true).parse('a,,b'), hostNames(true).parse('a b'), hostNames(true).fromToml([1])]).toEqual([
      null,
      null,
      null,
    ])
  })
})

describe('addresses to listen on', () => {
  it.each([
    ['127.0.0.1:3333', { host: '127.0.0.1', port: 3333, readOnly: false }],
    ['localhost:0', { host: '127.0.0.1', port: 0, readOnly: false }],
    ['0.0.0.0:-80', { host: '0.0.0.0', port: 80, readOnly: true }],
    ['[::1]:1', { host: '::1', port: 1, readOnly: false }],
    ['[2001:DB8::7f00:1]:1', { host: '2001:db8::7f00:1', port: 1, readOnly: false }],
    ['off', 'off'],
  ])('reads %s', (text, expected) => {
    expect(bindAddress().parse(text)).toEqual(expected)
  })

  it.each([
    'rig:3333',
    '127.0.0.1',
    '127.0.0.1:65536',
    '::1:3333',
    '[127.0.0.1]:1',
    '256.0.0.1:1',
    '1.2.3:1',
    '[::1::2]:1',
    '[:1]:1',
    ':3333',
    '01.2.3.4:1',
    '',
  ])('rejects %j', (text) => {
    expect(bindAddress().parse(text)).toBeNull()
  })

  it('writes an address as it would be typed', () => {
    const texts = ['[::1]:-1', '127.0.0.1:3333', 'off']

    expect(texts.map((text) => bindAddress().format(bindAddress().parse(text) ?? 'off'))).toEqual(texts)
  })

  it('knows loopback addresses', () => {
    expect(['127.0.0.1', '127.9.9.9', '::1', '0.0.0.0', '192.168.0.1'].map(isLoopback)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ])
  })

  it('takes a bare IPv6 literal as a listening host', () => {
    expect([listenHost().parse('::'), listenHost().parse('[::1]'), listenHost().parse('example.org')]).toEqual([
      '::',
      '::1',
      null,
    ])
  })
})

describe('lists of addresses', () => {
  const [one, two] = [`0x${'1'.repeat(40)}`, `0x${'aB'.repeat(20)}`]

  it('are split at commas, also from TOML, and joined', () => {
    expect(addresses().parse(`${one}, ${two}`)).toEqual([one, two])
    expect(addresses().parse(`{${one.slice(2)}},${two.slice(2)}`)).toEqual([one, two])
    expect(addresses().fromToml([one])).toEqual([one])
    expect(addresses().fromToml(`${one},${two}`)).toEqual([one, two])
    expect(addresses().merge?.([one], [two])).toEqual([one, two])
    expect(addresses().format([one, two])).toBe(`${one},${two}`)
  })

  it.each(['', '0x12', `${one},`, `${one} ${two}`])('are rejected as %j', (text) => {
    expect(addresses().parse(text)).toBeNull()
  })

  it('are rejected from TOML if they contain anything else', () => {
    expect([addresses().fromToml([one, 5]), addresses().fromToml(7)]).toEqual([null, null])
  })
})

describe('values as Go programs write them', () => {
  it.each([
    ['3h0m0s', 10_800_000],
    ['1h30m', 5_400_000],
    ['1m500ms', 60_500],
    ['90', 90_000],
  ])('takes the duration %s', (text, ms) => {
    expect(duration(0, 100_000_000).parse(text)).toBe(ms)
  })

  it.each(['', '1h2', 'h', '1d', '-1h', '1h 2m', '1h1h1h1h1h'])('rejects the duration %j', (text) => {
    expect(duration(0, 100_000_000).parse(text)).toBeNull()
  })

  it('accepts only T, FALSE and the like for switches', () => {
    expect(['T', 'True', 'f', 'FALSE', 'ture', '2', ''].map((text) => flag().parse(text))).toEqual([
      true,
      true,
      false,
      false,
      null,
      null,
      null,
    ])
  })
})
