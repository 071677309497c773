// Addresses and keys.
import { describe, expect, it } from 'vitest'
import { readKey } from '../app/App'
import { navOf, parseRoute } from './routes'

const A_POOL = 'stratum+tcp://me@pool.example:1'

describe('addresses', () => {
  it.each([
    ['', { screen: 'overview' }],
    ['#/', { screen: 'overview' }],
    ['#/gpus', { screen: 'gpus', index: null, tab: 'charts' }],
    ['#/gpus/3', { screen: 'gpus', index: 3, tab: 'charts' }],
    ['#/gpus/3/tuning', { screen: 'gpus', index: 3, tab: 'tuning' }],
    ['#/gpus/3/paint', { screen: 'unknown', path: '/gpus/3/paint' }],
    ['#/node/block/42', { screen: 'block', id: '42' }],
    ['#/node', { screen: 'node', tab: 'sync' }],
    ['#/node/blocks', { screen: 'node', tab: 'blocks' }],
    ['#/node/mempool', { screen: 'node', tab: 'mempool' }],
    ['#/node/mempool/x', { screen: 'unknown', path: '/node/mempool/x' }],
    [`#/node/address/0x${'Ab'.repeat(20)}`, { screen: 'address', address: `0x${'ab'.repeat(20)}` }],
    ['#/pools', { screen: 'pools', proposed: null }],
    ['#/pools/add?url=stratum%2Btcp%3A%2F%2Fme%40pool.example%3A1', { screen: 'pools', proposed: A_POOL }],
    ['#/pools/add?url=stratum+tcp://me@pool.example:1', { screen: 'pools', proposed: A_POOL }],
    ['#/pools/add', { screen: 'unknown', path: '/pools/add' }],
    ['#/pools/add?url=', { screen: 'unknown', path: '/pools/add?url=' }],
    ['#/pools/add?url=a&save=1', { screen: 'unknown', path: '/pools/add?url=a&save=1' }],
    ['#/pools/add?url=a%0Ab', { screen: 'unknown', path: '/pools/add?url=a%0Ab' }],
    ['#/pools/add?url=%E2%80%AEa', { screen: 'unknown', path: '/pools/add?url=%E2%80%AEa' }],
    ['#/rigs', { screen: 'rigs', name: null }],
    ['#/rigs/my%20rig', { screen: 'rigs', name: 'my rig' }],
    ['#/rigs/%', { screen: 'unknown', path: '/rigs/%' }],
    ['#/settings/miner', { screen: 'settings', section: 'miner' }],
    [`#/node/tx/0x${'a'.repeat(64)}`, { screen: 'transaction', hash: `0x${'a'.repeat(64)}` }],
    ['#/accounts/approvals/r-1', { screen: 'approval', id: 'r-1' }],
    ['#/settings', { screen: 'settings', section: 'general' }],
    ['#/settings/about', { screen: 'settings', section: 'about' }],
    ['#/sign-in', { screen: 'sign-in' }],
    ['#/gpus/x', { screen: 'unknown', path: '/gpus/x' }],
    ['#/node/block/<b>', { screen: 'unknown', path: '/node/block/<b>' }],
    ['#/nowhere', { screen: 'unknown', path: '/nowhere' }],
  ])('reads %s', (hash, expected) => {
    expect(parseRoute(hash)).toEqual(expected)
  })

  it("aren't read if a link is longer than 2 KiB", () => {
    const link = `/pools/add?url=${'%61'.repeat(700)}`

    expect(parseRoute(`#${link}`)).toEqual({ screen: 'unknown', path: link })
  })

  it('belong to an entry in the navigation', () => {
    expect(navOf(parseRoute('#/node/block/1'))).toBe('node')
    expect(navOf(parseRoute(`#/node/address/0x${'1'.repeat(40)}`))).toBe('node')
    expect(navOf(parseRoute('#/accounts/approvals/1'))).toBe('accounts')
    expect(navOf(parseRoute('#/nowhere'))).toBeNull()
  })
})

describe('keys', () => {
  it.each([
    ['g', 'o', { go: '/' }],
    ['g', 'd', { go: '/gpus' }],
    ['g', 'l', { go: '/activity' }],
    ['', 'o', null],
    ['g', 'x', null],
    ['', '?', 'help'],
  ])('after "%s", "%s" means %j', (previous, key, expected) => {
    expect(readKey(previous, key)).toEqual(expected)
  })
})
