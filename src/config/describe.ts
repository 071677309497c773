// Option descriptions for people, made from the records that the parsers use: the reference table, the settings form,
// and the list of effective settings.
import { Secret } from '../base/secret'
import { CATALOG, type CatalogEntry, ENTRIES } from './catalog'
import type { ResolvedConfig } from './resolved-config'
import type { Applies, CommandName, DefaultContext, FormKind } from './schema'
import { isInFile } from './sources/parse-toml'

/** A command's usage and purpose. */
export interface CommandHelp {
  readonly usage: string
  readonly text: string
}

/** Usage and purpose of each command. */
export const COMMAND_HELP: Readonly<Record<CommandName, CommandHelp>> = {
  run: { usage: 'headframe [run] [options]', text: 'Everything: node, miner, signer and the dashboard.' },
  node: { usage: 'headframe node [options]', text: 'The chain node and its JSON-RPC only.' },
  miner: {
    usage: 'headframe miner [options]',
    text: 'The miner only, for pools (-P) or a node by getwork.',
  },
  signer: {
    usage:
      'headframe signer [init|attest SHA256|setpw ADDRESS|delpw ADDRESS|newaccount|gendoc|descriptors LIST [--key FILE] [--older]] [options]',
    text: 'The signer only; with a word: its master seed, attested rules, stored passwords, accounts, the UI API by examples, a signed list of descriptors. --password FILE: the master password first, one a line.',
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
  db: {
    usage: 'headframe db inspect|stats|verify|compact|repair [--seals] [--json] [options]',
    text: 'Care of the chain database, while no node runs on it. inspect: entries and bytes by kind. stats: the tables of LevelDB. verify: reads every file by its checksums, every block by its hashes and the whole state (--seals: every proof of work too), and ends with 1 where something is wrong. compact: frees what was deleted. repair: makes indexes and trie nodes again where they lie; else executes the readable blocks again into a new database and keeps the damaged one beside it. Keys and own transactions are never touched.',
  },
  dumpgenesis: {
    usage: 'headframe dumpgenesis [options]',
    text: 'Prints the genesis file of the network: of --mainnet, --testnet, --genesis FILE, or the one that the data directory was made with.',
  },
  removedb: {
    usage: 'headframe removedb --yes [options]',
    text: 'Deletes the chain database of the network, so that the next start builds it again. Keys, settings and own transactions stay.',
  },
  account: {
    usage:
      'headframe account new|list|import FILE [PATH]|update ADDRESS|export ADDRESS|backup ADDRESS FILE|verify ADDRESS [FILE]|forget ADDRESS|device [COUNT]|add PATH|watch ADDRESS [PATH]|unsigned [ID]|signed ID FILE [--password FILE] [options]',
    text: "Keystore work without the UI. import: takes a key file, a bare key or a seed phrase (PATH m/44'/60'/0'/0/0 unless given). export: prints the encrypted key file. backup: writes a copy of it and opens the copy. verify: opens the account, or a copy of it, with the password. forget: moves the key file aside. device: lists the accounts of a connected Ledger. add: takes one of them among the accounts, by its path. --json: list and device as JSON. Passwords come from prompts, or one a line from --password FILE: old ones before new ones.",
  },
  rules: {
    usage: 'headframe rules attest FILE|policies [FILE]|dryrun FILE [--password FILE] [options]',
    text: 'attest: allows this very script to decide requests. policies: shows the policies that need no script, or takes those of FILE (JSON). dryrun: what those would have done with past requests. The master password is asked for.',
  },
  verify: {
    usage: 'headframe verify FILE [options]',
    text: 'Checks without a network that a downloaded package is what a release key signed: SHA256SUMS and SHA256SUMS.minisig lie beside it. Refuses releases older than this program. --key FILE: a public key of minisign, in place of those built in. --older: an older release is fine too.',
  },
  update: {
    usage: 'headframe update [--from FILE] [options]',
    text: 'Asks --update.url for a newer version, shows what changed, and fetches and checks its package. An archive is put in place at the next start; other packages are yours to install. --from FILE: takes a package from a disk, with SHA256SUMS and its signature beside it, and asks no host. --older: takes an older version too. --forget: drops what waits for the next start.',
  },
  audit: {
    usage: 'headframe audit verify [FILE] [options]',
    text: 'Checks that each record of the audit log fits the one before and that none is missing at the end, and names the first bad one. --password FILE: the master password; then the vault vouches for the records. --anchor N:HASH: an end noted down earlier has to be part of it.',
  },
  devices: {
    usage: 'headframe devices [--json] [options]',
    text: 'What can mine on this computer, and whether it would with these options; the same as --list-devices behind run and miner.',
  },
  rigs: {
    usage:
      'headframe rigs list|pause|resume|restart|set-pool URL [NAME...] [--group G] [--label L=V] [--all] [--json] [options]',
    text: 'Asks the rigs of --rig and --rig-file, or commands those that are named, are of a group, or have all these labels. set-pool gives them a pool and makes them mine for it until they start again; - reads its address from the keyboard. Ends with 1 where a rig did not do it.',
  },
  tune: {
    usage: 'headframe tune [list|set CARD KNOB=VALUE...|reset [CARD]|keep NAME] [--json] [options]',
    text: 'What can be set of each card, and setting it: power (W), core and memory (MHz), fan (%); auto gives a knob back to the card. CARD is a PCI address or all. What is set stays until reset; keep stores it as a profile for --tune-profile. While the miner runs with this data directory: POST /api/v1/tuning.',
  },
  bench: { usage: 'headframe bench [--quick] [--json]', text: 'How fast this computer hashes.' },
  attach: {
    usage: 'headframe attach [URL|IPCPATH] [--exec CODE] [--preload FILE,...] [options]',
    text: 'A JavaScript console on a running node; without an address on the one of this data directory. --exec prints one result.',
  },
  link: {
    usage: 'headframe link [--json] [options]',
    text: "The dashboard's links with the token of the program that runs with this data directory, one a line. Only the user who runs it, and root, are answered.",
  },
  config: {
    usage: 'headframe config [options]',
    text: 'The settings in effect and where each comes from; secrets are masked.',
  },
  dumpconfig: {
    usage: 'headframe dumpconfig [options]',
    text: 'Prints the settings that differ from the defaults as a config file (TOML), also those of a config file of prlx (--config). Secrets are left out.',
  },
  completion: {
    usage: 'headframe completion bash|zsh|fish',
    text: 'Prints what the shell needs to complete commands and options.',
  },
  version: { usage: 'headframe version', text: 'The version of this program.' },
  help: {
    usage: 'headframe help [COMMAND|prlx|clef|hashwarp|ethminer|man]',
    text: "This text, the options of one command, or what became of another program's flags. man: the manual page, for headframe help man | man -l -.",
  },
}

/** The context whose defaults are documented: a first start without a window and without arguments. */
const SHOWN_CONTEXT: DefaultContext = {
  command: 'run',
  network: 'practice',
  chainId: 1337,
  headless: true,
  dataDir: 'DATADIR',
  familySigner: null,
  join: (...parts) => parts.join('/'),
}

/** An option's default in words; `none` where there is none. */
export function defaultText({ option }: CatalogEntry): string {
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
      section.unprefixedIn.length === 0
        ? ''
        : ` In ${section.unprefixedIn.map((name) => `\`headframe ${name}\``).join(', ')} the prefix \`${section.name}.\` may be left out.`
    return [title, '', `${commands}${hint}`, '', TABLE_HEAD, ...section.entries.map(tableRow), ''].join('\n')
  })
  return sections.join('\n')
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
    const value = settingOf(config, entry)
    const text = value === null ? null : value instanceof Secret ? value.toString() : entry.option.type.format(value)
    return { key: entry.tomlKey, value: text, source: [source?.kind, source?.name].filter(Boolean).join(' ') }
  })
}

/** One setting's effective value; null for none. */
export function settingOf(config: ResolvedConfig, { section, property, key }: CatalogEntry): unknown {
  if (key === 'api.bind') return config.api.bind ?? 'off'
  const sections: Readonly<Record<string, unknown>> = { ...config }
  const values = sections[section]
  if (typeof values !== 'object' || values === null) return null
  const found: Readonly<Record<string, unknown>> = { ...values }
  return found[property] ?? null
}
