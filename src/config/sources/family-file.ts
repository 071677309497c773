// Reads the configuration file of the node family (`prlx --config FILE`): another form of TOML, told apart by its tables.
import { ENTRIES } from '../catalog'
import { ConfigError } from '../errors'
import { type FileKey, isOfKind, isQuiet, KIND_NAMES, type OurValues } from '../families/file-key'
import { FILE_KEYS } from '../families/file-keys'
import { nearest } from './nearest'
import { lineOf, parseText, type TomlValue } from './parse-toml'

export interface FamilyFile {
  /** What our options have to be. The first may be the data directory, which our own file has no key for. */
  readonly values: readonly TomlValue[]
  /** What has no effect, a line each. */
  readonly notices: readonly string[]
}

/** Tables that the family's file has and ours has not: ours are in lower case. */
const TABLES: readonly string[] = [...new Set(FILE_KEYS.map(({ key }) => key.split('.')[0] ?? ''))]

/** The table that takes the place of the chain's own in files of other programs of the family. */
const OTHER_CHAIN = 'Eth'

/** What a value of the file stands at. */
interface Found {
  readonly key: string
  readonly value: unknown
}

/** Whether a file has the family's tables. @throws ConfigError CONFIG_FILE_SYNTAX, CONFIG_FILE_UNREADABLE */
export function isFamilyFile(file: string, text: string): boolean {
  return Object.keys(parseText(file, text)).some((name) => TABLES.includes(name) || name === OTHER_CHAIN)
}

/**
 * Null where a file is one of our own, or of nobody's.
 * @throws ConfigError as isFamilyFile; for a family's file also CONFIG_UNKNOWN_KEY, CONFIG_VALUE_INVALID, CONFIG_OPTION_REFUSED
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

/** The family is on the main network unless its file says otherwise; our own default is the practice network. */
function networkUnlessNamed(values: readonly TomlValue[], file: string): readonly TomlValue[] {
  const network = entryOf('app.network')
  if (values.some(({ entry }) => entry === network)) return []
  return [{ entry: network, value: 'main', file, line: 1, key: 'Parallax.NetworkId' }]
}

/** Every value below a table, with its whole key. @throws ConfigError CONFIG_UNKNOWN_KEY */
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

/** @param key of a row of the table, so that it is an option of ours */
function entryOf(key: string): TomlValue['entry'] {
  const entry = ENTRIES.find((candidate) => candidate.key === key)
  if (entry === undefined) throw new Error(`the families' table names ${key}, which is no option`)
  return entry
}
