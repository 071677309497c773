import { describe, expect, it } from 'vitest'
import { resolveConfig } from '../resolve'

const HASH = `0x${'ab'.repeat(32)}`
const OTHER = `0x${'cd'.repeat(32)}`

const resolve = (...argv: readonly string[]) =>
  resolveConfig({
    argv: ['node', ...argv],
    surroundings: { platform: 'linux', environment: {}, homeDir: '/h', workingDir: '/here' },
    readFile: () => ({ missing: true }),
    windowless: true,
  })

describe('blocks that peers must have', () => {
  it('are taken under both names of prlx, several in one text', () => {
    expect(resolve('--whitelist', `7=${HASH},0x10=${OTHER}`).p2p.requiredBlocks).toEqual([`7=${HASH}`, `0x10=${OTHER}`])
    expect(resolve('--prl.requiredblocks', `7=${HASH}`, '--whitelist', `7=${HASH}`).p2p.requiredBlocks).toHaveLength(2)
  })

  it.each([
    [['--practice', '--whitelist', `7=${HASH}`], '--whitelist has no effect: this node has no peers'],
    [
      ['--testnet', '--maxpeers', '0', '--nat', 'upnp', '--netrestrict', '10.0.0.0/8'],
      '--netrestrict, --nat have no effect: this node has no peers',
    ],
    [['--practice', '--fakepow', '--maxpeers', '5', '--nat=any'], '--nat has no effect: this node has no peers'],
    [['--testnet', '--nat', 'upnp'], null],
    [['--practice', '--port', '0', '--nodiscover', '--nat', 'none', '--bootnodes', ''], null],
  ])('and other words about peers are named where there are none: %j', (argv, notice) => {
    expect(resolve(...argv).notices.filter((text) => text.includes('no effect'))).toEqual(
      notice === null ? [] : [notice],
    )
  })

  it.each([
    [['--whitelist', '7'], 'NUMBER=0xHASH'],
    [['--whitelist', `-7=${HASH}`], 'NUMBER=0xHASH'],
    [['--whitelist', `7=${HASH.slice(2)}`], 'NUMBER=0xHASH'],
    [['--whitelist', `7=${HASH},0x7=${OTHER}`], 'two hashes for block 7'],
    [['--whitelist', Array.from({ length: 65 }, (_, at) => `${at}=${HASH}`).join(',')], 'up to 64'],
    [['--checkpoint', 'file.json'], '--checkpoint needs --checkpoint.signer'],
    [['--checkpoint.signer', `0x${'ab'.repeat(20)}`], '--checkpoint.signer is for --checkpoint FILE'],
  ])('rejects %j', (argv, message) => {
    expect(() => resolve(...argv)).toThrow(message)
  })
})
