import { describe, expect, it } from 'vitest'
import { HeadframeError, messageOf } from '../base/errors'
import { resolveConfig, resolveDataDir } from './resolve'
import type { FileText, ResolvedConfig, ResolveInput } from './resolved-config'

interface World {
  readonly argv?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** Texts by absolute path. */
  readonly files?: Readonly<Record<string, string>>
  readonly windowless?: boolean
}

const DATA_DIR = '/h/.local/share/headframe'
const CONFIG_FILE = `${DATA_DIR}/config.toml`

function inputOf({ argv = [], environment = {}, files = {}, windowless = true }: World): ResolveInput {
  const readFile = (path: string): FileText => {
    const text = files[path]
    if (path.endsWith('/locked')) return { unreadable: 'permission denied' }
    return text === undefined ? { missing: true } : { text }
  }
  const surroundings = { platform: 'linux', environment, homeDir: '/h', workingDir: '/w' }
  return { argv, surroundings, readFile, windowless }
}

function resolve(world: World): ResolvedConfig {
  return resolveConfig(inputOf(world))
}

function failure(world: World): string {
  try {
    resolve(world)
  } catch (error) {
    return error instanceof HeadframeError ? `${error.code} ${error.message}` : messageOf(error)
  }
  return 'no failure'
}

describe('precedence', () => {
  const files = { [CONFIG_FILE]: '[node]\nhttp-port = 1\n' }
  const environment = { HEADFRAME_HTTP_PORT: '2' }
  const argv = ['--http.port', '3']

  it('goes from default over file and environment to command line', () => {
    const ports = [{}, { files }, { files, environment }, { files, environment, argv }].map(
      (world) => resolve(world).node.httpPort,
    )

    expect(ports).toEqual([8545, 1, 2, 3])
  })

  it('records where each value came from', () => {
    const sources = [{}, { files }, { environment }, { argv }].map((world) => resolve(world).sources['node.httpPort'])

    expect(sources).toEqual([
      { kind: 'default', name: '' },
      { kind: 'file', name: `${CONFIG_FILE}:2` },
      { kind: 'environment', name: 'HEADFRAME_HTTP_PORT' },
      { kind: 'command line', name: '--http.port' },
    ])
  })

  it('takes the last occurrence on the command line', () => {
    expect(resolve({ argv: ['--http.port', '1', '--http.port', '2'] }).node.httpPort).toBe(2)
  })

  it("collects a repeatable option's values from the strongest source only", () => {
    const world = { environment: { HEADFRAME_API_HOST: 'weak' }, argv: ['--api-host', 'a', '--api-host', 'B,c'] }

    expect(resolve(world).api.hosts).toEqual(['a', 'b', 'c'])
  })

  it('lets the command line turn off what the file turned on', () => {
    const world = { files: { [CONFIG_FILE]: '[node]\nmine = true\n' }, argv: ['--mine=false'] }

    expect(resolve(world).node.mine).toBe(false)
  })

  it('is deeply frozen', () => {
    const config = resolve({})

    expect([config, config.node, config.node.httpVhosts, config.api.bind, config.sources].every(Object.isFrozen)).toBe(
      true,
    )
  })
})

describe('folders and files', () => {
  it('puts everything under the data directory', () => {
    const { app, signer } = resolve({ argv: ['--datadir', 'd'] })

    expect([app.dataDir, app.configFile, signer.keystore, signer.auditLog]).toEqual([
      '/w/d',
      '/w/d/config.toml',
      '/w/d/keystore',
      '/w/d/audit.log',
    ])
  })

  it('reads the config file of the given data directory', () => {
    const files = { '/d/config.toml': '[miner]\ncpu-threads = 7\n' }

    expect(resolve({ files, environment: { HEADFRAME_DATADIR: '/d' } }).miner.cpuThreads).toBe(7)
  })

  it('resolves relative paths in a config file against its folder', () => {
    const files = { '/etc/hf.toml': '[signer]\nkeystore = "keys"\n' }

    expect(resolve({ files, argv: ['--config', '/etc/hf.toml'] }).signer.keystore).toBe('/etc/keys')
  })

  it('leaves - as the ready file unchanged', () => {
    expect(resolve({ argv: ['--ready-file', '-'] }).app.readyFile).toBe('-')
  })

  it.each([
    [['--config', 'none.toml'], 'CONFIG_FILE_MISSING --config: /w/none.toml does not exist'],
    [['--config', '/x/locked'], 'CONFIG_FILE_UNREADABLE --config: /x/locked cannot be read: permission denied'],
  ])('%j: %s', (argv, message) => {
    expect(failure({ argv })).toBe(message)
  })
})

describe('the data directory of a running program', () => {
  const dirOf = (world: World): string => resolveDataDir(inputOf({ argv: ['status'], ...world })).dataDir

  it.each([
    ['HEADFRAME_CONFIG', '/etc/headframe.toml'],
    ['HEADFRAME_API_TOKEN_FILE', '/run/token'],
    ['HEADFRAME_GENESIS', '/etc/genesis.json'],
    ['HEADFRAME_DATADIR', DATA_DIR],
  ])('is found beside %s, whose file only the program has to read', (name, path) => {
    expect(dirOf({ environment: { [name]: path }, files: { [path]: '' } })).toBe(DATA_DIR)
  })

  it('is found though its files are broken or locked', () => {
    expect(dirOf({ files: { [CONFIG_FILE]: 'no toml [' } })).toBe(DATA_DIR)
    expect(dirOf({ argv: ['status', '--datadir', '/d', '--config', '/etc/locked'] })).toBe('/d')
  })

  it('is where it was moved to, and where the family names it', () => {
    const moved = {
      [`${DATA_DIR}/moved-to.json`]: '{"to": "/new", "id": "1"}',
      '/new/data-folder.json': '{"id": "1"}',
      '/etc/prlx.toml': '[Node]\nDataDir = "/prlx"\n',
    }

    expect(dirOf({ files: moved })).toBe('/new')
    expect(dirOf({ argv: ['stop', '--config', '/etc/prlx.toml'], files: moved })).toBe('/prlx')
    const { '/new/data-folder.json': _gone, ...lost } = moved
    expect(() => dirOf({ files: lost })).toThrow('which is not there')
  })
})

describe('what a command runs', () => {
  it.each([
    ['run', true, true, true],
    ['node', true, false, false],
    ['signer', false, false, true],
  ])('%s', (command, node, miner, signer) => {
    expect(resolve({ argv: [command] }).trades).toEqual({ node, miner, signer })
  })

  it('serves everything on the practice network, on loopback', () => {
    const { api, node, signer } = resolve({ windowless: false })

    expect([api.bind, node.http, signer.http]).toEqual([{ host: '127.0.0.1', port: 3333, readOnly: false }, true, true])
  })

  it("gives a standalone signer the family's folders and chain, with HTTP off", () => {
    const { signer } = resolve({ argv: ['signer'] })
    expect([signer.keystore, signer.configDir, signer.chainId]).toEqual(['/h/.parallax/keystore', '/h/.clef', 2110])
    expect([signer.http, signer.ipcDisable, signer.auditLog]).toEqual([false, false, 'audit.log'])

    const named = resolve({ argv: ['signer', '--datadir', '/d'] }).signer
    expect([named.keystore, named.configDir]).toEqual(['/d/keystore', '/d/signer'])
    expect(resolve({ argv: ['signer', '--testnet'] }).signer).toMatchObject({
      chainId: 2111,
      keystore: '/h/.parallax/keystore',
    })
    expect(resolve({ argv: ['signer', '--chainid', '0x539'] }).signer.chainId).toBe(1337)
    expect(resolve({ argv: ['run'] }).signer.configDir).toContain('headframe')
  })

  it('opens no port by default for a signer on another network, except its UI', () => {
    const { api, signer } = resolve({ argv: ['signer', '--mainnet'] })

    expect([api.bind?.port, signer.http, signer.chainId]).toEqual([3333, false, 2110])
  })

  it('opens no control port for a node alone', () => {
    expect(resolve({ argv: ['node'] }).api.bind).toBeNull()
  })

  it('turns off what it is told to', () => {
    const { api, node, signer } = resolve({ argv: ['--api-bind', 'off', '--http=false', '--signer.http=false'] })

    expect([api.bind, node.http, signer.http]).toEqual([null, false, false])
  })

  it('is headless without a window to show, whatever was requested', () => {
    const asked = (windowless: boolean, argv: string[]): boolean => resolve({ windowless, argv }).app.headless

    expect([asked(true, []), asked(false, []), asked(false, ['--headless'])]).toEqual([true, false, true])
  })
})

describe('the stratum port', () => {
  const files = { '/t': 'a-token-of-twenty-one\n', '/c': 'CERT', '/k': 'KEY' }

  it('is off by default, and in commands without a node', () => {
    const off = { bind: null, token: null, allow: [], tls: null }

    expect(resolve({}).stratum).toEqual(off)
    const inFile = { [CONFIG_FILE]: '[stratum]\nbind = "0.0.0.0:4444"\n' }
    expect(resolve({ argv: ['miner', '-P', 'stratum://a@b:1'], files: inFile }).stratum).toEqual(off)
  })

  it('opens on this computer without a token, and elsewhere with one or with networks', () => {
    const bind = (argv: readonly string[]) => resolve({ argv: ['--practice', ...argv], files }).stratum

    expect(bind(['--stratum-bind', 'localhost:4444'])).toMatchObject({ bind: { host: '127.0.0.1', port: 4444 } })
    expect(bind(['--stratum-bind', '0.0.0.0:4444', '--stratum-allow', '10.0.0.0/8,fd00::/8'])).toMatchObject({
      allow: ['10.0.0.0/8', 'fd00::/8'],
      token: null,
    })
    const secured = bind([
      ...['--stratum-bind', '[::]:4444', '--stratum-token-file', '/t'],
      ...['--stratum-cert-file', '/c', '--stratum-key-file', '/k'],
    ])
    expect(secured.token?.reveal()).toBe('a-token-of-twenty-one')
    expect([secured.tls?.certificate, secured.tls?.key.reveal()]).toEqual(['CERT', 'KEY'])
  })

  it('says when it has no work to give, and what can be read on the way', () => {
    const { notices } = resolve({
      argv: ['--mainnet', '--stratum-bind', '10.0.0.1:4444', '--stratum-token', 'short'],
    })

    expect(notices).toEqual(
      expect.arrayContaining([
        'the token of the stratum port is shorter than 16 characters',
        'rigs send the token of the stratum port unencrypted: add --stratum-cert-file and --stratum-key-file',
        '--stratum-bind has no work to give until the node mines: add --mine and --miner.coinbase 0xADDRESS',
        '--stratum-token can be read by other users of this computer: prefer --stratum-token-file',
      ]),
    )
  })

  it.each([
    [
      ['--stratum-bind', '0.0.0.0:4444'],
      'CONFIG_DANGER --stratum-bind 0.0.0.0:4444 needs --stratum-token-file or --stratum-allow; without them only 127.0.0.1 is accepted',
    ],
    [
      ['--stratum-bind', '127.0.0.1:-4444'],
      'CONFIG_VALUE_INVALID --stratum-bind: 127.0.0.1:-4444 is not ADDR:PORT with an IP address or localhost and a port in 0..65535, or off',
    ],
    [
      ['--stratum-bind', '127.0.0.1:1', '--stratum-cert-file', '/c'],
      'CONFIG_CONFLICT --stratum-cert-file and --stratum-key-file belong together: give both',
    ],
    [
      ['--stratum-bind', '127.0.0.1:1', '--stratum-token', 'a', '--stratum-token-file', '/t'],
      'CONFIG_CONFLICT the token is set by --stratum-token and --stratum-token-file: use one',
    ],
    [
      ['--stratum-bind', '127.0.0.1:1', '--stratum-token-file', '/locked'],
      'CONFIG_FILE_UNREADABLE --stratum-token-file: /locked cannot be read: permission denied',
    ],
    [
      ['--stratum-bind', '127.0.0.1:1', '--api-bind', '127.0.0.1:1'],
      'CONFIG_CONFLICT --api-bind and --stratum-bind both name 127.0.0.1:1: give each its own',
    ],
  ])('refuses %j', (argv, message) => {
    expect(failure({ argv, files })).toBe(message)
  })
})

describe('the control port', () => {
  it('reads --api-port as read only on loopback, and says so', () => {
    const { api, sources } = resolve({ argv: ['--api-port', '-4000'] })

    expect(api.bind).toEqual({ host: '127.0.0.1', port: 4000, readOnly: true })
    expect(sources['api.bind']).toEqual({ kind: 'command line', name: '--api-port' })
  })

  it('strips the line feed of a token file', () => {
    const files = { '/t': 'a-token-of-twenty-one\n' }

    expect(resolve({ files, argv: ['--api-token-file', '/t'] }).api.token?.reveal()).toBe('a-token-of-twenty-one')
  })

  it('allows control on another address only with a token', () => {
    const argv = ['--api-bind', '0.0.0.0:1', '--api-allow-control', '--api-token', 'x'.repeat(16)]

    expect(resolve({ argv }).api).toMatchObject({ allowControl: true, bind: { host: '0.0.0.0', port: 1 } })
  })

  it.each([
    [['--api-port', '0'], 'CONFIG_VALUE_INVALID --api-port: 0 is not in -65535..65535 without 0'],
    [['--api-port', '1', '--api-bind', 'off'], 'CONFIG_CONFLICT --api-port and --api-bind exclude each other: use one'],
    [
      ['--api-port', '1', '--api-allow-control'],
      'CONFIG_CONFLICT --api-port is always read-only and excludes --api-allow-control: use --api-bind',
    ],
    [
      ['--api-bind', '127.0.0.1:-1', '--api-allow-control'],
      'CONFIG_CONFLICT --api-bind 127.0.0.1:-1 is read only and excludes --api-allow-control',
    ],
    [
      ['--api-bind', 'off', '--api-allow-control'],
      'CONFIG_CONFLICT --api-allow-control needs a listener: add --api-bind ADDR:PORT',
    ],
    [
      ['--api-bind', '[::1]:5', '--api-allow-control'],
      'CONFIG_DANGER --api-allow-control on [::1]:5 needs --api-token or --api-token-file; without a token only 127.0.0.1 is accepted',
    ],
    [
      ['--api-token', 'a', '--api-token-file', '/t'],
      'CONFIG_CONFLICT the token is set by --api-token and --api-token-file: use one',
    ],
    [['--api-token-file', '/none'], 'CONFIG_FILE_UNREADABLE --api-token-file: /none cannot be read: no such file'],
    [
      ['--api-token-file', '/two'],
      'CONFIG_VALUE_INVALID --api-token-file: /two is not a file whose one line is 1..512 visible ASCII characters without blanks',
    ],
    [
      ['--api-bind', '127.0.0.1:8545'],
      'CONFIG_CONFLICT --api-bind and --http.port both name 127.0.0.1:8545: give each its own',
    ],
  ])('%j: %s', (argv, message) => {
    expect(failure({ argv, files: { '/t': 'token\n', '/two': 'a\nb\n' } })).toBe(message)
  })

  it('counts a token in the environment as a second source', () => {
    const world = { environment: { HEADFRAME_API_TOKEN: 'a' }, argv: ['--api-token', 'b'] }

    expect(failure(world)).toBe('CONFIG_CONFLICT the token is set by HEADFRAME_API_TOKEN and --api-token: use one')
  })
})

describe('wrong values', () => {
  it.each([
    [{ argv: ['--cpu-threads', '0'] }, '--cpu-threads: 0 is not in 1..256'],
    [{ argv: ['--log.level', 'loud'] }, '--log.level: loud is not one of trace, debug, info, warn, error'],
    [{ argv: ['--http.port='] }, '--http.port: an empty value is not in 0..65535'],
    [{ argv: ['--miner.coinbase', '0x1'] }, '--miner.coinbase: 0x1 is not an address (0x and 40 hex digits)'],
    [{ environment: { HEADFRAME_CPU_THREADS: 'two' } }, 'HEADFRAME_CPU_THREADS: two is not in 1..256'],
    [
      { files: { [CONFIG_FILE]: '[miner]\n\ncpu-threads = "two"\n' } },
      `${CONFIG_FILE}:3: miner.cpu-threads: "two" is not in 1..256`,
    ],
    [
      { files: { [CONFIG_FILE]: '[node]\nhttp = [1, "a"]\n' } },
      `${CONFIG_FILE}:2: node.http: [1, "a"] is not true or false`,
    ],
    [{ argv: ['--api-token', 'with blank'] }, '--api-token: *** is not 1..512 visible ASCII characters without blanks'],
    [
      { files: { [CONFIG_FILE]: '[api]\ntoken = "with blank"\n' } },
      `${CONFIG_FILE}:2: api.token: *** is not 1..512 visible ASCII characters without blanks`,
    ],
  ])('%j: %s', (world, message) => {
    expect(failure(world)).toBe(`CONFIG_VALUE_INVALID ${message}`)
  })
})

describe("what this version doesn't have", () => {
  it('rejects a miner without a pool', () => {
    expect(failure({ argv: ['miner'] })).toBe(
      'CONFIG_CONFLICT headframe miner needs a pool: give -P URL, or --monitor with --rig',
    )
  })
})

describe('notices', () => {
  it('warns about valid but unwise options', () => {
    const argv = ['--http.addr', '0.0.0.0', '--signer.http.addr', '::', '--api-token', 'short']

    expect(resolve({ argv }).notices).toEqual([
      'the token of the control port is shorter than 16 characters',
      '--http.addr 0.0.0.0 is open to other computers',
      '--signer.http.addr :: is open to other computers',
      '--api-token can be read by other users of this computer: prefer --api-token-file',
    ])
  })

  it('names the variable that a mistyped one most likely means', () => {
    expect(resolve({ environment: { HEADFRAME_HTTP_PROT: '1', HEADFRAME_NO_ADDON: '1' } }).notices).toEqual([
      'HEADFRAME_HTTP_PROT in the environment names no option; did you mean HEADFRAME_HTTP_PORT?',
    ])
  })

  it('has none for an ordinary start', () => {
    expect(resolve({}).notices).toEqual([])
  })
})

describe('what is typed twice', () => {
  it.each([
    [['--mainnet', '--testnet'], '--mainnet and --testnet name two networks: keep one of them'],
    [['--practice', '--network', 'main'], '--practice and --network main name two networks: keep one of them'],
    [['--network=test', '--network=main'], '--network test and --network main name two networks: keep one of them'],
  ])('is refused of networks: %s', (argv, reason) => {
    for (const command of ['run', 'node', 'miner', 'signer'])
      expect(failure({ argv: [command, ...argv] })).toBe(`CONFIG_CONFLICT ${reason}`)
  })

  it('is no conflict where it means the same', () => {
    const { app, notices } = resolve({
      argv: ['--practice', '--network', 'practice', '--http.port', '1', '--http.port=1'],
    })
    expect([app.network, notices]).toEqual(['practice', []])
  })

  it('is said of everything else, without the values', () => {
    const { node, notices } = resolve({
      argv: ['--http.port', '1', '--http.port', '2', '--api-token', 'a', '--api-token', 'b'],
    })
    expect(node.httpPort).toBe(2)
    expect(notices).toContain('--http.port is given more than once: only the last one counts')
    expect(notices).toContain('--api-token is given more than once: only the last one counts')
  })

  it('is merged, not said, of what may be repeated', () => {
    expect(
      resolve({ argv: ['miner', '-P', 'stratum://a.example:1', '-P', 'stratum://b.example:2'] }).notices.join(),
    ).not.toContain('last')
  })
})

it.each(['node', 'run'])('says on main and test, in %s, what this version was tested on', (command) => {
  const resolved = resolve({ argv: [command, '--testnet'] })

  expect(resolved.notices).toContainEqual(expect.stringContaining('private networks only'))
  const practice = resolve({ argv: [command, '--practice'] })
  expect(practice.notices).not.toContainEqual(expect.stringContaining('private networks only'))
})
