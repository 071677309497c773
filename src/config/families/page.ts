// How each word of the families is handled: the migration page, and `headframe help prlx`.
import { wrapped } from '../help/wrapped'
import { FAMILIES } from './families'
import type { Family, FamilyAnswer, FamilyFlag } from './family'
import { FILE_KEYS } from './file-keys'

/** Markdown for the page of options: one table of flags and one of commands per family, without those that work as they are. */
export function familiesMarkdown(): string {
  return [...FAMILIES.map(familySection), keysSection()].join('\n')
}

/** The keys of the node family's config file. */
function keysSection(): string {
  const rows = FILE_KEYS.flatMap(({ key, answer }) => {
    if (answer.kind === 'done') return []
    const [here, note] = answer.kind === 'accepted' ? ['no effect', answer.because] : ['not supported', answer.instead]
    return [`| \`${key}\` | ${here} | ${note} |`]
  })
  return [
    '### prlx: its config file',
    '',
    '`headframe node --config FILE` reads a file written by `prlx dumpconfig`. For a key that has no effect, a notice says so if its value is not',
    'the default; a key that is not supported is refused if its value would do something. Headframe writes its own settings to `config.toml` in',
    "the data directory (`headframe.toml` if prlx's file has that name), which takes precedence. `headframe dumpconfig` prints everything as one file.",
    '',
    '| key | here | note |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

/** Column at which the answers begin in plain text. */
const ANSWER_INDENT = 39

/** The same as plain text; null for a program of no family. @param columns of a line, from `helpColumns` */
export function familyHelp(program: string, columns: number): string | null {
  const family = FAMILIES.find(({ programs }) => programs.split(', ').includes(program))
  if (family === undefined) return null
  const line = (word: string, answer: FamilyAnswer): readonly string[] => {
    const [first = '', ...rest] = wrapped(saidOf(answer), ANSWER_INDENT, columns)
    return [`  ${word} `.padEnd(ANSWER_INDENT) + first.slice(ANSWER_INDENT), ...rest]
  }
  const flags = family.flags.flatMap((row) => line(dashed(row), row.answer))
  const commands = family.commands.flatMap(({ word, answer }) => line(word, answer))
  return [
    `Flags of ${program} in headframe ${family.command}:`,
    '',
    ...flags,
    ...(commands.length === 0 ? [] : ['', 'Commands:', '', ...commands]),
    '',
  ].join('\n')
}

/** Programs that `familyHelp` knows. */
export function familyPrograms(): readonly string[] {
  return FAMILIES.flatMap(({ programs }) => programs.split(', '))
}

function familySection({ programs, command, flags, commands }: Family): string {
  const flagRows = flags
    .filter(isListed)
    .map((row) => `| \`${dashed(row)}\` | ${statusOf(row.answer)} | ${noteOf(row.answer)} |`)
  const commandRows = commands.filter(isListed).map(({ word, answer }) => {
    return `| \`${word}\` | ${statusOf(answer)} | ${noteOf(answer)} |`
  })
  return [
    `### ${programs}: headframe ${command}`,
    '',
    '| flag | here | note |',
    '|---|---|---|',
    ...flagRows,
    '',
    ...(commandRows.length === 0 ? [] : ['| command | here | note |', '|---|---|---|', ...commandRows, '']),
  ].join('\n')
}

/** Everything else works as it is. */
function isListed({ answer }: { readonly answer: FamilyAnswer }): boolean {
  return answer.kind !== 'same'
}

function statusOf({ kind }: FamilyAnswer): string {
  return { same: 'works', renamed: 'works', accepted: 'no effect', refused: 'not supported' }[kind]
}

function noteOf(answer: FamilyAnswer): string {
  switch (answer.kind) {
    case 'same':
      return ''
    case 'renamed':
      return `the same as \`--${answer.flag}\``
    case 'accepted':
      return `${answer.only === undefined ? '' : `${answer.only.join(' or ')}: `}${answer.because}`
    case 'refused':
      return answer.instead
  }
}

function saidOf(answer: FamilyAnswer): string {
  const note = noteOf(answer).replaceAll('`', '')
  return note === '' ? statusOf(answer) : `${statusOf(answer)}: ${note}`
}

function dashed({ flag, takesValue }: FamilyFlag): string {
  return `${flag.length === 1 || /^(SF|FS)$/.test(flag) ? '-' : '--'}${flag}${takesValue ? ' VALUE' : ''}`
}
