// Option descriptions from the parsers' own records: reference table, settings form, list of effective settings.
import { Secret } from '../base/secret'
import { CATALOG, type CatalogEntry, ENTRIES } from './catalog'
import type { ResolvedConfig } from './resolved-config'
import type { CommandName, DefaultContext } from './schema'
import { isInFile } from './sources/parse-toml'

/** A command's usage and purpose. */
interface CommandHelp {
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
      'headframe signer [init|attest SHA256 [LAX [SIGNATURES]]|setpw ADDRESS|delpw ADDRESS|newaccount|gendoc|restore|descriptors LIST [--key FILE] [--older]] [options]',
    text: 'The signer only. With a subcommand: create the master seed, attest rules, store or delete passwords, create accounts, print the UI API by example, install a signed list of descriptors. --password FILE: one password per line, the master password first.',
  },
  init: {
    usage: 'headframe init [GENESIS.json] [options]',
    text: "Writes a custom network's genesis to the data directory; without a file, that of --mainnet or --testnet.",
  },
  import: {
    usage: 'headframe import FILE... [options]',
    text: 'Imports blocks from files: RLP, one block after another, optionally compressed (.gz). Skips known blocks.',
  },
  export: {
    usage: 'headframe export FILE [FIRST LAST] [options]',
    text: 'Writes the canonical blocks to a file (.gz: compressed). A full export replaces FILE; a range is appended.',
  },
  db: {
    usage: 'headframe db inspect|stats|verify|compact|repair [--seals] [--json] [options]',
    text: "Works on the chain database while no node is using it. inspect: shows entries and bytes by kind. stats: shows LevelDB's tables. verify: checks every file's checksums, every block's hashes and the whole state (--seals: every proof of work too), and exits with 1 if something is wrong. compact: frees deleted space. repair: rebuilds indexes and trie nodes in place; if that is not enough, executes the readable blocks again into a new database and keeps the damaged one. Never touches keys or your own transactions.",
  },
  dumpgenesis: {
    usage: 'headframe dumpgenesis [options]',
    text: "Prints the network's genesis file: that of --mainnet, --testnet or --genesis FILE, or the one the data directory was created with.",
  },
  removedb: {
    usage: 'headframe removedb --yes [options]',
    text: "Deletes the network's chain database; it is rebuilt at the next start. Keys, settings and your own transactions stay.",
  },
  account: {
    usage:
      'headframe account new|list|import FILE [PATH]|update ADDRESS|export ADDRESS|backup ADDRESS FILE|verify ADDRESS [FILE]|forget ADDRESS|device [COUNT]|add PATH|watch ADDRESS [PATH]|unsigned [ID]|signed ID FILE [--password FILE] [options]',
    text: "Manages accounts without the UI. import: adds a key file, a bare key or a seed phrase (PATH defaults to m/44'/60'/0'/0/0). export: prints the encrypted key file. backup: writes a copy of it and opens the copy. verify: opens the account, or a copy of it, with the password. forget: moves the key file aside. device: lists the accounts of a connected Ledger. add: adds one of them, by its path. watch: adds an account of an offline device. unsigned, signed: exchange requests and signatures with it. --json: list and device as JSON. Passwords come from prompts, or from --password FILE, one per line, old before new.",
  },
  rules: {
    usage: 'headframe rules attest FILE [LAX [SIGNATURES]]|policies [FILE]|dryrun FILE [--password FILE] [options]',
    text: 'attest: allows exactly this script to decide requests, up to 100 LAX and 100 signatures per account and day if you name no others. policies: prints the policies, or replaces them with those of FILE (JSON). dryrun: shows what policies would have decided about past requests. Asks for the master password.',
  },
  verify: {
    usage: 'headframe verify FILE [options]',
    text: 'Verifies offline that a downloaded package is what a release key signed; SHA256SUMS and SHA256SUMS.minisig must be next to it. Rejects releases older than this program. --key FILE: a minisign public key instead of the built-in ones. --older: accept an older release.',
  },
  update: {
    usage: 'headframe update [--from FILE] [options]',
    text: 'Checks --update.url for a newer version, shows what changed, downloads the package and verifies it. An archive is installed at the next start; other packages you install yourself. --from FILE: uses a package you have, with SHA256SUMS and its signature next to it, without a network. --older: accept an older version. --forget: discard the update waiting for the next start.',
  },
  audit: {
    usage: 'headframe audit verify [FILE] [options]',
    text: "Checks that each audit log record matches the previous one and that none is missing at the end; reports the first bad one. --password FILE: the master password, to check the vault's seal too. --anchor N:HASH: an end you wrote down earlier, which must be part of the log.",
  },
  devices: {
    usage: 'headframe devices [--json] [options]',
    text: 'Lists what can mine on this computer, and whether it would with these options. The same as --list-devices after run or miner.',
  },
  rigs: {
    usage:
      'headframe rigs list|pause|resume|restart|set-pool URL [NAME...] [--group G] [--label L=V] [--all] [--json] [options]',
    text: 'Lists the rigs of --rig and --rig-file, or controls those you name or select by group or labels. set-pool makes them mine on a pool until they restart; - reads its address from the keyboard. Exits with 1 if a rig did not carry it out.',
  },
  pool: {
    usage: 'headframe pool test URL|- [--json] [options]',
    text: 'Logs in to a pool, waits for a job and submits nothing: says whether it can be mined on, or what is wrong and what to do. - reads the address from the keyboard. Exits with 1 if the pool cannot be used.',
  },
  tune: {
    usage: 'headframe tune [list|set CARD KNOB=VALUE...|reset [CARD]|keep NAME] [--json] [options]',
    text: 'Shows and changes GPU settings: power (W), core and memory (MHz), fan (%); auto restores a setting. CARD is a PCI address or all. Settings last until reset; keep saves them as a profile for --tune-profile. While the miner runs with this data directory, use POST /api/v1/tuning.',
  },
  bench: { usage: 'headframe bench [--quick] [--json]', text: 'Measures how fast this computer hashes.' },
  attach: {
    usage: 'headframe attach [URL|IPCPATH] [--exec CODE] [--preload FILE,...] [options]',
    text: 'Opens a JavaScript console on a running node; without an address, on the one with this data directory. --exec prints one result.',
  },
  link: {
    usage: 'headframe link [--json] [options]',
    text: 'Prints the dashboard links, with token, of the program running with this data directory, one per line. Works only for the user who runs it and for root.',
  },
  status: {
    usage: 'headframe status [--watch] [--json] [options]',
    text: 'Shows on one screen what the program with this data directory does: mining, pool, node, signer, open problems. --watch: again every 2 seconds. Exits with 1 while a service has failed, a problem is open or a part gives no answer. Works only for the user who runs it and for root, like stop, logs and requests.',
  },
  stop: {
    usage: 'headframe stop [options]',
    text: 'Stops the program with this data directory cleanly, as a signal does, and waits until it has ended.',
  },
  logs: {
    usage: 'headframe logs [-f] [options]',
    text: "Prints the last 200 lines of the running program's log. -f: and those that follow.",
  },
  requests: {
    usage: 'headframe requests [list|show ID|approve ID|deny ID|deny all] [--json] [options]',
    text: "Lists what waits for a signature, shows a request whole, and decides it with the account's password, which is asked for. A critical request, or one that is not understood, also needs its id typed. Any unique beginning of an id will do.",
  },
  send: {
    usage: 'headframe send FROM TO AMOUNT [--wait] [--json] [options]',
    text: "Sends LAX from an account of the running program. AMOUNT names its unit: 1.5LAX, 30gwei or 7wei. Shows what is signed, as requests approve does, asks for the account's password, and hands the signed transaction to the node. --wait: until it is in a block; exits with 1 if it failed there. Nothing is sent without your password or, for a device, its own confirmation.",
  },
  doctor: {
    usage: 'headframe doctor [--json] [options]',
    text: 'Checks settings, data folder, disk, hashing, devices, key process and the running program, and says what to do. Changes nothing. Exits with 1 if something does not work.',
  },
  config: {
    usage: 'headframe config [options]',
    text: 'Prints the settings in effect and where each comes from; secrets are masked.',
  },
  dumpconfig: {
    usage: 'headframe dumpconfig [options]',
    text: "Prints the settings that differ from the defaults as a config file (TOML), including those of prlx's config file (--config). Secrets are omitted.",
  },
  completion: {
    usage: 'headframe completion bash|zsh|fish',
    text: 'Prints a completion script for your shell.',
  },
  version: { usage: 'headframe version', text: 'Prints the version.' },
  help: {
    usage: 'headframe help [COMMAND|prlx|clef|hashwarp|ethminer|man] [--all]',
    text: "Prints what people do most; a command with its usual options; or how another program's flags are handled. --all: every command, or every option of one. man: prints the manual page, for headframe help man | man -l -.",
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
  return (value === null ? '' : option.type.format(value)) || 'none'
}

/** The reference page of the options as Markdown tables. */
export function optionsMarkdown(): string {
  const sections = CATALOG.map((section) => {
    const title = `## ${section.title}`
    const commands = `For: ${section.commands.map((name) => `\`${name}\``).join(', ')}.`
    const hint =
      section.unprefixedIn.length === 0
        ? ''
        : ` In ${section.unprefixedIn.map((name) => `\`headframe ${name}\``).join(', ')}, you can omit the prefix \`${section.name}.\``
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

/** One setting in effect. A secret's value is `***`. */
interface EffectiveSetting {
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
  if (key === 'stratum.bind') return config.stratum.bind ?? 'off'
  const sections: Readonly<Record<string, unknown>> = { ...config }
  const values = sections[section]
  if (typeof values !== 'object' || values === null) return null
  const found: Readonly<Record<string, unknown>> = { ...values }
  return found[property] ?? null
}
