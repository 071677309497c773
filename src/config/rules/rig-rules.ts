// Combined checks of the options for pools, other rigs and the monitor.
import { Secret } from '../../base/secret'
import type { ConfigValues } from '../catalog'
import { ConfigError, conflict } from '../errors'
import {
  type ApiConfig,
  type FileText,
  type PoolsConfig,
  type RigMonitorConfig,
  type Source,
  textOf,
} from '../resolved-config'
import type { CommandName } from '../schema'
import { type PoolFields, parsePoolUrl, shownPool, withFields } from '../values/pool-url'
import { parseRig, RIG_GRAMMAR, type RigAddress, shownRig } from '../values/rig-address'

/** What the options for rigs are checked against. */
interface RigRulesInput {
  readonly command: CommandName
  readonly values: ConfigValues
  readonly sources: Readonly<Record<string, Source>>
  readonly readFile: (path: string) => FileText
}

/** In other commands these options (from the config file) have no effect. */
const MINING_COMMANDS: readonly CommandName[] = ['run', 'miner']
const RIG_COMMANDS: readonly CommandName[] = [...MINING_COMMANDS, 'rigs']
/** Device options, which a monitor doesn't have. */
const DEVICE_KEYS = /^miner\./

/** @throws ConfigError CONFIG_CONFLICT, CONFIG_VALUE_INVALID, CONFIG_FILE_UNREADABLE */
export function poolsOf({ command, values, sources, readFile }: RigRulesInput): PoolsConfig {
  if (!MINING_COMMANDS.includes(command))
    return { addresses: [], withDefaults: (text) => text, exitAtEnd: false, certificates: null }
  const { urls, certificateFile } = values.pool
  const exits = urls.map((url) => url.reveal().toLowerCase() === 'exit')
  const end = exits.indexOf(true)
  if (end === 0) throw conflict('-P exit cannot be the first: name a pool before it')
  if (end > 0 && end !== urls.length - 1) throw conflict('-P exit ends the list: name no pool behind it')
  const typed = end < 0 ? urls : urls.slice(0, end)
  const { addresses, withDefaults } = withLogins(typed, values.pool, sources)
  const isSimulation = values.miner.simulation !== null
  if (isSimulation && addresses.length > 0)
    throw conflict('--simulation and -P exclude each other: a simulation sends nothing anywhere')
  if (command === 'miner' && addresses.length === 0 && !values.rigs.monitor && !isSimulation)
    throw conflict('headframe miner needs a pool: give -P URL, or --monitor with --rig')
  const certificates =
    addresses.length === 0 || certificateFile === null ? null : textOf('--ssl-cert-file', certificateFile, readFile)
  return { addresses, withDefaults, exitAtEnd: end > 0, certificates }
}

const LOGIN_FIELDS = ['user', 'worker', 'password', 'proxy'] as const

/** Gives each pool its own login, or that for all. @throws ConfigError CONFIG_CONFLICT, CONFIG_VALUE_INVALID */
function withLogins(
  typed: readonly Secret[],
  pool: ConfigValues['pool'],
  sources: RigRulesInput['sources'],
): Pick<PoolsConfig, 'addresses' | 'withDefaults'> {
  const given = LOGIN_FIELDS.map((name) => ({ name, texts: (pool[name] ?? []).map(revealed) }))
  const odd = given.find(({ texts }) => texts.length > 1 && texts.length !== typed.length)
  if (odd !== undefined) {
    const counts = `${odd.texts.length} times for ${typed.length} pools`
    throw conflict(`--pool-${odd.name} is given ${counts}: give it once for all, or once for each in their order`)
  }
  const fieldsOf = (index: number | null, names = given): PoolFields =>
    Object.fromEntries(
      names.flatMap(({ name, texts }) => {
        const text = index === null ? (texts.length === 1 ? texts[0] : undefined) : texts[index]
        return text === undefined || (index !== null && texts.length === 1) ? [] : [[name, text]]
      }),
    )
  const isTyped = (key: string): boolean => sources[key]?.kind === 'command line'
  const forAll = fieldsOf(null)
  const typedForAll = fieldsOf(
    null,
    given.filter(({ name }) => isTyped('pool.urls') && isTyped(`pool.${name}`)),
  )
  const addresses = typed.map((address, index) => {
    // Two logins in one call contradict each other; in a file, a pool's own one is an exception.
    completed(address.reveal(), typedForAll)
    const text = completed(address.reveal(), fieldsOf(index))
    const read = parsePoolUrl(completed(text, forAll, true))
    if ('url' in read) return new Secret(text)
    const expected = `a pool: ${read.fault.replace(/^pool address: /, '')}`
    throw new ConfigError('CONFIG_VALUE_INVALID', { where: '--pool', value: shownPool(text), expected })
  })
  return { addresses, withDefaults: (text) => completed(text, forAll, true) }
}

/** @throws ConfigError CONFIG_CONFLICT */
function completed(text: string, fields: PoolFields, isDefault = false): string {
  const whole = withFields(text, fields, isDefault)
  if ('fault' in whole) throw conflict(`${whole.fault}, in ${shownPool(text)}`)
  return whole.text
}

function revealed(text: string | Secret): string {
  return typeof text === 'string' ? text : text.reveal()
}

/** @throws ConfigError CONFIG_CONFLICT, CONFIG_VALUE_INVALID, CONFIG_FILE_UNREADABLE */
export function rigMonitorOf(input: RigRulesInput, api: ApiConfig): RigMonitorConfig {
  const { list, file, intervalSeconds, monitor } = input.values.rigs
  const intervalMs = intervalSeconds * 1_000
  if (!RIG_COMMANDS.includes(input.command)) return { monitor: false, rigs: [], fromFile: [], intervalMs }
  const lines = file === null ? [] : linesOf(textOf('--rig-file', file, input.readFile))
  const filed = lines.map((line) => rigOf(`--rig-file ${file}`, line))
  const rigs = [...list.map((each) => rigOf('--rig', each)), ...filed]
  const names = new Set<string>()
  const twice = rigs.find(({ name }) => names.size === names.add(name).size)
  if (twice !== undefined) throw conflict(`--rig names ${twice.name} twice: give each its own name`)
  if (monitor) checkMonitor(input, api, rigs.length)
  return { monitor, rigs, fromFile: filed.map(({ name }) => name), intervalMs }
}

/** Valid but unwise. */
export function rigNotices({ command, values }: RigRulesInput, pools: PoolsConfig): string[] {
  const notices: string[] = []
  if (command === 'run' && values.app.network === 'practice' && pools.addresses.length > 0)
    notices.push(
      '-P on the practice network hashes with its small sizes: a pool of the main network refuses such shares',
    )
  if (values.pool.noVerify && pools.addresses.length > 0)
    notices.push('certificates of pools are not checked (--ssl-noverify or SSL_NOVERIFY)')
  const open = pools.addresses.some((url) => /[?&]verify=0(&|#|$)/.test(url.reveal()))
  if (open && !values.pool.noVerify) notices.push('a pool address says verify=0: its certificate is not checked')
  return notices
}

function checkMonitor({ values, sources }: RigRulesInput, api: ApiConfig, rigs: number): void {
  const device = Object.entries(sources).find(
    ([key, { kind }]) => DEVICE_KEYS.test(key) && (kind === 'command line' || kind === 'environment'),
  )
  if (values.pool.urls.length > 0) throw conflict('--monitor and -P exclude each other: a monitor mines nothing')
  if (api.allowControl && api.token === null)
    throw conflict('--monitor with --api-allow-control commands every rig: give --api-token-file, too')
  if (device !== undefined)
    throw conflict(`--monitor and ${device[1].name} exclude each other: a monitor has no devices`)
  if (api.bind === null) throw conflict('--monitor needs a listener: add --api-bind ADDR:PORT')
  if (rigs === 0) throw conflict('--monitor needs a rig to watch: give --rig [NAME=]HOST:PORT[#TOKEN]')
}

function rigOf(where: string, text: Secret | string): RigAddress {
  const plain = typeof text === 'string' ? text : text.reveal()
  const rig = parseRig(plain)
  if (rig !== null) return rig
  throw new ConfigError('CONFIG_VALUE_INVALID', { where, value: shownRig(plain), expected: RIG_GRAMMAR })
}

function linesOf(text: string): string[] {
  return text.split('\n').flatMap((line) => (line.startsWith('#') || line.trim() === '' ? [] : [line.trim()]))
}
