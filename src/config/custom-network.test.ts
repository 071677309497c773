import { describe, expect, it } from 'vitest'
import { resolveConfig } from './resolve'

const GENESIS = JSON.stringify({ config: { chainId: 31021 } })
const RECORD = JSON.stringify({ genesis: GENESIS, networkId: 8, xhashMode: 'practice' })

function resolve(argv: readonly string[], files: Readonly<Record<string, string>> = {}, environment = {}) {
  const surroundings = { platform: 'linux', environment, homeDir: '/h', workingDir: '/w' }
  const readFile = (path: string) => {
    const text = files[path]
    return text === undefined ? ({ missing: true } as const) : { text }
  }
  return resolveConfig({ argv: [...argv, '--datadir', '/d'], surroundings, readFile, windowless: true })
}

describe('the network of a command line', () => {
  it('is practice by default', () => {
    expect(resolve(['node'])).toMatchObject({ app: { network: 'practice' }, custom: null, signer: { chainId: 1337 } })
  })

  it('is custom with a genesis file, which sets the chain id, the network id and full sizes', () => {
    const config = resolve(['node', '--genesis', 'g.json'], { '/w/g.json': GENESIS })

    expect(config.app.network).toBe('custom')
    expect(config.custom).toEqual({
      genesis: GENESIS,
      file: '/w/g.json',
      chainId: 31021,
      networkId: 31021,
      xhashMode: 'full',
    })
    expect(config.signer.chainId).toBe(31021)
    expect([config.node.http, config.node.mine, config.api.bind]).toEqual([false, false, null])
  })

  it('takes network id and sizes from their options', () => {
    const config = resolve(['node', '--genesis', '/g.json', '--networkid', '9', '--xhash.mode=test'], {
      '/g.json': GENESIS,
    })

    expect(config.custom).toMatchObject({ networkId: 9, xhashMode: 'test' })
  })

  it('is the one stored in the data directory, with its sizes and id', () => {
    const files = { '/d/custom/network.json': RECORD }

    expect(resolve(['node'], files).custom).toEqual({
      genesis: GENESIS,
      file: '/d/custom/network.json',
      chainId: 31021,
      networkId: 8,
      xhashMode: 'practice',
    })
    expect(resolve(['node', '--xhash.mode', 'full'], files).custom?.xhashMode).toBe('full')
    expect(resolve(['node', '--practice'], files).custom).toBeNull()
    expect(resolve(['export', '--mainnet'], files)).toMatchObject({ app: { network: 'main' }, custom: null })
  })

  it('is custom if the command line has a genesis file, even if the config file names another network', () => {
    const files = { '/g.json': GENESIS, '/d/config.toml': '[app]\nnetwork = "main"\n' }

    expect(resolve(['node', '--genesis', '/g.json'], files).app.network).toBe('custom')
  })

  it("is the command line's choice if the config file has a genesis file", () => {
    const files = { '/g.json': GENESIS, '/d/config.toml': '[app]\ngenesis = "/g.json"\n' }

    expect(resolve(['export', '--testnet'], files)).toMatchObject({ app: { network: 'test' }, custom: null })
    expect(resolve(['export'], files).app.network).toBe('custom')
  })

  it.each<[readonly string[], string]>([
    [['--genesis', '/none.json'], '--genesis: /none.json cannot be read: no such file'],
    [['--genesis', '/text'], '/text is not a genesis file: it is not JSON'],
    [['--genesis', '/empty'], '/empty is not a genesis file: config.chainId: wanted a whole number from 1 to 2^53-1'],
    [['--genesis', '/g.json', '--mainnet'], '--genesis and the network main (--mainnet) exclude each other: use one'],
    [['--network', 'custom'], '--network custom needs --genesis FILE, or headframe init GENESIS.json before'],
    [
      ['--mainnet', '--networkid', '5'],
      '--networkid belongs to custom networks and the network is main: omit it or add --genesis FILE',
    ],
    [
      ['--xhash.mode', 'test'],
      '--xhash.mode belongs to custom networks and the network is practice: omit it or add --genesis FILE',
    ],
    [['--genesis', '/g.json', '--xhash.mode', 'tiny'], '--xhash.mode: tiny is not one of full, practice, test'],
    [['--genesis', '/g.json', '--networkid', '0'], `--networkid: 0 is not at least 1`],
    [
      ['--mainnet', '--fakepow'],
      '--fakepow is refused on main, where everything depends on proof of work; accepted: practice, custom',
    ],
  ])('rejects %j and says what is accepted', (argv, message) => {
    const files = { '/g.json': GENESIS, '/text': 'genesis', '/empty': '{}' }

    expect(() => resolve(['export', ...argv], files)).toThrow(message)
  })

  it('accepts its own network id', () => {
    expect(resolve(['export', '--mainnet', '--networkid', '2110']).app.network).toBe('main')
  })

  it("isn't guessed from an unreadable record", () => {
    expect(() => resolve(['node'], { '/d/custom/network.json': '{}' })).toThrow(
      'custom network: /d/custom/network.json cannot be read: it is not what this program wrote',
    )
  })
})
