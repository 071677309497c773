// Parses the arguments of a call. Pure: the catalog defines the options; their values are parsed later.

import { CALL_FLAG_NAMES, type CallFlagValues, callFlag, callFlagValues } from '../call-flags'
import { type CatalogEntry, type FlagName, flagNames } from '../catalog'
import { ConfigError, conflict } from '../errors'
import { familyCommand, familyFlag, logLevelOfVerbosity } from '../families/families'
import type { FamilyFlag } from '../families/family'
import { COMMANDS, type CommandName } from '../schema'
import { flag } from '../values/value-types'
import { nearest } from './nearest'

/** One option as typed. */
interface ArgvValue {
  readonly entry: CatalogEntry
  /** With its dashes: `--http.port`, `-h`. */
  readonly typed: string
  readonly text: string
}

/** A parsed command line, with the flags that belong to no configuration. */
export interface ParsedArgv extends CallFlagValues {
  readonly command: CommandName
  /** Words after the command. */
  readonly words: readonly string[]
  readonly values: readonly ArgvValue[]
  /** Notices for the user about what was accepted without effect. */
  readonly notices: readonly string[]
}

const SHORT_CALL_FLAGS: ReadonlyMap<string, string> = new Map([
  ['h', 'help'],
  ['v', 'version'],
  ['f', 'follow'],
])

/** What text programs turn one or two hyphens into. */
const LONG_DASH = /^[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/
const LONG_DASHES = new RegExp(`(?:${LONG_DASH.source.slice(1)}|-)+`)

interface Word {
  readonly typed: string
  readonly name: string
  /** After `=`, or the next word. */
  readonly value: string | null
}

/** @param argv the arguments after `headframe` @throws ConfigError for what can be wrong with a command line */
export function parseArgv(argv: readonly string[]): ParsedArgv {
  const { options, plain } = splitWords(argv)
  const command = commandOf(plain)
  const words = plain.slice(1)
  const values: ArgvValue[] = []
  const notices: string[] = []
  const called = new Map<string, string>()
  for (const word of options) {
    const family = familyAnswer(word.name, command)
    if (family?.answer.kind === 'renamed') values.push(bindRenamed(word, family.answer.flag, command))
    else if (family !== null) notices.push(familyNotice(word, family))
    else if (isCallFlag(word.name, command)) {
      checkAction(word, command, words[0] ?? '')
      called.set(word.name, together(word, callValue(word, command), called.get(word.name)))
    } else values.push(bind(word, command))
  }
  return { ...callFlagValues(called), command, words, values, notices }
}

/** Separates options (with their values) from plain words; after `--` every word is plain. */
function splitWords(argv: readonly string[]): { options: Word[]; plain: string[] } {
  const options: Word[] = []
  const plain: string[] = []
  const known = flagNames(null)
  for (let i = 0; i < argv.length; i++) {
    const typed = argv[i] ?? ''
    if (typed === '--') return { options, plain: [...plain, ...argv.slice(i + 1)] }
    if (LONG_DASH.test(typed)) throw unknownOption(typed)
    if (!typed.startsWith('-') || typed === '-') {
      plain.push(typed)
      continue
    }
    const { flag, inline } = splitFlag(typed)
    const name = flag.startsWith('--') ? flag.slice(2) : shortName(flag, inline ?? argv[i + 1], known)
    const takesNext = inline === null && takesValue(name, known)
    if (takesNext) i++
    options.push({ typed: flag, name, value: takesNext ? nextValue(flag, argv[i]) : inline })
  }
  return { options, plain }
}

function splitFlag(typed: string): { flag: string; inline: string | null } {
  const at = typed.indexOf('=')
  return at < 0 ? { flag: typed, inline: null } : { flag: typed.slice(0, at), inline: typed.slice(at + 1) }
}

/** @param next its possible value: `-v 3` is the miners' verbosity, `-v` alone means --version */
function shortName(flag: string, next: string | undefined, known: readonly FlagName[]): string {
  const letters = flag.slice(1)
  if (letters === 'v' && /^\d+$/.test(next ?? '')) return 'verbosity'
  const call = SHORT_CALL_FLAGS.get(letters)
  if (call !== undefined) return call
  // The family has two letters for it.
  if (letters === 'M') return 'benchmark'
  const name = known.find((candidate) => candidate.entry.option.short === letters)?.name
  if (name !== undefined) return name
  // Programs of the family also accept a single dash before full names.
  if (letters.length > 1 && (callFlag(letters) !== null || known.some((each) => each.name === letters))) return letters
  if (familyFlag(letters, 'miner') === null) throw unknownOption(flag)
  return letters
}

/** Whether the next word is its value. A spelling takes the same kind of value in every command. */
function takesValue(name: string, known: readonly FlagName[]): boolean {
  const call = callFlag(name)
  if (call !== null) return call.takesValue
  const match = known.find((candidate) => candidate.name === name)
  if (match !== undefined) return match.means === null && match.entry.option.type.form !== 'switch'
  const family = familyFlag(name, null)
  if (family === null) throw unknownOption(`--${name}`)
  return family.takesValue
}

/** A value may begin with a dash only as a negative number or as `-` alone; otherwise the value is missing. */
function nextValue(flag: string, next: string | undefined): string | null {
  if (next === undefined) return null
  if (next.startsWith('-') && next !== '-' && !/^-\d/.test(next)) {
    const accepted = `a value that does not begin with a dash, or ${flag}=${next}`
    throw new ConfigError('CONFIG_VALUE_MISSING', { flag, accepted })
  }
  return next
}

function commandOf([word, second]: readonly string[]): CommandName {
  if (word === undefined) return 'run'
  for (const words of second === undefined ? [word] : [`${word} ${second}`, word]) {
    const answer = familyCommand(words)?.answer
    if (answer?.kind === 'refused')
      throw new ConfigError('CONFIG_COMMAND_REFUSED', { word: words, instead: answer.instead })
  }
  const command = COMMANDS.find((name) => name === word)
  if (command !== undefined) return command
  const accepted = COMMANDS.join(', ')
  throw new ConfigError('CONFIG_UNKNOWN_COMMAND', { word, nearest: nearest(word, COMMANDS), accepted })
}

function bind(word: Word, command: CommandName): ArgvValue {
  const name = flagNames(command).find((candidate) => candidate.name === word.name)
  if (name === undefined) throw elsewhere(word, command)
  const { entry, means } = name
  const isSwitch = entry.option.type.form === 'switch'
  if (means !== null) {
    if (word.value === null || word.value === 'true') return { entry, typed: word.typed, text: means }
    throw new ConfigError('CONFIG_VALUE_INVALID', {
      where: word.typed,
      value: word.value,
      expected: 'left without a value',
    })
  }
  const text = word.value ?? (isSwitch ? 'true' : null)
  if (text === null)
    throw new ConfigError('CONFIG_VALUE_MISSING', { flag: word.typed, accepted: entry.option.type.expected })
  return { entry, typed: word.typed, text }
}

function elsewhere(word: Word, command: CommandName): Error {
  const owners = flagNames(null).filter((candidate) => candidate.name === word.name)
  if (owners.length === 0) return unknownOption(word.typed)
  const commands = [...new Set(owners.flatMap((owner) => ownersCommands(owner)))]
  return new ConfigError('CONFIG_OPTION_ELSEWHERE', { flag: word.typed, command, commands })
}

function ownersCommands({ name, entry }: FlagName): readonly CommandName[] {
  const isUnprefixed = entry.unprefixedIn.length > 0 && !name.startsWith(`${entry.section}.`)
  return isUnprefixed ? entry.unprefixedIn : entry.commands
}

function callValue({ name, typed, value }: Word, command: CommandName): string {
  const own = callFlag(name)
  const commands = own?.commands ?? null
  if (commands !== null && !commands.includes(command)) {
    throw new ConfigError('CONFIG_OPTION_ELSEWHERE', { flag: typed, command, commands })
  }
  if (own?.takesValue !== true) return switchValue(typed, value ?? 'true')
  if (value === null || value === '')
    throw new ConfigError('CONFIG_VALUE_MISSING', { flag: typed, accepted: own.accepted ?? 'a path' })
  return value
}

/** What an action has no use for isn't taken as if it had. @throws ConfigError CONFIG_OPTION_ELSEWHERE */
function checkAction({ name, typed }: Word, command: CommandName, action: string): void {
  const { actions = {} } = callFlag(name) ?? {}
  const known = actions[command]
  if (known === undefined || known.includes(action)) return
  const commands = known.map((each) => `${command} ${each}`.trimEnd())
  throw new ConfigError('CONFIG_OPTION_ELSEWHERE', { flag: typed, command: `${command} ${action}`.trimEnd(), commands })
}

/** What isn't understood must not switch anything on. */
function switchValue(where: string, value: string): string {
  const { parse, expected } = flag()
  const isTrue = parse(value)
  if (isTrue === null)
    throw new ConfigError('CONFIG_VALUE_INVALID', { where, value: value || 'an empty value', expected })
  return String(isTrue)
}

/** Given again, a list grows; of two other values neither can be meant. @throws ConfigError CONFIG_CONFLICT */
function together({ name, typed }: Word, value: string, before: string | undefined): string {
  if (before === undefined || before === value) return value
  if (callFlag(name)?.isList === true) return `${before},${value}`
  throw conflict(`${typed} is given twice, with different values: keep one`)
}

/** `--password` is a flag of some commands and an option in others. */
function isCallFlag(name: string, command: CommandName): boolean {
  const own = callFlag(name)
  if (own === null) return false
  return own.commands?.includes(command) !== false || !flagNames(command).some((known) => known.name === name)
}

/** The family's row for a word that `command` itself doesn't accept; null when the word is ours. */
function familyAnswer(name: string, command: CommandName): FamilyFlag | null {
  const own = callFlag(name)
  if (own !== null && own.commands?.includes(command) !== false) return null
  if (flagNames(command).some((known) => known.name === name)) return null
  const isElsewhere = flagNames(null).some((known) => known.name === name)
  return familyFlag(name, command, isElsewhere)
}

/** The notice about a word without effect. @throws ConfigError CONFIG_OPTION_REFUSED, CONFIG_VALUE_INVALID */
function familyNotice({ typed, value }: Word, { answer }: FamilyFlag): string {
  if (answer.kind === 'refused')
    throw new ConfigError('CONFIG_OPTION_REFUSED', { flag: typed, instead: answer.instead })
  if (answer.kind !== 'accepted') throw unknownOption(typed)
  if (answer.only !== undefined && !answer.only.includes((value ?? '').toLowerCase())) {
    const expected = answer.only.join(' or ')
    throw new ConfigError('CONFIG_VALUE_INVALID', { where: typed, value: value ?? 'nothing', expected })
  }
  return `${typed} is accepted without effect: ${answer.because}`
}

/** Our option for it, with the value in that option's form. */
function bindRenamed(word: Word, name: string, command: CommandName): ArgvValue {
  if (name !== 'log.level') return { ...bind({ ...word, name }, command), typed: word.typed }
  const level = logLevelOfVerbosity(word.value ?? '', command)
  if (level !== null) return { ...bind({ ...word, name, value: level }, command), typed: word.typed }
  const expected = 'a number from 0 to 9999'
  throw new ConfigError('CONFIG_VALUE_INVALID', { where: word.typed, value: word.value ?? 'nothing', expected })
}

function unknownOption(flag: string): Error {
  if (LONG_DASH.test(flag)) {
    const name = flag.replace(LONG_DASHES, '').replace(/=.*$/s, '')
    return new ConfigError('CONFIG_UNKNOWN_OPTION', { flag, nearest: `${name.length === 1 ? '-' : '--'}${name}` })
  }
  const off = switchedOff(flag)
  if (off !== null) return new ConfigError('CONFIG_UNKNOWN_OPTION', { flag, nearest: off })
  const names = [...flagNames(null).map((candidate) => candidate.name), ...CALL_FLAG_NAMES]
  const near = flag.startsWith('--') ? nearest(flag.slice(2), names) : null
  return new ConfigError('CONFIG_UNKNOWN_OPTION', { flag, nearest: near === null ? null : `--${near}` })
}

/** The hint for `--no-NAME` when NAME is a switch: the nearest name would turn it on. Null otherwise. */
function switchedOff(flag: string): string | null {
  const name = /^--no-(.+)$/.exec(flag)?.[1]
  const known = flagNames(null).find((candidate) => candidate.name === name && candidate.means === null)
  return known?.entry.option.type.form === 'switch' ? `--${known.name}=false` : null
}
