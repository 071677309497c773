// Reads the words of a call. Pure: which options exist comes from the catalog, what their values mean is decided later.
import { type CatalogEntry, type FlagName, flagNames } from './catalog'
import { ConfigError } from './errors'
import { HABITS, LEGACY_LOG_LEVELS } from './habits'
import { nearest } from './nearest'
import { COMMANDS, type CommandName } from './schema'

/** One option as it was typed. */
export interface ArgvValue {
  readonly entry: CatalogEntry
  /** With its dashes: `--http.port`, `-h`. */
  readonly typed: string
  readonly text: string
}

export interface ParsedArgv {
  readonly command: CommandName
  /** Words behind the command. */
  readonly words: readonly string[]
  readonly values: readonly ArgvValue[]
  /** Lines for the user about what was accepted without effect. */
  readonly notices: readonly string[]
  /** `--help` or `-h` was among the words, `--version`, `--json`, `--password FILE`. */
  readonly help: boolean
  readonly version: boolean
  readonly json: boolean
  readonly quick: boolean
  /** `--list-devices`: the call means `headframe devices` */
  readonly listDevices: boolean
  readonly passwordFile: string | null
}

/** Options that belong to one call of a command and to no configuration. */
const CALL_FLAGS: Readonly<
  Record<string, { readonly takesValue: boolean; readonly commands: readonly CommandName[] | null }>
> = {
  help: { takesValue: false, commands: null },
  version: { takesValue: false, commands: null },
  'list-devices': { takesValue: false, commands: ['run', 'miner', 'devices'] },
  json: { takesValue: false, commands: ['devices', 'bench', 'config', 'version'] },
  quick: { takesValue: false, commands: ['bench'] },
  password: { takesValue: true, commands: ['account', 'signer', 'rules'] },
}

const SHORT_CALL_FLAGS: Readonly<Record<string, string>> = { h: 'help', v: 'version' }

interface Word {
  readonly typed: string
  readonly name: string
  /** Behind `=`, or the next word. */
  readonly value: string | null
}

/**
 * @param argv what stands behind `headframe`
 * @throws ConfigError CONFIG_UNKNOWN_OPTION, CONFIG_UNKNOWN_COMMAND, CONFIG_OPTION_ELSEWHERE, CONFIG_VALUE_MISSING,
 * CONFIG_VALUE_INVALID (a habit's value)
 */
export function parseArgv(argv: readonly string[]): ParsedArgv {
  const { options, plain } = splitWords(argv)
  const command = commandOf(plain[0])
  const words = plain.slice(1)
  const values: ArgvValue[] = []
  const notices: string[] = []
  const called = new Map<string, string>()
  for (const word of options) {
    if (isCallFlag(word.name, command)) called.set(word.name, callValue(word, command))
    else if (word.name === 'loglevel') values.push(legacyLogLevel(word, command))
    else if (isHabit(word.name)) notices.push(habitNotice(word))
    else values.push(bind(word, command))
  }
  return {
    command,
    words,
    values,
    notices,
    help: isOn(called.get('help')),
    version: isOn(called.get('version')),
    json: isOn(called.get('json')),
    quick: isOn(called.get('quick')),
    listDevices: isOn(called.get('list-devices')),
    passwordFile: called.get('password') ?? null,
  }
}

/** Separates options (with their values) from plain words; `--` makes all that follow plain. */
function splitWords(argv: readonly string[]): { options: Word[]; plain: string[] } {
  const options: Word[] = []
  const plain: string[] = []
  const known = flagNames(null)
  for (let i = 0; i < argv.length; i++) {
    const typed = argv[i] ?? ''
    if (typed === '--') return { options, plain: [...plain, ...argv.slice(i + 1)] }
    if (!typed.startsWith('-') || typed === '-') {
      plain.push(typed)
      continue
    }
    const { flag, inline } = splitFlag(typed)
    const name = flag.startsWith('--') ? flag.slice(2) : shortName(flag, known)
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

function shortName(flag: string, known: readonly FlagName[]): string {
  const letter = flag.slice(1)
  const call = SHORT_CALL_FLAGS[letter]
  if (call !== undefined) return call
  const name = known.find((candidate) => candidate.entry.option.short === letter)?.name
  if (name === undefined) throw unknownOption(flag)
  return name
}

/** Whether the word behind it is its value. The same spelling takes the same kind of value in every command. */
function takesValue(name: string, known: readonly FlagName[]): boolean {
  if (name === 'loglevel') return true
  const other = CALL_FLAGS[name] ?? HABITS.find((habit) => habit.flag === name)
  if (other !== undefined) return other.takesValue
  const match = known.find((candidate) => candidate.name === name)
  if (match === undefined) throw unknownOption(`--${name}`)
  return match.means === null && match.entry.option.type.form !== 'switch'
}

/** A value may begin with a dash only as a negative number or as `-` alone; anything else is a forgotten value. */
function nextValue(flag: string, next: string | undefined): string | null {
  if (next === undefined) return null
  if (next.startsWith('-') && next !== '-' && !/^-\d/.test(next)) {
    const accepted = `a value that does not begin with a dash, or ${flag}=${next}`
    throw new ConfigError('CONFIG_VALUE_MISSING', { flag, accepted })
  }
  return next
}

function commandOf(word: string | undefined): CommandName {
  if (word === undefined) return 'run'
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
  const isUnprefixed = entry.unprefixedIn !== null && !name.startsWith(`${entry.section}.`)
  return isUnprefixed && entry.unprefixedIn !== null ? [entry.unprefixedIn] : entry.commands
}

function callValue(word: Word, command: CommandName): string {
  const flag = CALL_FLAGS[word.name]
  const commands = flag?.commands ?? null
  if (commands !== null && !commands.includes(command)) {
    throw new ConfigError('CONFIG_OPTION_ELSEWHERE', { flag: word.typed, command, commands })
  }
  if (flag?.takesValue !== true) return word.value ?? 'true'
  if (word.value === null) throw new ConfigError('CONFIG_VALUE_MISSING', { flag: word.typed, accepted: 'a path' })
  return word.value
}

/** `--password` is a word of the call in some commands and an option in others. */
function isCallFlag(name: string, command: CommandName): boolean {
  const flag = CALL_FLAGS[name]
  if (flag === undefined) return false
  return flag.commands?.includes(command) !== false || !flagNames(command).some((known) => known.name === name)
}

function isOn(text: string | undefined): boolean {
  return text !== undefined && text !== 'false'
}

function isHabit(name: string): boolean {
  return HABITS.some((habit) => habit.flag === name)
}

function habitNotice(word: Word): string {
  const habit = HABITS.find((candidate) => candidate.flag === word.name)
  return `${word.typed} is accepted without effect: ${habit?.because ?? ''}`
}

function legacyLogLevel(word: Word, command: CommandName): ArgvValue {
  const text = /^\d$/.test(word.value ?? '') ? LEGACY_LOG_LEVELS[Number(word.value)] : undefined
  if (text !== undefined) return { ...bind({ ...word, name: 'log.level', value: text }, command), typed: word.typed }
  throw new ConfigError('CONFIG_VALUE_INVALID', {
    where: word.typed,
    value: word.value ?? 'nothing',
    expected: 'in 0..5',
  })
}

function unknownOption(flag: string): Error {
  const names = [...flagNames(null).map((candidate) => candidate.name), ...Object.keys(CALL_FLAGS)]
  const near = flag.startsWith('--') ? nearest(flag.slice(2), names) : null
  return new ConfigError('CONFIG_UNKNOWN_OPTION', { flag, nearest: near === null ? null : `--${near}` })
}
