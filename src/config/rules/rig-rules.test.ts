import { describe, expect, it } from 'vitest'
import { HeadframeError, messageOf } from '../../base/errors'
import { effectiveSettings } from '../describe'
import { resolveConfig } from '../resolve'
import type { FileText, ResolvedConfig } from '../resolved-config'

interface World {
  readonly argv: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly files?: Readonly<Record<string, string>>
}

function resolve({ argv, environment = {}, files = {} }: World): ResolvedConfig {
  const readFile = (path: string): FileText => {
    const text = files[path]
    return text === undefined ? { missing: true } : { text }
  }
  const surroundings = { platform: 'linux', environment, homeDir: '/h', workingDir: '/w' }
  return resolveConfig({ argv, surroundings, readFile, windowless: true })
}

function failure(world: World): string {
  try {
    resolve(world)
  } catch (error) {
    return error instanceof HeadframeError ? `${error.code} ${error.message}` : messageOf(error)
  }
  return 'no failure'
}

const POOL = 'stratum+tcp://acct.rig:pass@pool.example:1'
const OPEN_POOL = 'stratum+tcp://acct.rig@pool.example:1'

describe('pools', () => {
  it('keep their order; exit ends the list', () => {
    const { pools, pool, trades } = resolve({ argv: ['run', '-P', POOL, '--pool', 'http://n:1', '-P', 'exit'] })

    expect(pools.addresses.map((url) => url.reveal())).toEqual([POOL, 'http://n:1'])
    expect(pools.exitAtEnd).toBe(true)
    expect(pool).toMatchObject({ retryMax: 3, workTimeoutMs: 600_000, responseTimeoutMs: 10_000, retryDelayMs: 1_000 })
    expect(trades).toEqual({ node: true, miner: true, signer: true })
  })

  it("take the family's spellings", () => {
    const argv = ['miner', '-P', POOL, '-R', '--farm-retries', '0', '--work-timeout', '180', '--response-timeout', '2']
    const more = ['--retry-delay', '5', '--failover-timeout', '10', '--farm-recheck', '200', '--ergodicity', '2']

    expect(resolve({ argv: [...argv, ...more] }).pool).toMatchObject({
      reportHashrate: true,
      retryMax: 0,
      workTimeoutMs: 180_000,
      responseTimeoutMs: 2_000,
      retryDelayMs: 5_000,
      failoverMinutes: 10,
      recheckMs: 200,
      ergodicity: '2',
    })
    expect(resolve({ argv: ['miner', '-P', POOL, '--report-hr'] }).pool.reportHashrate).toBe(true)
  })

  it('are for the main network in a standalone miner, unless told otherwise', () => {
    const network = (...words: string[]) => resolve({ argv: ['miner', '-P', POOL, ...words] }).app

    expect(network().network).toBe('main')
    expect(network('--practice').network).toBe('practice')
    expect(network('--xhash.mode', 'test')).toMatchObject({ network: 'main', xhashMode: 'test' })
  })

  it.each([
    [['miner'], 'headframe miner needs a pool: give -P URL, or --monitor with --rig'],
    [['miner', '-P', 'exit'], '-P exit cannot be the first: name a pool before it'],
    [['run', '-P', POOL, '-P', 'exit', '-P', POOL], '-P exit ends the list: name no pool behind it'],
  ])('%j is a conflict', (argv, reason) => {
    expect(failure({ argv })).toBe(`CONFIG_CONFLICT ${reason}`)
  })

  it.each([
    [['--work-timeout', '59'], '--work-timeout: 59 is not a time in 60s..99999s (20s, 1500ms, 1h30m)'],
    [['--response-timeout', '1000'], '--response-timeout: 1000 is not a time in 2s..999s (20s, 1500ms, 1h30m)'],
    [['--ergodicity', '3'], '--ergodicity: 3 is not one of 0, 1, 2'],
    [['--failover-timeout', '-1'], '--failover-timeout: -1 is not in 0..99999'],
  ])('%j is out of range', (words, message) => {
    expect(failure({ argv: ['miner', '-P', POOL, ...words] })).toBe(`CONFIG_VALUE_INVALID ${message}`)
  })

  it('read certificates if there is a pool to check with them', () => {
    const environment = { SSL_CERT_FILE: '/ca.pem' }

    expect(resolve({ argv: ['miner', '-P', POOL], environment, files: { '/ca.pem': 'PEM' } }).pools.certificates).toBe(
      'PEM',
    )
    expect(resolve({ argv: ['run'], environment }).pools.certificates).toBeNull()
    expect(failure({ argv: ['miner', '-P', POOL], environment })).toBe(
      'CONFIG_FILE_UNREADABLE --ssl-cert-file: /ca.pem cannot be read: no such file',
    )
  })

  it("say when certificates aren't checked", () => {
    const notices = (environment: Record<string, string>, url = OPEN_POOL) =>
      resolve({ argv: ['miner', '-P', url], environment }).notices

    expect(notices({ SSL_NOVERIFY: '1' })).toEqual([
      'certificates of pools are not checked (--ssl-noverify or SSL_NOVERIFY)',
    ])
    expect(notices({ SSL_NOVERIFY: 'yes please' })).toHaveLength(1)
    expect(notices({ SSL_NOVERIFY: '0' })).toEqual([])
    expect(notices({}, 'stratums://h:1?verify=0')).toEqual([
      'a pool address says verify=0: its certificate is not checked',
    ])
  })

  it("warn if the practice network's sizes would be wrong", () => {
    expect(resolve({ argv: ['run', '-P', OPEN_POOL] }).notices).toEqual([
      '-P on the practice network hashes with its small sizes: a pool of the main network refuses such shares',
    ])
    expect(resolve({ argv: ['miner', '-P', OPEN_POOL, '--practice'] }).notices).toEqual([])
  })

  it('take user, worker, password and proxy beside their address', () => {
    const urls = (argv: readonly string[], world: Partial<World> = {}) => {
      const { pools } = resolve({ argv: ['miner', ...argv], ...world })
      return pools.addresses.map((url) => pools.withDefaults(url.reveal()))
    }
    const login = ['--pool-user', 'me@mail.example', '--pool-worker', 'rig.1', '--pool-password', 'a:b']

    expect(urls(['-P', 'stratum://a:1', '-P', 'stratum://b:2', '-P', 'http://node:8545', ...login])).toEqual([
      'stratum://`me%40mail%2Eexample`.`rig%2E1`:a%3Ab@a:1',
      'stratum://`me%40mail%2Eexample`.`rig%2E1`:a%3Ab@b:2',
      'http://node:8545',
    ])
    expect(urls(['-o', 'stratum://a:1', '-u', 'x', '-p', 'p', '-o', 'stratum://b:2', '-u', 'y', '-w', 'w'])).toEqual([
      'stratum://x.w:p@a:1',
      'stratum://y.w:p@b:2',
    ])
    expect(urls(['-P', 'stratum://a:1', '-P', 'stratum://b:2?proxy=none', '--pool-proxy', 'socks5://p:9050'])).toEqual([
      'stratum://a:1?proxy=socks5%3A%2F%2Fp%3A9050',
      'stratum://b:2?proxy=none',
    ])
    const file =
      '[pool]\nuser = "all"\nurls = ["stratum://own@a:1", "stratum://b:2", { url = "stratum://c:3", user = "c.d" }]\n'
    expect(urls(['--config', '/f'], { files: { '/f': file } })).toEqual([
      'stratum://own@a:1',
      'stratum://all@b:2',
      'stratum://c%2Ed@c:3',
    ])
    expect(urls(['-P', 'stratum://a:1'], { environment: { HEADFRAME_POOL_USER: 'e' } })).toEqual(['stratum://e@a:1'])
  })

  it.each([
    [['-P', 'stratum://x@a:1', '--pool-user', 'y'], 'the user is given twice: x in the address and y beside it'],
    [['-P', 'stratum://a:1', '-u', 'x', '-u', 'y'], '--pool-user is given 2 times for 1 pools'],
    [['-P', 'stratum://x:hunter2@a:1', '-p', 'hunter3'], 'the password is given twice'],
    [['-P', 'stratum://a:1', '--pool-proxy', 'http://hunter2@h:1'], '--pool-proxy: *** is not socks5://'],
    [['-P', 'stratum://a:1', '-u', 'YOUR_WALLET'], 'YOUR_WALLET stands for your own address or name'],
    [['-P', 'stratum://a:1', '-u', '0x52908400098527886E0F7030069857D2E4169EE'], '39 digits after 0x'],
  ])('%j is refused', (words, reason) => {
    const message = failure({ argv: ['miner', ...words] })

    expect(message).toContain(reason)
    expect(message).not.toMatch(/hunter/)
  })

  it('are shown without their passwords', () => {
    const config = resolve({ argv: ['run', '-P', POOL, '--rig', 'a=h:1#hidden'] })
    const shown = effectiveSettings(config)

    expect(shown.find(({ key }) => key === 'pool.urls')?.value).toBe('stratum+tcp://acct.rig:***@pool.example:1')
    expect(JSON.stringify(shown)).not.toMatch(/hidden|:pass@/)
    expect(JSON.stringify([config.pool, config.pools, config.rigs, config.rigMonitor])).not.toMatch(/hidden|:pass@/)
  })
})

describe('rigs', () => {
  const files = { '/w/rigs': '# the cellar\na=10.0.0.1:3333#tok\n\n#b=10.0.0.2:1\n10.0.0.3:3333\n' }

  it('come from the command line, then from the file', () => {
    const { rigMonitor } = resolve({
      argv: ['run', '--rig', 'z=h:1', '--rig-file', 'rigs', '--rig-interval', '300'],
      files,
    })

    expect(rigMonitor.rigs.map(({ name }) => name)).toEqual(['z', 'a', '10.0.0.3:3333'])
    expect(rigMonitor.rigs[1]?.token?.reveal()).toBe('tok')
    expect(rigMonitor).toMatchObject({ monitor: false, intervalMs: 300_000 })
  })

  it.each([
    [['--rig', 'a=h:0#tok'], '--rig: a=h:0#*** is not [NAME=]HOST:PORT[#TOKEN] [LABEL=VALUE ...]'],
    [['--rig', 'a=h:1 site'], '--rig: a=h:1 site is not [NAME=]HOST:PORT[#TOKEN] [LABEL=VALUE ...]'],
    [['--rig', 'a=h:1', '--rig', 'a=h:2'], '--rig names a twice: give each its own name'],
    [['--rig-interval', '0'], '--rig-interval: 0 is not in 1..300'],
    [['--rig-file', '/none'], '--rig-file: /none cannot be read: no such file'],
  ])('%j is refused', (words, message) => {
    expect(failure({ argv: ['run', ...words] })).toContain(message)
  })
})

describe('a monitor', () => {
  it('controls its rigs only with a separate token', () => {
    const words = ['--api-allow-control', '--api-token', 'a-token-of-sixteen']

    expect(resolve({ argv: [...watching, ...words] }).api.allowControl).toBe(true)
  })

  const watching = ['miner', '--monitor', '--rig', 'h:1', '--api-bind', '127.0.0.1:0']

  it('mines nothing', () => {
    const { rigMonitor, trades, pools } = resolve({ argv: watching })

    expect(rigMonitor.monitor).toBe(true)
    expect(trades).toEqual({ node: false, miner: false, signer: false })
    expect(pools.addresses).toEqual([])
  })

  it.each([
    [['miner', '--monitor', '--rig', 'h:1'], '--monitor needs a listener: add --api-bind ADDR:PORT'],
    [['miner', '--monitor', '--api-bind', '127.0.0.1:0'], '--monitor needs a rig to watch: give --rig'],
    [[...watching, '-P', POOL], '--monitor and -P exclude each other'],
    [
      [...watching, '--api-allow-control'],
      '--monitor with --api-allow-control commands every rig: give --api-token-file',
    ],
    [[...watching, '--cpu-threads', '2'], '--monitor and --cpu-threads exclude each other'],
    [[...watching, '--cpu'], '--monitor and --cpu exclude each other'],
  ])('%j is a conflict', (argv, reason) => {
    expect(failure({ argv })).toContain(`CONFIG_CONFLICT ${reason}`)
  })
})
