import { describe, expect, it } from 'vitest'
import { netRestrict } from '../identity/ip-address'

describe('--netrestrict', () => {
  it('admits only its networks', () => {
    const restrict = netRestrict(['10.0.0.0/8', '2001:db8::/32', '127.0.0.1/32'])

    const hosts = [
      '10.255.0.1',
      '::ffff:10.0.0.1',
      '2001:db8:1::1',
      '127.0.0.1',
      '11.0.0.1',
      '127.0.0.2',
      '::1',
      'localhost',
    ]
    expect(hosts.map((host) => restrict.allows(host))).toEqual([true, true, true, true, false, false, false, false])
  })

  it('restricts nothing without a network', () => {
    expect(netRestrict([]).allows('8.8.8.8')).toBe(true)
  })

  it.each(['10.0.0.0', '10.0.0.0/33', '10.0.0.0/x', 'host/8', '/8'])('rejects %s', (text) => {
    expect(() => netRestrict([text])).toThrow(RangeError)
  })
})
