import { describe, expect, it } from 'vitest'
import { bracketed, isIpLiteral, isLoopback, plainAddress } from './ip-address'

describe('IP addresses as text', () => {
  it.each(['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1'])('%s is loopback', (host) => {
    expect(isLoopback(host)).toBe(true)
  })

  it.each(['127.evil.com', '127.0.0.1.evil.com', '128.0.0.1', 'localhost', '::2', '', '127.0.0.256'])(
    '%s is not loopback',
    (host) => {
      expect(isLoopback(host)).toBe(false)
    },
  )

  it('a mapped IPv4 address is shown as IPv4', () => {
    expect(plainAddress('::ffff:10.0.0.7')).toBe('10.0.0.7')
    expect(plainAddress('::ffff:0a00:7')).toBe('::ffff:0a00:7')
    expect(plainAddress(undefined)).toBe('')
  })

  it('puts brackets around IPv6 only', () => {
    expect([bracketed('::1'), bracketed('10.0.0.7')]).toEqual(['[::1]', '10.0.0.7'])
  })

  it.each([
    ['::', true],
    ['1:2:3:4:5:6:7:8', true],
    ['1:2:3:4:5:6:7::8', false],
    ['::ffff:1.2.3.4', true],
    ['01.2.3.4', false],
    ['[::1]', false],
    ['fe80::1%eth0', false],
  ])('%s as a literal: %s', (text, expected) => {
    expect(isIpLiteral(text)).toBe(expected)
  })
})
