// Reads the node family's configuration file (`prlx --config FILE`), which is TOML with other tables.
import { ENTRIES } from '../catalog'
import { ConfigError } from '../errors'
import { type FileKey, isOfKind, isQuiet, KIND_NAMES, type OurValues } from '../families/file-key'
import { FILE_KEYS } from '../families/file-keys'
import { nearest } from './nearest'
import { lineOf, parseText, type TomlValue } from './parse-toml'

/** What the family's file says. */
export interface FamilyFile {
  /** Values for our options. The first may be the data directory, which has no key in our own file. */
  readonly values: readonly TomlValue[]
  /** One notice per value without effect. */
  readonly notices: readonly string[]
}

/** Tables of the family's file; ours are in lower case. */
const TABLES: readonly string[] = [...new Set(FILE_KEYS.map(({ key }) => key.split('.')[0] ?? ''))]

/** Replaces the chain's own table in files of the family's other programs. */
const OTHER_CHAIN = 'Eth'

/** A value and its position in the file. */
interface Found {
  readonly key: string
  readonly value: unknown
}

/** Whether a file uses the family's tables. @throws ConfigError CONFIG_FILE_SYNTAX, CONFIG_FILE_UNREADABLE */
export function isFamilyFile(file: string, text: string): boolean {
  return Object.keys(parseText(file, text)).some((name) => TABLES.includes(name) || name === OTHER_CHAIN)
}

/**
 * Null when it isn't the family's. @throws ConfigError as `isFamilyFile`, and for one of the family
 * CONFIG_UNKNOWN_KEY, CONFIG_VALUE_INVALID, CONFIG_OPTION_REFUSED
 */
export function readFamilyFile(file: string, text: string): FamilyFile | null {
  if (!isFamilyFile(file, text)) return null
  const tables = parseText(file, text)
  const found = Object.entries(tables).flatMap(([key, value]) => valuesOf({ key, value }, file, text))
  const notices: string[] = []
  const values = found.flatMap((each): readonly TomlValue[] => {
    const row = FILE_KEYS.find(({ key }) => key === each.key)
    if (row === undefined) throw unknown(file, text, each.key)
    const line = lineOf(text, each.key)
    const answered = answerOf(row, each.value, `${file}:${line}: ${each.key}`, notices)
    return answered.map(([key, value]) => ({ entry: entryOf(key), value, file, line, key: each.key }))
  })
  return { values: [...networkUnlessNamed(values, file), ...values], notices }
}

/** The family's default is the main network, ours the practice network. */
function networkUnlessNamed(values: readonly TomlValue[], file: string): readonly TomlValue[] {
  const network = entryOf('app.network')
  if (values.some(({ entry }) => entry === network)) return []
  return [{ entry: network, value: 'main', file, line: 1, key: 'Parallax.NetworkId' }]
}

/** Every value below a table, with its full key. @throws ConfigError CONFIG_UNKNOWN_KEY */
function valuesOf({ key, value }: Found, file: string, text: string): readonly Found[] {
  if (FILE_KEYS.some((row) => row.key === key)) return [{ key, value }]
  const isTable = FILE_KEYS.some((row) => row.key.startsWith(`${key}.`))
  if (!isTable || !isOfKind(value, 'table')) throw unknown(file, text, key)
  return Object.entries(value as object).flatMap(([name, inner]) =>
    valuesOf({ key: `${key}.${name}`, value: inner }, file, text),
  )
}

/** @throws ConfigError CONFIG_VALUE_INVALID, CONFIG_OPTION_REFUSED */
function answerOf({ key, type, answer }: FileKey, value: unknown, where: string, notices: string[]): OurValues {
  if (!isOfKind(value, type)) {
    const shown = JSON.stringify(value) ?? String(value)
    throw new ConfigError('CONFIG_VALUE_INVALID', { where, value: hidden(key, shown), expected: KIND_NAMES[type] })
  }
  if (answer.kind === 'done') return answer.read(value)
  if (isQuiet(value, answer.quiet)) return []
  if (answer.kind === 'refused')
    throw new ConfigError('CONFIG_OPTION_REFUSED', { flag: where, instead: answer.instead })
  notices.push(`${where} is accepted without effect: ${answer.because}`)
  return []
}

function hidden(key: string, shown: string): string {
  return /Password|Token|Secret/.test(key) ? '***' : shown
}

function unknown(file: string, text: string, key: string): Error {
  if (key === OTHER_CHAIN) {
    return new ConfigError('CONFIG_UNKNOWN_KEY', { file, line: lineOf(text, key), key, nearest: 'Parallax' })
  }
  const known = [...TABLES, ...FILE_KEYS.map((row) => row.key)]
  const last = key.slice(key.lastIndexOf('.') + 1)
  const sameName = known.find((candidate) => candidate.endsWith(`.${last}`))
  return new ConfigError('CONFIG_UNKNOWN_KEY', {
    file,
    line: lineOf(text, key),
    key,
    nearest: sameName ?? nearest(key, known),
  })
}

/** @param key from a row of the table, so it is one of our options */
function entryOf(key: string): TomlValue['entry'] {
  const entry = ENTRIES.find((candidate) => candidate.key === key)
  if (entry === undefined) throw new Error(`the families' table names ${key}, which is no option`)
  return entry
}
