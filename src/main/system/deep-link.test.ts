import { describe, expect, it } from 'vitest'
import { isDeepLink, parseDeepLink } from './deep-link'

const HASH = `0x${'aB'.repeat(32)}`
const ADDRESS = `0x${'Cd'.repeat(20)}`

describe('a link from outside', () => {
  it.each([
    ['headframe://overview', '/'],
    ['headframe://overview/', '/'],
    ['HEADFRAME://gpus/3', '/gpus/3'],
    ['headframe:approvals', '/accounts/approvals'],
    ['headframe://node/block/61204', '/node/block/61204'],
    [`headframe://node/block/${HASH}`, `/node/block/${HASH.toLowerCase()}`],
    [`headframe://node/tx/${HASH}`, `/node/tx/${HASH.toLowerCase()}`],
    [`headframe://node/address/${ADDRESS}`, `/node/address/${ADDRESS.toLowerCase()}`],
    [
      'headframe://pools/add?url=stratum%2Btls%3A%2F%2F0xabc.rig%40pool.example%3A3333',
      '/pools/add?url=stratum%2Btls%3A%2F%2F0xabc.rig%40pool.example%3A3333',
    ],
    ['headframe://pools/add?url=stratum+tls://a:1', '/pools/add?url=stratum%2Btls%3A%2F%2Fa%3A1'],
  ])('%s opens %s', (link, route) => {
    expect(parseDeepLink(link)).toEqual({ route })
  })

  it.each([
    'headframe://',
    'headframe://settings/general',
    'headframe://accounts/rules',
    'headframe://overview?x=1',
    'headframe://overview#/settings',
    'headframe://gpus/all',
    'headframe://gpus/1/pause',
    'headframe://node/tx/0x12',
    "headframe://node/block/1');alert(1)//",
    'headframe://node/../settings',
    'headframe://pools/add',
    'headframe://pools/add?url=',
    'headframe://pools/add?url=javascript:alert(1)',
    'headframe://pools/add?url=file:///etc/passwd',
    'headframe://pools/add?url=stratum://a:1&save=1',
    'headframe://pools/add?url=stratum://a%0a:1',
    'headframe://pools/add?url=stratum://a%E2%80%AE:1',
    'https://example.org/',
  ])('rejects %s', (link) => {
    expect(parseDeepLink(link)).toHaveProperty('refused')
  })

  it('is rejected if it is too long, even if it would be valid', () => {
    const link = `headframe://pools/add?url=stratum://a:1/${'%61'.repeat(700)}`

    expect(parseDeepLink(link)).toEqual({ refused: 'longer than 2048 bytes' })
  })

  it('is recognized among other words of a command line by its scheme', () => {
    expect(['headframe://x', 'Headframe:y', '--datadir', 'run', 'headframe'].map(isDeepLink)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })
})
