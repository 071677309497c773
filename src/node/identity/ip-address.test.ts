import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytesOfHex } from '../../base/hex'
import {
  canonicalIp,
  formatIp,
  hostWithoutIpv6,
  isInNetwork,
  isPrivateHost,
  mayRelay,
  parseIp,
  scopeOf,
  subnetKey,
} from './ip-address'

const ip = (text: string): Uint8Array => parseIp(text) ?? new Uint8Array(0)

describe('IP addresses', () => {
  it('have one text each', () => {
    expect(canonicalIp('::ffff:1.2.3.4')).toBe('1.2.3.4')
    expect(canonicalIp('2001:0DB8:0:0:1:0:0:1')).toBe('2001:db8::1:0:0:1')
    expect(canonicalIp('::')).toBe('::')
    expect(canonicalIp('1::')).toBe('1::')
    expect(canonicalIp('64:ff9b::1.2.3.4')).toBe('64:ff9b::102:304')
  })

  it.each([
    '',
    '1.2.3',
    '1.2.3.256',
    '01.2.3.4',
    'host',
    ':::',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    'g::',
    '1::2::3',
    '::1%lo',
  ])('are not %s', (text) => {
    expect(parseIp(text)).toBeNull()
  })

  it('survive a round trip through their text', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
        expect(formatIp(ip(formatIp(bytes)))).toBe(formatIp(bytes))
      }),
    )
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 4, maxLength: 4 }), (bytes) => {
        expect(ip(formatIp(bytes))).toEqual(bytes)
      }),
    )
  })

  it('are inside a network by their first bits', () => {
    expect(isInNetwork(ip('10.1.2.3'), ip('10.1.0.0'), 16)).toBe(true)
    expect(isInNetwork(ip('10.1.2.3'), ip('10.1.3.0'), 23)).toBe(true)
    expect(isInNetwork(ip('10.1.2.3'), ip('10.1.3.0'), 24)).toBe(false)
    expect(isInNetwork(ip('::1'), ip('0.0.0.0'), 0)).toBe(false)
  })

  it('have a scope', () => {
    const texts = ['127.0.0.1', '::1', '192.168.1.1', 'fe80::1', '0.0.0.0', '224.0.0.1', '::', '8.8.8.8', '2600::1']
    expect(texts.map((text) => scopeOf(ip(text)))).toEqual([
      ...['loopback', 'loopback', 'lan', 'lan', 'special', 'special', 'special', 'global', 'global'],
    ])
  })

  it('are believed from others only if the other could reach them', () => {
    expect(mayRelay(ip('8.8.8.8'), ip('9.9.9.9'))).toBe(true)
    expect(mayRelay(ip('8.8.8.8'), ip('127.0.0.1'))).toBe(false)
    expect(mayRelay(ip('8.8.8.8'), ip('192.168.0.1'))).toBe(false)
    expect(mayRelay(ip('192.168.0.2'), ip('192.168.0.1'))).toBe(true)
    expect(mayRelay(ip('192.168.0.2'), ip('127.0.0.1'))).toBe(false)
    expect(mayRelay(ip('127.0.0.1'), ip('127.0.0.2'))).toBe(true)
    expect(mayRelay(ip('127.0.0.1'), ip('255.255.255.255'))).toBe(false)
  })

  it('share a neighborhood outside private networks', () => {
    expect(subnetKey(ip('8.8.8.8'))).toBe(subnetKey(ip('8.8.8.9')))
    expect(subnetKey(ip('8.8.8.8'))).not.toBe(subnetKey(ip('8.8.9.8')))
    expect(subnetKey(ip('10.0.0.1'))).toBeNull()
    expect(subnetKey(bytesOfHex('26000000000000000000000000000001'))).toBe(subnetKey(ip('2600::2')))
  })

  it('uses IPv4 if a computer without IPv6 is to listen on both', () => {
    const error = (code: string): Error => Object.assign(new Error(code), { code })
    expect(hostWithoutIpv6('::', error('EAFNOSUPPORT'))).toBe('0.0.0.0')
    expect(hostWithoutIpv6('::', error('EADDRNOTAVAIL'))).toBe('0.0.0.0')
    expect(hostWithoutIpv6('::', error('EADDRINUSE'))).toBeNull()
    expect(hostWithoutIpv6('2600::1', error('EAFNOSUPPORT'))).toBeNull()
  })

  it('are private at home, not in what the customers of a provider share', () => {
    const own = ['127.0.0.1', '::1', '10.1.2.3', '172.31.0.1', '192.168.1.1', '169.254.1.1', 'fd00::1', 'fe80::1']
    expect(own.filter((host) => !isPrivateHost(host))).toEqual([])
    const others = ['100.64.0.1', '100.127.255.255', '172.32.0.1', '8.8.8.8', '2600::1', 'localhost']
    expect(others.filter(isPrivateHost)).toEqual([])
  })
})
