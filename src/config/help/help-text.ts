// --help: the program's on one screen, a command's with its options in paragraphs of 80 columns.
import { CATALOG, type CatalogEntry, type CatalogSection, SHOWING } from '../catalog'
import { COMMAND_HELP, defaultText } from '../describe'
import type { CommandName } from '../schema'

/** Columns of a line. */
const COLUMNS = 80
/** Where the texts of options and commands begin. */
const OPTION_INDENT = 28
const COMMAND_INDENT = 15

/** What a command is for, on one line of the program's help. */
const SUMMARIES: Readonly<Record<CommandName, string>> = {
  run: 'node, miner, signer and dashboard (the default)',
  node: 'the chain node and its JSON-RPC',
  miner: 'mine for a pool (-P), or on a node by getwork',
  signer: 'the signer, or work on its vault',
  init: 'prepare the data directory for a custom network',
  import: 'read blocks from files',
  export: 'write blocks to a file',
  db: 'inspect, verify, compact and repair the database',
  dumpgenesis: 'print the genesis file of the network',
  removedb: 'delete the chain database',
  account: 'make, list, import and change accounts',
  rules: 'attest a rules script; show, set or try policies',
  audit: 'check the audit log',
  devices: 'list the devices that can mine',
  rigs: 'list and command the rigs of a fleet',
  tune: 'show or set power limit, clocks and fans of GPUs',
  bench: 'measure how fast this computer hashes',
  attach: 'open a JavaScript console on a running node',
  link: "print the running program's dashboard link",
  config: 'show the settings in effect, and their sources',
  dumpconfig: 'print them as a config file',
  verify: 'check a downloaded release',
  update: 'look for a newer version, and fetch it',
  completion: 'print completion for bash, zsh or fish',
  version: 'print the version',
  help: "show a command's options, or another program's flags",
}

const EXAMPLES: Readonly<Partial<Record<CommandName, readonly string[]>>> = {
  run: ['headframe --headless', 'headframe --mainnet --datadir /srv/headframe'],
  node: ['headframe node --mainnet --http --ws', 'headframe node --mainnet --mine --miner.coinbase 0xADDRESS'],
  miner: [
    'headframe miner -P stratum+tls://0xADDRESS.rig1@pool.example:3334',
    'headframe miner -P http://127.0.0.1:8545 --cpu-threads 2',
  ],
  signer: ['headframe signer --keystore DIR --chainid 2110', 'headframe signer attest SHA256'],
  export: ['headframe export blocks.rlp.gz', 'headframe export recent.rlp 55000 56000'],
  db: ['headframe db verify --json', 'headframe db repair --mainnet'],
  account: [
    'headframe account new',
    'headframe account backup 0xADDRESS /media/stick/key.json',
    "headframe account add m/44'/60'/0'/0/0",
    'headframe account unsigned',
  ],
  rigs: ['headframe rigs list --rig-file rigs.txt', 'headframe rigs pause --group cellar --rig-file rigs.txt'],
  tune: ['headframe tune', 'headframe tune set 01:00.0 power=220 memory=7001'],
  attach: ["headframe attach --exec 'eth.blockNumber'", 'headframe attach http://127.0.0.1:8545'],
  verify: [
    'headframe verify headframe_0.2.0_amd64.deb',
    'headframe verify --key release.pub headframe-0.2.0-linux-x64.tar.gz',
  ],
  update: [
    'headframe update --update.url https://HOST/update.json',
    'headframe update --from /media/stick/headframe-server-0.2.0-linux-x64.tar.gz',
  ],
  link: ['headframe link', 'sudo headframe link --datadir /var/lib/headframe-node'],
  completion: ['headframe completion bash > /etc/bash_completion.d/headframe'],
}

const SOURCES =
  'Every option is also a variable (HEADFRAME_HTTP_PORT for --http.port) and a key of the config file. ' +
  'Command line > environment > config file > default; headframe config shows what is in effect.'

/** --help of a command, or of the program (null). */
export function helpText(command: CommandName | null): string {
  if (command === null) return programHelp()
  const { usage, text } = COMMAND_HELP[command]
  const sections = CATALOG.filter((section) => SHOWING.includes(command) || section.commands.includes(command))
  const examples = EXAMPLES[command]?.map((line) => `  ${line}`) ?? []
  return [
    `Usage: ${usage}`,
    '',
    ...wrapped(text, 0),
    ...(examples.length === 0 ? [] : ['', 'Examples:', ...examples]),
    ...sections.flatMap((section) => sectionHelp(section, command)),
    '',
    ...wrapped(SOURCES, 0),
    '',
  ].join('\n')
}

function programHelp(): string {
  const lines = Object.entries(SUMMARIES).map(([name, text]) => `  ${name.padEnd(COMMAND_INDENT - 2)}${text}`)
  return [
    'Usage: headframe [command] [options]',
    'Miner, chain node and signer for the Parallax proof-of-work chain.',
    '',
    ...lines,
    'headframe help COMMAND shows its options.',
    '',
  ].join('\n')
}

function sectionHelp(section: CatalogSection, command: CommandName): readonly string[] {
  return ['', `${section.title}:`, ...section.entries.flatMap((entry) => entryHelp(entry, command))]
}

function entryHelp(entry: CatalogEntry, command: CommandName): readonly string[] {
  const { option } = entry
  const isShort = entry.unprefixedIn.includes(command)
  const flag = isShort ? option.flag.slice(entry.section.length + 1) : option.flag
  const short = option.short === undefined ? '' : `-${option.short}, `
  const head = `  ${short}--${flag} ${option.type.placeholder}`.trimEnd()
  const lines = wrapped(`${option.help} (${defaultText(entry)})`, OPTION_INDENT)
  if (head.length >= OPTION_INDENT) return [head, ...lines]
  const [first = '', ...rest] = lines
  return [head + first.slice(head.length), ...rest]
}

/** Lines of at most COLUMNS characters, cut at blanks; a longer word stands alone. */
function wrapped(text: string, indent: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && indent + line.length + 1 + word.length > COLUMNS) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].map((each) => ' '.repeat(indent) + each)
}
