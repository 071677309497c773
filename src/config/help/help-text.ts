// Help in three levels: what people do on one screen; a command with its usual options; everything. Wrapped to the terminal's width.
import { callFlagsOf } from '../call-flags'
import { CATALOG, type CatalogEntry, type CatalogSection, SHOWING } from '../catalog'
import { COMMAND_HELP, defaultText } from '../describe'
import { COMMANDS, type CommandName, SUMMARIES } from '../schema'
import { EXAMPLES, SOURCES, TASKS, USUAL } from './command-words'
import { wrapped } from './wrapped'

/** Column at which the descriptions begin. */
const OPTION_INDENT = 28
const COMMAND_INDENT = 15
/** Of the first column of what people do. */
const TASK_WIDTH = 32

/** What a command needs that starts no service: where the data is. */
const FINDING = ['app.dataDir', 'app.network']
const READS_NO_DATA: readonly CommandName[] = ['version', 'help', 'completion', 'verify']

interface HelpRequest {
  /** Null = the program. */
  readonly command: CommandName | null
  /** Every command, or every option of one. */
  readonly all: boolean
}

/** Help in three levels: what people do, a command with its usual options, everything. @param columns from `helpColumns` */
export function helpText({ command, all }: HelpRequest, columns: number): string {
  if (command === null) return all ? everyCommand(columns) : tasks(columns)
  const { usage, text } = COMMAND_HELP[command]
  const sections = sectionsOf(command)
  const shown = all
    ? sections
    : sections.map((section) => usualPart(section, command)).filter(({ entries }) => entries.length > 0)
  const count = (list: readonly CatalogSection[]): number => list.flatMap(({ entries }) => entries).length
  const left = count(sections) - count(shown)
  const examples = EXAMPLES[command]?.map((line) => `  ${line}`) ?? []
  const more = left === 0 ? [] : ['', `headframe help ${command} --all shows ${left} more options.`]
  return [
    `Usage: ${usage}`,
    '',
    ...wrapped(text, 0, columns),
    ...(examples.length === 0 ? [] : ['', 'Examples:', ...examples]),
    ...ownFlags(command, columns),
    ...shown.flatMap((section) => sectionHelp(section, command, columns)),
    ...more,
    ...(all ? ['', ...wrapped(SOURCES, 0, columns)] : []),
    '',
  ].join('\n')
}

function sectionsOf(command: CommandName): readonly CatalogSection[] {
  return CATALOG.filter((section) => SHOWING.includes(command) || section.commands.includes(command))
}

function usualPart(section: CatalogSection, command: CommandName): CatalogSection {
  const isUsual = ({ key }: CatalogEntry): boolean =>
    USUAL.has(key) &&
    (section.name !== 'app' || isService(command) || (FINDING.includes(key) && !READS_NO_DATA.includes(command)))
  return { ...section, entries: section.entries.filter(isUsual) }
}

function isService(command: CommandName): boolean {
  return ['run', 'node', 'miner', 'signer', ...SHOWING].includes(command)
}

/** What people do, on one screen. */
function tasks(columns: number): string {
  return [
    'Usage: headframe [command] [options]',
    ...wrapped('Miner, chain node and signer for the Parallax proof-of-work chain.', 0, columns),
    '',
    ...TASKS.map(([task, call]) => `  ${task.padEnd(TASK_WIDTH)}${call}`),
    '',
    ...wrapped('headframe help COMMAND shows a command, headframe help --all every command.', 0, columns),
    '',
  ].join('\n')
}

function everyCommand(columns: number): string {
  return [
    'Usage: headframe [command] [options]',
    '',
    ...COMMANDS.flatMap((command) =>
      entryLines(`  ${command}`, SUMMARIES[command], { columns, indent: COMMAND_INDENT }),
    ),
    '',
    ...wrapped('headframe help COMMAND --all shows every option of a command.', 0, columns),
    ...wrapped(SOURCES, 0, columns),
    '',
  ].join('\n')
}

/** Flags of this command alone. */
function ownFlags(command: CommandName, columns: number): readonly string[] {
  const own = callFlagsOf(command)
  if (own.length === 0) return []
  const lines = own.flatMap(({ name, placeholder, help }) =>
    entryLines(`  --${name} ${placeholder}`.trimEnd(), help, { columns, indent: OPTION_INDENT }),
  )
  return ['', 'Of this command:', ...lines]
}

function sectionHelp(section: CatalogSection, command: CommandName, columns: number): readonly string[] {
  return ['', `${section.title}:`, ...section.entries.flatMap((entry) => entryHelp(entry, command, columns))]
}

function entryHelp(entry: CatalogEntry, command: CommandName, columns: number): readonly string[] {
  const text = `${entry.option.help} (${defaultText(entry)})`
  return entryLines(`  ${optionHead(entry, command)}`, text, { columns, indent: OPTION_INDENT })
}

/** A name, and what it means beside it; below it when the name is too long. */
function entryLines(
  head: string,
  text: string,
  { columns, indent }: { readonly columns: number; readonly indent: number },
): readonly string[] {
  const lines = wrapped(text, indent, columns)
  if (head.length >= indent) return [head, ...lines]
  const [first = '', ...rest] = lines
  return [head + first.slice(head.length), ...rest]
}

/** `-P, --pool URL`, as a command accepts it. */
export function optionHead({ option, section, unprefixedIn }: CatalogEntry, command: CommandName): string {
  const flag = unprefixedIn.includes(command) ? option.flag.slice(section.length + 1) : option.flag
  const short = option.short === undefined ? '' : `-${option.short}, `
  return `${short}--${flag} ${option.type.placeholder}`.trimEnd()
}
