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
