import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { HeadframeError, messageOf } from '../../base/errors'
import { ENTRIES } from '../catalog'
import { FILE_KEYS } from '../families/file-keys'
import { resolveConfig } from '../resolve'
import type { FileText, ResolvedConfig } from '../resolved-config'

const FILE = '/c/prlx.toml'
const KEYS = readFileSync('test/vectors/flags/prlx-keys.txt', 'utf8').trim().split('\n')

/** The files by absolute path; `--config` names the first one unless the arguments do. */
function resolve(files: Readonly<Record<string, string>>, ...words: readonly string[]): ResolvedConfig {
  const readFile = (path: string): FileText => {
    const text = files[path]
    return text === undefined ? { missing: true } : { text }
  }
  const argv = words.includes('--config') ? words : [...words, '--config', Object.keys(files)[0] ?? '']
  const surroundings = { platform: 'linux', environment: {}, homeDir: '/h', workingDir: '/w' }
  return resolveConfig({ argv, surroundings, readFile, windowless: true })
}

function failure(text: string, ...words: readonly string[]): string {
  try {
    resolve({ [FILE]: text }, ...words)
  } catch (error) {
    return error instanceof HeadframeError ? `${error.code} ${error.message}` : `not ours: ${messageOf(error)}`
  }
  return 'no failure'
}

const noEffect = (config: ResolvedConfig): readonly string[] =>
  config.notices.filter((notice) => notice.includes('accepted without effect'))

describe("the keys of prlx's config file", () => {
  it('have one row each', () => {
    const rows = FILE_KEYS.map(({ key }) => key)

    expect(KEYS.filter((key) => !rows.includes(key))).toEqual([])
    expect(rows.filter((key, at) => rows.indexOf(key) !== at)).toEqual([])
  })

  it('name options that exist', () => {
    const samples = { text: 'x', whole: 1, number: 1, switch: true, texts: ['x'], networks: ['10.0.0.0/8'], table: {} }
    const known = ENTRIES.map(({ key }) => key)
    const named = FILE_KEYS.flatMap(({ type, answer }) => (answer.kind === 'done' ? answer.read(samples[type]) : []))

    expect(named.map(([key]) => key).filter((key) => !known.includes(key))).toEqual([])
    expect(named.length).toBeGreaterThan(40)
  })
})

describe('a file that prlx dumped', () => {
  it('without options is taken as is: the main network, its folder, nothing to report', () => {
    const config = resolve({ [FILE]: readFileSync('test/vectors/flags/prlx-default.toml', 'utf8') }, 'node')

    expect(noEffect(config)).toEqual([])
    expect([config.app.network, config.app.dataDir, config.keystore.folder, config.rpc.ipcPath]).toEqual([
      'main',
      '/root/.parallax',
      '/root/.parallax/keystore',
      '/root/.parallax/prlx.ipc',
    ])
    expect([config.node.http, config.rpc.ws, config.chain.gcMode, config.p2p.port]).toEqual([
      false,
      false,
      'full',
      32_110,
    ])
  })

  it('with many options sets ours to the same values', () => {
    const config = resolve({ [FILE]: readFileSync('test/vectors/flags/prlx-full.toml', 'utf8') }, 'node')
    const { node, rpc, p2p, txpool, chain, accounts, keystore, signer } = config
    const address = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'

    expect({ chain: chain.gcMode, keys: [keystore.folder, signer.keystore], dataDir: config.app.dataDir }).toEqual({
      chain: 'archive',
      keys: ['/data/keys', '/data/keys'],
      dataDir: '/data/prlx',
    })
    expect([node.http, node.httpAddr, node.httpVhosts, rpc.httpApi, rpc.httpCors]).toEqual([
      true,
      '0.0.0.0',
      ['node.example', 'localhost'],
      ['eth', 'net', 'web3', 'debug'],
      ['https://a.example'],
    ])
    expect([rpc.ws, rpc.wsAddr, rpc.wsApi, rpc.wsOrigins, rpc.ipcPath]).toEqual([
      true,
      '127.0.0.1',
      ['eth'],
      ['https://b.example'],
      '/data/prlx/x.ipc',
    ])
    expect([p2p.maxPeers, p2p.port, p2p.noDiscover, p2p.bootnodes, p2p.netRestrict]).toEqual([
      25,
      30_303,
      true,
      [],
      ['10.0.0.0/8', '192.168.0.0/16'],
    ])
    expect([node.coinbase, node.extraData, node.gasPrice, node.recommitMs, node.gasLimit]).toEqual([
      address,
      '0x68656c6c6f',
      2_000_000_000n,
      10_000,
      600_000_000,
    ])
    expect([txpool.locals, txpool.priceLimit, txpool.lifetimeMs]).toEqual([[address], 7n, 5_400_000])
    expect([rpc.gasCap, rpc.callTimeoutMs, accounts.feeCap, accounts.allowUnprotected]).toEqual([
      50_000_000,
      10_000,
      500_000_000_000_000_000n,
      true,
    ])
    expect(noEffect(config)).toEqual([
      `${FILE}:20: Parallax.Preimages is accepted without effect: preimages are not stored`,
      `${FILE}:69: Node.UserIdent is accepted without effect: peers see the name and version of the program`,
    ])
  })

  it('says what other computers can reach, as our own options do', () => {
    const config = resolve({ [FILE]: '[Node]\nHTTPHost = "0.0.0.0"\n' }, 'node')

    expect(config.notices).toContain('--http.addr 0.0.0.0 is open to other computers')
  })
})

describe('what overrides the file', () => {
  const text =
    '[Parallax]\nNetworkId = 2111\n[Node]\nDataDir = "/d"\nHTTPPort = 1\nWSPort = 2\n[Node.P2P]\nBootstrapNodes = ["enode://'
  const file = `${text}${'a'.repeat(128)}@1.2.3.4:1"]\n`

  it('is our own file in its data directory, which settings are written to', () => {
    const own = `[node]\nhttp-port = 3\n[p2p]\nbootnodes = ["enode://${'b'.repeat(128)}@1.2.3.4:1"]\n`
    const config = resolve({ [FILE]: file, '/d/config.toml': own })

    expect([config.node.httpPort, config.rpc.wsPort, config.app.configFile]).toEqual([3, 2, '/d/config.toml'])
    expect(config.p2p.bootnodes?.map((url) => url.slice(8, 10))).toEqual(['bb'])
    expect(config.sources['app.configFile']?.kind).toBe('default')
    expect([config.sources['node.httpPort'], config.sources['rpc.wsPort']]).toEqual([
      { kind: 'file', name: '/d/config.toml:2' },
      { kind: 'file', name: `${FILE}:6` },
    ])
  })

  it('is the environment, and above all the command line', () => {
    const config = resolve({ [FILE]: file }, 'node', '--http.port', '9', '--datadir', '/other', '--mainnet')

    expect([config.node.httpPort, config.app.dataDir, config.app.network]).toEqual([9, '/other', 'main'])
  })

  it("is nothing if the file has our file's name: settings are written beside it", () => {
    const files = { '/d/config.toml': file, '/d/headframe.toml': '[node]\nhttp-port = 4\n' }
    const config = resolve(files, 'node')

    expect([config.node.httpPort, config.app.configFile]).toEqual([4, '/d/headframe.toml'])
  })

  it('is everything else if no file is named', () => {
    const { notices, node } = resolveConfig({
      argv: ['node', '--datadir', '/d'],
      surroundings: { platform: 'linux', environment: {}, homeDir: '/h', workingDir: '/w' },
      readFile: (path) => (path === '/d/config.toml' ? { text: file } : { missing: true }),
      windowless: true,
    })

    expect(node.httpPort).toBe(8545)
    expect(notices).toEqual([
      '/d/config.toml is a prlx config file and is not read: give --config /d/config.toml to use it',
    ])
  })
})

describe('a network', () => {
  it.each([
    ['2110', 'main'],
    ['2111', 'test'],
  ])('%s is %s', (id, name) => {
    expect(resolve({ [FILE]: `[Parallax]\nNetworkId = ${id}\n` }).app.network).toBe(name)
  })

  it("is the main one if the file doesn't say", () => {
    expect(resolve({ [FILE]: '[Node.P2P]\nMaxPeers = 3\n' }).app.network).toBe('main')
  })

  it('with another number needs its genesis file', () => {
    expect(failure('[Parallax]\nNetworkId = 77\n')).toMatch(/^CONFIG_CONFLICT .*needs --genesis FILE/)
    const files = { [FILE]: '[Parallax]\nNetworkId = 77\n', '/g.json': '{"config":{"chainId":5}}' }
    const { custom } = resolve(files, '--genesis', '/g.json')
    expect([custom?.networkId, custom?.chainId]).toEqual([77, 5])
  })
})

describe('what a file may not change silently', () => {
  it.each([
    ['[Node]\nInsecureUnlockAllowed = true', '2: Node.InsecureUnlockAllowed', '--allow-insecure-unlock'],
    ['[Node]\nWSExposeAll = true', '2: Node.WSExposeAll', '--ws.api'],
    ['[Node]\nHTTPPathPrefix = "/x"', '2: Node.HTTPPathPrefix', 'reverse proxy'],
    ['[Parallax]\nSyncMode = "light"', '2: Parallax.SyncMode', 'full and snap'],
    ['[Parallax.XHash]\nPowMode = 2', '2: Parallax.XHash.PowMode', '--fakepow'],
    ['[Parallax.Miner]\nNotify = ["http://x"]', '2: Parallax.Miner.Notify', 'eth_getWork'],
    ['[Node.P2P]\nStaticNodes = ["enode://x"]', '2: Node.P2P.StaticNodes', 'static-nodes.json'],
    ['[Metrics]\nEnableInfluxDB = true', '2: Metrics.EnableInfluxDB', '/metrics'],
    ['[ParallaxStats]\nURL = "a:b@c"', '2: ParallaxStats.URL', '/metrics'],
    ['[Parallax.Genesis]\nNonce = 1', '1: Parallax.Genesis', '--genesis'],
  ])('rejects %j and says what to use', (text, where, instead) => {
    const said = failure(`${text}\n`)
    expect(said).toContain(`CONFIG_OPTION_REFUSED ${FILE}:${where} is not supported: `)
    expect(said).toContain(instead)
  })

  it.each([
    ['[Node]\nHTTPPort = "8545"', '2: Node.HTTPPort: "8545" is not a whole number'],
    ['[Node]\nHTTPPort = 70000', '2: Node.HTTPPort: 70000 is not in 0..65535'],
    ['[Node]\nHTTPHost = "example.org"', '2: Node.HTTPHost: "example.org" is not an IP address'],
    ['[Node]\nHTTPModules = ["eth", "les"]', '2: Node.HTTPModules: ["eth", "les"] is not a comma list of eth'],
    ['[Node]\nHTTPModules = []', '2: Node.HTTPModules: [] is not a comma list of eth'],
    ['[Node]\nHTTPVirtualHosts = [1]', '2: Node.HTTPVirtualHosts: [1] is not a list of texts'],
    ['[Parallax]\nNoPruning = 1', '2: Parallax.NoPruning: 1 is not true or false'],
    ['[Parallax.Miner]\nCoinbase = "0x12"', '2: Parallax.Miner.Coinbase: "0x12" is not an address'],
    ['[Metrics]\nInfluxDBPassword = 7', '2: Metrics.InfluxDBPassword: *** is not a text'],
    ['[[Node.P2P.NetRestrict]]\nIP = "10.0.0.0"\nMask = [255, 0, 255, 0]', '1: Node.P2P.NetRestrict: '],
    ['[Node.P2P]\nListenAddr = "nowhere"', '2: Node.P2P.ListenAddr: "nowhere" is not in 0..65535'],
  ])('rejects %j', (text, said) => {
    expect(failure(`${text}\n`)).toContain(`CONFIG_VALUE_INVALID ${FILE}:${said}`)
  })

  it.each([
    ['[Node]\nHTTPPrt = 1', '2: unknown key Node.HTTPPrt; did you mean Node.HTTPPort?'],
    ['[Node]\nMaxPeers = 1', '2: unknown key Node.MaxPeers; did you mean Node.P2P.MaxPeers?'],
    ['[Node.HTTPPort]\nX = 1', '1: Node.HTTPPort: {"X":1} is not a whole number'],
    ['[Eth]\nNetworkId = 1', '1: unknown key Eth; did you mean Parallax?'],
    ['[Node]\n[node]\nhttp = true', '2: unknown key node; did you mean Node?'],
    ['Node = 3', '1: unknown key Node'],
    ['[[Node]]\nHTTPPort = 1', '1: unknown key Node'],
    ['[Node]\n__proto__ = 1', '2: unknown key Node.__proto__'],
    ['[Node]\nHTTPPort = ', '2:12: not TOML: '],
    [`[Node]\nDataDir = "${'x'.repeat(1_000_000)}"`, ' cannot be read: it has 1000020 characters'],
    [`[Node]\nX = ${'['.repeat(100_000)}`, ' not TOML: '],
  ])('rejects %.60j', (text, said) => {
    const message = failure(`${text}\n`)
    expect(message).toContain(said)
    expect(message).toMatch(/^CONFIG_/)
  })
})
