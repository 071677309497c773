import { describe, expect, it } from 'vitest'
import { resolveConfig } from '../resolve'

const ADDRESS = `0x${'ab'.repeat(20)}`

const resolve = (...argv: readonly string[]) =>
  resolveConfig({
    argv,
    surroundings: { platform: 'linux', environment: {}, homeDir: '/h', workingDir: '/here' },
    readFile: () => ({ missing: true }),
    windowless: true,
  })

describe('unlocking accounts', () => {
  it('takes accounts and their password file', () => {
    const { accounts, keystore } = resolve(
      'node',
      '--unlock',
      `${ADDRESS},${ADDRESS}`,
      '--password',
      'p',
      '--keystore',
      'k',
    )

    expect(accounts.unlock).toEqual([ADDRESS, ADDRESS])
    expect(accounts.passwordFile).toBe('/here/p')
    expect(keystore.folder).toBe('/here/k')
  })

  it.each([
    [['--unlock', ADDRESS], '--unlock needs --password FILE'],
    [['--password', 'p'], '--password is for --unlock'],
    [['--unlock', ADDRESS, '--password', 'p', '--signer', 'http://127.0.0.1:8550'], '--unlock and --signer exclude'],
    [['--signer', 'ftp://x'], '--signer'],
    [['--rpc.txfeecap', '-1'], '--rpc.txfeecap'],
  ])('rejects %j', (argv, message) => {
    expect(() => resolve('node', ...argv)).toThrow(message)
  })

  it('warns if other computers can reach accounts that sign without asking', () => {
    const open = resolve('node', '--unlock', ADDRESS, '--password', 'p', '--http.addr', '0.0.0.0')

    expect(open.notices.join('\n')).toContain('--unlock with JSON-RPC open to other computers')
  })

  it('parses the fee cap in coins', () => {
    expect(resolve('node').accounts.feeCap).toBe(10n ** 18n)
    expect(resolve('node', '--rpc.txfeecap', '0.25').accounts.feeCap).toBe(25n * 10n ** 16n)
    expect(resolve('node', '--rpc.txfeecap', '0').accounts.feeCap).toBe(0n)
  })
})

describe('the account for block rewards', () => {
  const GOOD = '0x52908400098527886E0F7030069857D2E4169EE7'
  const MISTYPED = '0x52908400098527886E0F7030069857D2E4169Ee7'
  const start = (network: string, coinbase: string) => resolve('node', network, '--mine', '--miner.coinbase', coinbase)

  it('has a right checksum on the main network', () => {
    expect(start('--mainnet', GOOD).node.coinbase).toBe(GOOD)
    expect(start('--mainnet', GOOD.toLowerCase()).node.coinbase).toBe(GOOD.toLowerCase())
    expect(() => start('--mainnet', MISTYPED)).toThrow(/--miner\.coinbase: the capitals .* checksum/)
    expect(start('--testnet', MISTYPED).notices).toContainEqual(expect.stringContaining('checksum'))
    expect(start('--practice', MISTYPED).notices).toContainEqual(expect.stringContaining('checksum'))
  })

  it.each([`0x${'0'.repeat(40)}`, '0x000000000000000000000000000000000000dEaD', `0x${'0'.repeat(39)}1`])(
    'is not %s, where coins matter',
    (nobody) => {
      for (const network of ['--mainnet', '--testnet'])
        expect(() => start(network, nobody)).toThrow(/--miner\.coinbase: nobody owns/)
      expect(start('--practice', nobody).node.coinbase).toBe(nobody)
    },
  )

  it.each([GOOD.slice(0, -1), `${GOOD}1`, '0xADDRESS', `{${GOOD}}`])('is an address, which %s is not', (text) => {
    for (const network of ['--mainnet', '--practice'])
      expect(() => start(network, text)).toThrow('an address (0x and 40 hex digits)')
  })
})

describe('what cannot work', () => {
  const MISSING = '--mine needs the account that block rewards go to: add --miner.coinbase 0xADDRESS'
  it.each([
    [['run', '--mainnet', '--mine'], MISSING],
    [['node', '--testnet', '--mine'], MISSING],
  ])('%j is refused: %s', (argv, message) => {
    expect(() => resolve(...argv)).toThrow(message)
  })

  it.each([
    [['node', '--mainnet', '--network', 'main']],
    [['node', '--mainnet', '--mine', '--miner.coinbase', '0x52908400098527886E0F7030069857D2E4169EE7']],
    [['node', '--practice', '--mine']],
  ])('%j is accepted', (argv) => {
    expect(() => resolve(...argv)).not.toThrow()
  })
})
