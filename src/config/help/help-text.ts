// --help: the program's on one screen, a command's with its options wrapped to the terminal's width.
import { CATALOG, type CatalogEntry, type CatalogSection, SHOWING } from '../catalog'
import { COMMAND_HELP, defaultText } from '../describe'
import type { CommandName } from '../schema'
import { EXAMPLES, OVERVIEW, SOURCES } from './command-words'
import { wrapped } from './wrapped'

/** Column at which the descriptions begin. */
const OPTION_INDENT = 28
const COMMAND_INDENT = 21

/** --help of a command, or of the program (null). @param columns of a line, from `helpColumns` */
export function helpText(command: CommandName | null, columns: number): string {
  if (command === null) return programHelp(columns)
  const { usage, text } = COMMAND_HELP[command]
  const sections = CATALOG.filter((section) => SHOWING.includes(command) || section.commands.includes(command))
  const examples = EXAMPLES[command]?.map((line) => `  ${line}`) ?? []
  return [
    `Usage: ${usage}`,
    '',
    ...wrapped(text, 0, columns),
    ...(examples.length === 0 ? [] : ['', 'Examples:', ...examples]),
    ...sections.flatMap((section) => sectionHelp(section, command, columns)),
    '',
    ...wrapped(SOURCES, 0, columns),
    '',
  ].join('\n')
}

function programHelp(columns: number): string {
  const lines = OVERVIEW.flatMap(([names, text]) => {
    const [first = '', ...rest] = wrapped(text, COMMAND_INDENT, columns)
    return [`  ${names.join(', ')}`.padEnd(COMMAND_INDENT) + first.slice(COMMAND_INDENT), ...rest]
  })
  return [
    'Usage: headframe [command] [options]',
    ...wrapped('Miner, chain node and signer for the Parallax proof-of-work chain.', 0, columns),
    '',
    ...lines,
    'headframe help COMMAND shows its options.',
    '',
  ].join('\n')
}

function sectionHelp(section: CatalogSection, command: CommandName, columns: number): readonly string[] {
  return ['', `${section.title}:`, ...section.entries.flatMap((entry) => entryHelp(entry, command, columns))]
}

function entryHelp(entry: CatalogEntry, command: CommandName, columns: number): readonly string[] {
  const { option } = entry
  const head = `  ${optionHead(entry, command)}`
  const lines = wrapped(`${option.help} (${defaultText(entry)})`, OPTION_INDENT, columns)
  if (head.length >= OPTION_INDENT) return [head, ...lines]
  const [first = '', ...rest] = lines
  return [head + first.slice(head.length), ...rest]
}

/** `-P, --pool URL`, as a command accepts it. */
export function optionHead({ option, section, unprefixedIn }: CatalogEntry, command: CommandName): string {
  const flag = unprefixedIn.includes(command) ? option.flag.slice(section.length + 1) : option.flag
  const short = option.short === undefined ? '' : `-${option.short}, `
  return `${short}--${flag} ${option.type.placeholder}`.trimEnd()
}
