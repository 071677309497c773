// What people read about options, made from the same records that the parsers use: --help, the reference table, the
// settings form, and the listing of what is in effect.
import { Secret } from '../base/secret'
import { CATALOG, type CatalogEntry, type CatalogSection, ENTRIES } from './catalog'
import { HABITS } from './habits'
import { isInFile } from './parse-toml'
import type { ResolvedConfig } from './resolved-config'
import type { Applies, CommandName, DefaultContext, FormKind } from './schema'

interface CommandHelp {
  readonly usage: string
  readonly text: string
}

const COMMAND_HELP: Readonly<Record<CommandName, CommandHelp>> = {
  run: { usage: 'headframe [run] [options]', text: 'Everything: node, miner, signer and the dashboard.' },
  node: { usage: 'headframe node [options]', text: 'The chain node and its JSON-RPC only.' },
  miner: {
    usage: 'headframe miner [options]',
    text: 'The miner only; needs a pool, which comes with a later version.',
  },
  signer: {
    usage: 'headframe signer [init|attest SHA256|setpw ADDRESS|delpw ADDRESS|newaccount] [options]',
    text: 'The signer only; with a word: its master seed, attested rules, stored passwords, accounts. --password FILE: the master password first, one a line.',
  },
  init: {
    usage: 'headframe init [GENESIS.json] [options]',
    text: "Writes a custom network's genesis into the data directory; without a file that of --mainnet or --testnet.",
  },
  import: {
    usage: 'headframe import FILE... [options]',
    text: 'Takes blocks from files: RLP one after another, also compressed (.gz). What is known already is skipped.',
  },
  export: {
    usage: 'headframe export FILE [FIRST LAST] [options]',
    text: 'Writes the canonical blocks to a file (.gz: compressed). A whole export replaces FILE, a range is appended to it.',
  },
  account: {
    usage: 'headframe account new|list|import FILE|update ADDRESS [--password FILE] [options]',
    text: 'Keystore work without the UI. Passwords come from prompts, or one a line from FILE: old ones before new ones.',
  },
  rules: {
    usage: 'headframe rules attest FILE|policies [FILE]|dryrun FILE [--password FILE] [options]',
    text: 'attest: allows this very script to decide requests. policies: shows the policies that need no script, or takes those of FILE (JSON). dryrun: what those would have done with past requests. The master password is asked for.',
  },
  audit: {
    usage: 'headframe audit verify [FILE] [options]',
    text: 'Checks that no record of the audit log was changed or removed, and names the first bad one.',
  },
  devices: {
    usage: 'headframe devices [--json] [options]',
    text: 'What can mine on this computer, and whether it would with these options; the same as --list-devices behind run and miner.',
  },
  bench: { usage: 'headframe bench [--quick] [--json]', text: 'How fast this computer hashes.' },
  config: {
    usage: 'headframe config [options]',
    text: 'The settings in effect and where each comes from; secrets are masked.',
  },
  version: { usage: 'headframe version', text: 'The version of this program.' },
  help: { usage: 'headframe help [command]', text: 'This text, or the options of one command.' },
}

const WIDTH = 34

/** --help of a command, or of the program. */
export function helpText(command: CommandName | null): string {
  if (command === null) return programHelp()
  const { usage, text } = COMMAND_HELP[command]
  const sections = CATALOG.filter((section) => command === 'config' || section.commands.includes(command))
  const parts = sections.map((section) => sectionHelp(section, command))
  return [`Usage: ${usage}`, '', text, ...parts, '', SOURCES_HELP, ''].join('\n')
}

const SOURCES_HELP = [
  'Every option is also a variable (HEADFRAME_HTTP_PORT for --http.port) and a key of the config file',
  '(headframe config shows them). Command line > environment > config file > default.',
].join('\n')

function programHelp(): string {
  const names = Object.entries(COMMAND_HELP)
  const lines = names.map(([name, { text }]) => `  ${name.padEnd(10)} ${text}`)
  return [
    'Usage: headframe [command] [options]',
    '',
    'Miner, chain node and signer for the Parallax proof-of-work chain.',
    '',
    ...lines,
    '',
    'headframe help COMMAND shows the options of a command; headframe alone is headframe run.',
    '',
  ].join('\n')
}

function sectionHelp(section: CatalogSection, command: CommandName): string {
  const lines = section.entries.map((entry) => entryHelp(entry, command))
  return ['', `${section.title}:`, ...lines].join('\n')
}

function entryHelp(entry: CatalogEntry, command: CommandName): string {
  const { option } = entry
  const isShort = entry.unprefixedIn === command
  const flag = isShort ? option.flag.slice(entry.section.length + 1) : option.flag
  const short = option.short === undefined ? '' : `-${option.short}, `
  const head = `  ${short}--${flag} ${option.type.placeholder}`.trimEnd()
  const text = `${option.help} (${defaultText(entry)})`
  return head.length < WIDTH ? `${head.padEnd(WIDTH)}${text}` : `${head}\n${' '.repeat(WIDTH)}${text}`
}

/** The context whose defaults are shown where no words were given: a first start without a window. */
const SHOWN_CONTEXT: DefaultContext = {
  command: 'run',
  network: 'practice',
  chainId: 1337,
  headless: true,
  dataDir: 'DATADIR',
  join: (...parts) => parts.join('/'),
}

function defaultText({ option }: CatalogEntry): string {
  if (option.defaultText !== undefined) return option.defaultText
  const value = option.default(SHOWN_CONTEXT)
  return value === null ? 'none' : option.type.format(value)
}

/** The reference page of the options as Markdown tables. */
export function optionsMarkdown(): string {
  const sections = CATALOG.map((section) => {
    const title = `## ${section.title}`
    const commands = `For: ${section.commands.map((name) => `\`${name}\``).join(', ')}.`
    const hint =
      section.unprefixedIn === null
        ? ''
        : ` In \`headframe ${section.unprefixedIn}\` the prefix \`${section.name}.\` may be left out.`
    return [title, '', `${commands}${hint}`, '', TABLE_HEAD, ...section.entries.map(tableRow), ''].join('\n')
  })
  const habits = HABITS.map((habit) => `- \`--${habit.flag}${habit.takesValue ? ' VALUE' : ''}\`: ${habit.because}`)
  const tail = ['## Accepted without effect', '', ...habits, '- `--loglevel N`: read as `--log.level`', ''].join('\n')
  return [...sections, tail].join('\n')
}

const TABLE_HEAD = [
  '| option | accepted | default | variable | key | what it does |',
  '|---|---|---|---|---|---|',
].join('\n')

function tableRow(entry: CatalogEntry): string {
  const { option } = entry
  const names = [option.flag, ...(option.aliases ?? []).map((alias) => alias.flag)].map((name) => `\`--${name}\``)
  const help = option.danger === undefined ? option.help : `${option.help} **Careful:** ${option.danger}`
  const cells = [
    names.join(', '),
    option.type.expected,
    defaultText(entry),
    `\`${entry.environmentName}\``,
    isInFile(entry) ? `\`${entry.tomlKey}\`` : '',
    help,
  ]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

/** One field of a settings form. */
export interface SettingsField {
  readonly key: string
  readonly section: string
  readonly flag: string
  readonly kind: FormKind
  readonly help: string
  readonly expected: string
  readonly unit: string | null
  readonly choices: readonly string[] | null
  readonly range: { readonly min: number; readonly max: number } | null
  readonly applies: Applies
  readonly danger: string | null
}

/** Every option that a config file may hold, as data for a form. */
export function settingsFields(): SettingsField[] {
  return ENTRIES.filter(isInFile).map(({ key, section, option }) => ({
    key,
    section,
    flag: option.flag,
    kind: option.type.form,
    help: option.help,
    expected: option.type.expected,
    unit: option.unit ?? null,
    choices: option.type.choices ?? null,
    range: option.type.range ?? null,
    applies: option.applies,
    danger: option.danger ?? null,
  }))
}

/** One setting in effect. A secret's value is `***`. */
export interface EffectiveSetting {
  /** As in the config file: `node.http-port`. */
  readonly key: string
  readonly value: string | null
  /** `default`, `command line --http.port`, `environment HEADFRAME_HTTP_PORT`, `file PATH:LINE` */
  readonly source: string
}

/** All settings in effect, in the order of --help. */
export function effectiveSettings(config: ResolvedConfig): EffectiveSetting[] {
  return ENTRIES.map((entry) => {
    const source = config.sources[entry.key]
    const value = effectiveValue(config, entry)
    const text = value === null ? null : value instanceof Secret ? value.toString() : entry.option.type.format(value)
    return { key: entry.tomlKey, value: text, source: [source?.kind, source?.name].filter(Boolean).join(' ') }
  })
}

function effectiveValue(config: ResolvedConfig, { section, property, key }: CatalogEntry): unknown {
  if (key === 'api.bind') return config.api.bind ?? 'off'
  const sections: Readonly<Record<string, unknown>> = { ...config }
  const values = sections[section]
  if (typeof values !== 'object' || values === null) return null
  const found: Readonly<Record<string, unknown>> = { ...values }
  return found[property] ?? null
}
