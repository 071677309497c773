// The manual page in roff, made from the records behind --help: packages ship it, and `headframe help man` prints it.
import { callFlagsOf } from '../call-flags'
import { CATALOG, type CatalogSection } from '../catalog'
import { COMMAND_HELP, defaultText } from '../describe'
import { COMMANDS, type CommandName, SUMMARIES } from '../schema'
import { EXAMPLES, SOURCES } from './command-words'
import { optionHead } from './help-text'

const SECONDS_TO_MS = 1_000
const DAY_CHARACTERS = 10

/** What the manual page says about the build. */
interface ManualFacts {
  /** Of the program. */
  readonly version: string
  /** Release date of the version, seconds since 1970. */
  readonly date: number
}

/** The whole page, for man(1). */
export function manualPage({ version, date }: ManualFacts): string {
  const day = new Date(date * SECONDS_TO_MS).toISOString().slice(0, DAY_CHARACTERS)
  return [
    '.\\" Made from the definitions in src/config.',
    `.TH HEADFRAME 1 ${day} "Headframe ${version}" "User Commands"`,
    '.SH NAME',
    'headframe \\- miner, chain node and signer for the Parallax proof\\-of\\-work chain',
    '.SH SYNOPSIS',
    '.B headframe',
    '.RI [ command ]',
    '.RI [ options ]',
    '.SH DESCRIPTION',
    'A node, miner and signer in one program, with a window or a dashboard in the browser.',
    'Without a network option, it runs a practice network on this computer only, with nothing at stake.',
    '.PP',
    roff(SOURCES),
    '.SH COMMANDS',
    ...COMMANDS.flatMap(commandPart),
    '.SH OPTIONS',
    'Defaults are in parentheses.',
    ...CATALOG.flatMap(optionsPart),
    ...END,
    '',
  ].join('\n')
}

const END = [
  '.SH FILES',
  '.TP',
  '.I ~/.local/share/headframe',
  'The default data directory: settings, keys, chain, logs.',
  '.TP',
  '.I config.toml',
  'Settings, in the data directory.',
  '.TP',
  '.I keystore',
  'Encrypted keys, in the data directory. Packages never remove them.',
  '.SH EXIT STATUS',
  '.TP',
  '0',
  'Success; also a service that a signal ended.',
  '.TP',
  '1',
  'A failure while running, a check that found something wrong, or a signal before the work was done.',
  '.TP',
  '2',
  'Invalid command line or settings.',
]

function commandPart(command: CommandName): readonly string[] {
  const { usage, text } = COMMAND_HELP[command]
  const examples = EXAMPLES[command] ?? []
  const shown = examples.length === 0 ? [] : ['.PP', 'Examples:', '.PP', '.EX', ...examples.map(roff), '.EE']
  const summary = roff(SUMMARIES[command])
  const flags = callFlagsOf(command).flatMap(({ name, placeholder, help }) => [
    '.TP',
    `.B ${roff(`--${name} ${placeholder}`.trimEnd())}`,
    roff(help),
  ])
  return [
    `.SS "${command} \\- ${summary.replaceAll('"', '\\(dq')}"`,
    // Narrow terminals may break it after a bar.
    '.na',
    '.nh',
    roff(usage).replaceAll('|', '|\\:'),
    '.hy',
    '.ad',
    '.PP',
    roff(text),
    ...shown,
    ...flags,
  ]
}

function optionsPart(section: CatalogSection): readonly string[] {
  const { title, commands, unprefixedIn, name, entries } = section
  const shorter =
    unprefixedIn.length === 0 ? '' : ` With ${unprefixedIn.join(' or ')}, you can omit the prefix ${name}.`
  return [
    `.SS "${roff(title)}"`,
    roff(`For ${commands.join(', ')}.${shorter}`),
    ...entries.flatMap((entry) => [
      '.TP',
      `.B ${roff(optionHead(entry, 'run'))}`,
      roff(`${entry.option.help} (${defaultText(entry)})`),
    ]),
  ]
}

/** Text escaped for roff, so that it is printed as it is. */
function roff(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('~', '\\(ti')
    .replaceAll('^', '\\(ha')
    .replaceAll('`', '\\(ga')
    .replaceAll("'", '\\(aq')
  return /^[.]/.test(escaped) ? `\\&${escaped}` : escaped
}
