// What no single value can check: options that exclude each other, dangerous settings, features not there yet.

import { bracketed, isLoopback } from '../../base/ip-address'
import { Secret } from '../../base/secret'
import { type ConfigValues, SHOWING } from '../catalog'
import { ConfigError, conflict } from '../errors'
import {
  type ApiConfig,
  type Candidate,
  type FileText,
  type PoolsConfig,
  type RigMonitorConfig,
  type Source,
  type StratumConfig,
  textOf,
} from '../resolved-config'
import { type CommandName, isSharedNetwork } from '../schema'
import type { BindAddress, ListenPlace } from '../values/network-address'
import { checksumFault, payoutFault } from '../values/payout-address'
import { token } from '../values/value-types'
import { checkDevices } from './device-rules'
import { poolsOf, rigMonitorOf, rigNotices } from './rig-rules'
import { typedSecrets } from './typed-secrets'

/** What the option rules check. */
interface RulesInput {
  readonly command: CommandName
  readonly values: ConfigValues
  readonly sources: Readonly<Record<string, Source>>
  /** Everything that was given, including what was overridden. */
  readonly candidates: readonly Candidate[]
  readonly readFile: (path: string) => FileText
}

/** What the rules produce besides errors. */
interface CheckedRules {
  readonly api: ApiConfig
  readonly stratum: StratumConfig
  readonly pools: PoolsConfig
  readonly rigMonitor: RigMonitorConfig
  readonly notices: string[]
}

const SHORT_TOKEN = 16
/** Commands that start services, or show their settings. */
const ADVISED: readonly CommandName[] = ['run', 'node', 'miner', 'signer', ...SHOWING]

/** @throws ConfigError CONFIG_CONFLICT, CONFIG_DANGER, CONFIG_VALUE_INVALID, CONFIG_FILE_UNREADABLE */
export function checkRules(input: RulesInput): CheckedRules {
  checkNetwork(input)
  checkStandardStreams(input)
  checkAccounts(input.command, input.values)
  checkDevices(input.values)
  checkPeers(input.values)
  checkNamedFiles(input)
  const coinbase = checkCoinbase(input)
  const api = apiOf(input)
  const stratum = stratumOf(input)
  const pools = poolsOf(input)
  const rigMonitor = rigMonitorOf(input, api)
  checkControl(api)
  checkPorts(input, { api, stratum })
  return {
    api,
    stratum,
    pools,
    rigMonitor,
    notices: [
      ...replacedNotices(input.candidates),
      // Other commands use none of what this is about.
      ...(ADVISED.includes(input.command)
        ? [
            ...networkNotices(input),
            ...idlePeerNotices(input),
            ...coinbase,
            ...warningsOf(input, api),
            ...alertNotices(input),
            ...stratumNotices(input, stratum),
            ...rigNotices(input, pools),
          ]
        : []),
      ...typedSecrets(input),
    ],
  }
}

function checkNetwork({ values, sources, candidates }: RulesInput): void {
  const [first, ...others] = typedFor(candidates, 'app.network')
  const other = others.find(({ value }) => value !== first?.value)
  if (first !== undefined && other !== undefined)
    throw conflict(`${spelled(first)} and ${spelled(other)} name two networks: keep one of them`)
  const { network } = values.app
  const isShared = isSharedNetwork(network)
  if (isShared && values.node.mine && sources['node.mine']?.kind === 'command line' && values.node.coinbase === null) {
    throw conflict('--mine needs the account that block rewards go to: add --miner.coinbase 0xADDRESS')
  }
  if (values.chain.fakePow && isShared) {
    const reason = `--fakepow is refused on ${network}, where everything depends on proof of work; accepted: practice, custom`
    throw new ConfigError('CONFIG_DANGER', { reason })
  }
}

/** What the command line says of an option, in its order. */
function typedFor(candidates: readonly Candidate[], key: string): readonly Candidate[] {
  return candidates.filter(({ entry, source }) => entry.key === key && source.kind === 'command line')
}

/** `--mainnet`, or `--network main` where the flag alone doesn't say it. */
function spelled({ entry, source, value }: Candidate): string {
  return source.name === `--${entry.option.flag}` ? `${source.name} ${value}` : source.name
}

/** Of what was typed twice with two meanings, only the last counts. */
function replacedNotices(candidates: readonly Candidate[]): readonly string[] {
  return [...new Set(candidates.map(({ entry }) => entry))].flatMap(({ key, option }) => {
    const typed = typedFor(candidates, key)
    const last = typed[typed.length - 1]
    const before = typed.find(({ value }) => !isSame(value, last?.value))
    if (option.type.merge !== undefined || last === undefined || before === undefined) return []
    const [lost, counts] = [before.source.name, last.source.name]
    return lost === counts
      ? [`${counts} is given more than once: only the last one counts`]
      : [`${counts} replaces ${lost}, which comes before it`]
  })
}

function isSame(a: unknown, b: unknown): boolean {
  if (a instanceof Secret && b instanceof Secret) return a.reveal() === b.reveal()
  const text = (value: unknown) => JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}n` : part))
  return text(a) === text(b)
}

/** A typing error here loses every block's reward. Without valuable coins, a wrong checksum is only a warning. */
function checkCoinbase({ values, sources }: RulesInput): readonly string[] {
  const { coinbase } = values.node
  const isOurs = sources['node.coinbase']?.kind === 'default'
  if (coinbase === null || isOurs) return []
  const { network } = values.app
  const lost = isSharedNetwork(network) ? payoutFault(coinbase) : null
  const mistyped = checksumFault(coinbase)
  const fault = lost ?? (network === 'main' ? mistyped : null)
  if (fault !== null) throw new ConfigError('CONFIG_DANGER', { reason: `--miner.coinbase: ${fault}` })
  return mistyped === null ? [] : [`--miner.coinbase: ${mistyped}`]
}

/** Advice before real money depends on it. */
function networkNotices({ command, values }: RulesInput): readonly string[] {
  const { network } = values.app
  const joins = (command === 'run' || command === 'node') && isSharedNetwork(network)
  return joins ? [`this version has synced with private networks only; do not rely on it alone on ${network} yet`] : []
}

/** What promises protection by peers, or a way to them. */
const ABOUT_PEERS = ['requiredBlocks', 'checkpoint', 'netRestrict', 'bootnodes', 'dnsTrees', 'nat'].map(
  (key) => `p2p.${key}`,
)

function idlePeerNotices({ command, values, candidates }: RulesInput): readonly string[] {
  const hasPeers = values.p2p.maxPeers > 0 && !values.chain.fakePow
  if (hasPeers || (command !== 'run' && command !== 'node')) return []
  const isNone = (value: unknown) => isSame(value, []) || isSame(value, { kind: 'none', host: null })
  const typed = ABOUT_PEERS.flatMap((key) => typedFor(candidates, key)).filter(({ value }) => !isNone(value))
  const idle = new Set(typed.map(({ source }) => source.name))
  if (idle.size === 0) return []
  return [`${[...idle].join(', ')} ${idle.size === 1 ? 'has' : 'have'} no effect: this node has no peers`]
}

/** Standard output then carries the signer's UI API and nothing else. */
function checkStandardStreams({ values }: RulesInput): void {
  const { stdioUi, stdioUiTest } = values.signer
  if (stdioUiTest && !stdioUi)
    throw conflict('--stdio-ui-test tests the program that --stdio-ui talks to: add --stdio-ui')
  if ((stdioUi || stdioUiTest) && values.app.readyFile === '-')
    throw conflict('--stdio-ui and --ready-file - both need standard output: use --ready-file FILE')
}

/** What a start would only miss later, or never: a typed name of no file is a typing error. */
function checkNamedFiles({ command, values, sources, readFile }: RulesInput): void {
  const used = [
    { key: 'signer.rules', file: values.signer.rules, by: ['run', 'signer'] },
    { key: 'p2p.checkpoint', file: values.p2p.checkpoint, by: ['run', 'node'] },
  ]
  for (const { key, file, by } of used) {
    const source = sources[key]
    if (file !== null && source?.kind === 'command line' && by.includes(command)) textOf(source.name, file, readFile)
  }
}

function apiOf(input: RulesInput): ApiConfig {
  const { allowControl, hosts } = input.values.api
  return { bind: bindOf(input), token: tokenOf(input, 'api'), allowControl, hosts }
}

function bindOf({ command, values, sources }: RulesInput): BindAddress | null {
  const { bind, legacyPort, allowControl } = values.api
  // Another program is the user interface: the dashboard opens only on request.
  const isForeignUi = command === 'signer' && (values.signer.stdioUi || values.signer.stdioUiTest)
  if (isForeignUi && legacyPort === null && sources['api.bind']?.kind === 'default') return null
  if (legacyPort === null) return bind === 'off' ? null : bind
  if (legacyPort === 0) {
    throw new ConfigError('CONFIG_VALUE_INVALID', {
      where: '--api-port',
      value: '0',
      expected: 'in -65535..65535 without 0',
    })
  }
  const other = sources['api.bind']?.kind === 'default' ? null : '--api-bind'
  if (other !== null) throw conflict(`--api-port and ${other} exclude each other: use one`)
  if (allowControl) throw conflict('--api-port is always read-only and excludes --api-allow-control: use --api-bind')
  return { host: '127.0.0.1', port: Math.abs(legacyPort), readOnly: true }
}

function tokenOf({ values, candidates, readFile }: RulesInput, section: 'api' | 'stratum'): Secret | null {
  const keys = [`${section}.token`, `${section}.tokenFile`]
  const isToken = (candidate: Candidate): boolean => keys.includes(candidate.entry.key)
  const given = [...new Set(candidates.filter(isToken).map((candidate) => candidate.source.name))]
  if (given.length > 1) throw conflict(`the token is set by ${given.join(' and ')}: use one`)
  const { token: direct, tokenFile } = values[section]
  if (tokenFile === null) return direct
  const where = `--${section}-token-file`
  const fromFile = token().parse(textOf(where, tokenFile, readFile).replace(/\r?\n$/, ''))
  if (fromFile !== null) return fromFile
  const expected = `a file whose one line is ${token().expected}`
  throw new ConfigError('CONFIG_VALUE_INVALID', { where, value: tokenFile, expected })
}

/** Strangers get no work: beyond this computer, the port needs a token or a list of networks. */
function stratumOf(input: RulesInput): StratumConfig {
  const { command, values, readFile } = input
  const { bind, allow, certificateFile, keyFile } = values.stratum
  const isServed = bind !== 'off' && (command === 'run' || command === 'node')
  if (!isServed) return { bind: null, token: null, allow: [], tls: null }
  const secret = tokenOf(input, 'stratum')
  if ((certificateFile === null) !== (keyFile === null))
    throw conflict('--stratum-cert-file and --stratum-key-file belong together: give both')
  if (!isLoopback(bind.host) && secret === null && allow.length === 0) {
    const shown = `${bracketed(bind.host)}:${bind.port}`
    const reason = `--stratum-bind ${shown} needs --stratum-token-file or --stratum-allow; without them only 127.0.0.1 is accepted`
    throw new ConfigError('CONFIG_DANGER', { reason })
  }
  const tls =
    certificateFile === null || keyFile === null
      ? null
      : {
          certificate: textOf('--stratum-cert-file', certificateFile, readFile),
          key: new Secret(textOf('--stratum-key-file', keyFile, readFile)),
        }
  return { bind, token: secret, allow, tls }
}

/** Valid but unwise. */
function stratumNotices({ values }: RulesInput, { bind, token: secret, tls }: StratumConfig): readonly string[] {
  if (bind === null) return []
  const notices: string[] = []
  const length = secret?.reveal().length ?? SHORT_TOKEN
  if (length < SHORT_TOKEN) notices.push(`the token of the stratum port is shorter than ${SHORT_TOKEN} characters`)
  if (!isLoopback(bind.host) && secret !== null && tls === null)
    notices.push('rigs send the token of the stratum port unencrypted: add --stratum-cert-file and --stratum-key-file')
  if (!values.node.mine)
    notices.push('--stratum-bind has no work to give until the node mines: add --mine and --miner.coinbase 0xADDRESS')
  return notices
}

function checkControl({ bind, token: secret, allowControl }: ApiConfig): void {
  if (!allowControl) return
  if (bind === null) throw conflict('--api-allow-control needs a listener: add --api-bind ADDR:PORT')
  const shown = `${bracketed(bind.host)}:${bind.port}`
  if (bind.readOnly)
    throw conflict(`--api-bind ${bracketed(bind.host)}:-${bind.port} is read only and excludes --api-allow-control`)
  if (secret !== null || bind.host === '127.0.0.1') return
  const reason = `--api-allow-control on ${shown} needs --api-token or --api-token-file; without a token only 127.0.0.1 is accepted`
  throw new ConfigError('CONFIG_DANGER', { reason })
}

interface Listener extends ListenPlace {
  readonly flag: string
}

/** Of JSON-RPC; their flags end in `.addr` and `.port`. */
function rpcListeners({ command, values: { node, rpc, signer } }: RulesInput): readonly Listener[] {
  const [isNode, isSigner] = [command === 'node', command === 'signer'].map((is) => is || command === 'run')
  const listeners = [
    { flag: '--http', on: isNode && node.http, host: node.httpAddr, port: node.httpPort },
    { flag: '--ws', on: isNode && rpc.ws, host: rpc.wsAddr, port: rpc.wsPort },
    { flag: '--signer.http', on: isSigner && signer.http, host: signer.httpAddr, port: signer.httpPort },
  ]
  return listeners.filter(({ on }) => on)
}

/** Otherwise, two of our own listeners on one port would look like a foreign program using it. */
function checkPorts(input: RulesInput, { api, stratum }: Pick<CheckedRules, 'api' | 'stratum'>): void {
  const listeners: readonly Listener[] = [
    ...(api.bind === null ? [] : [{ flag: '--api-bind', ...api.bind }]),
    ...(stratum.bind === null ? [] : [{ flag: '--stratum-bind', ...stratum.bind }]),
    ...rpcListeners(input).map((listener) => ({ ...listener, flag: `${listener.flag}.port` })),
  ].filter(({ port }) => port !== 0)
  for (const [index, { flag, host, port }] of listeners.entries()) {
    const second = listeners.slice(index + 1).find((other) => other.port === port && other.host === host)
    // HTTP and WebSocket may share a listener.
    if (second !== undefined && !(flag === '--http.port' && second.flag === '--ws.port'))
      throw conflict(`${flag} and ${second.flag} both name ${host}:${port}: give each its own`)
  }
}

function warningsOf(input: RulesInput, api: ApiConfig): string[] {
  const isShort = (api.token?.reveal().length ?? SHORT_TOKEN) < SHORT_TOKEN
  const open = rpcListeners(input).filter(({ host }) => !isLoopback(host))
  const isUnlocked = input.values.accounts.unlock.length > 0 && open.some(({ flag }) => flag !== '--signer.http')
  return [
    ...(isShort ? [`the token of the control port is shorter than ${SHORT_TOKEN} characters`] : []),
    ...open.map(({ flag, host }) => `${flag}.addr ${host} is open to other computers`),
    ...(isUnlocked ? ['--unlock with JSON-RPC open to other computers: they can spend what these accounts hold'] : []),
  ]
}

/** A node alone has incidents only where it is compared. */
function alertNotices({ command, values, candidates }: RulesInput): readonly string[] {
  const isTyped = typedFor(candidates, 'alerts.to').length > 0
  if (command !== 'node' || values.node.beside !== null || !isTyped) return []
  return ['--alert never sends anything here: headframe node only reports what --beside URL finds']
}

/** @throws ConfigError CONFIG_CONFLICT, CONFIG_DANGER */
function checkAccounts(command: CommandName, values: ConfigValues): void {
  if (!['run', 'node'].includes(command)) return
  const { signer, unlock, passwordFile, allowInsecureUnlock } = values.accounts
  const { network } = values.app
  if (unlock.length === 0) {
    if (passwordFile !== null) throw conflict('--password is for --unlock: give the accounts or leave it out')
    return
  }
  if (signer !== null) throw conflict('--unlock and --signer exclude each other: the other signer holds the accounts')
  if (passwordFile === null) throw conflict('--unlock needs --password FILE')
  if (!isSharedNetwork(network) || allowInsecureUnlock) return
  const reason = `--unlock is refused on ${network}, where anyone who reaches JSON-RPC could spend real money; --allow-insecure-unlock allows it`
  throw new ConfigError('CONFIG_DANGER', { reason })
}

/** Each is a request to every peer. */
const MAX_REQUIRED = 64

/** @throws ConfigError CONFIG_CONFLICT */
function checkPeers({ p2p }: ConfigValues): void {
  const { checkpoint, checkpointSigner, requiredBlocks } = p2p
  if (checkpoint !== null && checkpointSigner === null)
    throw conflict('--checkpoint needs --checkpoint.signer ADDRESS: only a list signed by someone you trust is used')
  if (checkpoint === null && checkpointSigner !== null)
    throw conflict('--checkpoint.signer is for --checkpoint FILE: give the file or leave it out')
  if (requiredBlocks.length > MAX_REQUIRED)
    throw conflict(`--prl.requiredblocks names ${requiredBlocks.length} blocks; accepted: up to ${MAX_REQUIRED}`)
  const hashes = new Map<string, string>()
  for (const entry of requiredBlocks) {
    const [number = '', hash = ''] = entry.toLowerCase().split('=')
    const height = BigInt(number).toString()
    const other = hashes.get(height)
    if (other !== undefined && other !== hash)
      throw conflict(`--prl.requiredblocks names two hashes for block ${height}: give one`)
    hashes.set(height, hash)
  }
}
