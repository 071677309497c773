import { describe, expect, it } from 'vitest'
import { hostFilter, hostNameOf, isHostAllowed } from './host-header'

describe('the Host header', () => {
  it.each([
    ['localhost', 'localhost'],
    ['LocalHost:8545', 'localhost'],
    ['127.0.0.1:80', '127.0.0.1'],
    ['[::1]:8545', '::1'],
    ['[::1]', '::1'],
    ['::1', '::1'],
    ['name:', 'name'],
  ])('%s is read', (header, expected) => {
    expect(hostNameOf(header)).toEqual(expected)
  })

  it.each([
    '[127.0.0.1].evil.com',
    '[::1]evil.com',
    '[::1].evil.com:80',
    '[127.0.0.1]',
    '[evil.com]',
    'localhost:x',
    'localhost:80:80',
    'localhost:99999',
    'user@localhost',
    'localhost/evil',
    ' localhost',
    ':80',
    '',
  ])('%j is malformed', (header) => {
    expect(hostNameOf(header)).toBeNull()
    expect(header === '' || isHostAllowed(header, ['localhost'])).toBe(header === '')
  })

  it('accepts addresses, listed names in any case, and a missing header', () => {
    const vhosts = ['LocalHost', 'node.example']
    expect(
      ['10.0.0.7:1', 'localhost', 'NODE.example:8545', undefined].map((host) => isHostAllowed(host, vhosts)),
    ).toEqual([true, true, true, true])
  })

  it('rejects every other name, unless all are accepted', () => {
    expect(isHostAllowed('evil.example', ['localhost'])).toBe(false)
    expect(isHostAllowed('localhost.evil.example', ['localhost'])).toBe(false)
    expect(isHostAllowed('evil.example', ['*'])).toBe(true)
  })

  it('judges each header the same, whatever came before', () => {
    const allows = hostFilter(['localhost'])
    const headers = [
      'evil.example',
      'localhost',
      'localhost',
      'evil.example',
      'localhost',
      undefined,
      '',
      'evil.example',
    ]
    expect(headers.map(allows)).toEqual([false, true, true, false, true, true, true, false])
  })
})
