// One configuration: command line > environment > config file > default; frozen, with the source of each value.
import { type CatalogEntry, type ConfigValues, ENTRIES, SHOWING } from './catalog'
import { chainIdOf, chooseNetwork, type NetworkChoice } from './custom-network'
import { familySignerFolders, isBareName, joinPath, type Surroundings } from './paths'
import type { Candidate, ResolvedConfig, ResolveInput, Source, Trades } from './resolved-config'
import { checkRules } from './rules/option-rules'
import { type CommandName, type DefaultContext, NETWORKS, XHASH_MODES } from './schema'
import { readConfigFile, readDataDir } from './sources/config-file'
import { nearest } from './sources/nearest'
import { type ParsedArgv, parseArgv } from './sources/parse-argv'
import { parsedText } from './sources/read-values'

export type { ResolvedConfig } from './resolved-config'

const TRADES: Readonly<Partial<Record<CommandName, Trades>>> = {
  node: { node: true, miner: false, signer: false },
  miner: { node: false, miner: true, signer: false },
  devices: { node: true, miner: true, signer: false },
  tune: { node: true, miner: true, signer: false },
  bench: { node: true, miner: true, signer: false },
  signer: { node: false, miner: false, signer: true },
  init: { node: true, miner: false, signer: false },
  import: { node: true, miner: false, signer: false },
  export: { node: true, miner: false, signer: false },
  account: { node: false, miner: false, signer: true },
  rules: { node: false, miner: false, signer: true },
  audit: { node: false, miner: false, signer: true },
  completion: { node: false, miner: false, signer: false },
  attach: { node: false, miner: false, signer: false },
}
const ALL_TRADES: Trades = { node: true, miner: true, signer: true }

/** A monitor never mines, whatever else it runs. */
function tradesOf(command: CommandName, monitor: boolean): Trades {
  const trades = TRADES[command] ?? ALL_TRADES
  return monitor ? { ...trades, miner: false } : trades
}

/** Environment variables of the miner family that map to our options. */
const FAMILY_VARIABLES: Readonly<Record<string, string>> = {
  SSL_CERT_FILE: 'pool.certificateFile',
  SSL_NOVERIFY: 'pool.noVerify',
}

/** Variables of ours that aren't options. */
const OTHER_VARIABLES: readonly string[] = ['HEADFRAME_NO_ADDON']

/** The configuration of a call. @throws ConfigError any CONFIG_ code */
export function resolveConfig(input: ResolveInput): ResolvedConfig {
  const { parsed, early, notices } = givenBy(input)
  const command = parsed['list-devices'] ? 'devices' : parsed.command
  const join = (...parts: readonly string[]): string => joinPath(input.surroundings.platform, ...parts)
  const file = readConfigFile(input, early)
  const { candidates: given, dataDir } = file
  const isFamilySigner = command === 'signer' && !file.isDataDirNamed
  const choice = networkOf(given, join(dataDir, 'custom', 'network.json'), input, command)
  // A genesis file may have overridden the network named in the config file.
  const isOverridden = ({ entry, value }: Candidate): boolean => entry.key === 'app.network' && value !== choice.network
  const candidates = given
    .filter((candidate) => !isOverridden(candidate))
    .map((candidate) => (candidate.entry.key === 'app.dataDir' ? { ...candidate, value: dataDir } : candidate))
  const context: DefaultContext = {
    // `config` shows the settings of a `run`.
    command: SHOWING.includes(command) ? 'run' : command,
    network: choice.network,
    chainId: chainIdOf(choice),
    headless: input.windowless || chosen(candidates, 'app.headless')?.value === true,
    dataDir,
    familySigner: isFamilySigner ? familySignerFolders(input.surroundings) : null,
    join,
  }
  const { values, sources } = choose(candidates, context)
  const checked = checkRules({ command, values, sources, candidates: given, readFile: input.readFile })
  const { api: _api, stratum: _stratum, ...rest } = values
  return deepFreeze({
    ...rest,
    app: { ...values.app, headless: context.headless, configFile: file.path },
    command,
    namedDataDir: file.namedDataDir,
    trades: tradesOf(command, checked.rigMonitor.monitor),
    custom: choice.custom,
    api: checked.api,
    stratum: checked.stratum,
    pools: checked.pools,
    rigMonitor: checked.rigMonitor,
    sources: withApiSources(sources),
    notices: [...notices, ...file.notices, ...checked.notices],
  })
}

/** Where the data directory is now, for a command to the running program. @throws ConfigError any CONFIG_ code */
export function resolveDataDir(input: ResolveInput): Pick<ResolvedConfig, 'notices'> & { readonly dataDir: string } {
  const { early, notices } = givenBy(input)
  return { dataDir: readDataDir(input, early), notices }
}

/** What the call and the environment say, in ascending precedence. */
function givenBy({ argv, surroundings }: ResolveInput) {
  const parsed = parseArgv(argv)
  const environment = fromEnvironment(surroundings)
  const early = [...environment.candidates, ...fromArgv(parsed, surroundings)]
  return { parsed, early, notices: [...parsed.notices, ...environment.notices] }
}

function networkOf(
  candidates: readonly Candidate[],
  recordFile: string,
  input: ResolveInput,
  command: CommandName,
): NetworkChoice {
  const network = chosen(candidates, 'app.network')
  const genesis = chosen(candidates, 'app.genesis')
  // Like clef: the main network, unless another one or a data directory is named.
  const isNamed = network !== null || genesis !== null || chosen(candidates, 'app.dataDir') !== null
  if (command === 'signer' && !isNamed) return { network: 'main', custom: null }
  // A standalone miner has no chain: network or --xhash.mode set only dataset sizes, and pools mine the main network.
  if (command === 'miner' && genesis === null && network?.value !== 'custom') {
    const name = NETWORKS.find((each) => each === network?.value) ?? 'main'
    return { network: name, custom: null }
  }
  const networkId = chosen(candidates, 'app.networkId')?.value
  const xhashMode = chosen(candidates, 'app.xhashMode')?.value
  return chooseNetwork({
    network,
    genesis,
    networkId: typeof networkId === 'number' ? networkId : null,
    xhashMode: XHASH_MODES.find((mode) => mode === xhashMode) ?? null,
    recordFile,
    readFile: input.readFile,
  })
}

function fromArgv(parsed: ParsedArgv, surroundings: Surroundings): Candidate[] {
  return parsed.values.map(({ entry, typed, text }) => {
    const value = parsedText(entry, text, typed, surroundings)
    return { entry, value, source: { kind: 'command line', name: typed } }
  })
}

function fromEnvironment(surroundings: Surroundings): { candidates: Candidate[]; notices: string[] } {
  const candidates: Candidate[] = []
  const notices: string[] = []
  for (const [name, text] of Object.entries(surroundings.environment)) {
    const family = familyOption(name, text)
    if (family !== null) candidates.push(family)
    if (text === undefined || !name.startsWith('HEADFRAME_') || OTHER_VARIABLES.includes(name)) continue
    const entry = ENTRIES.find((candidate) => candidate.environmentName === name)
    if (entry === undefined) {
      const near = nearest(
        name,
        ENTRIES.map((candidate) => candidate.environmentName),
      )
      notices.push(`${name} in the environment names no option${near === null ? '' : `; did you mean ${near}?`}`)
      continue
    }
    const value = parsedText(entry, text, name, surroundings)
    candidates.push({ entry, value, source: { kind: 'environment', name } })
  }
  return { candidates, notices }
}

/** Any non-empty text counts as set; for SSL_NOVERIFY that is enough to disable verification. */
function familyOption(name: string, text: string | undefined): Candidate | null {
  const key = Object.hasOwn(FAMILY_VARIABLES, name) ? FAMILY_VARIABLES[name] : undefined
  const entry = ENTRIES.find((candidate) => candidate.key === key)
  if (entry === undefined || text === undefined || text === '') return null
  const value = entry.option.type.form === 'switch' ? (entry.option.type.parse(text) ?? true) : text
  return { entry, value, source: { kind: 'environment', name } }
}

/** The effective candidate: the last, as precedence ascends. Values of a repeatable option are merged. */
function chosen(candidates: readonly Candidate[], key: string): Candidate | null {
  const own = candidates.filter((candidate) => candidate.entry.key === key)
  const last = own[own.length - 1]
  if (last === undefined) return null
  const { type } = last.entry.option
  if (type.merge === undefined) return last
  const same = own.filter((candidate) => candidate.source.kind === last.source.kind)
  const merge = type.merge
  return { ...last, value: same.slice(1).reduce((sum, next) => merge(sum, next.value), same[0]?.value) }
}

function choose(
  candidates: readonly Candidate[],
  context: DefaultContext,
): { values: ConfigValues; sources: Record<string, Source> } {
  const sources: Record<string, Source> = {}
  const values: Record<string, Record<string, unknown>> = {}
  for (const entry of ENTRIES) {
    const candidate = chosen(candidates, entry.key)
    sources[entry.key] = candidate?.source ?? { kind: 'default', name: '' }
    const value = candidate === null ? entry.option.default(context) : placed(entry, candidate.value, context)
    values[entry.section] = { ...values[entry.section], [entry.property]: value }
  }
  // Each value was made by the option whose place it takes, so the records have the declared types.
  return { values: values as unknown as ConfigValues, sources }
}

/** A bare file name of a data directory option is placed in the data directory. */
function placed({ option }: CatalogEntry, value: unknown, { dataDir, join }: DefaultContext): unknown {
  const isBare = option.type.bareInDataDir === true && typeof value === 'string' && isBareName(value)
  return isBare ? join(dataDir, value) : value
}

/** The control port's short spellings fill in the fields of the long ones. */
function withApiSources(sources: Readonly<Record<string, Source>>): Record<string, Source> {
  const out = { ...sources }
  for (const [short, long] of [
    ['api.legacyPort', 'api.bind'],
    ['api.tokenFile', 'api.token'],
    ['stratum.tokenFile', 'stratum.token'],
  ] as const) {
    const source = sources[short]
    if (source !== undefined && source.kind !== 'default') out[long] = source
  }
  return out
}

/** Freezes plain objects and arrays; a `Secret` keeps its own state private. */
function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const inner of Object.values(value)) deepFreeze(inner)
  }
  return value
}
