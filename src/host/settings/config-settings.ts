// This run's settings, changed through the config file; checked with all else in it, so that the program still starts.
import { mkdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { isSystemCode, reasonOf } from '../../base/errors'
import { Emitter } from '../../base/events'
import { bracketed, isLoopback } from '../../base/ip-address'
import { Secret } from '../../base/secret'
import { CATALOG, type CatalogEntry, ENTRIES } from '../../config/catalog'
import { chainIdOf } from '../../config/custom-network'
import { effectiveSettings } from '../../config/describe'
import { ConfigError } from '../../config/errors'
import type { Surroundings } from '../../config/paths'
import { resolveConfig } from '../../config/resolve'
import type { FileText, ResolvedConfig, Source } from '../../config/resolved-config'
import type { Applies, DefaultContext } from '../../config/schema'
import { editToml, tomlSource } from '../../config/sources/edit-toml'
import { isInFile, parseToml, type TomlValue } from '../../config/sources/parse-toml'
import { tomlText } from '../../config/sources/read-values'
import { isPending, type OptionSectionView, type OptionView } from '../../contract/options'
import { replaceOwnerFile } from '../../files/owner-file'
import { HostError } from '../errors'

/** JSON-RPC namespaces that web pages shouldn't reach. */
const STRONG_NAMESPACES: readonly string[] = ['debug', 'trace', 'admin', 'miner']

/** A sentence for each danger after a restart. @param file its options alone @param running its call stays in effect */
export function dangersOf(file: ResolvedConfig, running: ResolvedConfig): readonly string[] {
  const isFixed = (key: string): boolean =>
    ['command line', 'environment'].includes(running.sources[key]?.kind ?? 'default')
  const rpc = (property: keyof ResolvedConfig['rpc']): readonly string[] => {
    const value: unknown = (isFixed(`rpc.${property}`) ? running : file).rpc[property]
    return Array.isArray(value) ? value.map(String) : []
  }
  return [
    ...originDangers('http.corsdomain', rpc('httpCors'), 'http.api', rpc('httpApi')),
    ...originDangers('ws.origins', rpc('wsOrigins'), 'ws.api', rpc('wsApi')),
    ...controlDangers({
      bind: (isFixed('api.bind') ? running : file).api.bind,
      allowControl: (isFixed('api.allowControl') ? running : file).api.allowControl,
      token: file.api.token ?? (isFixed('api.token') || isFixed('api.tokenFile') ? running.api.token : null),
    }),
  ]
}

function originDangers(
  flag: string,
  origins: readonly string[],
  apiFlag: string,
  namespaces: readonly string[],
): readonly string[] {
  if (origins.includes('*'))
    return [
      `--${flag} *: every web page that is opened on this computer could use the node; name the origins one by one`,
    ]
  const foreign = origins.filter((origin) => !isOwnOrigin(origin))
  const strong = namespaces.filter((name) => STRONG_NAMESPACES.includes(name))
  if (foreign.length === 0 || strong.length === 0) return []
  return [
    `--${apiFlag} with ${strong.join(', ')} and --${flag} with ${foreign.join(', ')}: a page of that origin could change the node; take out one of them`,
  ]
}

interface Control {
  readonly bind: ResolvedConfig['api']['bind']
  readonly allowControl: boolean
  readonly token: Secret | null
}

function controlDangers({ bind, allowControl, token }: Control): readonly string[] {
  if (!allowControl || token !== null || bind === null || bind.host === '127.0.0.1') return []
  return [
    `--api-allow-control on ${bracketed(bind.host)}:${bind.port} without a token: anybody who reaches it could control the miner; make a token first`,
  ]
}

function isOwnOrigin(origin: string): boolean {
  try {
    const { hostname } = new URL(origin.includes('://') ? origin : `http://${origin}`)
    return hostname === 'localhost' || isLoopback(hostname.replace(/^\[|\]$/g, ''))
  } catch {
    return false // only an address can be our own
  }
}

interface ConfigSettingsDeps {
  readonly config: ResolvedConfig
  readonly surroundings: Surroundings
  /** Reads a whole UTF-8 file. */
  readonly readFile: (path: string) => FileText
}

/** Sections that protect keys and listeners: control over the miner alone must not change them. */
const GUARDED: readonly string[] = ['signer', 'keystore', 'accounts', 'rpc', 'api', 'stratum', 'node']
/** Addresses that may contain passwords: displayed masked, so they can only be entered again. */
const SECRET_LISTS: readonly string[] = ['pool.urls', 'rigs.list']
/** Lists that are applied while running, and the wizard's own flag. */
const FOLLOWED: readonly string[] = ['pool.urls', 'rigs.list', 'app.welcome']
const FROM_DEFAULT: Source = { kind: 'default', name: '' }

/** The file's text before and after one option was set, or removed. */
interface Change {
  readonly before: string
  readonly after: string
  readonly isSet: boolean
}

function isGuarded({ section, option }: CatalogEntry): boolean {
  return GUARDED.includes(section) || option.danger !== undefined
}

export class ConfigSettings {
  /** `changed`: the file was written. */
  readonly events = new Emitter<{ changed: null }>()

  constructor(private readonly deps: ConfigSettingsDeps) {}

  get file(): string {
    const { app } = this.deps.config
    return app.configFile ?? join(app.dataDir, 'config.toml')
  }

  /** The configuration, with the file's current values of live options. @throws ConfigError for an unreadable file */
  current(): ResolvedConfig {
    const { config } = this.deps
    const { config: next } = this.#resolve(this.#read())
    if (next === null) return config
    const isLive = (entry: CatalogEntry): boolean =>
      this.#appliesOf(entry) === 'live' && this.#lockOf(entry, true) === ''
    return overlaid(config, next, ENTRIES.filter(isLive))
  }

  /** @throws ConfigError when the file has become unreadable or invalid */
  sections(mayApprove: boolean): OptionSectionView[] {
    const config = this.current()
    const shown = new Map(effectiveSettings(config).map(({ key, value }) => [key, value]))
    const inFile = new Map(parseToml(this.file, this.#read()).map((each) => [each.entry.key, each]))
    const view = (entry: CatalogEntry): OptionView => ({
      ...described(entry),
      applies: this.#appliesOf(entry),
      value: shown.get(entry.tomlKey) ?? null,
      defaultValue: this.#defaultOf(entry),
      source: { ...(config.sources[entry.key] ?? FROM_DEFAULT) },
      inFile: fileText(inFile.get(entry.key)),
      locked: this.#lockOf(entry, mayApprove),
    })
    return CATALOG.filter((section) => section.commands.includes(config.command))
      .map(({ name, title, entries }) => ({ name, title, options: entries.filter(isInFile).map(view) }))
      .filter((section) => section.options.length > 0)
  }

  /**
   * Writes one option, or removes it from the file. @param value as it would be typed
   * @throws ConfigError with what is wrong; HostError HOST_SETTING_LOCKED, HOST_SETTING_DANGER, HOST_CONFIG_UNWRITABLE
   */
  set(key: string, value: string | null, mayApprove: boolean): Applies {
    const entry = ENTRIES.find((candidate) => candidate.key === key && isInFile(candidate))
    if (entry === undefined) throw new HostError('HOST_SETTING_UNKNOWN', { key })
    const lock = this.#lockOf(entry, mayApprove)
    if (lock !== '') throw new HostError('HOST_SETTING_LOCKED', { key: entry.tomlKey, by: this.#lockText(entry, lock) })
    const before = this.#read()
    const after = editToml(before, entry, value === null ? null : sourceOf(entry, value))
    this.#checkForm(entry, { before, after, isSet: value !== null })
    this.#check(before, after)
    this.#write(after)
    this.events.emit('changed', null)
    return this.#appliesOf(entry)
  }

  /** Flags of options that were saved and wait for a restart; none while the file can't be read. */
  waitsForRestart(): readonly string[] {
    try {
      const options = this.sections(true).flatMap((section) => section.options)
      return options.filter((option) => isPending(option) && !FOLLOWED.includes(option.key)).map(({ flag }) => flag)
    } catch {
      return [] // the settings screen shows why
    }
  }

  /** Describes a change to an option that protects keys or access, for the user; null for any other option. */
  guarded(key: string, value: string | null): { readonly name: string; readonly value: string } | null {
    const entry = ENTRIES.find((candidate) => candidate.key === key && isGuarded(candidate))
    if (entry === undefined) return null
    return { name: entry.tomlKey, value: entry.option.secret === true ? '***' : (value ?? 'default') }
  }

  /** An option's name and value in the file, for logging: secrets as `***`. */
  shown(key: string): { readonly name: string; readonly value: string } {
    const found = parseToml(this.file, this.#read()).find(({ entry }) => entry.key === key)
    const name = ENTRIES.find((entry) => entry.key === key)?.tomlKey ?? key
    return { name, value: SECRET_LISTS.includes(key) ? '***' : (fileText(found) ?? 'default') }
  }

  /** An option's value in the file, as it would be typed; null when not set. A secret reads `***`. */
  textInFile(key: string): string | null {
    return fileText(parseToml(this.file, this.#read()).find(({ entry }) => entry.key === key))
  }

  /** A list's words in the config file, secrets included. @throws ConfigError for an unreadable or invalid file */
  listInFile(key: string): readonly string[] {
    const found = parseToml(this.file, this.#read()).find(({ entry }) => entry.key === key)
    const value: unknown = found === undefined ? null : plain(found.entry.option.type.fromToml(found.value))
    return Array.isArray(value) ? value.map(String) : []
  }

  #read(): string {
    const read = this.deps.readFile(this.file)
    if ('text' in read) return read.text
    if ('missing' in read) return ''
    throw new ConfigError('CONFIG_FILE_UNREADABLE', { where: 'config file', file: this.file, reason: read.unreadable })
  }

  /** Only what was meant may change: files have forms unknown here. @throws HostError HOST_CONFIG_UNWRITABLE */
  #checkForm({ key, section, tomlKey }: CatalogEntry, change: Change): void {
    const valuesOf = (text: string): string =>
      JSON.stringify(
        parseToml(this.file, text).flatMap((each) => (each.entry.key === key ? [] : [each.key, each.value])),
      )
    const old = valuesOf(change.before)
    try {
      const isThere = parseToml(this.file, change.after).some((each) => each.entry.key === key)
      if (isThere === change.isSet && valuesOf(change.after) === old) return
    } catch {
      // a table would be there twice
    }
    const reason = `it holds the table ${section} in a form that only an editor can change: change ${tomlKey} there`
    throw new HostError('HOST_CONFIG_UNWRITABLE', { file: this.file, reason })
  }

  /** The new file must be able to start the program by itself, unless the old one couldn't either. */
  #check(before: string, after: string): void {
    const { config: old } = this.#resolve(before)
    if (old === null) return
    const { config: next, fault } = this.#resolve(after)
    if (next === null) throw fault
    const known = dangersOf(old, this.deps.config)
    const reason = dangersOf(next, this.deps.config).find((danger) => !known.includes(danger))
    if (reason !== undefined) throw new HostError('HOST_SETTING_DANGER', { reason })
  }

  /** The configuration from a file alone, or why it is invalid. */
  #resolve(text: string): { readonly config: ResolvedConfig | null; readonly fault: unknown } {
    const { config, surroundings, readFile } = this.deps
    try {
      const resolved = resolveConfig({
        argv: [config.command, '--datadir', config.app.dataDir, '--config', this.file],
        surroundings: { ...surroundings, environment: {} },
        readFile: (path) => (path === this.file ? { text } : readFile(path)),
        windowless: config.app.headless,
      })
      return { config: resolved, fault: null }
    } catch (fault: unknown) {
      return { config: null, fault }
    }
  }

  /** Written atomically: beside it, then renamed. Private, since it may contain secrets. */
  #write(text: string): void {
    try {
      mkdirSync(dirname(this.file), { recursive: true, mode: 0o700 })
      replaceOwnerFile(this.file, text)
    } catch (error: unknown) {
      throw new HostError('HOST_CONFIG_UNWRITABLE', { file: this.file, reason: reasonOf(error) })
    }
  }

  /** A run without networking has none to change. */
  #appliesOf({ key, option }: CatalogEntry): Applies {
    return key === 'p2p.maxPeers' && this.deps.config.p2p.maxPeers === 0 ? 'service' : option.applies
  }

  #lockOf(entry: CatalogEntry, mayApprove: boolean): OptionView['locked'] {
    const source = this.deps.config.sources[entry.key]?.kind
    if (source === 'command line' || source === 'environment') return source
    return isGuarded(entry) && !mayApprove ? 'machine' : ''
  }

  #lockText(entry: CatalogEntry, lock: OptionView['locked']): string {
    if (lock === 'machine') return 'it can be changed at the machine only'
    return `set by ${lock} ${this.deps.config.sources[entry.key]?.name ?? ''}`
  }

  #defaultOf({ option }: CatalogEntry): string | null {
    const { app, command, custom } = this.deps.config
    const context: DefaultContext = {
      command,
      network: app.network,
      chainId: chainIdOf({ network: app.network, custom }),
      headless: app.headless,
      dataDir: app.dataDir,
      familySigner: null, // a standalone signer has no settings screen
      join,
    }
    const value = option.default(context)
    if (value === null) return null
    return value instanceof Secret ? value.toString() : option.type.format(value)
  }
}

/** A configuration with some options and their sources taken from another one. */
function overlaid(config: ResolvedConfig, next: ResolvedConfig, entries: readonly CatalogEntry[]): ResolvedConfig {
  const result: Record<string, unknown> = { ...config }
  const from: Readonly<Record<string, unknown>> = { ...next }
  const sources: Record<string, Source> = { ...config.sources }
  for (const { section, property, key } of entries) {
    const values = from[section] as Readonly<Record<string, unknown>>
    result[section] = { ...(result[section] as object), [property]: values[property] }
    sources[key] = next.sources[key] ?? FROM_DEFAULT
  }
  return { ...config, ...result, sources }
}

/** On this computer. */
export function configSettings(config: ResolvedConfig): ConfigSettings {
  const surroundings = { platform: process.platform, environment: {}, homeDir: homedir(), workingDir: process.cwd() }
  return new ConfigSettings({ config, surroundings, readFile: readText })
}

/** A whole file as UTF-8; a missing one isn't an error. */
export function readText(path: string): FileText {
  try {
    return { text: readFileSync(path, 'utf8') }
  } catch (error: unknown) {
    const isMissing = isSystemCode(error, 'ENOENT', 'ENOTDIR')
    return isMissing ? { missing: true } : { unreadable: reasonOf(error) }
  }
}

const described = ({ key, tomlKey, option }: CatalogEntry) => ({
  key,
  flag: option.flag,
  fileKey: tomlKey,
  kind: SECRET_LISTS.includes(key) ? ('secret' as const) : option.type.form,
  help: option.help,
  expected: option.type.expected,
  unit: option.unit ?? null,
  choices: option.type.choices === undefined ? null : [...option.type.choices],
  range: option.type.range ?? null,
  danger: option.danger ?? null,
})

/** The value as TOML. @throws ConfigError CONFIG_VALUE_INVALID */
function sourceOf({ option, tomlKey }: CatalogEntry, text: string): string {
  const { type } = option
  const isRead = type.form === 'switch' || type.form === 'number' || type.form === 'list'
  const value = isRead ? plain(type.parse(text)) : text
  if (value === null || type.fromToml(value) === null) {
    const shown = option.secret === true ? '***' : text === '' ? 'an empty value' : text
    throw new ConfigError('CONFIG_VALUE_INVALID', { where: tomlKey, value: shown, expected: type.expected })
  }
  return tomlSource(value)
}

/** Secrets as stored in the file. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  return value instanceof Secret ? value.reveal() : value
}

/** The file's value, as it would be typed. */
function fileText(found: TomlValue | undefined): string | null {
  if (found === undefined) return null
  const { option } = found.entry
  if (option.secret === true) return '***'
  const value = option.type.fromToml(found.value)
  return value === null ? tomlText(found.value) : option.type.format(value)
}
