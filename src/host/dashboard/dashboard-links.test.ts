import type { NetworkInterfaceInfo } from 'node:os'
import { describe, expect, it } from 'vitest'
import { Secret } from '../../base/secret'
import { dashboardAddresses, dashboardLinks } from '../backend'

const at = (address: string, internal = false): NetworkInterfaceInfo =>
  address.includes(':')
    ? { address, internal, family: 'IPv6', netmask: '', mac: '', cidr: null, scopeid: 0 }
    : { address, internal, family: 'IPv4', netmask: '', mac: '', cidr: null }
const INTERFACES = {
  lo: [at('127.0.0.1', true), at('::1', true)],
  eth0: [at('192.168.1.7'), at('fe80::1'), at('2001:db8::7')],
}

describe('addresses of the dashboard', () => {
  it.each([
    ['127.0.0.1', ['http://127.0.0.1:80/']],
    ['192.168.1.7', ['http://192.168.1.7:80/']],
    ['::1', ['http://[::1]:80/']],
    ['0.0.0.0', ['http://127.0.0.1:80/', 'http://192.168.1.7:80/']],
    ['::', ['http://127.0.0.1:80/', 'http://192.168.1.7:80/', 'http://[2001:db8::7]:80/']],
  ])('of %s can be opened', (host, addresses) => {
    expect(dashboardAddresses({ host, port: 80 }, INTERFACES)).toEqual(addresses)
  })

  it('are none if nothing listens, and contain the token if there is one', () => {
    expect(dashboardAddresses(null, INTERFACES)).toEqual([])
    expect(dashboardLinks(['http://a/'], null)).toEqual(['http://a/'])
    expect(dashboardLinks(['http://a/'], new Secret('x/y'))).toEqual(['http://a/#token=x%2Fy'])
  })
})
